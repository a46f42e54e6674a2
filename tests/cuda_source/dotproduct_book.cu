// SPDX-License-Identifier: Apache-2.0
// Dot product, ripple and GPU hash of strings in the style of a textbook; book.h's HANDLE_ERROR is here.
#include <stdio.h>
#include <stdlib.h>
static void HandleError(cudaError_t err, const char *file, int line) {
  if (err != cudaSuccess) {
    printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
    exit(EXIT_FAILURE);
  }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
#define HANDLE_NULL(a) {if (a == NULL) { printf("Host memory failed in %s at line %d\n", __FILE__, __LINE__); exit(EXIT_FAILURE); }}
#define imin(a, b) (a < b ? a : b)
const int N = 33 * 256;
const int threadsPerBlock = 256;
const int blocksPerGrid = imin(32, (N + threadsPerBlock - 1) / threadsPerBlock);
__global__ void dot(float *a, float *b, float *c) {
  __shared__ float cache[threadsPerBlock];
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  int cacheIndex = threadIdx.x;
  float temp = 0;
  while (tid < N) {
    temp += a[tid] * b[tid];
    tid += blockDim.x * gridDim.x;
  }
  cache[cacheIndex] = temp;
  __syncthreads();
  int i = blockDim.x / 2;
  while (i != 0) {
    if (cacheIndex < i) cache[cacheIndex] += cache[cacheIndex + i];
    __syncthreads();
    i /= 2;
  }
  if (cacheIndex == 0) c[blockIdx.x] = cache[0];
}
struct Sphere {
  float r, b, g;
  float radius;
  float x, y, z;
  __device__ float hit(float ox, float oy, float *n) {
    float dx = ox - x;
    float dy = oy - y;
    if (dx * dx + dy * dy < radius * radius) {
      float dz = sqrtf(radius * radius - dx * dx - dy * dy);
      *n = dz / sqrtf(radius * radius);
      return dz + z;
    }
    return -2e10f;
  }
};
#define SPHERES 5
#define DIM 64
__constant__ Sphere s[SPHERES];
__global__ void raytrace(unsigned char *ptr) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
  int offset = x + y * blockDim.x * gridDim.x;
  float ox = (x - DIM / 2);
  float oy = (y - DIM / 2);
  float r = 0, g = 0, b = 0;
  float maxz = -2e10f;
  for (int i = 0; i < SPHERES; i++) {
    float n;
    float t = s[i].hit(ox, oy, &n);
    if (t > maxz) {
      float fscale = n;
      r = s[i].r * fscale;
      g = s[i].g * fscale;
      b = s[i].b * fscale;
      maxz = t;
    }
  }
  ptr[offset * 4 + 0] = (int)(r * 255);
  ptr[offset * 4 + 1] = (int)(g * 255);
  ptr[offset * 4 + 2] = (int)(b * 255);
  ptr[offset * 4 + 3] = 255;
}
int main(void) {
  float *a, *b, c, *partial_c;
  float *dev_a, *dev_b, *dev_partial_c;
  a = (float *)malloc(N * sizeof(float));
  HANDLE_NULL(a);
  b = (float *)malloc(N * sizeof(float));
  partial_c = (float *)malloc(blocksPerGrid * sizeof(float));
  HANDLE_ERROR(cudaMalloc((void **)&dev_a, N * sizeof(float)));
  HANDLE_ERROR(cudaMalloc((void **)&dev_b, N * sizeof(float)));
  HANDLE_ERROR(cudaMalloc((void **)&dev_partial_c, blocksPerGrid * sizeof(float)));
  for (int i = 0; i < N; i++) {
    a[i] = i % 3;
    b[i] = i % 2;
  }
  HANDLE_ERROR(cudaMemcpy(dev_a, a, N * sizeof(float), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, N * sizeof(float), cudaMemcpyHostToDevice));
  dot<<<blocksPerGrid, threadsPerBlock>>>(dev_a, dev_b, dev_partial_c);
  HANDLE_ERROR(cudaMemcpy(partial_c, dev_partial_c, blocksPerGrid * sizeof(float), cudaMemcpyDeviceToHost));
  c = 0;
  for (int i = 0; i < blocksPerGrid; i++) c += partial_c[i];
  float want = 0;
  for (int i = 0; i < N; i++) want += a[i] * b[i];
  printf("Does GPU value %.6g = %.6g?\n", c, want);
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_partial_c));
  free(a);
  free(b);
  free(partial_c);
  Sphere *temp_s = (Sphere *)malloc(sizeof(Sphere) * SPHERES);
  for (int i = 0; i < SPHERES; i++) {
    temp_s[i].r = temp_s[i].g = temp_s[i].b = 0.2f * (i + 1);
    temp_s[i].x = 10.0f * i - 20;
    temp_s[i].y = 5.0f * i - 10;
    temp_s[i].z = 2.0f * i;
    temp_s[i].radius = 12;
  }
  HANDLE_ERROR(cudaMemcpyToSymbol(s, temp_s, sizeof(Sphere) * SPHERES));
  free(temp_s);
  unsigned char *dev_bitmap, *bitmap = (unsigned char *)malloc(DIM * DIM * 4);
  HANDLE_ERROR(cudaMalloc((void **)&dev_bitmap, DIM * DIM * 4));
  dim3 grids(DIM / 16, DIM / 16);
  dim3 threads(16, 16);
  raytrace<<<grids, threads>>>(dev_bitmap);
  HANDLE_ERROR(cudaMemcpy(bitmap, dev_bitmap, DIM * DIM * 4, cudaMemcpyDeviceToHost));
  int lit = 0;
  for (int i = 0; i < DIM * DIM; i++) lit += bitmap[4 * i] > 0;
  printf("lit %d\n", lit > 500 && lit < DIM * DIM);
  HANDLE_ERROR(cudaFree(dev_bitmap));
  free(bitmap);
}
