// SPDX-License-Identifier: Apache-2.0
// Block reduction: a grid-stride sum a thread, a tree in shared memory, one atomic a block. Integers, so that results
// are equal.
#include "contest.hpp"

namespace {

constexpr int kBlock = 256;

__global__ void reduce_by_hand(const int* __restrict__ x, int n, int* out) {
  __shared__ int partial[kBlock];
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  const int r = threadIdx.x;
  partial[r] = sum;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (r < half) partial[r] += partial[r + half];
    __syncthreads();
  }
  if (r == 0) atomicAdd(out, partial[0]);
}

SIMT_DEVICE void reduce(simt::thread t, simt::view<const int> x, simt::view<int> out) {
  auto& partial = t.shared<"partial", int[kBlock]>();
  int sum = 0;
  for (auto i : t.grid_stride(x.size())) sum += x[i];
  const int r = t.rank();
  partial[r] = sum;
  t.sync();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (r < half) partial[r] += partial[r + half];
    t.sync();
  }
  if (r == 0) t.atomic_add(out[0], partial[0]);
}

struct reduction_state {
  int n;
  simt::buffer<int> x, hand, api;
};

}  // namespace

contest reduction_contest(int shrink) {
  const int n = (1 << 26) / shrink;
  std::vector<int> values(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = i % 7;
  auto s = std::make_shared<reduction_state>(reduction_state{
      n, simt::to_device(values), simt::to_device(std::vector<int>(1)), simt::to_device(std::vector<int>(1))});
  const int blocks = 132 * 8;
  return {"block reduction",
          reinterpret_cast<const void*>(&reduce_by_hand),
          api_entry<reduce>(reduce),
          [=] { reduce_by_hand<<<blocks, kBlock>>>(s->x.data(), s->n, s->hand.data()); },
          [=] { simt::launch<reduce>({.grid = blocks, .block = kBlock}, s->x, s->api); },
          [=] { return same_contents(s->hand, s->api); }};
}
