// SPDX-License-Identifier: Apache-2.0
// Transpose through padded tiles of 32 x 32 with blocks of 32 x 8.
#include "contest.hpp"

namespace {

constexpr int kTile = 32, kRows = 8;

__global__ void transpose_by_hand(const float* __restrict__ in, float* __restrict__ out, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

SIMT_DEVICE void transpose(simt::thread t, simt::view<const float, 2> in, simt::view<float, 2> out) {
  auto& tile = t.shared<"tile", float[kTile][kTile + 1]>();
  const auto tx = t.thread_idx().x, ty = t.thread_idx().y;
  const auto bx = t.block_idx().x * kTile, by = t.block_idx().y * kTile;
  for (int j = 0; j < kTile; j += kRows)
    if (bx + tx < in.extent(1) && by + ty + j < in.extent(0)) tile[ty + j][tx] = in(by + ty + j, bx + tx);
  t.sync();
  for (int j = 0; j < kTile; j += kRows)
    if (by + tx < out.extent(1) && bx + ty + j < out.extent(0)) out(bx + ty + j, by + tx) = tile[tx][ty + j];
}

struct state {
  int n;
  simt::buffer<float> in, hand, api;
};

}  // namespace

contest transpose_contest(int shrink) {
  const int n = shrink > 1 ? 1024 : 8192;
  const std::vector<std::int64_t> square{n, n};
  auto s = std::make_shared<state>(state{n, {square, "in"}, {square, "hand"}, {square, "api"}});
  s->in.copy_from(std::span<const float>(mixed_values(std::int64_t{n} * n, 6)));
  const int blocks = n / kTile;
  return {"transpose",
          reinterpret_cast<const void*>(&transpose_by_hand),
          api_entry<transpose>(transpose),
          [=] {
            transpose_by_hand<<<::dim3(blocks, blocks), ::dim3(kTile, kRows)>>>(s->in.data(), s->hand.data(), s->n,
                                                                                s->n);
          },
          [=] {
            simt::launch<transpose>({.grid = {blocks, blocks}, .block = {kTile, kRows}}, s->in, s->api);
          },
          [=] { return same_contents(s->hand, s->api); }};
}
