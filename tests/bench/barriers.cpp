// SPDX-License-Identifier: Apache-2.0
// What a barrier costs a thread, against a ring of raw Boost.Context switches over as many staggered stacks; and two
// kernels that live on barriers.
#include <benchmark/benchmark.h>
#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>
#include <stdexcept>
#include <vector>

#include <sim/exec/launch.hpp>
#include <simt/simt.hpp>

namespace {

using index = std::int64_t;
constexpr int kRounds = 200;

SIMT_DEVICE void only_waits(simt::thread t, int rounds) {
  for (int i = 0; i < rounds; ++i) t.sync();
}

struct one_worker {
  one_worker() { simt::sim::set_launch_options({.workers = 1}); }
  ~one_worker() { simt::sim::set_launch_options({}); }
};

// One item is one barrier of one thread. Starting and ending the threads is part of it, once in kRounds.
void sync_only_simt(benchmark::State& state) {
  one_worker alone;
  const index threads = state.range(0);
  for (auto _ : state) simt::launch<only_waits>({.grid = 1, .block = threads}, kRounds);
  state.SetItemsProcessed(state.iterations() * threads * kRounds);
}

namespace raw = boost::context::detail;
struct ring {
  static constexpr std::size_t kStack = 64 * 1024, kLine = 64, kLines = 61;
  struct member {
    ring* all = nullptr;
    int number = 0;
    raw::fcontext_t context = nullptr;
  };
  std::vector<member> members;
  raw::fcontext_t main = nullptr;
  void* memory = nullptr;
  std::size_t bytes;

  explicit ring(int size)
      : members(static_cast<std::size_t>(size)), bytes(static_cast<std::size_t>(size) * (kStack + 4096)) {
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    for (int i = 0; i < size; ++i) {
      auto* top = static_cast<char*>(memory) + static_cast<std::size_t>(i + 1) * (kStack + 4096) -
                  static_cast<std::size_t>(i) % kLines * kLine;
      members[static_cast<std::size_t>(i)] = {this, i, raw::make_fcontext(top, kStack, &enter)};
    }
  }
  ~ring() { munmap(memory, bytes); }

  // Member i goes round with i + 1; whoever resumes it is the one before.
  static void enter(raw::transfer_t from) {
    member& self = *static_cast<member*>(from.data);
    ring& r = *self.all;
    const std::size_t size = r.members.size(), me = static_cast<std::size_t>(self.number);
    member& next = r.members[(me + 1) % size];
    raw::fcontext_t& before = me == 0 ? r.members[size - 1].context : r.members[me - 1].context;
    if (me == 0)
      r.main = from.fctx;
    else
      before = from.fctx;
    for (int round = 1;; ++round) {
      if (me == 0 && round > kRounds) {
        self.context = raw::jump_fcontext(r.main, nullptr).fctx;
        round = 1;
      }
      before = raw::jump_fcontext(next.context, &next).fctx;
    }
  }
  void run() {
    member& first = members[0];
    first.context = raw::jump_fcontext(first.context, &first).fctx;
  }
};
void sync_only_ring(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  ring r(threads);
  for (auto _ : state) r.run();
  state.SetItemsProcessed(state.iterations() * threads * kRounds);
}
BENCHMARK(sync_only_simt)->Name("sync_only/simt")->RangeMultiplier(2)->Range(32, 1024);
BENCHMARK(sync_only_ring)->Name("sync_only/ring")->RangeMultiplier(2)->Range(32, 1024);

SIMT_DEVICE void block_reduction(simt::thread t, simt::view<const float> x, simt::view<float> sums) {
  auto& part = t.shared<"part", float[256]>();
  const int me = t.rank();
  part[me] = x[t.grid<1>()];
  for (int half = 128; half > 0; half /= 2) {
    t.sync();
    if (me < half) part[me] += part[me + half];
  }
  if (me == 0) sums[t.block_idx().x] = part[0];
}
void reduction_16M(benchmark::State& state) {
  constexpr index n = 16 << 20;
  auto x = simt::to_device(std::vector<float>(n, 1), "x");
  simt::buffer<float> sums(n / 256, "sums");
  for (auto _ : state) simt::launch<block_reduction>({.grid = n / 256, .block = 256}, x, sums);
  if (sums.to_host().back() != 256) state.SkipWithError("wrong sum");
}
BENCHMARK(reduction_16M)
    ->Name("block_reduction_16M/simt")
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

template <int Tile>
SIMT_DEVICE void matmul_tiled(simt::thread t, simt::view<const float, 2> a, simt::view<const float, 2> b,
                              simt::view<float, 2> c) {
  auto& a_tile = t.shared<"a_tile", float[Tile][Tile]>();
  auto& b_tile = t.shared<"b_tile", float[Tile][Tile]>();
  const auto [column, row] = t.grid<2>();
  const index tx = t.thread_idx().x, ty = t.thread_idx().y, depth = a.extent(1);
  float sum = 0;
  for (index first = 0; first < depth; first += Tile) {
    a_tile[ty][tx] = row < a.extent(0) && first + tx < depth ? a(row, first + tx) : 0;
    b_tile[ty][tx] = first + ty < depth && column < b.extent(1) ? b(first + ty, column) : 0;
    t.sync();
    for (int i = 0; i < Tile; ++i) sum += a_tile[ty][i] * b_tile[i][tx];
    t.sync();
  }
  if (row < c.extent(0) && column < c.extent(1)) c(row, column) = sum;
}
void matmul_tiled_512(benchmark::State& state) {
  constexpr index n = 512;
  simt::buffer<float> a{{n, n}, "a"}, b{{n, n}, "b"}, c{{n, n}, "c"};
  a.copy_from(std::vector<float>(n * n, 2));
  b.copy_from(std::vector<float>(n * n, 3));
  for (auto _ : state) simt::launch<matmul_tiled<16>>({.grid = {n / 16, n / 16}, .block = {16, 16}}, a, b, c);
  if (c.to_host().back() != 2 * 3 * n) state.SkipWithError("wrong product");
}
BENCHMARK(matmul_tiled_512)
    ->Name("matmul_tiled_512/simt")
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
