// SPDX-License-Identifier: Apache-2.0
// Kernel parameters that are no plain data: CUDA takes them to the device as bytes, so no thread runs their copy
// constructors or destructors. A cooperative grid as large as the device holds. cuda::atomic behind volatile.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cstdio>
#include <memory>

int copies = 0, ends = 0;

struct noted {
  int *data;
  std::shared_ptr<int> owner;  // the host's; kernels leave it alone
  explicit noted(int n) {
    cudaMalloc(&data, n * sizeof(int));
    owner.reset(data, [](int *p) { cudaFree(p); });
  }
  noted(const noted &o) : data(o.data), owner(o.owner) { ++copies; }
  ~noted() { ++ends; }
};

__global__ void fill(noted a, int base) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  a.data[i] = base + i;
  a.data = nullptr;  // the thread's own copy
}

__global__ void rounds(int *sums, int n) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  for (int r = 0; r < n; ++r) {
    if (threadIdx.x == 0) atomicAdd(&sums[r], 1);
    grid.sync();
    if (grid.thread_rank() == 0 && r > 0 && sums[r] != sums[r - 1]) sums[r] = -1;
  }
}

__global__ void announce(volatile cuda::atomic<int> *flag, int *value) {
  *value = 42;
  flag->store(1, cuda::memory_order_release);
}

int main() {
  {
    noted a(512);
    fill<<<4, 128>>>(a, 100);
    cudaDeviceSynchronize();
    int back[512], wrong = 0;
    cudaMemcpy(back, a.data, sizeof back, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 512; ++i) wrong += back[i] != 100 + i;
    printf("fill: %d wrong, %s, %ld owner\n", wrong, copies < 10 && ends == copies ? "copied on the host only" : "copied by threads",
           a.owner.use_count());
  }

  int per_processor = 0, processors = 0, *sums, n = 4;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, rounds, 256, 0);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  const int blocks = per_processor * processors;
  cudaMalloc(&sums, n * sizeof(int));
  cudaMemset(sums, 0, n * sizeof(int));
  void *arguments[] = {&sums, &n};
  cudaLaunchCooperativeKernel((void *)rounds, blocks, 256, arguments, 0, nullptr);
  int back[4];
  cudaMemcpy(back, sums, sizeof back, cudaMemcpyDeviceToHost);
  printf("rounds: %s\n", back[0] == blocks && back[3] == blocks ? "ok" : "wrong");
  cudaFree(sums);

  volatile cuda::atomic<int> *flag;
  int *value;
  cudaMallocManaged((void **)&flag, sizeof *flag);
  cudaMallocManaged(&value, sizeof *value);
  flag->store(0, cuda::memory_order_relaxed);
  announce<<<1, 1>>>(flag, value);
  while (flag->load(cuda::memory_order_acquire) == 0) {
  }
  printf("announce: %d\n", *value);
  cudaDeviceSynchronize();
  cudaFree((void *)flag);
  cudaFree(value);
}
