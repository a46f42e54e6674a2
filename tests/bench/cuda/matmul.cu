// SPDX-License-Identifier: Apache-2.0
// Tiled matrix product, 16 x 16, any size.
#include "contest.hpp"

namespace {

constexpr int kTile = 16;

__global__ void matmul_by_hand(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m,
                               int k, int n) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int column = blockIdx.x * kTile + threadIdx.x, row = blockIdx.y * kTile + threadIdx.y;
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    a_tile[ty][tx] = row < m && first + tx < k ? a[row * k + first + tx] : 0.0f;
    b_tile[ty][tx] = first + ty < k && column < n ? b[(first + ty) * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += a_tile[ty][i] * b_tile[i][tx];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

SIMT_DEVICE void matmul(simt::thread t, simt::view<const float, 2> a, simt::view<const float, 2> b,
                        simt::view<float, 2> c) {
  auto& a_tile = t.shared<"a_tile", float[kTile][kTile]>();
  auto& b_tile = t.shared<"b_tile", float[kTile][kTile]>();
  const auto [column, row] = t.grid<2>();
  const auto tx = t.thread_idx().x, ty = t.thread_idx().y;
  const auto depth = a.extent(1);
  float sum = 0;
  for (std::int64_t first = 0; first < depth; first += kTile) {
    a_tile[ty][tx] = row < a.extent(0) && first + tx < depth ? a(row, first + tx) : 0.0f;
    b_tile[ty][tx] = first + ty < depth && column < b.extent(1) ? b(first + ty, column) : 0.0f;
    t.sync();
    for (int i = 0; i < kTile; ++i) sum += a_tile[ty][i] * b_tile[i][tx];
    t.sync();
  }
  if (row < c.extent(0) && column < c.extent(1)) c(row, column) = sum;
}

struct matmul_state {
  int n;
  simt::buffer<float> a, b, hand, api;
};

}  // namespace

contest matmul_contest(int shrink) {
  const int n = shrink > 1 ? 512 : 2048;
  const std::vector<std::int64_t> square{n, n};
  auto s =
      std::make_shared<matmul_state>(matmul_state{n, {square, "a"}, {square, "b"}, {square, "hand"}, {square, "api"}});
  const auto a = mixed_values(std::int64_t{n} * n, 3), b = mixed_values(std::int64_t{n} * n, 4);
  s->a.copy_from(std::span<const float>(a));
  s->b.copy_from(std::span<const float>(b));
  const int blocks = n / kTile;
  return {"tiled matmul",
          reinterpret_cast<const void*>(&matmul_by_hand),
          api_entry<matmul>(matmul),
          [=] {
            matmul_by_hand<<<::dim3(blocks, blocks), ::dim3(kTile, kTile)>>>(s->a.data(), s->b.data(), s->hand.data(),
                                                                             s->n, s->n, s->n);
          },
          [=] {
            simt::launch<matmul>({.grid = {blocks, blocks}, .block = {kTile, kTile}}, s->a, s->b, s->api);
          },
          [=] { return same_contents(s->hand, s->api); }};
}
