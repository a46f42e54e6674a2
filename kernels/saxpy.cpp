// SPDX-License-Identifier: Apache-2.0
// y = a x + y: one element a thread, no waiting; the compiler makes a vector loop of it.
#include <simt/program.hpp>

namespace {

SIMT_DEVICE void saxpy(simt::thread t, float a, simt::view<const float> x, simt::view<float> y) {
  const std::int64_t i = t.grid<1>();
  if (i < y.size()) y[i] = a * x[i] + y[i];
}

void run_saxpy(simt::run& r) {
  const auto n = r.size("n");
  const auto a = r.option<float>("a");
  std::vector<float> xs(n), ys(n);
  for (std::int64_t i = 0; i < n; ++i) {
    xs[i] = static_cast<float>(i % 1000) * 0.25f;
    ys[i] = static_cast<float>(i % 77);
  }
  auto x = r.input("x", xs);
  auto y = r.output("y", ys);
  r.launch([&] { simt::launch<saxpy>(r.stream(), r.cover<1>(n, 256), a, x, y); });
  for (std::int64_t i = 0; i < n; ++i) ys[i] = a * xs[i] + ys[i];
  r.expect(y, ys, 1e-6);
}

const simt::program saxpy_program{{.name = "saxpy",
                                   .summary = "y = a x + y, one element a thread",
                                   .options = {{"n", "elements", 1 << 20, 1}, {"a", "factor", 2.0}},
                                   .geometry = "covers --n with blocks of 256"},
                                  run_saxpy};

}  // namespace
