// SPDX-License-Identifier: Apache-2.0
// Floats as integers that do not hold them: clamped to 32 or 64 bits, and NaN is 0; narrower ones keep the low bits
// of 32.
#include <cmath>
#include <cstdio>

constexpr int kValues = 10;

struct integers {
  int i;
  unsigned u;
  signed char c;
  unsigned char b;
  short s;
  unsigned short w;
  long long l;
  unsigned long long m;
};

__host__ __device__ int whole(float f) { return f; }

__global__ void cast(const float* values, integers* out, float* back) {
  __shared__ int kept[kValues];
  const int t = threadIdx.x;
  const float f = values[t];
  kept[t] = whole(f);
  __syncthreads();
  integers& o = out[t];
  o.i = kept[t];
  o.u = static_cast<unsigned>(f);
  o.c = (signed char)f;
  o.b = (unsigned char)f;
  o.s = short(f);
  o.w = (unsigned short)f;
  o.l = std::isnan(f) ? 0 : (long long)f;  // of 64 bits, NaN is another value on some GPUs
  o.m = std::isnan(f) ? 0 : (unsigned long long)f;
  back[t] = (float)(int)f;
}

__global__ void cast_doubles(const double* values, int* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < kValues) out[2 * t] = (int)values[t], out[2 * t + 1] = (unsigned char)values[t];
}

int main() {
  const float host[kValues] = {1e20f, -1e20f, NAN, 300.7f, -3.9f, 2.5e9f, -0.5f, 70000.f, -INFINITY, 5.5f};
  float *values, *back;
  double* doubles;
  integers* out;
  int* of_doubles;
  cudaMallocManaged(&values, sizeof host);
  cudaMallocManaged(&back, sizeof host);
  cudaMallocManaged(&doubles, kValues * sizeof(double));
  cudaMallocManaged(&out, kValues * sizeof(integers));
  cudaMallocManaged(&of_doubles, 2 * kValues * sizeof(int));
  for (int i = 0; i < kValues; ++i) doubles[i] = values[i] = host[i];
  cast<<<1, kValues>>>(values, out, back);
  cast_doubles<<<1, 32>>>(doubles, of_doubles);
  cudaDeviceSynchronize();
  for (int i = 0; i < kValues; ++i) {
    const integers& o = out[i];
    std::printf("%d %u %d %d %d %d %lld %llu, %g, %d %d\n", o.i, o.u, o.c, o.b, o.s, o.w, o.l, o.m, back[i],
                of_doubles[2 * i], of_doubles[2 * i + 1]);
  }
  cudaFree(values);
  cudaFree(back);
  cudaFree(doubles);
  cudaFree(out);
  cudaFree(of_doubles);
}
