// SPDX-License-Identifier: Apache-2.0
// Memory in two dimensions and the ways to copy: pitched rows, sub-rectangles, fills, copies on the device, transpose.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int TILE = 16;

__global__ void brighten(unsigned char* image, size_t pitch, int width, int height, int by) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  unsigned char* row = image + y * pitch;
  row[x] = (unsigned char)min(255, row[x] + by);
}

__global__ void transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = __ldg(&in[y * width + x]);
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  const int width = 37, height = 21;
  std::vector<unsigned char> image(width * height), back(width * height);
  for (int i = 0; i < width * height; i++) image[i] = (unsigned char)(i * 5);
  unsigned char* d_image;
  size_t pitch = 0;
  cudaMallocPitch(&d_image, &pitch, width, height);
  cudaMemcpy2D(d_image, pitch, image.data(), width, width, height, cudaMemcpyHostToDevice);
  brighten<<<dim3(3, 2), dim3(16, 16)>>>(d_image, pitch, width, height, 20);
  cudaMemset2D(d_image + 2 * pitch + 4, pitch, 7, 5, 3);
  cudaMemcpy2D(back.data(), width, d_image, pitch, width, height, cudaMemcpyDeviceToHost);
  printf("pitch %s, pixels %d %d %d\n", pitch >= width ? "enough" : "short", back[0], back[2 * width + 4], back[width * height - 1]);

  const int w = 50, h = 35;
  std::vector<float> a(w * h), b(w * h);
  for (int i = 0; i < w * h; i++) a[i] = (float)i;
  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, a.size() * sizeof(float));
  cudaMalloc(&d_b, a.size() * sizeof(float));
  cudaMalloc(&d_c, a.size() * sizeof(float));
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyDefault);
  transpose<<<dim3((w + TILE - 1) / TILE, (h + TILE - 1) / TILE), dim3(TILE, TILE)>>>(d_a, d_b, w, h);
  cudaMemcpy(d_c, d_b, a.size() * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaMemcpy(b.data(), d_c, a.size() * sizeof(float), cudaMemcpyDefault);
  int wrong = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) wrong += b[x * h + y] != a[y * w + x];
  printf("transpose: %d wrong\n", wrong);
  cudaMemset(d_c, 0x40, 8);
  cudaMemcpy(b.data(), d_c, 8, cudaMemcpyDeviceToHost);
  printf("filled %.6f\n", b[1]);
  cudaFree(d_image), cudaFree(d_a), cudaFree(d_b), cudaFree(d_c);
  return 0;
}
