// SPDX-License-Identifier: Apache-2.0
// Shared memory of the other blocks of a cluster by inline PTX: mapped addresses, loads, stores, atomics, barrier
// objects that other blocks arrive at, stores and bulk copies that they count.
#include <cstdint>
#include <cstdio>

constexpr int kBlocks = 4, kThreads = 32;

__device__ unsigned window_of(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ unsigned mapped(unsigned window, unsigned rank) {
  unsigned there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(window), "r"(rank));
  return there;
}
__device__ unsigned rank_in_cluster() {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ void sync_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ void wait_for(unsigned barrier) {
  unsigned done = 0;
  while (done == 0)
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(barrier)
        : "memory");
}

// Each block reads its right neighbour's values, writes to its left one's, and adds to block 0's counter.
__global__ void __cluster_dims__(kBlocks, 1, 1) neighbours(int* out, int* counter) {
  __shared__ int mine[kThreads], from_right[kThreads];
  __shared__ int sum;
  const unsigned rank = rank_in_cluster(), t = threadIdx.x;
  mine[t] = static_cast<int>(rank * 100 + t);
  if (t == 0) sum = 0;
  sync_cluster();
  int read;
  asm volatile("ld.shared::cluster.u32 %0, [%1];"
               : "=r"(read)
               : "r"(mapped(window_of(&mine[t]), (rank + 1) % kBlocks))
               : "memory");
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(mapped(window_of(&from_right[t]), (rank + kBlocks - 1) % kBlocks)),
               "r"(static_cast<int>(1000 + rank))
               : "memory");
  asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(mapped(window_of(&sum), 0)), "r"(1)
               : "memory");
  sync_cluster();
  out[blockIdx.x * kThreads + t] = read + from_right[t];
  if (rank == 0 && t == 0) counter[blockIdx.x / kBlocks] = sum;
}

// The others arrive at block 0's barrier object and store bytes that it counts; then block 0 copies to all others.
__global__ void __cluster_dims__(kBlocks, 1, 1) counted(int* out) {
  __shared__ alignas(16) int slots[kBlocks][4];
  __shared__ alignas(16) int copied[4];
  __shared__ alignas(8) std::uint64_t arrivals, bytes;
  const unsigned rank = rank_in_cluster(), t = threadIdx.x;
  const unsigned at_arrivals = window_of(&arrivals), at_bytes = window_of(&bytes);
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at_arrivals), "r"(kBlocks) : "memory");
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at_bytes) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    const int awaited = rank == 0 ? (kBlocks - 1) * 16 : 16;
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at_bytes), "r"(awaited) : "memory");
  }
  sync_cluster();
  if (t == 0) {
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(mapped(at_arrivals, 0)) : "memory");
    const int v = static_cast<int>(rank * 10);
    if (rank != 0)
      asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(
                       mapped(window_of(slots[rank]), 0)),
                   "r"(v), "r"(v + 1), "r"(v + 2), "r"(v + 3), "r"(mapped(at_bytes, 0))
                   : "memory");
  }
  if (rank == 0) {
    wait_for(at_arrivals);
    wait_for(at_bytes);
    if (t > 0 && t < kBlocks) {
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      asm volatile(
          "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];" ::"r"(
              mapped(window_of(copied), t)),
          "r"(window_of(slots[t])), "r"(mapped(at_bytes, t))
          : "memory");
    }
  } else {
    wait_for(at_bytes);
    if (t < 4) out[blockIdx.x * 4 + t] = copied[t];
  }
  sync_cluster();
}

int main() {
  int *out = nullptr, *counter = nullptr;
  cudaMalloc(&out, 2 * kBlocks * kThreads * sizeof(int));
  cudaMalloc(&counter, 2 * sizeof(int));
  cudaMemset(out, 0, 2 * kBlocks * kThreads * sizeof(int));
  neighbours<<<2 * kBlocks, kThreads>>>(out, counter);
  int h[2 * kBlocks * kThreads], n[2];
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(n, counter, sizeof n, cudaMemcpyDeviceToHost);
  for (int b = 0; b < 2 * kBlocks; ++b) std::printf("%d %d%s", h[b * kThreads], h[b * kThreads + 31], b % 4 == 3 ? "\n" : ", ");
  std::printf("counted %d %d\n", n[0], n[1]);
  cudaMemset(out, 0, 2 * kBlocks * kThreads * sizeof(int));
  counted<<<kBlocks, kThreads>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kBlocks * 4; ++i) std::printf("%d%s", h[i], i % 4 == 3 ? "\n" : " ");
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
  cudaFree(counter);
  return 0;
}
