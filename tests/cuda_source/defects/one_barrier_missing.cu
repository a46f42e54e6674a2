// SPDX-License-Identifier: Apache-2.0
// One barrier is missing, between the second if and `left`: eight findings, shown as one.
// options: --check all
// code: 3
// says: 7 more findings with the same cause
// says: - error.uninitialized-read.
// says: 8 errors of 1 cause
__global__ void stencil(const float* in, float* out) {
  __shared__ float a[66], b[66];
  int i = threadIdx.x;
  a[i + 1] = in[i];
  b[i + 1] = in[i] * 2;
  if (i == 0) a[0] = 0;
  if (i == 0) b[0] = 0;
  float left = a[i];
  float right = a[i + 2 > 64 ? 0 : i + 2];
  float l2 = b[i];
  float r2 = b[i + 2 > 64 ? 0 : i + 2];
  out[i] = left + right + l2 + r2;
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 256);
  cudaMalloc(&out, 256);
  cudaMemset(in, 0, 256);
  stencil<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
