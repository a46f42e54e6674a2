// SPDX-License-Identifier: Apache-2.0
// Memory that a helper allocates is named as its caller names it; and two defects of one line are not one, where a
// barrier mends the one and not the other.
// options: --check all
// code: 3
// says: two writes of mass.32. are not ordered
// says: write and read of speed.32. are not ordered
// says: memory_of_helpers.cu: 2 errors;
#include <cuda_runtime.h>
template <typename T>
T* make(int n) {
  T* ptr;
  cudaMalloc(&ptr, n * sizeof(T));
  cudaMemset(ptr, 0, n * sizeof(T));
  return ptr;
}
void make(float** where, int n) {
  cudaMalloc(where, n * 4);
  cudaMemset(*where, 0, n * 4);
}
__global__ void k(float* x, float* y) {
  const int i = threadIdx.x;
  x[i] = y[(i + 1) % 128], y[i] = 2, x[(i + 1) % 128] = 1;
}
__global__ void right(float* x, float* y) { x[threadIdx.x] = y[threadIdx.x]; }
int main() {
  float* mass = make<float>(128);
  float* speed;
  make(&speed, 128);
  float h[128];
  right<<<1, 128>>>(mass, speed);
  k<<<1, 128>>>(mass, speed);
  cudaMemcpy(h, mass, 512, cudaMemcpyDeviceToHost), cudaMemcpy(h, speed, 512, cudaMemcpyDeviceToHost);
  cudaFree(mass), cudaFree(speed);
}
