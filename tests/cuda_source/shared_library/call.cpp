// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

extern "C" float sum_of_ones(int count);
extern "C" int calls_so_far();

int main() {
  const float sum = sum_of_ones(1000);
  std::printf("sum %g, calls %d\n", sum, calls_so_far());
}
