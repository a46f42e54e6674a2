// What modern kernels are made of, all of which runs as loops, plain and checked: numbers that are taken for others by
// memcpy, loads and stores of vectors with cache hints, functions that are arguments, turns of a loop that a macro counts.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#define TURNS 4
#define TWICE(x) (2 * (x))

template <class T>
struct alignas(16) packed {
  static constexpr int size = 16 / sizeof(T);
  T values[size];
  packed() = default;
  __device__ explicit packed(int4 bits) { memcpy(&values, &bits, sizeof bits); }
  __device__ int4 bits() const {
    int4 all;
    memcpy(&all, &values, sizeof all);
    return all;
  }
};
typedef packed<float> pack;

__device__ float plus(float a, float b) { return a + b; }
__device__ float larger(float a, float b) { return a < b ? b : a; }

// Each function waits for the warp.
__device__ float over_warp(float v, float (*join)(float, float)) {
  for (int o = 16; o > 0; o /= 2) v = join(v, __shfl_xor_sync(0xffffffff, v, o));
  return v;
}
__device__ float sum_of_warp(float v) { return over_warp(v, plus); }
__device__ float largest_of_warp(float v) { return over_warp(v, larger); }

__device__ float over_block(float v, float (*of_warp)(float), float nothing) {
  __shared__ float parts[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  v = of_warp(v);
  if (lane == 0) parts[warp] = v;
  __syncthreads();
  v = of_warp(lane < blockDim.x / 32 ? parts[lane] : nothing);
  __syncthreads();
  return v;
}

// A row for each block: what it holds, divided by its sum where its largest is above 0.
__global__ void divide(float* out, const float* in, int n) {
  const float* row = in + blockIdx.x * n;
  float sum = 0, largest = -1;
  for (int i = threadIdx.x * pack::size; i < n; i += blockDim.x * pack::size) {
    const pack p(__ldcs(reinterpret_cast<const int4*>(row + i)));
#pragma unroll TURNS
    for (int k = 0; k < pack::size; ++k) sum += p.values[k];
#pragma unroll TWICE(2)
    for (int k = 0; k < pack::size; ++k) largest = larger(largest, p.values[k]);
  }
  sum = over_block(sum, sum_of_warp, 0);
  largest = over_block(largest, largest_of_warp, -1);
  for (int i = threadIdx.x * pack::size; i < n; i += blockDim.x * pack::size) {
    pack p(__ldg(reinterpret_cast<const int4*>(row + i)));
    if (largest > 0)
      for (float& x : p.values) x /= sum;
    __stcs(reinterpret_cast<int4*>(out + blockIdx.x * n + i), p.bits());
  }
}

// The bits of a float in the order of numbers, and the neighbours' behind a barrier.
__global__ void ordered_bits(unsigned* out, const float* in) {
  __shared__ unsigned keys[128];
  unsigned bits;
  memcpy(&bits, in + threadIdx.x, sizeof bits);
  keys[threadIdx.x] = bits & 0x80000000 ? ~bits : bits | 0x80000000;
  __syncthreads();
  out[threadIdx.x] = keys[127 - threadIdx.x];
}

int main() {
  const int rows = 64, n = 1024;
  static float in[rows * n], out[rows * n];
  for (int i = 0; i < rows * n; ++i) in[i] = i / n % 3 == 0 ? 0 : i % 7 + 1;
  float *a, *b;
  unsigned* keys;
  cudaMalloc(&a, sizeof in);
  cudaMalloc(&b, sizeof out);
  cudaMalloc(&keys, 128 * sizeof(unsigned));
  cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);
  divide<<<rows, 128>>>(b, a, n);
  cudaMemcpy(out, b, sizeof out, cudaMemcpyDeviceToHost);
  for (int r = 0; r < 3; ++r) {
    double s = 0;
    for (int i = 0; i < n; ++i) s += out[r * n + i];
    printf("row %d: %.4f\n", r, s);
  }
  for (int i = 0; i < 128; ++i) in[i] = 64 - i;
  cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);
  ordered_bits<<<1, 128>>>(keys, a);
  unsigned h[128];
  cudaMemcpy(h, keys, sizeof h, cudaMemcpyDeviceToHost);
  int rising = 0;
  for (int i = 1; i < 128; ++i) rising += h[i - 1] < h[i];
  printf("%d rising, %s\n", rising, cudaGetErrorString(cudaGetLastError()));
  cudaFree(a);
  cudaFree(b);
  cudaFree(keys);
}
