// SPDX-License-Identifier: Apache-2.0
// The clean twin of copied_partly_written: the grid is rounded up. Nothing stands between the launch and the last line.
// options: --check all
// code: 0
// says: grid 7x5, block 16x16.[^ ]*copied_all_written.cu: no findings
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
  const dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  shade<<<grid, block>>>(image, width, height);
  cudaMemcpy(host, image, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[sizeof host - 1]);
  cudaFree(image);
}
