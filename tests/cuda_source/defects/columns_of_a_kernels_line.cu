// SPDX-License-Identifier: Apache-2.0
// Translation keeps the columns of the user's lines, also behind the head of a kernel, blanks that the preprocessor makes
// one of, and macros; so the fix is in the kernel's own words, and two places of one line are told apart.
// options: --check races --json -
// code: 3
// says: "line": 15,[^}]*"column": 36,
// says: atomicAdd\(p, 1\)
// says: "line": 16,[^}]*"column": 45,
// says: atomicAdd\(&FIRST, 2\)
// says: put a barrier .__syncthreads\(\). in line 17 between .\"s\[t\] = a\[t\];.\" and .\"a\[t\] = s\[63 - t\];.\"
// says: "line": 17,[^}]*"column": 84,
// says: "line": 17,[^}]*"column": 99,
#include <cuda_runtime.h>
#define FIRST p[0]
__global__ void count(int* p) { *p += 1; }
__global__   void   spaced(int* p) {  FIRST += 2; }
__global__ void swap_all(int* a) { __shared__ int s[64]; int t = threadIdx.x; s[t] = a[t]; a[t] = s[63 - t]; }
int main() {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMemset(x, 1, 64 * sizeof(int));
  count<<<2, 32>>>(x);
  spaced<<<2, 32>>>(x);
  swap_all<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
