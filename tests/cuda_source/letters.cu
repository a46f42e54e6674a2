// SPDX-License-Identifier: Apache-2.0
// Macros of one letter, defined before every header of CUDA's that a program includes.
#define A 1
#define B 8
#define C 2
#define D 3
#define E 2.718
#define F 4
#define G 9.81
#define H 480
#define I 5
#define J 6
#define K 32
#define L 7
#define M 64
#define N 1024
#define O 8
#define P 9
#define Q 10
#define R 11
#define S 12
#define T float
#define U 13
#define V 14
#define W 640
#define X 15
#define Y 16
#define Z 17
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cuda.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <device_launch_parameters.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <math_constants.h>
#include <cstdio>

__global__ void kernel(T *x) {
  __shared__ __half h[K];
  curandState s;
  curand_init(N, threadIdx.x, 0, &s);
  h[threadIdx.x] = __float2half(curand_uniform(&s));
  const auto warp = cooperative_groups::tiled_partition<K>(cooperative_groups::this_thread_block());
  const T most = cooperative_groups::reduce(warp, __half2float(h[threadIdx.x]), cooperative_groups::greater<T>());
  const cuFloatComplex z = cuCmulf(make_cuFloatComplex(A, C), make_cuFloatComplex(D, F));
  x[threadIdx.x] = (most > 0 && most <= 1 ? M : -M) + cuCrealf(z);
}

int main() {
  T *x, h[K];
  checkCudaErrors(cudaMalloc(&x, sizeof h));
  kernel<<<1, K>>>(x);
  checkCudaErrors(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
  printf("%g %g, %d %d %d\n", h[0], h[K - 1], N, W, H);
  checkCudaErrors(cudaFree(x));
}
