// SPDX-License-Identifier: Apache-2.0
// Histograms of uniform samples: atomics in global memory, and in shared memory with one global add a bin and block.
#include "contest.hpp"

namespace {

constexpr int kBins = 256;

__global__ void global_by_hand(const float* __restrict__ x, int n, int* bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int bin = static_cast<int>(x[i] * kBins);
    if (bin >= 0 && bin < kBins) atomicAdd(&bins[bin], 1);
  }
}
SIMT_DEVICE void global_histogram(simt::thread t, simt::view<const float> x, simt::view<int> bins) {
  for (auto i : t.grid_stride(x.size())) {
    const int bin = static_cast<int>(x[i] * kBins);
    if (bin >= 0 && bin < kBins) t.atomic_add(bins[bin], 1);
  }
}

__global__ void shared_by_hand(const float* __restrict__ x, int n, int* bins) {
  __shared__ int counts[kBins];
  for (int i = threadIdx.x; i < kBins; i += blockDim.x) counts[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int bin = static_cast<int>(x[i] * kBins);
    if (bin >= 0 && bin < kBins) atomicAdd(&counts[bin], 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kBins; i += blockDim.x) atomicAdd(&bins[i], counts[i]);
}
SIMT_DEVICE void shared_histogram(simt::thread t, simt::view<const float> x, simt::view<int> bins) {
  auto& counts = t.shared<"counts", int[kBins]>();
  for (auto i : t.block_stride(kBins)) counts[i] = 0;
  t.sync();
  for (auto i : t.grid_stride(x.size())) {
    const int bin = static_cast<int>(x[i] * kBins);
    if (bin >= 0 && bin < kBins) t.atomic_add(counts[bin], 1);
  }
  t.sync();
  for (auto i : t.block_stride(kBins)) t.atomic_add(bins[i], counts[i]);
}

struct histogram_state {
  int n;
  simt::buffer<float> x;
  simt::buffer<int> hand, api;
};

template <auto Api>
contest make(const char* name, void (*hand)(const float*, int, int*), const void* api, int n) {
  auto s = std::make_shared<histogram_state>(histogram_state{n, simt::to_device(mixed_values(n, 5)),
                                                             simt::to_device(std::vector<int>(kBins)),
                                                             simt::to_device(std::vector<int>(kBins))});
  const int blocks = 132 * 8;
  return {name,
          reinterpret_cast<const void*>(hand),
          api,
          [=] { hand<<<blocks, 256>>>(s->x.data(), s->n, s->hand.data()); },
          [=] { simt::launch<Api>({.grid = blocks, .block = 256}, s->x, s->api); },
          [=] { return same_contents(s->hand, s->api); }};
}

}  // namespace

contest histogram_global_contest(int shrink) {
  return make<global_histogram>("histogram, global", global_by_hand, api_entry<global_histogram>(global_histogram),
                                (1 << 24) / shrink);
}
contest histogram_shared_contest(int shrink) {
  return make<shared_histogram>("histogram, shared", shared_by_hand, api_entry<shared_histogram>(shared_histogram),
                                (1 << 26) / shrink);
}
