// SPDX-License-Identifier: Apache-2.0
// Pairs: cooperative groups; barriers, latches, semaphores, waits of atomics; asynchronous copies and pipelines.
#include <simt/atomic_ref.hpp>
#include <simt/groups.hpp>
#include <simt/pipeline.hpp>
#include <simt/sync.hpp>

#include "suite.hpp"

namespace {
using simt::kFullMask, simt::launch_config, simt::memory_order, simt::scope, simt::thread, simt::view;
using suite::zeros;
namespace cg = simt::cg;

constexpr const char* kGroup = "cooperative groups";
constexpr const char* kObject = "barrier objects and asynchronous copies";

// Groups of every kind: the members read what the next member wrote.
enum class gathering { tile_4, tile_16, sized, labelled, binary, coalesced };
template <bool Defect, class Group>
SIMT_DEVICE void pass_on(const Group& g, int (&s)[32], view<int> x, int lane) {
  s[lane] = lane;
  if constexpr (!Defect) g.sync();
  x[lane] = s[g.lane_of((g.thread_rank() + 1) % g.num_threads())];
}
template <bool Defect, gathering How>
SIMT_DEVICE void members_pass_on(thread t, view<int> x) {
  auto& s = t.shared<"s", int[32]>();
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block(t));
  const int lane = static_cast<int>(t.lane());
  if constexpr (How == gathering::tile_4) pass_on<Defect>(cg::tiled_partition<4>(warp), s, x, lane);
  if constexpr (How == gathering::tile_16) pass_on<Defect>(cg::tiled_partition<16>(warp), s, x, lane);
  if constexpr (How == gathering::sized)
    pass_on<Defect>(cg::tiled_partition(cg::binary_partition(warp, lane < 20), 5), s, x, lane);
  if constexpr (How == gathering::labelled) pass_on<Defect>(cg::labeled_partition(warp, lane % 3), s, x, lane);
  if constexpr (How == gathering::binary) pass_on<Defect>(cg::binary_partition(warp, lane % 5 == 0), s, x, lane);
  if constexpr (How == gathering::coalesced) {
    if (lane % 2 == 0) pass_on<Defect>(cg::coalesced_threads(t), s, x, lane);
  }
}
template <gathering How>
void run_members_pass_on(bool defect) {
  auto x = zeros<int>(32);
  suite::launch_twin<members_pass_on<suite::kRunsDefects, How>, members_pass_on<false, How>>(defect,
                                                                                             launch_config{1, 32}, x);
}
PAIR(tile_of_4_without_sync, kGroup, race_shared, "s") { run_members_pass_on<gathering::tile_4>(defect); }
PAIR(tile_of_16_without_sync, kGroup, race_shared, "s") { run_members_pass_on<gathering::tile_16>(defect); }
PAIR(tile_of_any_size_without_sync, kGroup, race_shared, "s") { run_members_pass_on<gathering::sized>(defect); }
PAIR(labelled_group_without_sync, kGroup, race_shared, "s") { run_members_pass_on<gathering::labelled>(defect); }
PAIR(binary_group_without_sync, kGroup, race_shared, "s") { run_members_pass_on<gathering::binary>(defect); }
PAIR(coalesced_group_without_sync, kGroup, race_shared, "s") { run_members_pass_on<gathering::coalesced>(defect); }

template <bool Defect>
SIMT_DEVICE void neighbouring_tile(thread t, view<int> x) {
  auto& s = t.shared<"s", int[32]>();
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block(t));
  s[t.lane()] = t.lane();
  tile.sync();
  x[t.lane()] = s[Defect ? (t.lane() + 8) % 32 : t.lane() ^ 7];
}
PAIR(sync_of_a_tile_and_data_of_the_next, kGroup, race_shared, "s") {
  auto x = zeros<int>(32);
  TWIN(neighbouring_tile, (launch_config{1, 32}), x);
}

template <bool Defect>
SIMT_DEVICE void one_for_all(thread t, view<int> x) {
  auto& s = t.shared<"s", int>();
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block(t));
  cg::invoke_one(tile, [&] { s = 7; });
  if constexpr (!Defect) tile.sync();
  x[t.lane()] = s;
}
PAIR(invoke_one_without_sync, kGroup, race_shared, "s") {
  auto x = zeros<int>(32);
  TWIN(one_for_all, (launch_config{1, 32}), x);
}

template <bool Defect>
SIMT_DEVICE void group_copy(thread t, view<const int> x, view<int> y) {
  auto& s = t.shared<"s", int[64]>();
  const auto block = cg::this_thread_block(t);
  cg::memcpy_async(block, &s[0], x.data_handle(), 64 * sizeof(int));
  if constexpr (!Defect) cg::wait(block);
  y[t.rank()] = s[63 - t.rank()];
  if constexpr (Defect) cg::wait(block);
}
PAIR(copy_of_a_group_not_awaited, kGroup, race_shared, "s") {
  auto x = zeros<int>(64, "x"), y = zeros<int>(64, "y");
  TWIN(group_copy, (launch_config{1, 64}), x, y);
}

template <bool Defect>
SIMT_DEVICE void phases(thread t, view<int> x) {
  auto& b = t.shared<"barrier", simt::barrier<>>();
  auto& s = t.shared<"s", int[64]>();
  if (t.rank() == 0) b.init(t, 64);
  t.sync();
  s[t.rank()] = t.rank();
  const auto token = b.arrive(t);
  if constexpr (!Defect) b.wait(t, token);
  x[t.rank()] = s[63 - t.rank()];
  if constexpr (Defect) b.wait(t, token);
}
PAIR(barrier_arrive_without_wait, kObject, race_shared, "s") {
  auto x = zeros<int>(64);
  TWIN(phases, (launch_config{1, 64}), x);
}

template <bool Defect>
SIMT_DEVICE void copy_ahead(thread t, view<const int> x, view<int> y) {
  auto& s = t.shared<"s", int[64]>();
  t.memcpy_async(&s[t.rank()], &x[t.rank()], sizeof(int));
  t.commit_async();
  if constexpr (!Defect) t.wait_async<0>();
  y[t.rank()] = s[t.rank()];
  if constexpr (Defect) t.wait_async<0>();
}
PAIR(read_before_the_copy_is_done, kObject, race_shared, "s") {
  auto x = zeros<int>(64, "x"), y = zeros<int>(64, "y");
  TWIN(copy_ahead, (launch_config{1, 64}), x, y);
}

template <bool Defect>
SIMT_DEVICE void copy_for_others(thread t, view<const int> x, view<int> y) {
  auto& s = t.shared<"s", int[64]>();
  t.memcpy_async(&s[t.rank()], &x[t.rank()], sizeof(int));
  t.commit_async();
  t.wait_async<0>();
  if constexpr (!Defect) t.sync();
  y[t.rank()] = s[63 - t.rank()];
}
PAIR(others_read_the_copy_without_barrier, kObject, race_shared, "s") {
  auto x = zeros<int>(64, "x"), y = zeros<int>(64, "y");
  TWIN(copy_for_others, (launch_config{1, 64}), x, y);
}

template <bool Defect>
SIMT_DEVICE void latched(thread t, view<int> x) {
  auto& done = t.shared<"done", simt::latch<>>();
  auto& s = t.shared<"s", int[64]>();
  if (t.rank() == 0) done.init(t, 64);
  t.sync();
  s[t.rank()] = t.rank();
  done.count_down(t);
  if constexpr (!Defect) done.wait(t);
  x[t.rank()] = s[63 - t.rank()];
}
PAIR(latch_not_awaited, kObject, race_shared, "s") {
  auto x = zeros<int>(64);
  TWIN(latched, (launch_config{1, 64}), x);
}

template <bool Defect>
SIMT_DEVICE void guarded(thread t, view<int> x) {
  auto& free = t.shared<"free", simt::binary_semaphore<scope::block>>();
  if (t.rank() == 0) free.init(t, 1);
  t.sync();
  if (t.lane() != 0) return;
  if constexpr (!Defect) free.acquire(t);
  x[0] += 1;
  if constexpr (!Defect) free.release(t);
}
PAIR(semaphore_not_acquired, kObject, race_global, "x") {
  auto x = zeros<int>(1);
  TWIN(guarded, (launch_config{1, 96}), x);
}

// Who drops out has arrived, and waits for nobody.
template <bool Defect>
SIMT_DEVICE void dropped_out(thread t, view<int> x) {
  auto& b = t.shared<"barrier", simt::barrier<>>();
  auto& s = t.shared<"s", int[64]>();
  if (t.rank() == 0) b.init(t, 64);
  t.sync();
  s[t.rank()] = t.rank();
  if (t.rank() < 32) {
    b.arrive_and_drop(t);
    if constexpr (Defect) x[t.rank()] = s[63 - t.rank()];
  } else {
    b.arrive_and_wait(t);
    x[t.rank()] = s[63 - t.rank()];
  }
}
PAIR(barrier_dropped_not_awaited, kObject, race_shared, "s") {
  auto x = zeros<int>(64);
  TWIN(dropped_out, (launch_config{1, 64}), x);
}

// A wait for the first phase says nothing of what is written in the second.
template <bool Defect>
SIMT_DEVICE void later_phase(thread t, view<int> x) {
  auto& b = t.shared<"barrier", simt::barrier<>>();
  auto& s = t.shared<"s", int[64]>();
  if (t.rank() == 0) b.init(t, 64);
  t.sync();
  b.arrive_and_wait(t);
  s[t.rank()] = t.rank();
  const auto token = b.arrive(t);
  if constexpr (!Defect) b.wait(t, token);
  x[t.rank()] = s[63 - t.rank()];
}
PAIR(second_phase_not_awaited, kObject, race_shared, "s") {
  auto x = zeros<int>(64);
  TWIN(later_phase, (launch_config{1, 64}), x);
}

template <bool Defect>
SIMT_DEVICE void staged_early(thread t, view<const int> x, view<int> y) {
  auto& s = t.shared<"s", int[2][64]>();
  simt::pipeline<2> pipe(t);
  for (int stage = 0; stage < 2; ++stage) {
    pipe.producer_acquire();
    pipe.memcpy_async(&s[stage][t.rank()], &x[stage * 64 + t.rank()], sizeof(int));
    pipe.producer_commit();
  }
  pipe.consumer_wait();
  y[t.rank()] = s[Defect ? 1 : 0][t.rank()];  // the second stage may still be on its way
  pipe.consumer_release();
  pipe.consumer_wait();
  y[t.rank()] += s[1][63 - t.rank()];
  pipe.consumer_release();
}
PAIR(stage_of_a_pipeline_read_too_early, kObject, race_shared, "s") {
  auto x = zeros<int>(128, "x"), y = zeros<int>(64, "y");
  TWIN(staged_early, (launch_config{1, 64}), x, y);
}

template <bool Defect>
SIMT_DEVICE void awaited_flag(thread t, view<int> data, view<int> flag, view<int> out) {
  simt::atomic_ref<int, scope::block> ready(t, flag[0]);
  if (t.rank() == 0) {
    data[0] = 42;
    ready.store(1, memory_order::release);
    ready.notify_all();
  } else if (t.rank() == 32) {
    ready.wait(0, Defect ? memory_order::relaxed : memory_order::acquire);
    out[0] = data[0];
  }
}
PAIR(relaxed_wait_of_an_atomic, kObject, race_global, "data") {
  auto d = zeros<int>(1, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(1, "out");
  TWIN(awaited_flag, (launch_config{1, 64}), d, f, o);
}

}  // namespace
