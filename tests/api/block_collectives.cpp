// SPDX-License-Identifier: Apache-2.0
// Reductions and scans of whole blocks: every size, values of other types, calls one after the other; and a block's
// scan without its barriers, which races.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include <simt/check.hpp>
#include <simt/groups.hpp>
#include <simt/simt.hpp>

namespace cg = simt::cg;

namespace {

constexpr int kResults = 6;

SIMT_DEVICE void collectives(simt::thread t, simt::view<const int> in, simt::view<int> out) {
  const auto block = cg::this_thread_block(t);
  const int v = in[t.grid<1>()];
  int* o = &out[t.grid<1>() * kResults];
  o[0] = cg::reduce(block, v, cg::plus<int>());
  o[1] = cg::reduce(block, v, cg::less<int>());
  o[2] = cg::inclusive_scan(block, v);
  o[3] = cg::exclusive_scan(block, v);
  o[4] = cg::inclusive_scan(block, v, cg::greater<int>());
  o[5] = cg::invoke_one_broadcast(block, [&] { return v + 1; });
}

struct affine {  // x -> a x + b; composition is associative, not commutative
  unsigned a, b, unused;
};
struct compose {
  SIMT_HD affine operator()(const affine& f, const affine& g) const { return {f.a * g.a, g.a * f.b + g.b, 0}; }
};
SIMT_DEVICE void compositions(simt::thread t, simt::view<unsigned> out) {
  const auto block = cg::this_thread_block(t);
  const auto i = static_cast<unsigned>(t.rank());
  const affine f{2 * i + 1, i, 0};
  out[t.rank() * 3] = cg::reduce(block, f, compose()).b;
  out[t.rank() * 3 + 1] = cg::inclusive_scan(block, f, compose()).b;
  out[t.rank() * 3 + 2] = cg::exclusive_scan(block, f, compose()).b;
}
SIMT_DEVICE void doubles(simt::thread t, simt::view<double> out) {
  const auto block = cg::this_thread_block(t);
  out[t.rank()] = cg::inclusive_scan(block, 0.5) + cg::reduce(block, 1.0, cg::plus<double>());
}

#if defined(SIMT_VARIANT_CHECK)
// reduce() with one barrier left out: the next round's parts overwrite what others still read.
SIMT_DEVICE void reduce_without_second_barrier(simt::thread t, simt::view<int> out) {
  auto& parts = t.shared<"parts", int[32]>();
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block(t));
  for (int round = 0; round < 2; ++round) {
    const int mine = cg::reduce(warp, round, cg::plus<int>());
    if (warp.thread_rank() == 0) parts[warp.meta_group_rank()] = mine;
    t.sync();
    int sum = 0;
    for (unsigned w = 0; w < warp.meta_group_size(); ++w) sum += parts[w];
    out[t.rank()] = sum;
  }
}
#endif
SIMT_DEVICE void reduce_in_rounds(simt::thread t, simt::view<int> out) {
  for (int round = 0; round < 2; ++round) out[t.rank()] = cg::reduce(cg::this_thread_block(t), round, cg::plus<int>());
}

}  // namespace

TEST_CASE("blocks of every size, warps whole and partial") {
  for (const int threads : {1, 5, 31, 32, 33, 64, 97, 256, 1000, 1024}) {
    constexpr int kBlocks = 2;
    std::vector<int> v;
    for (int i = 0; i < kBlocks * threads; ++i) v.push_back((i * 37) % 101 - 30);
    auto in = simt::to_device(v, "in");
    simt::buffer<int> out(kBlocks * threads * kResults, "out");
    const auto found =
        simt::check({}, [&] { simt::launch<collectives>({.grid = kBlocks, .block = threads}, in, out); });
    CHECK(found.empty());
    const auto got = out.to_host();
    for (int i = 0; i < kBlocks * threads; ++i) {
      const int rank = i % threads;
      const int* block = &v[static_cast<std::size_t>(i - rank)];
      const int* o = &got[static_cast<std::size_t>(i * kResults)];
      INFO("block of " << threads << ", thread " << rank);
      REQUIRE(o[0] == std::accumulate(block, block + threads, 0));
      REQUIRE(o[1] == *std::min_element(block, block + threads));
      REQUIRE(o[2] == std::accumulate(block, block + rank + 1, 0));
      REQUIRE(o[3] == std::accumulate(block, block + rank, 0));
      REQUIRE(o[4] == *std::max_element(block, block + rank + 1));
      REQUIRE(o[5] == block[0] + 1);
    }
  }
}

TEST_CASE("values of any type, in the order of the ranks") {
  constexpr int kThreads = 200;
  simt::buffer<unsigned> out(kThreads * 3, "out");
  simt::launch<compositions>({.grid = 1, .block = kThreads}, out);
  const auto got = out.to_host();
  affine all{1, 0, 0}, before{};
  for (unsigned i = 0; i < kThreads; ++i) {
    CHECK(got[i * 3 + 2] == before.b);
    all = compose()(all, {2 * i + 1, i, 0});
    CHECK(got[i * 3 + 1] == all.b);
    before = all;
  }
  for (unsigned i = 0; i < kThreads; ++i) REQUIRE(got[i * 3] == all.b);

  simt::buffer<double> sums(kThreads, "sums");
  simt::launch<doubles>({.grid = 1, .block = kThreads}, sums);
  CHECK(sums.to_host()[kThreads - 1] == 1.5 * kThreads);
}

TEST_CASE("the barriers of a block's reduction are needed") {
  simt::buffer<int> out(128, "out");
  CHECK(simt::check({}, [&] { simt::launch<reduce_in_rounds>({.grid = 1, .block = 128}, out); }).empty());
  CHECK(out.to_host()[5] == 128);
#if defined(SIMT_VARIANT_CHECK)
  const auto found =
      simt::check({}, [&] { simt::launch<reduce_without_second_barrier>({.grid = 1, .block = 128}, out); });
  REQUIRE(!found.empty());
  CHECK(found[0].rule == simt::rule::race_shared);
  CHECK(found[0].object == "parts");
#endif
}
