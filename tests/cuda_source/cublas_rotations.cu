// SPDX-License-Identifier: Apache-2.0
// cuBLAS: rotations made and applied, with their numbers on the host and on the device; symmetric matrices of complex
// numbers; batches of halves. With nvcc: -lcublas
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

#define MUST(call)                                                               \
  do {                                                                           \
    const int result = (int)(call);                                              \
    if (result != 0) std::printf("line %d: %s is %d\n", __LINE__, #call, result); \
  } while (0)

template <class T>
static T *on_device(const T *h, int n) {
  T *d;
  MUST(cudaMalloc(&d, n * sizeof(T)));
  MUST(cudaMemcpy(d, h, n * sizeof(T), cudaMemcpyHostToDevice));
  return d;
}
template <class T>
static void fetch(T *h, const T *d, int n) {
  MUST(cudaMemcpy(h, d, n * sizeof(T), cudaMemcpyDeviceToHost));
}

int main() {
  cublasHandle_t h;
  MUST(cublasCreate(&h));

  float a = 3, b = 4, c, s;
  MUST(cublasSrotg(h, &a, &b, &c, &s));
  std::printf("rotation %.4f %.4f %.4f %.4f\n", a, b, c, s);
  const double four[4] = {-8, 6, 0, 0};
  double *numbers = on_device(four, 4), made[4];
  MUST(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
  MUST(cublasDrotg(h, numbers, numbers + 1, numbers + 2, numbers + 3));
  fetch(made, numbers, 4);
  std::printf("on the device %.4f %.4f %.4f %.4f\n", made[0], made[1], made[2], made[3]);
  const double xs[3] = {1, 2, 3}, ys[3] = {-1, 0, 5};
  double *x = on_device(xs, 3), *y = on_device(ys, 3), hx[3], hy[3];
  MUST(cublasDrot(h, 3, x, 1, y, 1, numbers + 2, numbers + 3));
  fetch(hx, x, 3);
  fetch(hy, y, 3);
  std::printf("rotated %.4f %.4f %.4f, %.4f %.4f %.4f\n", hx[0], hx[1], hx[2], hy[0], hy[1], hy[2]);
  MUST(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));

  cuComplex za = make_cuComplex(3, 4), zb = make_cuComplex(0, 12), zs;
  MUST(cublasCrotg(h, &za, &zb, &c, &zs));
  std::printf("complex %.4f %.4f, %.4f, %.4f %.4f\n", za.x, za.y, c, zs.x, zs.y);
  const cuComplex zx_h[2] = {make_cuComplex(3, 4), make_cuComplex(1, 0)}, zy_h[2] = {make_cuComplex(0, 12), make_cuComplex(0, 1)};
  cuComplex *zx = on_device(zx_h, 2), *zy = on_device(zy_h, 2), got[2];
  MUST(cublasCrot(h, 2, zx, 1, zy, 1, &c, &zs));
  fetch(got, zx, 2);
  std::printf("to %.4f %.4f", got[0].x, got[0].y);
  fetch(got, zy, 2);
  std::printf(", %.4f\n", got[0].x * got[0].x + got[0].y * got[0].y);
  const float half_c = 0.5f, half_s = 0.25f;
  MUST(cublasCsrot(h, 1, zx + 1, 1, zy + 1, 1, &half_c, &half_s));

  // Modified: all four flags.
  double p[5];
  const double tries[5][4] = {{2, 1, 3, 1}, {1, 2, 1, 3}, {1e-9, 1, 1, 1}, {-1, 1, 1, 1}, {1, 1, 1, 0}};
  for (const auto &t : tries) {
    double d1 = t[0], d2 = t[1], x1 = t[2], y1 = t[3];
    for (double &v : p) v = 0;
    MUST(cublasDrotmg(h, &d1, &d2, &x1, &y1, p));
    std::printf("modified %.0f: %.4f %.4f %.4f, %.4f %.4f %.4f %.4f\n", p[0], d1, d2, x1, p[1], p[2], p[3], p[4]);
    if (t[0] >= 0) MUST(cublasDrotm(h, 3, x, 1, y, 1, p));
  }
  fetch(hx, x, 3);
  std::printf("then %.4f %.4f %.4f\n", hx[0], hx[1], hx[2]);

  // Symmetric, not hermitian: the lower triangle of a 2 x 2 matrix.
  const cuDoubleComplex m[4] = {make_cuDoubleComplex(1, 1), make_cuDoubleComplex(2, -1), make_cuDoubleComplex(99, 99), make_cuDoubleComplex(0, 3)};
  const cuDoubleComplex v[2] = {make_cuDoubleComplex(1, 0), make_cuDoubleComplex(0, 1)}, zero[2] = {}, one = make_cuDoubleComplex(1, 0),
                        none = make_cuDoubleComplex(0, 0), i = make_cuDoubleComplex(0, 1);
  cuDoubleComplex *dm = on_device(m, 4), *dv = on_device(v, 2), *dw = on_device(zero, 2), w[4];
  MUST(cublasZsymv(h, CUBLAS_FILL_MODE_LOWER, 2, &one, dm, 2, dv, 1, &none, dw, 1));
  fetch(w, dw, 2);
  std::printf("symv %.1f %.1f, %.1f %.1f\n", w[0].x, w[0].y, w[1].x, w[1].y);
  MUST(cublasZsyr(h, CUBLAS_FILL_MODE_LOWER, 2, &i, dv, 1, dm, 2));
  MUST(cublasZsyr2(h, CUBLAS_FILL_MODE_LOWER, 2, &one, dv, 1, dw, 1, dm, 2));
  fetch(w, dm, 4);
  std::printf("syr, syr2 %.1f %.1f, %.1f %.1f, untouched %.0f, %.1f %.1f\n", w[0].x, w[0].y, w[1].x, w[1].y, w[2].x, w[3].x, w[3].y);

  // Two products of halves by pointers.
  const __half halves[8] = {__float2half(1), __float2half(2), __float2half(3), __float2half(4),
                            __float2half(5), __float2half(6), __float2half(7), __float2half(8)};
  __half *in = on_device(halves, 8), *out = on_device(halves, 8), results[8];
  const __half *ins[2] = {in, in + 4};
  __half *outs[2] = {out, out + 4};
  const __half **d_ins = on_device(ins, 2);
  __half **d_outs = on_device(outs, 2);
  const __half ha = __float2half(1), hb = __float2half(0);
  MUST(cublasHgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &ha, d_ins, 2, d_ins, 2, &hb, d_outs, 2, 2));
  fetch(results, out, 8);
  std::printf("halves");
  for (__half r : results) std::printf(" %.0f", __half2float(r));
  std::printf("\n");
  MUST(cublasDestroy(h));
  cudaFree(numbers), cudaFree(x), cudaFree(y), cudaFree(zx), cudaFree(zy), cudaFree(dm), cudaFree(dv), cudaFree(dw);
  cudaFree(in), cudaFree(out), cudaFree(d_ins), cudaFree(d_outs);
  return 0;
}
