// SPDX-License-Identifier: Apache-2.0
// A write outside a surface traps, as on a GPU. And a fetch reads the array: what nobody wrote is uninitialised.
// options: --check all
// code: 4
// says: error.uninitialized-read.
// says: read of image.1..0.
// says: error.device-trap.
#include <cuda_runtime.h>

__global__ void read(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 1.5f); }
__global__ void write(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, threadIdx.x * 4, 0); }

int main() {
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaArray_t image;
  cudaMallocArray(&image, &desc, 4, 4, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = image;
  cudaTextureDesc how = {};
  cudaTextureObject_t t;
  cudaSurfaceObject_t s;
  cudaCreateTextureObject(&t, &resource, &how, nullptr);
  cudaCreateSurfaceObject(&s, &resource);
  float* out;
  cudaMalloc(&out, 16);
  write<<<1, 4>>>(s);
  read<<<1, 4>>>(t, out);
  write<<<1, 5>>>(s);
  cudaDeviceSynchronize();
  return 0;
}
