// SPDX-License-Identifier: Apache-2.0
// cuFFT in FFTW's names: plans on memory of the host and of the device, in both numbers, forward and back.
// needs: fftw3.h of libfftw3-dev
#include <cufftw.h>
#include <cmath>
#include <cstdio>

__global__ void scale(float *values, int n, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= by;
}

int main() {
  const int n = 64;
  fftw_complex *in = (fftw_complex *)fftw_malloc(n * sizeof(fftw_complex));
  fftw_complex *out = (fftw_complex *)fftw_malloc(n * sizeof(fftw_complex));
  for (int i = 0; i < n; ++i) in[i][0] = std::cos(2 * M_PI * 5 * i / n), in[i][1] = 0;
  fftw_plan p = fftw_plan_dft_1d(n, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(p);
  fftw_destroy_plan(p);
  printf("peaks %.1f %.1f, beside %.1f\n", out[5][0], out[n - 5][0], std::fabs(out[6][0]));
  fftw_free(in);
  fftw_free(out);

  float *real;
  fftwf_complex *waves;
  cudaMallocManaged(&real, n * sizeof(float));
  cudaMallocManaged(&waves, (n / 2 + 1) * sizeof(fftwf_complex));
  for (int i = 0; i < n; ++i) real[i] = i % 8;
  fftwf_plan there = fftwf_plan_dft_r2c_1d(n, real, waves, FFTW_ESTIMATE);
  fftwf_plan back = fftwf_plan_dft_c2r_1d(n, waves, real, FFTW_ESTIMATE);
  fftwf_execute(there);
  fftwf_execute(back);
  scale<<<1, n>>>(real, n, 1.f / n);
  cudaDeviceSynchronize();
  float worst = 0;
  for (int i = 0; i < n; ++i) worst = std::fmax(worst, std::fabs(real[i] - i % 8));
  printf("back again: %s\n", worst < 1e-4f ? "right" : "wrong");
  fftwf_destroy_plan(there);
  fftwf_destroy_plan(back);
  cudaFree(real);
  cudaFree(waves);
}
