// SPDX-License-Identifier: Apache-2.0
// Transpose through padded tiles of 32 x 32 with blocks of 32 x 8.
#include "contest.hpp"

namespace {

constexpr int kEdge = 32, kRows = 8;

__global__ void transpose_by_hand(const float* __restrict__ in, float* __restrict__ out, int width, int height) {
  __shared__ float tile[kEdge][kEdge + 1];
  int x = blockIdx.x * kEdge + threadIdx.x, y = blockIdx.y * kEdge + threadIdx.y;
  for (int j = 0; j < kEdge; j += kRows)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * kEdge + threadIdx.x;
  y = blockIdx.x * kEdge + threadIdx.y;
  for (int j = 0; j < kEdge; j += kRows)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

SIMT_DEVICE void transpose(simt::thread t, simt::view<const float, 2> in, simt::view<float, 2> out) {
  auto& tile = t.shared<"tile", float[kEdge][kEdge + 1]>();
  const auto tx = t.thread_idx().x, ty = t.thread_idx().y;
  const auto bx = t.block_idx().x * kEdge, by = t.block_idx().y * kEdge;
  for (int j = 0; j < kEdge; j += kRows)
    if (bx + tx < in.extent(1) && by + ty + j < in.extent(0)) tile[ty + j][tx] = in(by + ty + j, bx + tx);
  t.sync();
  for (int j = 0; j < kEdge; j += kRows)
    if (by + tx < out.extent(1) && bx + ty + j < out.extent(0)) out(bx + ty + j, by + tx) = tile[tx][ty + j];
}

struct transpose_state {
  int n;
  simt::buffer<float> in, hand, api;
};

}  // namespace

contest transpose_contest(int shrink) {
  const int n = shrink > 1 ? 1024 : 8192;
  const std::vector<std::int64_t> square{n, n};
  auto s = std::make_shared<transpose_state>(transpose_state{n, {square, "in"}, {square, "hand"}, {square, "api"}});
  s->in.copy_from(std::span<const float>(mixed_values(std::int64_t{n} * n, 6)));
  const int blocks = n / kEdge;
  return {"transpose",
          reinterpret_cast<const void*>(&transpose_by_hand),
          api_entry<transpose>(transpose),
          [=] {
            transpose_by_hand<<<::dim3(blocks, blocks), ::dim3(kEdge, kRows)>>>(s->in.data(), s->hand.data(), s->n,
                                                                                s->n);
          },
          [=] {
            simt::launch<transpose>({.grid = {blocks, blocks}, .block = {kEdge, kRows}}, s->in, s->api);
          },
          [=] { return same_contents(s->hand, s->api); }};
}
