// SPDX-License-Identifier: Apache-2.0
#include "contest.hpp"

namespace {

__global__ void saxpy_by_hand(float a, const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

SIMT_DEVICE void saxpy(simt::thread t, float a, simt::view<const float> x, simt::view<float> y) {
  const auto i = t.grid<1>();
  if (i < y.size()) y[i] = a * x[i] + y[i];
}

struct saxpy_state {
  int n;
  simt::buffer<float> x, y_hand, y_api;
};

}  // namespace

contest saxpy_contest(int shrink) {
  const int n = (1 << 26) / shrink;
  const auto xs = mixed_values(n, 1), ys = mixed_values(n, 2);
  auto s = std::make_shared<saxpy_state>(saxpy_state{n, simt::to_device(xs), simt::to_device(ys), simt::to_device(ys)});
  const int blocks = (n + 255) / 256;
  return {"saxpy",
          reinterpret_cast<const void*>(&saxpy_by_hand),
          api_entry<saxpy>(saxpy),
          [=] { saxpy_by_hand<<<blocks, 256>>>(2.0f, s->x.data(), s->y_hand.data(), s->n); },
          [=] { simt::launch<saxpy>({.grid = blocks, .block = 256}, 2.0f, s->x, s->y_api); },
          [=] { return same_contents(s->y_hand, s->y_api); }};
}
