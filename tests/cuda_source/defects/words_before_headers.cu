// SPDX-License-Identifier: Apache-2.0
// Macros with names of common words, defined before the headers of CUDA's that a program includes: none of them reaches into
// ours. (Into NVIDIA's some do: nvcc does not take this file.)
// options: --check all
// code: 0
// says: 1539 1663 639, 64, 3
// says: no findings
#include <algorithm>
#include <cstdio>
#define rank 3
#define size 10
#define warp 32
#define block 16
#define tile 8
#define thread threadIdx.x
#define threads 64
#define lane (threadIdx.x % 32)
#define tx threadIdx.x
#define bx blockIdx.x
#define n 1024
#define m 512
#define k 4
#define b 2
#define x0 0.5f
#define width 640
#define height 480
#define value 7
#define total 12
#define stop 99
#define scale 2.0f
#define step 5
#define token 1
#define phase 2
#define state 3
#define scope 4
#define order 5
#define mask 0xff
#define word 6
#define key 9
#define file "name"
#define check(call) if ((call) != cudaSuccess) return 1
#define expected 42
#define stride 3
#define index(i, j) ((i) * width + (j))
#define square(v) ((v) * (v))
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cuda.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda_awbarrier.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cub/cub.cuh>
#include <cublas_v2.h>
#include <curand.h>
#include <curand_kernel.h>
#include <mma.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>
namespace cg = cooperative_groups;

__global__ void kernel(int *out, unsigned *seen) {
  __shared__ cuda::barrier<cuda::thread_scope_block> meet;
  __shared__ int staged[threads];
  if (thread == 0) init(&meet, threads);
  __syncthreads();
  staged[tx] = index(1, (int)tx) - width;
  meet.arrive_and_wait();
  const auto group = cg::tiled_partition<warp>(cg::this_thread_block());
  const int sum = cg::reduce(group, staged[threads - 1 - tx], cg::plus<int>());
  const int before = cg::exclusive_scan(group, k);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> all(*seen);
  all.fetch_add(token);
  curandStatePhilox4_32_10_t s;
  curand_init(value, tx, 0, &s);
  const __half h = __float2half(scale);
  out[bx * threads + tx] = sum + before + (curand(&s) != 0u) + (int)__half2float(h) * square(stride) + lane * 0;
}

int main() {
  int *d, h[threads];
  unsigned *seen, c;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMalloc(&seen, sizeof c));
  check(cudaMemset(seen, 0, sizeof c));
  kernel<<<1, threads>>>(d, seen);
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaMemcpy(&c, seen, sizeof c, cudaMemcpyDeviceToHost));
  printf("%d %d %d, %u, %d\n", h[0], h[31], h[63], c, (int)cuda::ceil_div(n + rank, m));
  printf("%d %d %d %s %d\n", size, block + tile, total + stop, file, expected + order + scope + state + phase + word + key + mask + step + b + height);
  check(cudaFree(d));
  check(cudaFree(seen));
}
