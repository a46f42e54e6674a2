// SPDX-License-Identifier: Apache-2.0
// Tensor cores by inline PTX: mma.sync of several shapes and types on fragments, ldmatrix plain and transposed,
// stmatrix. Each product is compared with one computed element by element.
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>

__global__ void halves(const half *a, const half *b, float *d) {
  __shared__ __align__(16) half sa[16][16], sb[16][8];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i / 16][i % 16] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i / 8][i % 8] = b[i];
  __syncwarp();
  uint32_t fa[4], fb[2];
  float c[4] = {1, 1, 1, 1};
  unsigned row_a = (unsigned)__cvta_generic_to_shared(&sa[threadIdx.x % 16][threadIdx.x / 16 * 8]);
  unsigned row_b = (unsigned)__cvta_generic_to_shared(&sb[threadIdx.x % 16][0]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
               : "r"(row_a));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(fb[0]), "=r"(fb[1]) : "r"(row_b));
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%10, %11, %12, %13};"
      : "=f"(c[0]), "=f"(c[1]), "=f"(c[2]), "=f"(c[3])
      : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]),
        "f"(c[3]));
  for (int i = 0; i < 4; ++i) d[(threadIdx.x / 4 + i / 2 * 8) * 8 + threadIdx.x % 4 * 2 + i % 2] = c[i];
}
__global__ void bytes(const int8_t *a, const int8_t *b, int *d) {  // b: columns
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  uint32_t fa[4], fb[2];
  int c[4];
  for (int r = 0; r < 4; ++r) fa[r] = *(const uint32_t *)&a[(g + r % 2 * 8) * 32 + r / 2 * 16 + t * 4];
  for (int r = 0; r < 2; ++r) fb[r] = *(const uint32_t *)&b[g * 32 + r * 16 + t * 4];
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};"
      : "=r"(c[0]), "=r"(c[1]), "=r"(c[2]), "=r"(c[3])
      : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]), "r"(0));
  for (int i = 0; i < 4; ++i) d[(g + i / 2 * 8) * 8 + t * 2 + i % 2] = c[i];
}
__global__ void doubles(const double *a, const double *b, double *d) {
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  double x, y;
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};"
      : "=d"(x), "=d"(y)
      : "d"(a[g * 4 + t]), "d"(b[t * 8 + g]), "d"(0.0), "d"(0.0));
  d[g * 8 + t * 2] = x;
  d[g * 8 + t * 2 + 1] = y;
}
__global__ void floats(const float *a, const float *b, float *d) {
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  uint32_t fa[4], fb[2];
  float c[4];
  for (int r = 0; r < 4; ++r) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(fa[r]) : "f"(a[(g + r % 2 * 8) * 8 + t + r / 2 * 4]));
  for (int r = 0; r < 2; ++r) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(fb[r]) : "f"(b[(t + r * 4) * 8 + g]));
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};"
      : "=f"(c[0]), "=f"(c[1]), "=f"(c[2]), "=f"(c[3])
      : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]), "f"(0.0f));
  for (int i = 0; i < 4; ++i) d[(g + i / 2 * 8) * 8 + t * 2 + i % 2] = c[i];
}
__global__ void packed(half *to, uint32_t *two) {
  __shared__ __align__(16) half s[8][8];
  uint32_t v;
  float low = threadIdx.x, high = -1.5f;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(v) : "f"(high), "f"(low));
  two[threadIdx.x] = v;
  unsigned row = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x % 8][0]);
  asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(row), "r"(v) : "memory");
  __syncwarp();
  for (int i = threadIdx.x; i < 64; i += 32) to[i] = s[i / 8][i % 8];
}

template <class T, class D, class Value>
int wrong(const T *a, const T *b, const D *d, int m, int k, bool columns, D begin, Value value) {
  int count = 0;
  for (int r = 0; r < m; ++r)
    for (int c = 0; c < 8; ++c) {
      D sum = begin;
      for (int i = 0; i < k; ++i) sum += (D)value(a[r * k + i]) * (D)value(columns ? b[c * k + i] : b[i * 8 + c]);
      count += d[r * 8 + c] != sum;
    }
  return count;
}

template <class T>
T *memory(int n) {
  T *p;
  cudaMallocManaged(&p, n * sizeof(T));
  for (int i = 0; i < n; ++i) p[i] = T((i * 7 + i / 8) % 11 - 5);
  return p;
}

int main() {
  half *ha = memory<half>(256), *hb = memory<half>(128), *stored = memory<half>(64);
  float *fd = memory<float>(128), *fa = memory<float>(128), *fb = memory<float>(64);
  int8_t *ba = memory<int8_t>(512), *bb = memory<int8_t>(256);
  int *id = memory<int>(128);
  double *da = memory<double>(32), *db = memory<double>(32), *dd = memory<double>(64);
  uint32_t *two = memory<uint32_t>(32);
  halves<<<1, 32>>>(ha, hb, fd);
  cudaDeviceSynchronize();
  printf("f16: %d wrong\n", wrong(ha, hb, fd, 16, 16, false, 1.0f, [](half x) { return (float)x; }));
  bytes<<<1, 32>>>(ba, bb, id);
  doubles<<<1, 32>>>(da, db, dd);
  cudaDeviceSynchronize();
  printf("s8: %d wrong\n", wrong(ba, bb, id, 16, 32, true, 0, [](int8_t x) { return (int)x; }));
  printf("f64: %d wrong\n", wrong(da, db, dd, 8, 4, false, 0.0, [](double x) { return x; }));
  floats<<<1, 32>>>(fa, fb, fd);
  packed<<<1, 32>>>(stored, two);
  cudaDeviceSynchronize();
  printf("tf32: %d wrong\n", wrong(fa, fb, fd, 16, 8, false, 0.0f, [](float x) { return x; }));
  printf("pair %08x, stored", two[3]);
  for (int i = 0; i < 8; ++i) printf(" %g", (float)stored[i * 8 + 1]);
  printf("\n");
  cudaFree(ha), cudaFree(hb), cudaFree(stored), cudaFree(fd), cudaFree(fa), cudaFree(fb), cudaFree(ba), cudaFree(bb);
  cudaFree(id), cudaFree(da), cudaFree(db), cudaFree(dd), cudaFree(two);
}
