// SPDX-License-Identifier: Apache-2.0
// Lines behind a string of several lines are those of the file.
// options: --check all
// code: 3
// says: behind_raw_string.cu:21 in main
// says: 'forgotten'
// says: behind_raw_string.cu:15 in each_writes
#include <cstdio>

static const char *const kText = R"(one
two
three
)";

__global__ void each_writes(int *x) { *x = threadIdx.x; }

static const char *const kMore = R"(four
five)";
int main() {
  int *forgotten;
  cudaMalloc(&forgotten, 4);
  each_writes<<<1, 64>>>(forgotten);
  std::printf("%s%s", kText, kMore);
  return cudaDeviceSynchronize();
}
