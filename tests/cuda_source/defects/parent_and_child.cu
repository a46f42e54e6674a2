// SPDX-License-Identifier: Apache-2.0
// A kernel that a kernel launches comes after what the launching thread did before the launch, after nothing that the
// parent does then, and before whatever is launched behind its parent. The `kept` forms of each pair are silent.
// options: --check all
// code: 3
// says: read and write of late.0. are not ordered
// says: read and write of unsynchronised.1. are not ordered
// says: write and read of result.0. are not ordered
// says: two writes of both.0. are not ordered
// says: launching thread did before, and no thread of
// says: only kernels that one block launches on one stream run one after the other
// says: 4 errors;
#include <cuda_runtime.h>

__global__ void add_one(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x] + 1; }
__global__ void set(int* x, int value) { *x = value; }

template <bool Kept>
__global__ void writes_after_launch(int* late, int* out) {
  if (Kept) *late = 1;
  add_one<<<1, 1>>>(late, out);
  if (!Kept) *late = 2;
}
template <bool Kept>
__global__ void launches_before_barrier(int* unsynchronised, int* out) {
  unsynchronised[threadIdx.x] = threadIdx.x;
  if (Kept) __syncthreads();
  if (threadIdx.x == 0) add_one<<<1, 2>>>(unsynchronised, out);
}
__global__ void reads_result(int* result, int* out) {
  set<<<1, 1>>>(result, 8);
  *out = *result;
}
__global__ void reads_later(const int* result, int* out) { *out = *result; }
__global__ void launches_a_setter(int* result) { set<<<1, 1>>>(result, 7); }
__global__ void launches_two(int* both) {
  set<<<1, 1>>>(both, blockIdx.x);
  set<<<1, 1>>>(both, blockIdx.x);
}

int main() {
  int *late, *unsynchronised, *result, *both, *out;
  cudaMalloc(&late, sizeof(int));
  cudaMalloc(&unsynchronised, 2 * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMalloc(&both, sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(result, 0, sizeof(int));
  cudaMemset(late, 0, sizeof(int));
  writes_after_launch<true><<<1, 1>>>(late, out);
  launches_before_barrier<true><<<1, 2>>>(unsynchronised, out);
  launches_a_setter<<<1, 1>>>(result);
  reads_later<<<1, 1>>>(result, out);
  launches_two<<<1, 1>>>(both);

  writes_after_launch<false><<<1, 1>>>(late, out);
  launches_before_barrier<false><<<1, 2>>>(unsynchronised, out);
  reads_result<<<1, 1>>>(result, out);
  launches_two<<<2, 1>>>(both);
  cudaDeviceSynchronize();
  for (int* p : {late, unsynchronised, result, both, out}) cudaFree(p);
}
