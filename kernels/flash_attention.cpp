// SPDX-License-Identifier: Apache-2.0
// Attention, softmax(Q K^T / sqrt(d)) V, without the matrix of scores: tiles of K and V pass through shared memory, and
// each query keeps a running maximum, sum and result that it rescales when the maximum grows (online softmax; Dao et
// al., FlashAttention, 2022). One thread a query.
//
// flash-attention-racy leaves out the barrier after a tile.
#include <cmath>

#include <simt/program.hpp>

namespace {

constexpr int kWidth = 32;  // of a row of Q, K, V
constexpr int kTile = 32;   // rows of K and V at a time

template <bool Sync>
SIMT_DEVICE void attention(simt::thread t, simt::view<const float, 2> q, simt::view<const float, 2> k,
                           simt::view<const float, 2> v, simt::view<float, 2> out) {
  auto& k_tile = t.shared<"k_tile", float[kTile][kWidth]>();
  auto& v_tile = t.shared<"v_tile", float[kTile][kWidth]>();
  const std::int64_t row = t.grid<1>(), rows = k.extent(0);
  const float scale = 1 / sqrtf(static_cast<float>(kWidth));
  float query[kWidth], sum[kWidth];
  for (int c = 0; c < kWidth; ++c) {
    query[c] = row < q.extent(0) ? q(row, c) * scale : 0;
    sum[c] = 0;
  }
  float high = -INFINITY, weight = 0;
  for (std::int64_t first = 0; first < rows; first += kTile) {
    for (auto i : t.block_stride(kTile * kWidth)) {
      const std::int64_t r = i / kWidth, c = i % kWidth;
      k_tile[r][c] = first + r < rows ? k(first + r, c) : 0;
      v_tile[r][c] = first + r < rows ? v(first + r, c) : 0;
    }
    t.sync();
    for (int r = 0; r < kTile && first + r < rows; ++r) {
      float score = 0;
      for (int c = 0; c < kWidth; ++c) score += query[c] * k_tile[r][c];
      const float higher = fmaxf(high, score);
      const float shrink = expf(high - higher), share = expf(score - higher);
      weight = weight * shrink + share;
      for (int c = 0; c < kWidth; ++c) sum[c] = sum[c] * shrink + share * v_tile[r][c];
      high = higher;
    }
    if constexpr (Sync) t.sync();
  }
  if (row < out.extent(0))
    for (int c = 0; c < kWidth; ++c) out(row, c) = sum[c] / weight;
}

std::vector<float> values(std::int64_t rows, unsigned seed) {
  std::vector<float> v(static_cast<std::size_t>(rows * kWidth));
  for (float& x : v) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<float>(seed >> 16) / 32768.f - 1;
  }
  return v;
}

template <bool Sync>
void run_attention(simt::run& r) {
  const auto queries = r.option("queries"), keys = r.option("keys");
  simt::run::elements({queries, kWidth});
  simt::run::elements({keys, kWidth});
  const auto qs = values(queries, 1), ks = values(keys, 2), vs = values(keys, 3);
  auto q = r.input("q", qs, {queries, kWidth});
  auto k = r.input("k", ks, {keys, kWidth});
  auto v = r.input("v", vs, {keys, kWidth});
  auto out = r.output<float>("out", {queries, kWidth});
  r.launch([&] { simt::launch<attention<Sync>>(r.stream(), r.cover(queries, 64), q, k, v, out); });
  std::vector<float> wanted(qs.size());
  std::vector<double> score(static_cast<std::size_t>(keys));
  for (std::size_t i = 0; i < static_cast<std::size_t>(queries); ++i) {
    double total = 0;
    for (std::size_t j = 0; j < score.size(); ++j) {
      double dot = 0;
      for (std::size_t c = 0; c < kWidth; ++c) dot += static_cast<double>(qs[i * kWidth + c]) * ks[j * kWidth + c];
      total += score[j] = std::exp(dot / std::sqrt(static_cast<double>(kWidth)));
    }
    for (std::size_t c = 0; c < kWidth; ++c) {
      double sum = 0;
      for (std::size_t j = 0; j < score.size(); ++j) sum += score[j] / total * vs[j * kWidth + c];
      wanted[i * kWidth + c] = static_cast<float>(sum);
    }
  }
  r.expect(out, wanted, 1e-3, 0.1);
}

const simt::program attention_program{
    {.name = "flash-attention",
     .summary = "attention through tiles of keys and values, with online softmax",
     .group = "learning",
     .options = {{"queries", "rows of Q", 100, 1}, {"keys", "rows of K and V", 150, 1}},
     .geometry = "covers --queries with blocks of 64"},
    run_attention<true>};
const simt::program attention_racy{{.name = "flash-attention-racy",
                                    .summary = "the same without the barrier after a tile",
                                    .group = "learning",
                                    .options = {{"queries", "rows of Q", 100, 1}, {"keys", "rows of K and V", 150, 1}},
                                    .geometry = "covers --queries with blocks of 64",
                                    .findings = {{"race-shared", "k_tile"}, {"race-shared", "v_tile"}},
                                    .result_may_vary = true},
                                   run_attention<false>};

}  // namespace
