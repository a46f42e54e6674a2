// SPDX-License-Identifier: Apache-2.0
// Nobody copies what the kernel wrote into two arrays of one name: size and line tell them apart.
// options: --check all
// code: 0
// says: note +nothing was copied to the host after the last launch.*'p'.*256.*bytes,.*allocated.*at.*alike.cu:16.*make<int>.*'p'.*512.*bytes
// says: no findings
#include <cstdio>
#include <cuda_runtime.h>
__global__ void fill(int* a, long long* b) {
  a[threadIdx.x] = threadIdx.x;
  b[threadIdx.x] = threadIdx.x;
}
template <class T>
T* make(int n) {
  T* p = nullptr;
  cudaMalloc(&p, n * sizeof(T));
  return p;
}
int main() {
  const int n = 64;
  int* a = make<int>(n);
  long long* b = make<long long>(n);
  fill<<<1, n>>>(a, b);
  cudaDeviceSynchronize();
  std::puts("done");
  cudaFree(a);
  cudaFree(b);
}
