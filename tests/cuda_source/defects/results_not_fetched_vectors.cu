// SPDX-License-Identifier: Apache-2.0
// Nobody copies what the kernel wrote into two vectors, which reports call the same: their sizes tell them apart.
// options: --check all
// code: 0
// says: note +nothing was copied to the host after the last launch.*'a.*device_vector'.*512.*bytes.*'a.*device_vector'.*256.*bytes
// says: no findings
#include <thrust/device_vector.h>
#include <cstdio>
#include <cuda_runtime.h>
__global__ void fill(int* a, long long* b) {
  a[threadIdx.x] = threadIdx.x;
  b[threadIdx.x] = threadIdx.x;
}
int main() {
  const int n = 64;
  thrust::device_vector<int> a(n);
  thrust::device_vector<long long> b(n);
  fill<<<1, n>>>(a.data().get(), b.data().get());
  cudaDeviceSynchronize();
  std::puts("done");
}
