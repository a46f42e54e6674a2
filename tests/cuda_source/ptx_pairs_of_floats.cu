// SPDX-License-Identifier: Apache-2.0
// Pairs of floats in a register of 64 bits (.f32x2, of compute capability 10 and newer), each half rounded by itself.
#include <cmath>
#include <cstdio>
#include <cstdlib>

__device__ float2 fma_pair(float2 a, float2 b, float2 c) {
  float2 d;
  asm("{\n"
      ".reg .b64 d, a, b, c;\n"
      "mov.b64 a, {%2, %3};\n"
      "mov.b64 b, {%4, %5};\n"
      "mov.b64 c, {%6, %7};\n"
      "fma.rn.f32x2 d, a, b, c;\n"
      "mov.b64 {%0, %1}, d;\n"
      "}"
      : "=f"(d.x), "=f"(d.y)
      : "f"(a.x), "f"(a.y), "f"(b.x), "f"(b.y), "f"(c.x), "f"(c.y));
  return d;
}
__device__ unsigned long long bits(float2 a) { return reinterpret_cast<unsigned long long &>(a); }

__global__ void all(const float2 *a, const float2 *b, const float2 *c, float2 *out) {
  const int i = threadIdx.x;
  out[i] = fma_pair(a[i], b[i], c[i]);
  unsigned long long r, x = bits(a[i]), y = bits(b[i]);
  asm("add.rn.f32x2 %0, %1, %2;" : "=l"(r) : "l"(x), "l"(y));
  out[32 + i] = reinterpret_cast<float2 &>(r);
  asm("mul.rz.ftz.f32x2 %0, %1, %2;" : "=l"(r) : "l"(x), "l"(y));
  out[64 + i] = reinterpret_cast<float2 &>(r);
  asm("sub.rp.f32x2 %0, %1, %2;" : "=l"(r) : "l"(x), "l"(y));
  out[96 + i] = reinterpret_cast<float2 &>(r);
}

float up(double exact) {
  const float f = static_cast<float>(exact);
  return f < exact ? std::nextafter(f, INFINITY) : f;
}
float towards_zero(double exact) {
  const float f = static_cast<float>(exact);
  return std::fabs(static_cast<double>(f)) > std::fabs(exact) ? std::nextafter(f, 0.0f) : f;
}

int main() {
  float2 h[3][32], r[128], *d[3], *out;
  for (auto &v : h)
    for (float2 &x : v) x = make_float2(rand() / 65536.0f / 321, -rand() / 7654321.0f);
  for (int k = 0; k < 3; ++k) {
    cudaMalloc(&d[k], sizeof h[k]);
    cudaMemcpy(d[k], h[k], sizeof h[k], cudaMemcpyHostToDevice);
  }
  cudaMalloc(&out, sizeof r);
  all<<<1, 32>>>(d[0], d[1], d[2], out);
  cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
  int wrong[4] = {};
  for (int i = 0; i < 32; ++i) {
    const double ax = h[0][i].x, ay = h[0][i].y, bx = h[1][i].x, by = h[1][i].y;
    wrong[0] += r[i].x != std::fma(h[0][i].x, h[1][i].x, h[2][i].x) || r[i].y != std::fma(h[0][i].y, h[1][i].y, h[2][i].y);
    wrong[1] += r[32 + i].x != h[0][i].x + h[1][i].x || r[32 + i].y != h[0][i].y + h[1][i].y;
    wrong[2] += r[64 + i].x != towards_zero(ax * bx) || r[64 + i].y != towards_zero(ay * by);
    wrong[3] += r[96 + i].x != up(ax - bx) || r[96 + i].y != up(ay - by);
  }
  printf("wrong: fma %d, add %d, mul %d, sub %d\n", wrong[0], wrong[1], wrong[2], wrong[3]);
  for (float2 *p : d) cudaFree(p);
  cudaFree(out);
}
