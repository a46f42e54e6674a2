// SPDX-License-Identifier: Apache-2.0
// Floats as integers that do not hold them: clamped to 32 or 64 bits; narrower ones keep the low bits of 32. NaN is 0 from
// float to 32 bits, else the highest bit alone.
#include <math.h>
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

template <class F>
__device__ void cast_to_all(F f, integers& o) {
  o.u = static_cast<unsigned>(f);
  o.c = (signed char)f;
  o.b = (unsigned char)f;
  o.s = short(f);
  o.w = (unsigned short)f;
  o.l = (long long)f;
  o.m = (unsigned long long)f;
}

__global__ void cast(const float* values, integers* out, float* back) {
  __shared__ int kept[kValues];
  const int t = threadIdx.x;
  const float f = values[t];
  kept[t] = whole(f);
  __syncthreads();
  out[t].i = kept[t];
  cast_to_all(f, out[t]);
  back[t] = (float)(int)f;
}

__global__ void cast_doubles(const double* values, integers* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= kValues) return;
  out[t].i = (int)values[t];
  cast_to_all(values[t], out[t]);
}

void print(const integers& o) {
  std::printf("%d %u %d %d %d %d %lld %llu", o.i, o.u, o.c, o.b, o.s, o.w, o.l, o.m);
}

int main() {
  const float host[kValues] = {1e20f, -1e20f, NAN, 300.7f, -3.9f, 2.5e9f, -0.5f, 70000.f, -INFINITY, 5.5f};
  float *values, *back;
  double* doubles;
  integers *out, *of_doubles;
  cudaMallocManaged(&values, sizeof host);
  cudaMallocManaged(&back, sizeof host);
  cudaMallocManaged(&doubles, kValues * sizeof(double));
  cudaMallocManaged(&out, kValues * sizeof(integers));
  cudaMallocManaged(&of_doubles, kValues * sizeof(integers));
  for (int i = 0; i < kValues; ++i) doubles[i] = values[i] = host[i];
  cast<<<1, kValues>>>(values, out, back);
  cast_doubles<<<1, 32>>>(doubles, of_doubles);
  cudaDeviceSynchronize();
  for (int i = 0; i < kValues; ++i) {
    print(out[i]);
    std::printf(", %g\n", back[i]);
    print(of_doubles[i]);
    std::printf("\n");
  }
  cudaFree(values);
  cudaFree(back);
  cudaFree(doubles);
  cudaFree(out);
  cudaFree(of_doubles);
}
