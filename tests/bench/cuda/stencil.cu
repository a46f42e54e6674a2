// SPDX-License-Identifier: Apache-2.0
// Five-point stencil, one element a thread, borders kept.
#include "contest.hpp"

namespace {

__global__ void stencil_by_hand(const float* __restrict__ in, float* __restrict__ out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
    out[i] = in[i];
  else
    out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

SIMT_DEVICE void stencil(simt::thread t, simt::view<const float, 2> in, simt::view<float, 2> out) {
  const auto [x, y] = t.grid<2>();
  const auto height = in.extent(0), width = in.extent(1);
  if (x >= width || y >= height) return;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
    out(y, x) = in(y, x);
  else
    out(y, x) = 0.2f * (in(y, x) + in(y, x - 1) + in(y, x + 1) + in(y - 1, x) + in(y + 1, x));
}

struct stencil_state {
  int n;
  simt::buffer<float> in, hand, api;
};

}  // namespace

contest stencil_contest(int shrink) {
  const int n = shrink > 1 ? 1024 : 8192;
  const std::vector<std::int64_t> square{n, n};
  auto s = std::make_shared<stencil_state>(stencil_state{n, {square, "in"}, {square, "hand"}, {square, "api"}});
  s->in.copy_from(std::span<const float>(mixed_values(std::int64_t{n} * n, 7)));
  return {"stencil",
          reinterpret_cast<const void*>(&stencil_by_hand),
          api_entry<stencil>(stencil),
          [=] {
            stencil_by_hand<<<::dim3(s->n / 32, s->n / 8), ::dim3(32, 8)>>>(s->in.data(), s->hand.data(), s->n, s->n);
          },
          [=] {
            simt::launch<stencil>({.grid = {s->n / 32, s->n / 8}, .block = {32, 8}}, s->in, s->api);
          },
          [=] { return same_contents(s->hand, s->api); }};
}
