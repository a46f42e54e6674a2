// SPDX-License-Identifier: Apache-2.0
// A grid that is rounded down leaves the image's right and lower edge unwritten, and all of it is copied: a note.
// options: --check all
// code: 0
// says: note +856 of the 7000 bytes that were copied from 'image'.*copied_partly_written.cu:20.*never
// says: no findings
#include <cstdio>
#include <cuda_runtime.h>
__global__ void shade(unsigned char* image, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) image[y * width + x] = x + y;
}
int main() {
  const int width = 100, height = 70;
  static unsigned char host[width * height];
  unsigned char* image;
  cudaMalloc(&image, sizeof host);
  const dim3 block(16, 16), grid(width / 16, height / 16);
  shade<<<grid, block>>>(image, width, height);
  cudaMemcpy(host, image, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[sizeof host - 1]);
  cudaFree(image);
}
