// SPDX-License-Identifier: Apache-2.0
// Barriers of a block by number in inline PTX: a producer warp and a consumer warp hand a buffer to and fro, each
// arriving at one barrier and waiting at the other; half a block that meets alone; __barrier_sync.
#include <cuda_runtime.h>

#include <cstdio>

#define CHECK(e)                                                           \
  do {                                                                     \
    if (const cudaError_t r = (e)) {                                       \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(r));       \
      return 1;                                                            \
    }                                                                      \
  } while (0)

__device__ void named_sync(int number, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
__device__ void named_arrive(int number, int threads) {
  asm volatile("barrier.cta.arrive.aligned %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

constexpr int kRounds = 5, kFull = 1, kEmpty = 2;

__global__ void hand_over(int* out) {
  __shared__ int buffer[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int i = 0; i < kRounds; ++i) {
      if (i > 0) named_sync(kEmpty, 64);
      buffer[lane] = 100 * i + lane;
      named_arrive(kFull, 64);
    }
  } else {
    for (int i = 0; i < kRounds; ++i) {
      named_sync(kFull, 64);
      const int got = buffer[31 - lane];
      if (i + 1 < kRounds) named_arrive(kEmpty, 64);
      out[32 * i + lane] = got;
    }
  }
}

// The halves of a block add up their own numbers, one of them in more steps than the other.
__global__ void halves(int* out) {
  __shared__ int sums[2][64];
  const int half = threadIdx.x / 64, rank = threadIdx.x % 64;
  sums[half][rank] = threadIdx.x;
  for (int reach = 32; reach > (half == 0 ? 0 : 16); reach /= 2) {
    named_sync(3 + half, 64);
    if (rank < reach) sums[half][rank] += sums[half][rank + reach];
  }
  __barrier_sync(9);
  if (threadIdx.x == 0) {
    int rest = 0;
    for (int i = 0; i < 32; ++i) rest += sums[1][i];
    out[0] = sums[0][0];
    out[1] = rest;
  }
  int all = 0;
  asm volatile("{ .reg .pred p, q;\n setp.lt.s32 p, %1, 70;\n bar.red.and.pred q, 0, p;\n selp.b32 %0, 1, 2, q; }"
               : "=r"(all)
               : "r"(threadIdx.x));
  int odd = 0;
  asm volatile("{ .reg .pred p;\n setp.ge.s32 p, %1, 70;\n bar.red.popc.u32 %0, 0, p; }" : "=r"(odd) : "r"(threadIdx.x));
  if (threadIdx.x == 5) out[2] = 1000 * all + odd;
}

int main() {
  int *out, host[32 * kRounds];
  CHECK(cudaMalloc(&out, sizeof host));
  hand_over<<<1, 64>>>(out);
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32 * kRounds; ++i)
    if (host[i] != 100 * (i / 32) + 31 - i % 32) return std::printf("out[%d] = %d\n", i, host[i]), 1;
  halves<<<1, 128>>>(out);
  CHECK(cudaMemcpy(host, out, 3 * sizeof(int), cudaMemcpyDeviceToHost));
  if (host[0] != 64 * 63 / 2 || host[1] != 64 * 64 + 64 * 63 / 2 || host[2] != 2058)
    return std::printf("sums %d and %d, votes %d\n", host[0], host[1], host[2]), 1;
  CHECK(cudaFree(out));
  std::printf("named barriers: PASSED\n");
}
