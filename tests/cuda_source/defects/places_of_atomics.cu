// SPDX-License-Identifier: Apache-2.0
// Both sides of a race have a line where they are operations of libcu++'s atomics or loads of a matrix.
// options: --check races
// code: 3
// says: race-scope.: two atomic updates of member
// says: places_of_atomics.cu:17
// says: race-scope.: two atomic updates of number
// says: places_of_atomics.cu:19
// says: race-global.: write and read of matrix
// says: places_of_atomics.cu:27
// says: places_of_atomics.cu:29
#include <cuda/atomic>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
__global__ void add(cuda::atomic<int, cuda::thread_scope_block>* member, int* number) {
  ++*member;
  cuda::atomic_ref<int, cuda::thread_scope_block> n(*number);
  n.fetch_add(1, cuda::memory_order_relaxed);
}
__global__ void load(half* matrix, half* out) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> a;
  fill_fragment(a, __float2half(0.0f));
  if (blockIdx.x == 0)
    // The second block writes meanwhile.
    load_matrix_sync(a, matrix, 16);
  else if (threadIdx.x == 0)
    matrix[5] = __float2half(1.0f);
  out[blockIdx.x * 32 + threadIdx.x] = a.x[0];
}
int main() {
  cuda::atomic<int, cuda::thread_scope_block>* member;
  int* number;
  half *matrix, *out;
  cudaMalloc(&member, sizeof *member);
  cudaMalloc(&number, sizeof *number);
  cudaMalloc(&matrix, 256 * sizeof(half));
  cudaMalloc(&out, 64 * sizeof(half));
  cudaMemset(member, 0, sizeof *member);
  cudaMemset(number, 0, sizeof *number);
  cudaMemset(matrix, 0, 256 * sizeof(half));
  add<<<2, 1>>>(member, number);
  load<<<2, 32>>>(matrix, out);
  cudaDeviceSynchronize();
  cudaFree(member);
  cudaFree(number);
  cudaFree(matrix);
  cudaFree(out);
}
