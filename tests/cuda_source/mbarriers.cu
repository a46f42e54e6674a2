// SPDX-License-Identifier: Apache-2.0
// mbarrier objects and their waiting loops in inline PTX: phases of a whole block, a ring of two buffers between a
// producer and consumers, and (from sm_90) bulk copies whose bytes an object counts.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

#define CHECK(e)                                                           \
  do {                                                                     \
    if (const cudaError_t r = (e)) {                                       \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(r));       \
      return 1;                                                            \
    }                                                                      \
  } while (0)

using barrier = unsigned long long;

__device__ unsigned at(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ void init(barrier* b, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(count) : "memory");
}
__device__ void arrive(barrier* b) {
  asm volatile("{ .reg .b64 state;\n mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(at(b)) : "memory");
}
__device__ void wait(barrier* b, unsigned parity) {
  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.test_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra DONE;\n"
      "bra LAB_WAIT;\n"
      "DONE:\n"
      "}" ::"r"(at(b)),
      "r"(parity)
      : "memory");
}

// Each round a thread reads what its neighbour wrote in the round before.
__global__ void phases(int* out) {
  __shared__ barrier b;
  __shared__ int values[2][96];
  if (threadIdx.x == 0) init(&b, 96);
  __syncthreads();
  int mine = threadIdx.x;
  for (int i = 0; i < 6; ++i) {
    values[i % 2][threadIdx.x] = mine;
    unsigned long long state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at(&b)) : "memory");
    unsigned done = 0;
    while (done == 0)
      asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                   : "=r"(done)
                   : "r"(at(&b)), "l"(state)
                   : "memory");
    mine = values[i % 2][(threadIdx.x + 1) % 96];
  }
  out[threadIdx.x] = mine;
}

// One warp fills two buffers in turn, another takes them.
__global__ void ring(int* out) {
  __shared__ barrier full[2], empty[2];
  __shared__ int buffer[2][32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    for (int i = 0; i < 2; ++i) {
      init(&full[i], 32);
      init(&empty[i], 32);
    }
  __syncthreads();
  for (int i = 0; i < 6; ++i) {
    const int slot = i % 2, turn = i / 2;
    if (threadIdx.x < 32) {
      if (turn > 0) wait(&empty[slot], (turn - 1) % 2);
      buffer[slot][lane] = 10 * i + lane;
      arrive(&full[slot]);
    } else {
      wait(&full[slot], turn % 2);
      const int got = buffer[slot][31 - lane];
      arrive(&empty[slot]);
      out[32 * i + lane] = got;
    }
  }
}

__global__ void bulk(const int* in, int* out) {
  __shared__ alignas(16) int tile[128];
  __shared__ barrier b;
#if __CUDA_ARCH__ >= 900
  if (threadIdx.x == 0) {
    init(&b, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&b)), "r"(512) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(tile)),
                 "l"(in), "r"(512), "r"(at(&b))
                 : "memory");
  }
  wait(&b, 0);
#else
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
#endif
  out[threadIdx.x] = 2 * tile[127 - threadIdx.x];
}

int main() {
  int *in, *out, host[192];
  CHECK(cudaMalloc(&in, sizeof host));
  CHECK(cudaMalloc(&out, sizeof host));
  phases<<<1, 96>>>(out);
  CHECK(cudaMemcpy(host, out, 96 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 96; ++i)
    if (host[i] != (i + 6) % 96) return std::printf("phases: out[%d] = %d\n", i, host[i]), 1;
  ring<<<1, 64>>>(out);
  CHECK(cudaMemcpy(host, out, 192 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 192; ++i)
    if (host[i] != 10 * (i / 32) + 31 - i % 32) return std::printf("ring: out[%d] = %d\n", i, host[i]), 1;
  for (int i = 0; i < 128; ++i) host[i] = i * i;
  CHECK(cudaMemcpy(in, host, 128 * sizeof(int), cudaMemcpyHostToDevice));
  bulk<<<1, 128>>>(in, out);
  CHECK(cudaMemcpy(host, out, 128 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 128; ++i)
    if (host[i] != 2 * (127 - i) * (127 - i)) return std::printf("bulk: out[%d] = %d\n", i, host[i]), 1;
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  std::printf("mbarriers: PASSED\n");
}
