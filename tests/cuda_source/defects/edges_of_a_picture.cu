// SPDX-License-Identifier: Apache-2.0
// Pixels at the edge are left out, and every block has some of them: what the others write is known thread by thread, in
// blocks whose addresses are known beforehand (not the first ones). `own` reads the pixel that it has written,
// `of_neighbour` one that another block writes.
// options: --check all --workers 1
// code: 3
// says: edges_of_a_picture.cu:17
// says: edges_of_a_picture.cu:18
// says: of_neighbour
// says: 1 error;
#include <cuda_runtime.h>

template <int Back>
__device__ void edges(unsigned char* out, unsigned char* sums, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  out[y * width + x] = 1;
  sums[y * width + x] = out[y * width + x - (blockIdx.y > 2 ? Back : 0)] + 1;
}
__global__ void own(unsigned char* out, unsigned char* sums, int width, int height) {
  edges<0>(out, sums, width, height);
}
__global__ void of_neighbour(unsigned char* out, unsigned char* sums, int width, int height) {
  edges<32>(out, sums, width, height);
}
int main() {
  const int width = 64, height = 128;
  unsigned char *out, *sums;
  cudaMalloc(&out, width * height);
  cudaMalloc(&sums, width * height);
  cudaMemset(out, 0, width * height);
  own<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(out, sums, width, height);
  of_neighbour<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(out, sums, width, height);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(sums);
}
