// SPDX-License-Identifier: Apache-2.0
// cuFFT: transforms of one to three dimensions, batches, layouts, in place and not, both precisions; a convolution.
// needs: fftw3.h of libfftw3-dev
#include <cuda_runtime.h>
#include <cufft.h>
#include <cufftXt.h>
#include <helper_cuda.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include "vectors_on_device.hpp"

#if defined(SIMT_VARIANT_SIM) || defined(SIMT_VARIANT_CHECK)
// Gone from CUDA 13, while programs written for CUDA 12 name them in switches.
static_assert(CUFFT_INCOMPLETE_PARAMETER_LIST == 0xA && CUFFT_PARSE_ERROR == 0xC && CUFFT_LICENSE_ERROR == 0xF);
#endif

typedef std::complex<double> number;
static const double kPi = 3.14159265358979323846;

// Along one axis of n0 x n1 x n2 numbers.
static void dft(std::vector<number> &v, int n0, int n1, int n2, int axis, int sign) {
  const int n[3] = {n0, n1, n2}, step[3] = {n1 * n2, n2, 1};
  std::vector<number> line(n[axis]);
  for (int i = 0; i < n0 * n1 * n2; ++i) {
    const int at = i / step[axis] % n[axis];
    if (at != 0) continue;
    for (int k = 0; k < n[axis]; ++k) {
      line[k] = 0;
      for (int j = 0; j < n[axis]; ++j)
        line[k] += v[i + j * step[axis]] * std::polar(1.0, sign * 2 * kPi * (j * k % n[axis]) / n[axis]);
    }
    for (int k = 0; k < n[axis]; ++k) v[i + k * step[axis]] = line[k];
  }
}

static double value(int i) { return (i * 37 % 101) / 50.0 - 1; }

static void batches() {
  const int n = 60, batch = 3;
  std::vector<cufftComplex> v(n * batch);
  for (int i = 0; i < n * batch; ++i) v[i] = make_cuComplex(value(i), value(i + 7));
  cufftComplex *d = on_device(v);
  cufftHandle plan;
  checkCudaErrors(cufftPlan1d(&plan, n, CUFFT_C2C, batch));
  checkCudaErrors(cufftExecC2C(plan, d, d, CUFFT_FORWARD));
  std::vector<cufftComplex> got = on_host(d, v.size());
  double worst = 0;
  for (int b = 0; b < batch; ++b) {
    std::vector<number> want(n);
    for (int i = 0; i < n; ++i) want[i] = number(v[b * n + i].x, v[b * n + i].y);
    dft(want, 1, 1, n, 2, -1);
    for (int i = 0; i < n; ++i) worst = std::max(worst, std::abs(want[i] - number(got[b * n + i].x, got[b * n + i].y)));
  }
  checkCudaErrors(cufftExecC2C(plan, d, d, CUFFT_INVERSE));
  got = on_host(d, v.size());
  double back = 0;
  for (int i = 0; i < n * batch; ++i) back = std::max(back, std::fabs((double)got[i].x / n - v[i].x));
  std::printf("batches: right %d, back %d\n", worst < 1e-4, back < 1e-5);
  cufftDestroy(plan);
  cudaFree(d);
}

static void real_2d() {
  const int ny = 12, nx = 10, half = nx / 2 + 1;
  std::vector<float> v(ny * nx);
  std::vector<number> want(ny * nx);
  for (int i = 0; i < ny * nx; ++i) want[i] = v[i] = value(i);
  dft(want, 1, ny, nx, 1, -1);
  dft(want, 1, ny, nx, 2, -1);
  float *d = on_device(v);
  cufftComplex *spectrum = on_device(std::vector<cufftComplex>(ny * half));
  cufftHandle forward, inverse;
  checkCudaErrors(cufftPlan2d(&forward, ny, nx, CUFFT_R2C));
  checkCudaErrors(cufftPlan2d(&inverse, ny, nx, CUFFT_C2R));
  checkCudaErrors(cufftExecR2C(forward, d, spectrum));
  std::vector<cufftComplex> got = on_host(spectrum, ny * half);
  double worst = 0, back = 0, padded = 0;
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < half; ++x)
      worst = std::max(worst, std::abs(want[y * nx + x] - number(got[y * half + x].x, got[y * half + x].y)));
  checkCudaErrors(cufftExecC2R(inverse, spectrum, d));
  std::vector<float> r = on_host(d, v.size());
  for (int i = 0; i < ny * nx; ++i) back = std::max(back, std::fabs((double)r[i] / (nx * ny) - v[i]));
  // In place: rows of 2 * half floats.
  std::vector<float> rows(ny * 2 * half);
  for (int i = 0; i < ny * nx; ++i) rows[i / nx * 2 * half + i % nx] = v[i];
  float *p = on_device(rows);
  checkCudaErrors(cufftExecR2C(forward, p, (cufftComplex *)p));
  std::vector<cufftComplex> same = on_host((cufftComplex *)p, ny * half);
  for (int i = 0; i < ny * half; ++i) padded = std::max(padded, (double)std::hypot(same[i].x - got[i].x, same[i].y - got[i].y));
  checkCudaErrors(cufftExecC2R(inverse, (cufftComplex *)p, p));
  rows = on_host(p, rows.size());
  std::printf("real 2D: right %d, back %d, in place %d, %.3f %.3f\n", worst < 1e-4, back < 1e-5, padded < 1e-4,
              rows[2 * half + 3] / (nx * ny), v[nx + 3]);
  cufftDestroy(forward);
  cufftDestroy(inverse);
  cudaFree(d);
  cudaFree(p);
  cudaFree(spectrum);
}

static void double_3d() {
  const int nz = 4, ny = 6, nx = 8;
  std::vector<cufftDoubleComplex> v(nz * ny * nx);
  std::vector<number> want(v.size());
  for (size_t i = 0; i < v.size(); ++i) {
    v[i] = make_cuDoubleComplex(value(i), value(3 * i));
    want[i] = number(v[i].x, v[i].y);
  }
  for (int axis = 0; axis < 3; ++axis) dft(want, nz, ny, nx, axis, 1);
  cufftDoubleComplex *in = on_device(v), *out = on_device(std::vector<cufftDoubleComplex>(v.size()));
  cufftHandle plan;
  size_t work = 0;
  checkCudaErrors(cufftCreate(&plan));
  checkCudaErrors(cufftMakePlan3d(plan, nz, ny, nx, CUFFT_Z2Z, &work));
  checkCudaErrors(cufftExecZ2Z(plan, in, out, CUFFT_INVERSE));
  std::vector<cufftDoubleComplex> got = on_host(out, v.size()), kept = on_host(in, v.size());
  double worst = 0;
  bool same = true;
  for (size_t i = 0; i < v.size(); ++i) {
    worst = std::max(worst, std::abs(want[i] - number(got[i].x, got[i].y)));
    same = same && kept[i].x == v[i].x;
  }
  std::printf("double 3D: right %d, input kept %d\n", worst < 1e-10, same);
  cufftDestroy(plan);
  cudaFree(in);
  cudaFree(out);
}

// Columns of a matrix, every other one, into rows.
static void columns() {
  const int rows = 16, cols = 10, batch = cols / 2;
  std::vector<cufftDoubleReal> v(rows * cols);
  for (size_t i = 0; i < v.size(); ++i) v[i] = value(i);
  int n[1] = {rows}, in_embed[1] = {rows}, out_embed[1] = {rows / 2 + 1};
  cufftHandle plan;
  checkCudaErrors(cufftPlanMany(&plan, 1, n, in_embed, cols, 2, out_embed, 1, rows / 2 + 1, CUFFT_D2Z, batch));
  cufftDoubleReal *in = on_device(v);
  cufftDoubleComplex *out = on_device(std::vector<cufftDoubleComplex>(batch * (rows / 2 + 1)));
  cudaStream_t stream;
  checkCudaErrors(cudaStreamCreate(&stream));
  checkCudaErrors(cufftSetStream(plan, stream));
  checkCudaErrors(cufftExecD2Z(plan, in, out));
  checkCudaErrors(cudaStreamSynchronize(stream));
  std::vector<cufftDoubleComplex> got = on_host(out, batch * (rows / 2 + 1));
  double worst = 0;
  for (int b = 0; b < batch; ++b) {
    std::vector<number> want(rows);
    for (int i = 0; i < rows; ++i) want[i] = v[i * cols + 2 * b];
    dft(want, 1, 1, rows, 2, -1);
    for (int i = 0; i <= rows / 2; ++i)
      worst = std::max(worst, std::abs(want[i] - number(got[b * (rows / 2 + 1) + i].x, got[b * (rows / 2 + 1) + i].y)));
  }
  std::printf("columns: right %d\n", worst < 1e-12);
  // And back, to the same places.
  cufftHandle back;
  checkCudaErrors(cufftPlanMany(&back, 1, n, out_embed, 1, rows / 2 + 1, in_embed, cols, 2, CUFFT_Z2D, batch));
  checkCudaErrors(cudaMemset(in, 0, v.size() * sizeof(double)));
  checkCudaErrors(cufftExecZ2D(back, out, in));
  std::vector<double> again = on_host(in, v.size());
  std::printf("and back: %.4f %.4f, between them %.1f\n", again[3 * cols + 4] / rows, v[3 * cols + 4], again[3 * cols + 5]);
  cufftDestroy(plan);
  cufftDestroy(back);
  cudaStreamDestroy(stream);
  cudaFree(in);
  cudaFree(out);
}

__global__ void multiply(cufftComplex *a, const cufftComplex *b, int n, float scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const cufftComplex c = cuCmulf(a[i], b[i]);
  a[i] = make_cuComplex(c.x * scale, c.y * scale);
}

static void convolution() {
  const int n = 256;
  std::vector<cufftComplex> signal(n), filter(n);
  for (int i = 0; i < 200; ++i) signal[i].x = value(i);
  for (int i = 0; i < 11; ++i) filter[i].x = 1.0f / (1 + i);
  cufftComplex *a = on_device(signal), *b = on_device(filter);
  cufftHandle plan;
  checkCudaErrors(cufftPlan1d(&plan, n, CUFFT_C2C, 1));
  checkCudaErrors(cufftExecC2C(plan, a, a, CUFFT_FORWARD));
  checkCudaErrors(cufftExecC2C(plan, b, b, CUFFT_FORWARD));
  multiply<<<2, 128>>>(a, b, n, 1.0f / n);
  checkCudaErrors(cufftExecC2C(plan, a, a, CUFFT_INVERSE));
  std::vector<cufftComplex> got = on_host(a, n);
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = 0; k < 11 && k <= i; ++k) sum += (double)signal[i - k].x * filter[k].x;
    worst = std::max(worst, std::fabs(sum - got[i].x));
  }
  std::printf("convolution: right %d, %.4f\n", worst < 1e-5, got[100].x);
  cufftDestroy(plan);
  cudaFree(a);
  cudaFree(b);
}

// By number formats, with sizes of 64 bits.
static void formats() {
  long long n[2] = {6, 5};
  std::vector<cufftDoubleComplex> v(30);
  std::vector<number> want(30);
  for (int i = 0; i < 30; ++i) {
    v[i] = make_cuDoubleComplex(value(i), -value(i + 2));
    want[i] = number(v[i].x, v[i].y);
  }
  dft(want, 1, 6, 5, 1, -1);
  dft(want, 1, 6, 5, 2, -1);
  cufftDoubleComplex *d = on_device(v);
  cufftHandle plan;
  size_t work = 0;
  checkCudaErrors(cufftCreate(&plan));
  checkCudaErrors(cufftXtMakePlanMany(plan, 2, n, NULL, 1, 30, CUDA_C_64F, NULL, 1, 30, CUDA_C_64F, 1, &work, CUDA_C_64F));
  checkCudaErrors(cufftXtExec(plan, d, d, CUFFT_FORWARD));
  const std::vector<cufftDoubleComplex> got = on_host(d, 30);
  double worst = 0;
  for (int i = 0; i < 30; ++i) worst = std::max(worst, std::abs(want[i] - number(got[i].x, got[i].y)));
  std::printf("formats: right %d\n", worst < 1e-12);
  cufftDestroy(plan);
  cudaFree(d);
}

int main() {
  batches();
  formats();
  real_2d();
  double_3d();
  columns();
  convolution();
  cufftHandle plan = 0;
  std::printf("size %d, type %d, plan %d\n", (int)cufftPlan1d(&plan, 0, CUFFT_C2C, 1), (int)cufftPlan1d(&plan, 8, (cufftType)7, 1),
              (int)cufftExecC2C(4000, nullptr, nullptr, CUFFT_FORWARD));
  return 0;
}
