// SPDX-License-Identifier: Apache-2.0
// Softmax and layer normalisation of the rows of a matrix: one warp a row, reductions by shuffles.
#include <cmath>

#include <simt/groups.hpp>
#include <simt/program.hpp>

namespace cg = simt::cg;

namespace {

// y[row] = exp(x[row] - max) / sum
SIMT_DEVICE void softmax(simt::thread t, simt::view<const float, 2> x, simt::view<float, 2> y) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block(t));
  const std::int64_t warps = t.grid_dim().x * warp.meta_group_size();
  for (std::int64_t row = t.block_idx().x * warp.meta_group_size() + warp.meta_group_rank(); row < x.extent(0);
       row += warps) {
    float high = -INFINITY;
    for (std::int64_t c = t.lane(); c < x.extent(1); c += 32) high = fmaxf(high, x(row, c));
    high = cg::reduce(warp, high, cg::greater<float>());
    float sum = 0;
    for (std::int64_t c = t.lane(); c < x.extent(1); c += 32) sum += expf(x(row, c) - high);
    sum = cg::reduce(warp, sum, cg::plus<float>());
    for (std::int64_t c = t.lane(); c < x.extent(1); c += 32) y(row, c) = expf(x(row, c) - high) / sum;
  }
}

// y[row] = (x[row] - mean) / sqrt(variance + epsilon) * scale + shift; mean and variance in one pass (Welford),
// combined over the warp by Chan's rule.
struct moments {
  float count, mean, squares;
};
struct combine_moments {
  SIMT_HD moments operator()(const moments& a, const moments& b) const {
    const float n = a.count + b.count;
    if (n == 0) return a;
    const float d = b.mean - a.mean;
    return {n, a.mean + d * b.count / n, a.squares + b.squares + d * d * a.count * b.count / n};
  }
};
SIMT_DEVICE void layer_norm(simt::thread t, simt::view<const float, 2> x, simt::view<const float> scale,
                            simt::view<const float> shift, simt::view<float, 2> y) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block(t));
  const std::int64_t warps = t.grid_dim().x * warp.meta_group_size();
  for (std::int64_t row = t.block_idx().x * warp.meta_group_size() + warp.meta_group_rank(); row < x.extent(0);
       row += warps) {
    moments m{0, 0, 0};
    for (std::int64_t c = t.lane(); c < x.extent(1); c += 32) {
      const float v = x(row, c), d = v - m.mean;
      m.count += 1;
      m.mean += d / m.count;
      m.squares += d * (v - m.mean);
    }
    m = cg::reduce(warp, m, combine_moments());
    const float factor = 1 / sqrtf(m.squares / m.count + 1e-5f);
    for (std::int64_t c = t.lane(); c < x.extent(1); c += 32)
      y(row, c) = (x(row, c) - m.mean) * factor * scale[c] + shift[c];
  }
}

std::vector<float> matrix(std::int64_t rows, std::int64_t columns) {
  std::vector<float> v(static_cast<std::size_t>(rows * columns));
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>((i * 7919) % 1009) / 100.f - 5;
  return v;
}

simt::launch_config whole_warps(simt::run& r) {
  const auto c = r.geometry<1>({.grid = 16, .block = 128});
  if (c.block.volume() % 32 != 0)
    throw simt::error(simt::error_kind::invalid_argument,
                      "this program needs blocks of whole warps: a multiple of 32 threads");
  return c;
}

void run_softmax(simt::run& r) {
  const auto rows = r.option("rows"), columns = r.option("columns");
  simt::run::elements({rows, columns});
  const auto v = matrix(rows, columns);
  auto x = r.input("x", v, {rows, columns});
  auto y = r.output<float>("y", {rows, columns});
  const auto geometry = whole_warps(r);
  r.launch([&] { simt::launch<softmax>(r.stream(), geometry, x, y); });
  std::vector<float> wanted(v.size());
  const auto n = static_cast<std::size_t>(columns);
  for (std::size_t first = 0; first < v.size(); first += n) {
    double high = v[first], sum = 0;
    for (std::size_t c = 0; c < n; ++c) high = std::max<double>(high, v[first + c]);
    for (std::size_t c = 0; c < n; ++c) sum += std::exp(v[first + c] - high);
    for (std::size_t c = 0; c < n; ++c) wanted[first + c] = static_cast<float>(std::exp(v[first + c] - high) / sum);
  }
  r.expect(y, wanted, 1e-4, 1e-6);
}

void run_layer_norm(simt::run& r) {
  const auto rows = r.option("rows"), columns = r.option("columns");
  simt::run::elements({rows, columns});
  const auto v = matrix(rows, columns);
  std::vector<float> gain(static_cast<std::size_t>(columns)), bias(gain.size());
  for (std::size_t c = 0; c < gain.size(); ++c) {
    gain[c] = 1 + static_cast<float>(c % 7) / 8;
    bias[c] = static_cast<float>(c % 5) - 2;
  }
  auto x = r.input("x", v, {rows, columns});
  auto scale = r.input("scale", gain);
  auto shift = r.input("shift", bias);
  auto y = r.output<float>("y", {rows, columns});
  const auto geometry = whole_warps(r);
  r.launch([&] { simt::launch<layer_norm>(r.stream(), geometry, x, scale, shift, y); });
  std::vector<float> wanted(v.size());
  const auto n = static_cast<std::size_t>(columns);
  for (std::size_t first = 0; first < v.size(); first += n) {
    double mean = 0, variance = 0;
    for (std::size_t c = 0; c < n; ++c) mean += v[first + c] / static_cast<double>(n);
    for (std::size_t c = 0; c < n; ++c)
      variance += (v[first + c] - mean) * (v[first + c] - mean) / static_cast<double>(n);
    for (std::size_t c = 0; c < n; ++c)
      wanted[first + c] = static_cast<float>((v[first + c] - mean) / std::sqrt(variance + 1e-5) * gain[c] + bias[c]);
  }
  r.expect(y, wanted, 1e-3, 1);
}

const simt::program softmax_program{{.name = "softmax",
                                     .summary = "softmax of the rows of a matrix, one warp a row",
                                     .group = "learning",
                                     .options = {{"rows", "rows", 100, 1}, {"columns", "columns", 250, 1}},
                                     .geometry = "grid 16, block 128; one warp a row"},
                                    run_softmax};
const simt::program layer_norm_program{{.name = "layer-norm",
                                        .summary = "layer normalisation of the rows of a matrix, moments in one pass",
                                        .group = "learning",
                                        .options = {{"rows", "rows", 100, 1}, {"columns", "columns", 250, 1}},
                                        .geometry = "grid 16, block 128; one warp a row"},
                                       run_layer_norm};

}  // namespace
