// SPDX-License-Identifier: Apache-2.0
// Mandelbrot with a complex class for the device, 2D pitched allocation and cudaMemcpy2D.
#include <iostream>
#include <iomanip>
#include <memory>
struct cuComplexT {
  float r, i;
  __host__ __device__ cuComplexT(float a, float b) : r(a), i(b) {}
  __host__ __device__ float magnitude2(void) const { return r * r + i * i; }
  __host__ __device__ cuComplexT operator*(const cuComplexT &a) const { return cuComplexT(__builtin_fmaf(r, a.r, -(i * a.i)), __builtin_fmaf(i, a.r, r * a.i)); }
  __host__ __device__ cuComplexT operator+(const cuComplexT &a) const { return cuComplexT(r + a.r, i + a.i); }
};
__host__ __device__ int escape(float cx, float cy, int limit) {
  cuComplexT c(cx, cy), z(0, 0);
  int n = 0;
  while (n < limit && z.magnitude2() < 4.0f) {
    z = z * z + c;
    ++n;
  }
  return n;
}
__global__ void mandel(unsigned char *img, size_t pitch, int w, int h, int limit) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x < w && y < h) {
    unsigned char *row = img + y * pitch;
    row[x] = (unsigned char)escape(-2.0f + 3.0f * x / w, -1.0f + 2.0f * y / h, limit);
  }
}
int main() {
  const int w = 100, h = 70, limit = 100;
  unsigned char *dev;
  size_t pitch;
  if (cudaMallocPitch((void **)&dev, &pitch, w, h) != cudaSuccess) return 1;
  dim3 threads(16, 16), blocks((w + 15) / 16, (h + 15) / 16);
  mandel<<<blocks, threads>>>(dev, pitch, w, h, limit);
  std::unique_ptr<unsigned char[]> img(new unsigned char[w * h]);
  cudaMemcpy2D(img.get(), w, dev, pitch, w, h, cudaMemcpyDeviceToHost);
  cudaFree(dev);
  int inside = 0, near = 0;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      int want = escape(-2.0f + 3.0f * x / w, -1.0f + 2.0f * y / h, limit), got = img[y * w + x];
      inside += got == limit;
      near += std::abs(got - want) <= 1;
    }
  std::cout << "agree " << (near > w * h * 99 / 100 ? "yes" : "no") << ", inside " << std::setw(5) << inside / 100 * 100 << std::endl;
}
