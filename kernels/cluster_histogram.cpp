// SPDX-License-Identifier: Apache-2.0
// Histogram whose bins are spread over the shared memory of a cluster's blocks: more bins than one block could hold,
// and one global atomic a bin and cluster.
//
// cluster-histogram-racy leaves out the cluster sync before the first count: a block may count into bins that their
// owner has not cleared yet.
#include <simt/program.hpp>

namespace {

constexpr int kBinsPerBlock = 256;

template <bool Sync>
SIMT_DEVICE void cluster_histogram(simt::thread t, simt::view<const unsigned> x, simt::view<int> bins) {
  auto& mine = t.shared<"mine", int[kBinsPerBlock]>();
  const auto cluster = t.cluster();
  for (auto i : t.block_stride(kBinsPerBlock)) mine[i] = 0;
  if constexpr (Sync)
    cluster.sync();
  else
    t.sync();
  const auto total = static_cast<unsigned>(cluster.size() * kBinsPerBlock);
  for (auto i : t.grid_stride(x.size())) {
    const unsigned bin = x[i] % total;
    int* const owner = cluster.map_shared(&mine[bin % kBinsPerBlock], static_cast<int>(bin / kBinsPerBlock));
    t.atomic_add(*owner, 1, simt::memory_order::relaxed, simt::scope::cluster);
  }
  cluster.sync();
  for (auto i : t.block_stride(kBinsPerBlock)) t.atomic_add(bins[cluster.rank() * kBinsPerBlock + i], mine[i]);
}

template <bool Sync>
void run_clustered(simt::run& r) {
  const auto n = static_cast<std::size_t>(r.size("samples"));
  const auto blocks = r.option("cluster");
  std::vector<unsigned> samples(n);
  unsigned state = 12345;
  for (unsigned& s : samples) s = state = state * 1664525u + 1013904223u, s >>= 7;
  auto x = r.input("x", samples);
  const auto total = static_cast<std::size_t>(blocks * kBinsPerBlock);
  auto bins = r.output("bins", std::vector<int>(total, 0));
  auto geometry = r.geometry<1>({.grid = 2 * blocks, .block = 128});
  geometry.cluster = blocks;
  r.launch([&] { simt::launch<cluster_histogram<Sync>>(r.stream(), geometry, x, bins); });
  std::vector<int> wanted(total, 0);
  for (const unsigned s : samples) ++wanted[s % total];
  r.expect(bins, wanted);
}

const simt::program clustered{
    {.name = "cluster-histogram",
     .summary = "bins in the shared memory of a cluster of blocks",
     .group = "grids",
     .options = {{"samples", "samples", 20'000, 0}, {"cluster", "blocks in a cluster, 1 to 8", 4, 1}},
     .geometry = "two clusters of --cluster blocks of 128"},
    run_clustered<true>};
const simt::program clustered_racy{
    {.name = "cluster-histogram-racy",
     .summary = "the same without the cluster sync before the first count",
     .group = "grids",
     .options = {{"samples", "samples", 20'000, 0}, {"cluster", "blocks in a cluster, 1 to 8", 4, 1}},
     .geometry = "two clusters of --cluster blocks of 128",
     .findings = {{"race-shared", "mine"}, {"uninitialized-read", "mine"}},
     .result_may_vary = true},
    run_clustered<false>};

}  // namespace
