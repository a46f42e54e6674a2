// SPDX-License-Identifier: Apache-2.0
// Barriers across blocks: cooperative grids, clusters, distributed shared memory.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <sim/report/phrasebook.hpp>
#include <simt/check.hpp>
#include <simt/groups.hpp>
#include <simt/simt.hpp>

namespace cg = simt::cg;

namespace {

// Each round every thread reads what the thread on the other side of the grid wrote in the round before.
SIMT_DEVICE void mirror(simt::thread t, simt::view<int> a, simt::view<int> b, int rounds) {
  const auto i = t.grid<1>(), other = t.grid_size<1>() - 1 - i;
  for (int r = 0; r < rounds; ++r) {
    simt::view<int>& from = r % 2 ? b : a;
    simt::view<int>& to = r % 2 ? a : b;
    to[i] = from[other] + 1;
    t.sync_grid();
  }
}

TEST_CASE("grid sync orders all blocks, also more than there are workers") {
  for (const int blocks : {1, 2, 7, 100})
    for (const int threads : {1, 33, 64}) {
      const int n = blocks * threads;
      std::vector<int> start;
      for (int i = 0; i < n; ++i) start.push_back(i * 100);
      auto a = simt::to_device(start, "a");
      simt::buffer<int> b(n, "b");
      simt::launch<mirror>({.grid = blocks, .block = threads, .cooperative = true}, a, b, 10);
      const auto got = a.to_host();
      for (int i = 0; i < n; ++i) REQUIRE(got[static_cast<std::size_t>(i)] == i * 100 + 10);
    }
}

#if !defined(SIMT_VARIANT_CHECK)
TEST_CASE("a grid that fills the device") {
  constexpr int kBlocks = 132 * 2, kThreads = 1024, kSize = kBlocks * kThreads;
  auto a = simt::to_device(std::vector<int>(kSize, 0), "a");
  simt::buffer<int> b(kSize, "b");
#if defined(SIMT_VARIANT_CUDA)
  const int fit = static_cast<int>(simt::device::current().properties().multiprocessors);
#else
  const int fit = kBlocks;
#endif
  simt::launch<mirror>({.grid = fit, .block = kThreads, .cooperative = true}, a, b, 2);
  const auto got = a.to_host();
  for (int i = 0; i < fit * kThreads; ++i) REQUIRE(got[static_cast<std::size_t>(i)] == 2);
}
#endif

TEST_CASE("a cooperative grid that does not fit is refused") {
  auto a = simt::to_device(std::vector<int>(1, 0), "a");
  CHECK_THROWS_AS(simt::launch<mirror>({.grid = 100'000, .block = 1024, .cooperative = true}, a, a, 1), simt::error);
}

// Threads of a block that leave early do not hold up the others.
SIMT_DEVICE void early(simt::thread t, simt::view<int> out) {
  if (t.rank() % 2 == 1) return;
  out[t.grid<1>()] = 1;
  t.sync_grid();
  const auto n = t.grid_size<1>();
  int sum = 0;
  for (std::int64_t i = 0; i < n; i += 2) sum += out[i];
  t.sync_grid();
  out[t.grid<1>()] = sum;
}
#if !defined(SIMT_VARIANT_CUDA)
TEST_CASE("threads that left count as arrived") {
  simt::buffer<int> out(8 * 32, "out");
  out.fill_bytes(0);
  simt::launch<early>({.grid = 8, .block = 32, .cooperative = true}, out);
  const auto got = out.to_host();
  for (int i = 0; i < 8 * 32; ++i) CHECK(got[static_cast<std::size_t>(i)] == (i % 2 ? 0 : 128));
}

SIMT_DEVICE void one_block_missing(simt::thread t) {
  if (t.block_idx().x != 1) t.sync_grid();
}
SIMT_DEVICE void not_cooperative(simt::thread t) { t.sync_grid(); }

std::string message_of(void (*launch)()) {
  try {
    launch();
  } catch (const simt::error& e) {
    return e.what();
  }
  return "no error";
}

TEST_CASE("a grid sync that a block never reaches ends as a deadlock") {
  const std::string said =
      message_of([] { simt::launch<one_block_missing>({.grid = 4, .block = 32, .cooperative = true}); });
  INFO(said);
  CHECK(said.find("cannot go on") != std::string::npos);
}
TEST_CASE("grid sync needs a cooperative launch") {
  const std::string said = message_of([] { simt::launch<not_cooperative>({.grid = 4, .block = 32}); });
  INFO(said);
  CHECK(said.find("not cooperative") != std::string::npos);
}
#endif

// Every block of the cluster adds up what all the others hold.
SIMT_DEVICE void cluster_sum(simt::thread t, simt::view<int> out, int rounds) {
  auto& mine = t.shared<"mine", int[64]>();
  const auto cluster = t.cluster();
  const int i = t.rank();
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    mine[i] = static_cast<int>(t.block_index()) * 1000 + i + r;
    cluster.sync();
    for (int block = 0; block < cluster.size(); ++block) sum += cluster.map_shared(mine, block)[i];
    cluster.sync();
  }
  out[t.block_index() * 64 + i] = sum;
}

void check_clusters(simt::dim3 grid, simt::dim3 cluster) {
  const auto blocks = grid.volume();
  simt::buffer<int> out(blocks * 64, "out");
  simt::launch<cluster_sum>({.grid = grid, .block = 64, .cluster = cluster}, out, 3);
  const auto got = out.to_host();
  for (std::int64_t b = 0; b < blocks; ++b) {
    const std::int64_t x = b % grid.x / cluster.x, y = b / grid.x % grid.y / cluster.y,
                       z = b / (grid.x * grid.y) / cluster.z;
    for (int i = 0; i < 64; ++i) {
      std::int64_t sum = 0;
      for (std::int64_t dz = 0; dz < cluster.z; ++dz)
        for (std::int64_t dy = 0; dy < cluster.y; ++dy)
          for (std::int64_t dx = 0; dx < cluster.x; ++dx) {
            const std::int64_t other =
                x * cluster.x + dx + grid.x * (y * cluster.y + dy + grid.y * (z * cluster.z + dz));
            sum += 3 * (other * 1000 + i) + 3;
          }
      INFO("block " << b << " thread " << i);
      REQUIRE(got[static_cast<std::size_t>(b * 64 + i)] == sum);
    }
  }
}

TEST_CASE("clusters in one to three dimensions") {
  for (const int size : {1, 2, 3, 4, 5, 6, 7, 8}) check_clusters({size * 2}, {size});
  check_clusters({6, 4}, {3, 2});
  check_clusters({4, 2, 6}, {2, 1, 3});
  check_clusters({40, 1, 1}, {4});
}

// A message around the ring of a cluster's blocks, in CUDA's words: the data and the flag lie in the next block's
// shared memory, released and acquired at the scope of the cluster.
template <simt::scope Scope>
SIMT_DEVICE void cluster_ring(simt::thread t, simt::view<int> out) {
  auto& letter = t.shared<"letter", int>();
  auto& arrived = t.shared<"arrived", int>();
  const auto cluster = cg::this_cluster(t);
  const int rank = static_cast<int>(cluster.block_rank()), next = (rank + 1) % static_cast<int>(cluster.num_blocks());
  if (t.rank() == 0) letter = arrived = 0;
  cluster.sync();
  if (t.rank() == 0) {
    int carried = 100;
    if (rank > 0) {
      while (t.atomic_load(arrived, simt::memory_order::acquire, Scope) == 0) t.yield();
      carried = letter;
    }
    *cluster.map_shared_rank(&letter, next) = carried + rank;
    t.atomic_store(*cluster.map_shared_rank(&arrived, next), 1, simt::memory_order::release, Scope);
    if (rank == 0) {
      while (t.atomic_load(arrived, simt::memory_order::acquire, Scope) == 0) t.yield();
      out[t.block_index()] = letter;
    } else {
      out[t.block_index()] = static_cast<int>(cluster.thread_rank() * 1000 + cluster.num_threads());
    }
  }
  cluster.sync();
}
TEST_CASE("messages at cluster scope") {
  simt::buffer<int> out(12, "out");
  simt::launch<cluster_ring<simt::scope::cluster>>({.grid = 12, .block = 33, .cluster = 6}, out);
  const auto got = out.to_host();
  for (int i = 0; i < 12; ++i)
    CHECK(got[static_cast<std::size_t>(i)] == (i % 6 == 0 ? 115 : i % 6 * 33 * 1000 + 6 * 33));
}

TEST_CASE("clusters that make no sense are refused") {
  simt::buffer<int> out(64, "out");
  CHECK_THROWS_AS(simt::launch<cluster_sum>({.grid = 6, .block = 64, .cluster = 4}, out, 1), simt::error);
  CHECK_THROWS_AS(simt::launch<cluster_sum>({.grid = 16, .block = 64, .cluster = 16}, out, 1), simt::error);
}

#if defined(SIMT_VARIANT_CHECK)
template <bool Sync>
SIMT_DEVICE void across_blocks(simt::thread t, simt::view<int> out) {
  out[t.grid<1>()] = 1;
  if constexpr (Sync) t.sync_grid();
  if (t.grid<1>() == 0) out[0] = out[t.grid_size<1>() - 1];
}
template <bool Sync>
SIMT_DEVICE void across_cluster(simt::thread t, simt::view<int> out) {
  auto& mine = t.shared<"mine", int[32]>();
  mine[t.rank()] = 1;
  if constexpr (Sync)
    t.cluster().sync();
  else
    t.sync();
  out[t.grid<1>()] = t.cluster().map_shared(mine, 1 - t.cluster().rank())[t.rank()];
  t.cluster().sync();
}
// The block whose memory is read must not have left: the last sync of a cluster.
template <bool Sync>
SIMT_DEVICE void read_late(simt::thread t, simt::view<int> out) {
  auto& mine = t.shared<"mine", int[32]>();
  mine[t.rank()] = t.rank();
  t.cluster().sync();
  if (t.cluster().rank() == 1) {
    for (int i = 0; i < 100; ++i) t.yield();
    out[t.rank()] = t.cluster().map_shared(mine, 0)[t.rank()];
  }
  if constexpr (Sync) t.cluster().sync();
}
bool has(const std::vector<simt::finding>& all, simt::rule r) {
  for (const auto& f : all)
    if (f.rule == r) return true;
  return false;
}
TEST_CASE("grid and cluster syncs order; without them it is a race") {
  const auto run = [](auto launch) {
    const auto found = simt::check({}, [&] {
      simt::buffer<int> out(64, "out");
      launch(out);
    });
    for (const auto& f : found) MESSAGE(simt::phrase(f, simt::dialect::api).message);
    return found;
  };
  const simt::launch_config grid{.grid = 2, .block = 32, .cooperative = true},
      cluster{.grid = 2, .block = 32, .cluster = 2};
  CHECK(run([&](auto& out) { simt::launch<across_blocks<true>>(grid, out); }).empty());
  CHECK(has(run([&](auto& out) { simt::launch<across_blocks<false>>(grid, out); }), simt::rule::race_global));
  CHECK(run([&](auto& out) { simt::launch<across_cluster<true>>(cluster, out); }).empty());
  CHECK(has(run([&](auto& out) { simt::launch<across_cluster<false>>(cluster, out); }), simt::rule::race_shared));
  CHECK(run([&](auto& out) { simt::launch<read_late<true>>(cluster, out); }).empty());
  CHECK(has(run([&](auto& out) { simt::launch<read_late<false>>(cluster, out); }), simt::rule::out_of_bounds));
  CHECK(run([&](auto& out) { simt::launch<cluster_ring<simt::scope::cluster>>(cluster, out); }).empty());
  CHECK(has(run([&](auto& out) { simt::launch<cluster_ring<simt::scope::block>>(cluster, out); }),
            simt::rule::race_scope));
}
#endif

}  // namespace
