// SPDX-License-Identifier: Apache-2.0
// cvt between types in inline PTX, as quantising kernels write it: rounding, limits of narrow integers, signs.
#include <cstdint>
#include <cstdio>

__device__ int8_t byte_of(float x) {
  uint32_t to;
  asm volatile("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(to) : "f"(x));
  return static_cast<int8_t>(to);
}
__device__ int8_t byte_of(int x) {
  uint32_t to;
  asm volatile("cvt.sat.s8.s32 %0, %1;" : "=r"(to) : "r"(x));
  return static_cast<int8_t>(to);
}
__device__ int rounded(float x) {
  int to;
  asm("cvt.rni.sat.s32.f32 %0, %1;" : "=r"(to) : "f"(x));
  return to;
}

__global__ void convert(const float* x, const int* n, int* bytes, int* whole, unsigned* other) {
  const int i = threadIdx.x;
  bytes[2 * i] = byte_of(x[i]);
  bytes[2 * i + 1] = byte_of(n[i]);
  whole[4 * i] = rounded(x[i]);
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(whole[4 * i + 1]) : "f"(x[i]));
  asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(whole[4 * i + 2]) : "f"(x[i]));
  asm("cvt.rpi.s32.f32 %0, %1;" : "=r"(whole[4 * i + 3]) : "f"(x[i]));
  asm("cvt.rni.u32.f32 %0, %1;" : "=r"(other[4 * i]) : "f"(x[i]));
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(other[4 * i + 1]) : "r"(n[i]));
  asm("cvt.sat.u16.s32 %0, %1;" : "=r"(other[4 * i + 2]) : "r"(n[i]));
  float back;
  asm("cvt.rn.f32.s32 %0, %1;" : "=f"(back) : "r"(n[i]));
  long long wide;
  asm("cvt.s64.s32 %0, %1;" : "=l"(wide) : "r"(n[i]));
  other[4 * i + 3] = wide == n[i] && back == static_cast<float>(n[i]);
}

template <class T>
void print(const char* name, const T* values, int count) {
  printf("%s:", name);
  for (int i = 0; i < count; ++i) printf(" %lld", static_cast<long long>(values[i]));
  printf("\n");
}

int main() {
  const int count = 6;
  const float x[count] = {0.5f, 1.5f, -2.5f, 300.7f, -129.4f, 3e9f};
  const int n[count] = {7, -7, 127, 128, -129, 70000};
  float* dx;
  int *dn, *bytes, *whole;
  unsigned* other;
  cudaMalloc(&dx, sizeof(x));
  cudaMalloc(&dn, sizeof(n));
  cudaMalloc(&bytes, count * 2 * sizeof(int));
  cudaMalloc(&whole, count * 4 * sizeof(int));
  cudaMalloc(&other, count * 4 * sizeof(unsigned));
  cudaMemcpy(dx, x, sizeof(x), cudaMemcpyHostToDevice);
  cudaMemcpy(dn, n, sizeof(n), cudaMemcpyHostToDevice);
  convert<<<1, count>>>(dx, dn, bytes, whole, other);
  int host_bytes[count * 2], host_whole[count * 4];
  unsigned host_other[count * 4];
  cudaMemcpy(host_bytes, bytes, sizeof(host_bytes), cudaMemcpyDeviceToHost);
  cudaMemcpy(host_whole, whole, sizeof(host_whole), cudaMemcpyDeviceToHost);
  cudaMemcpy(host_other, other, sizeof(host_other), cudaMemcpyDeviceToHost);
  print("bytes", host_bytes, count * 2);
  print("whole", host_whole, count * 4);
  print("other", host_other, count * 4);
  cudaFree(dx);
  cudaFree(dn);
  cudaFree(bytes);
  cudaFree(whole);
  cudaFree(other);
}
