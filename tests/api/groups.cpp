// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: ranks, sizes, partitions, collectives; against the host's own arithmetic.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include <simt/groups.hpp>
#include <simt/simt.hpp>

namespace cg = simt::cg;

namespace {

constexpr int kBlockThreads = 96;

template <unsigned Size>
SIMT_DEVICE void tiles(simt::thread t, simt::view<const int> in, simt::view<int> out) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block(t));
  const int v = in[t.rank()];
  int* o = &out[t.rank() * 10];
  o[0] = static_cast<int>(tile.thread_rank());
  o[1] = static_cast<int>(tile.meta_group_rank());
  o[2] = static_cast<int>(tile.meta_group_size());
  o[3] = cg::reduce(tile, v, cg::plus<int>());
  o[4] = cg::inclusive_scan(tile, v);
  o[5] = cg::exclusive_scan(tile, v);
  o[6] = static_cast<int>(tile.ballot(v % 2 != 0));
  o[7] = tile.shfl(v, 1);
  o[8] = tile.shfl_xor(v, 3);
  o[9] = cg::reduce(tile, v, cg::greater<int>());
}

template <unsigned Size>
void check_tiles() {
  std::vector<int> v;
  for (int i = 0; i < kBlockThreads; ++i) v.push_back((i * 37) % 101 - 30);
  auto in = simt::to_device(v, "in");
  simt::buffer<int> out(kBlockThreads * 10, "out");
  simt::launch<tiles<Size>>({.grid = 1, .block = kBlockThreads}, in, out);
  const auto got = out.to_host();
  constexpr int kSize = static_cast<int>(Size);
  for (int i = 0; i < kBlockThreads; ++i) {
    const int first = i / kSize * kSize, rank = i % kSize;
    const int* tile = &v[static_cast<std::size_t>(first)];
    unsigned odd = 0;
    for (int r = 0; r < kSize; ++r)
      if (tile[r] % 2 != 0) odd |= 1u << r;
    const int* o = &got[static_cast<std::size_t>(i * 10)];
    INFO("tile of " << Size << ", thread " << i);
    CHECK(o[0] == rank);
    CHECK(o[1] == i / kSize);
    CHECK(o[2] == kBlockThreads / kSize);
    CHECK(o[3] == std::accumulate(tile, tile + kSize, 0));
    CHECK(o[4] == std::accumulate(tile, tile + rank + 1, 0));
    CHECK(o[5] == std::accumulate(tile, tile + rank, 0));
    CHECK(static_cast<unsigned>(o[6]) == odd);
    CHECK(o[7] == tile[1 % kSize]);
    CHECK(o[8] == tile[(rank ^ 3) < kSize ? rank ^ 3 : rank]);
    CHECK(o[9] == *std::max_element(tile, tile + kSize));
  }
}
TEST_CASE("tiles of every size") {
  check_tiles<1>();
  check_tiles<2>();
  check_tiles<4>();
  check_tiles<8>();
  check_tiles<16>();
  check_tiles<32>();
}

// What else tiles and groups of scattered lanes offer; the group of a thread is the lanes with its label.
constexpr int kAnswers = 16;
template <class Group>
SIMT_DEVICE void ask(const Group& g, const int v, int* o) {
  bool same = false;
  o[0] = static_cast<int>(g.thread_rank());
  o[1] = g.shfl_up(v, 2);
  o[2] = g.shfl_down(v, 3);
  o[3] = g.any(v > 60) * 2 + g.all(v > -30);
  o[4] = static_cast<int>(g.match_any(v % 3));
  o[5] = static_cast<int>(g.match_all(v < 1000, same)) + same;
  o[6] = cg::reduce(g, v, cg::less<int>());
  o[7] = cg::reduce(g, v, cg::bit_and<int>());
  o[8] = cg::reduce(g, v, cg::bit_or<int>());
  o[9] = cg::reduce(g, v, cg::bit_xor<int>());
  o[10] = static_cast<int>(cg::reduce(g, static_cast<long long>(v), cg::less<long long>()));
  o[11] = static_cast<int>(cg::reduce(g, static_cast<float>(v), cg::plus<float>()));
  o[12] = cg::inclusive_scan(g, v, cg::greater<int>());
  o[13] = cg::exclusive_scan(g, v);
  o[14] = cg::invoke_one_broadcast(g, [&] { return v; });
  cg::sync(g);
  o[15] = static_cast<int>(g.num_threads());
}
SIMT_DEVICE void scattered(simt::thread t, simt::view<const int> in, simt::view<int> out, int kind) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block(t));
  const int v = in[t.rank()];
  int* o = &out[t.rank() * kAnswers];
  if (kind == 0) ask(cg::tiled_partition<8>(warp), v, o);
  if (kind == 1) ask(cg::labeled_partition(warp, t.lane() * 7 % 5), v, o);
  if (kind == 2) ask(cg::binary_partition(warp, t.lane() % 3 == 0), v, o);
  if (kind == 3) ask(cg::labeled_partition(cg::binary_partition(warp, t.lane() % 3 == 0), t.lane() % 4), v, o);
}
TEST_CASE("every member of tiles, labelled and binary groups") {
  std::vector<int> v;
  for (int i = 0; i < kBlockThreads; ++i) v.push_back((i * 37) % 101 - 30);
  auto in = simt::to_device(v, "in");
  for (int kind = 0; kind < 4; ++kind) {
    simt::buffer<int> out(kBlockThreads * kAnswers, "out");
    simt::launch<scattered>({.grid = 1, .block = kBlockThreads}, in, out, kind);
    const auto got = out.to_host();
    const auto label = [&](int lane) {
      const int third = lane % 3 == 0;
      return kind == 0 ? lane / 8 : kind == 1 ? lane * 7 % 5 : kind == 2 ? third : third * 4 + lane % 4;
    };
    for (int i = 0; i < kBlockThreads; ++i) {
      std::vector<int> group;  // values of the members
      int rank = 0;
      for (int l = 0; l < 32; ++l)
        if (label(l) == label(i % 32)) {
          if (l < i % 32) ++rank;
          group.push_back(v[static_cast<std::size_t>(i / 32 * 32 + l)]);
        }
      const int n = static_cast<int>(group.size()), mine = v[static_cast<std::size_t>(i)];
      int both = -1, some = 0, odd = 0, alike = 0;
      for (int r = 0; r < n; ++r) {
        const int x = group[static_cast<std::size_t>(r)];
        both &= x, some |= x, odd ^= x;
        if (x % 3 == mine % 3) alike |= 1 << r;
      }
      const auto from = [&](int r) { return r >= 0 && r < n ? group[static_cast<std::size_t>(r)] : mine; };
      const int low = *std::min_element(group.begin(), group.end()),
                high = *std::max_element(group.begin(), group.end());
      const int* o = &got[static_cast<std::size_t>(i * kAnswers)];
      INFO("kind " << kind << ", thread " << i);
      CHECK(o[0] == rank);
      CHECK(o[1] == from(rank - 2));
      CHECK(o[2] == from(rank + 3));
      CHECK(o[3] == (high > 60) * 2 + (low > -30));
      CHECK(o[4] == alike);
      CHECK(o[5] == (1 << n) - 1 + 1);
      CHECK(o[6] == low);
      CHECK(o[7] == both);
      CHECK(o[8] == some);
      CHECK(o[9] == odd);
      CHECK(o[10] == low);
      CHECK(o[11] == std::accumulate(group.begin(), group.end(), 0));
      CHECK(o[12] == *std::max_element(group.begin(), group.begin() + rank + 1));
      CHECK(o[13] == std::accumulate(group.begin(), group.begin() + rank, 0));
      CHECK(o[14] == group[0]);
      CHECK(o[15] == n);
    }
  }
}

struct affine_map {  // x -> a x + b; composition is associative, not commutative
  unsigned a, b, unused;
};
struct compose_maps {
  SIMT_HD affine_map operator()(const affine_map& f, const affine_map& g) const {
    return {f.a * g.a, g.a * f.b + g.b, 0};
  }
};

SIMT_DEVICE void compositions_in_tiles(simt::thread t, simt::view<unsigned> out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block(t));
  const auto i = static_cast<unsigned>(t.rank());
  const affine_map mine{i * 2 + 3, i + 7, 0};
  const affine_map up_to = cg::inclusive_scan(tile, mine, compose_maps());
  const affine_map all = cg::reduce(tile, mine, compose_maps());
  out[t.rank() * 4] = up_to.a;
  out[t.rank() * 4 + 1] = up_to.b;
  out[t.rank() * 4 + 2] = all.a;
  out[t.rank() * 4 + 3] = all.b;
}
TEST_CASE("operators of one's own keep the order of the ranks, for values of any size") {
  simt::buffer<unsigned> out(64 * 4, "out");
  simt::launch<compositions_in_tiles>({.grid = 1, .block = 64}, out);
  const auto got = out.to_host();
  for (unsigned first = 0; first < 64; first += 16) {
    affine_map sum{1, 0, 0};
    std::vector<affine_map> up_to;
    for (unsigned i = first; i < first + 16; ++i)
      up_to.push_back(sum = compose_maps()(sum, affine_map{i * 2 + 3, i + 7, 0}));
    for (unsigned i = 0; i < 16; ++i) {
      const unsigned* o = &got[(first + i) * 4];
      CHECK(o[0] == up_to[i].a);
      CHECK(o[1] == up_to[i].b);
      CHECK(o[2] == sum.a);
      CHECK(o[3] == sum.b);
    }
  }
}

SIMT_DEVICE void partitions(simt::thread t, simt::view<int> out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block(t));
  const auto label = cg::labeled_partition(warp, t.lane() % 3);
  const auto half = cg::binary_partition(warp, t.lane() < 10);
  const auto quarter = cg::tiled_partition<8>(warp);
  const auto of_half = cg::tiled_partition(half, 4);
  int* o = &out[t.rank() * 9];
  o[0] = static_cast<int>(label.thread_rank());
  o[1] = static_cast<int>(label.num_threads());
  o[2] = cg::reduce(label, t.lane(), cg::plus<int>());
  o[3] = static_cast<int>(half.num_threads());
  o[4] = cg::exclusive_scan(half, 1);
  o[5] = static_cast<int>(quarter.meta_group_rank());
  o[6] = cg::reduce(of_half, t.lane(), cg::plus<int>());
  o[7] = half.shfl(t.lane(), 2);
  o[8] = cg::invoke_one_broadcast(quarter, [&] { return t.lane() * 100; });
}
TEST_CASE("labelled, binary and nested partitions") {
  simt::buffer<int> out(64 * 9, "out");
  simt::launch<partitions>({.grid = 1, .block = 64}, out);
  const auto got = out.to_host();
  for (int i = 0; i < 64; ++i) {
    const int lane = i % 32;
    const int* o = &got[static_cast<std::size_t>(i * 9)];
    INFO("thread " << i);
    int sum = 0, members = 0;
    for (int l = lane % 3; l < 32; l += 3) sum += l, ++members;
    CHECK(o[0] == lane / 3);
    CHECK(o[1] == members);
    CHECK(o[2] == sum);
    const bool low = lane < 10;
    CHECK(o[3] == (low ? 10 : 22));
    CHECK(o[4] == (low ? lane : lane - 10));
    CHECK(o[5] == lane / 8);
    const int base = low ? 0 : 10, size = low ? 10 : 22, first = (lane - base) / 4 * 4;
    int quad = 0;
    for (int r = first; r < std::min(first + 4, size); ++r) quad += base + r;
    CHECK(o[6] == quad);
    CHECK(o[7] == base + 2);
    CHECK(o[8] == lane / 8 * 800);
  }
}

// Warp-aggregated increments: one atomic for all the lanes that are here.
SIMT_DEVICE void aggregated(simt::thread t, simt::view<const int> in, simt::view<int> count, simt::view<int> place) {
  const auto i = t.grid<1>();
  if (i >= in.size() || in[i] % 3 != 0) return;
  const auto here = cg::coalesced_threads(t);
  int first = 0;
  cg::invoke_one(here, [&] { first = t.atomic_add(count[0], static_cast<int>(here.num_threads())); });
  place[i] = here.shfl(first, 0) + static_cast<int>(here.thread_rank());
}
TEST_CASE("coalesced threads give everybody a place of its own") {
  const int n = 1000;
  std::vector<int> v(n);
  for (int i = 0; i < n; ++i) v[static_cast<std::size_t>(i)] = (i * 7919) % 1013;
  auto in = simt::to_device(v, "in");
  auto count = simt::to_device(std::vector<int>(1, 0), "count");
  auto place = simt::to_device(std::vector<int>(n, -1), "place");
  simt::launch<aggregated>({.grid = 8, .block = 128}, in, count, place);
  const auto got = place.to_host();
  int wanted = 0;
  for (const int x : v) wanted += x % 3 == 0;
  CHECK(count.to_host()[0] == wanted);
  std::vector<int> seen(static_cast<std::size_t>(wanted), 0);
  for (int i = 0; i < n; ++i)
    if (v[static_cast<std::size_t>(i)] % 3 == 0) ++seen.at(static_cast<std::size_t>(got[static_cast<std::size_t>(i)]));
  CHECK(std::all_of(seen.begin(), seen.end(), [](int s) { return s == 1; }));
}

SIMT_DEVICE void whole(simt::thread t, simt::view<long long> out) {
  const auto block = cg::this_thread_block(t);
  const auto grid = cg::this_grid(t);
  auto& rows = t.shared<"rows", int[64]>();
  rows[block.thread_rank()] = static_cast<int>(block.thread_rank());
  block.sync();
  long long* o = &out[grid.thread_rank() * 3];
  o[0] = rows[block.num_threads() - 1 - block.thread_rank()];
  cg::sync(grid);
  o[1] = grid.num_threads();
  o[2] = grid.block_rank() * 1000 + static_cast<long long>(block.thread_index().y);
}
TEST_CASE("blocks and grids as groups") {
  simt::buffer<long long> out(6 * 64 * 3, "out");
  simt::launch<whole>({.grid = {3, 2}, .block = {16, 4}, .cooperative = true}, out);
  const auto got = out.to_host();
  for (int i = 0; i < 6 * 64; ++i) {
    const long long* o = &got[static_cast<std::size_t>(i * 3)];
    CHECK(o[0] == 63 - i % 64);
    CHECK(o[1] == 6 * 64);
    CHECK(o[2] == i / 64 * 1000 + i % 64 / 16);
  }
}

}  // namespace
