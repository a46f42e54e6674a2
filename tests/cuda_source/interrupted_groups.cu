// SPDX-License-Identifier: Apache-2.0
// Groups of the lanes that happen to be together, while signals arrive all the time: the simulator takes threads off
// their stacks by SIGURG, and a block that is only half prepared for its warps must not be seen then. Elsewhere the
// signal is ignored.
#include <cooperative_groups.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <thread>
#include <unistd.h>
namespace cg = cooperative_groups;

__global__ void count(int* counters, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const cg::coalesced_group together = cg::coalesced_threads();
  const cg::coalesced_group alike = cg::labeled_partition(together, i % 3);
  if (alike.thread_rank() == 0) atomicAdd(&counters[i % 3], static_cast<int>(alike.size()));
}

int main() {
  const int n = 3 << 18;
  int* counters;
  cudaMallocManaged(&counters, 3 * sizeof(int));
  counters[0] = counters[1] = counters[2] = 0;
  std::atomic<bool> done{false};
  std::thread signals([&] {
    while (!done) {
      kill(getpid(), SIGURG);
      std::this_thread::yield();
    }
  });
  for (int round = 0; round < 16; ++round) count<<<(n + 1023) / 1024, 1024>>>(counters, n);
  const cudaError_t e = cudaDeviceSynchronize();
  done = true;
  signals.join();
  std::printf("%s: %d %d %d\n", cudaGetErrorString(e), counters[0], counters[1], counters[2]);
  cudaFree(counters);
  return 0;
}
