// SPDX-License-Identifier: Apache-2.0
// Memory of the host's own that is registered: kernels reach it through the pointer that the runtime gives for it.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(const float* in, float* out, int n, int* done) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = 2 * in[i];
  atomicAdd(done, 1);
}

int main() {
  constexpr int n = 1000;
  constexpr size_t bytes = n * sizeof(float);
  float* in = static_cast<float*>(aligned_alloc(4096, 4096));
  float* out = static_cast<float*>(aligned_alloc(4096, 4096));
  int* done = static_cast<int*>(aligned_alloc(4096, 4096));
  for (int i = 0; i < n; ++i) in[i] = float(i);
  *done = 0;
  cudaHostRegister(in, bytes, cudaHostRegisterMapped);
  cudaHostRegister(out, bytes, cudaHostRegisterMapped);
  cudaHostRegister(done, sizeof *done, cudaHostRegisterMapped);
  printf("again: %s\n", cudaGetErrorName(cudaHostRegister(in, bytes, cudaHostRegisterMapped)));
  cudaGetLastError();
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, in);
  printf("host memory: %d\n", attributes.type == cudaMemoryTypeHost);

  float *device_in, *device_out;
  int* device_done;
  cudaHostGetDevicePointer(&device_in, in, 0);
  cudaHostGetDevicePointer(&device_out, out, 0);
  cudaHostGetDevicePointer(&device_done, done, 0);
  scale<<<(n + 255) / 256, 256>>>(device_in, device_out, n, device_done);
  printf("wait: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += out[i] != 2 * in[i];
  printf("wrong %d, done %d\n", wrong, *done);

  cudaHostUnregister(in);
  cudaHostUnregister(out);
  cudaHostUnregister(done);
  printf("after: %s\n", cudaGetErrorName(cudaHostUnregister(in)));
  free(in);
  free(out);
  free(done);
  return 0;
}
