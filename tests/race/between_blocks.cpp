// SPDX-License-Identifier: Apache-2.0
// Pairs: blocks of one launch; fences, scopes, locks, tickets; grids and clusters; launches, copies and streams.
#include <simt/host_memory.hpp>

#include "suite.hpp"

namespace {
using simt::buffer, simt::event, simt::kFullMask, simt::launch_config, simt::memory_order, simt::scope, simt::stream, simt::synchronize, simt::thread, simt::view;
using suite::zeros;

constexpr const char* kBlocks = "between blocks";
constexpr const char* kFence = "fences, orders, scopes";
constexpr const char* kLock = "locks, tickets, chains";
constexpr const char* kGrid = "grids and clusters";
constexpr const char* kStream = "launches, copies, streams";

template <bool Defect>
SIMT_DEVICE void overlap(thread t, view<int> x) {
  x[t.grid<1>()] = t.rank() + 1;
  if constexpr (Defect) { if (t.rank() == 0) x[(t.grid<1>() + 32) % 64] = 9; }
}
PAIR(blocks_write_one_cell, kBlocks, race_global, "x") { auto x = zeros<int>(64); TWIN(overlap, (launch_config{2, 32}), x); }

template <bool Defect>
SIMT_DEVICE void neighbour_cell(thread t, view<const int> x, view<int> y) {
  const auto i = t.grid<1>();
  y[i] = x[i];
  if constexpr (Defect) y[i] += y[(i + 1) % 64]; else y[i] += x[(i + 1) % 64];
}
PAIR(stencil_in_place_across_blocks, kBlocks, race_global, "y") { auto x = zeros<int>(64, "x"), y = zeros<int>(64, "y"); TWIN(neighbour_cell, (launch_config{4, 16}), x, y); }

template <bool Defect>
SIMT_DEVICE void total(thread t, view<int> x) {
  if constexpr (Defect) x[0] += t.rank() + 1; else t.atomic_add(x[0], t.rank() + 1);
}
PAIR(counter, kBlocks, race_global, "x") { auto x = zeros<int>(1); TWIN(total, (launch_config{4, 1}), x); }

template <bool Defect>
SIMT_DEVICE void mixed_sizes(thread t, view<int> x) {
  if (t.block_idx().x == 0) t.atomic_add(x[0], 1);
  else if constexpr (Defect) t.atomic_add(*reinterpret_cast<long long*>(&x[0]), 1LL);
  else t.atomic_add(x[0], 1);
}
PAIR(atomics_of_two_sizes, kBlocks, race_global, "x") { auto x = zeros<int>(2); TWIN(mixed_sizes, (launch_config{2, 1}), x); }

// Message passing: block 0 writes data and raises a flag, block 1 waits for the flag and reads.
template <bool Defect>
SIMT_DEVICE void message(thread t, view<int> data, view<int> flag, view<int> out) {
  if (t.block_idx().x == 0) {
    data[0] = 42;
    if constexpr (!Defect) t.threadfence();
    t.atomic_exch(flag[0], 1);
  } else {
    while (t.atomic_load(flag[0]) == 0) {}
    t.threadfence();
    out[0] = data[0];
  }
}
PAIR(message_without_writer_fence, kFence, race_global, "data") { auto d = zeros<int>(1, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(1, "out"); TWIN(message, (launch_config{2, 1}), d, f, o); }

template <bool Defect>
SIMT_DEVICE void message_reader(thread t, view<int> data, view<int> flag, view<int> out) {
  if (t.block_idx().x == 0) {
    data[0] = 42;
    t.threadfence();
    t.atomic_exch(flag[0], 1);
  } else {
    while (t.atomic_load(flag[0]) == 0) {}
    if constexpr (!Defect) t.threadfence();
    out[0] = data[0];
  }
}
PAIR(message_without_reader_fence, kFence, race_global, "data") { auto d = zeros<int>(1, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(1, "out"); TWIN(message_reader, (launch_config{2, 1}), d, f, o); }

template <bool Defect>
SIMT_DEVICE void message_scope(thread t, view<int> data, view<int> flag, view<int> out) {
  if (t.block_idx().x == 0) {
    data[0] = 42;
    if constexpr (Defect) t.threadfence_block(); else t.threadfence();
    t.atomic_exch(flag[0], 1);
  } else {
    while (t.atomic_load(flag[0]) == 0) {}
    t.threadfence();
    out[0] = data[0];
  }
}
PAIR(fence_of_block_scope, kFence, race_scope, "data") { auto d = zeros<int>(1, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(1, "out"); TWIN(message_scope, (launch_config{2, 1}), d, f, o); }

template <bool Defect>
SIMT_DEVICE void message_order(thread t, view<int> data, view<int> flag, view<int> out) {
  if (t.block_idx().x == 0) {
    data[0] = 42;
    t.atomic_store(flag[0], 1, Defect ? memory_order::relaxed : memory_order::release);
  } else {
    while (t.atomic_load(flag[0], memory_order::acquire) == 0) {}
    out[0] = data[0];
  }
}
PAIR(relaxed_store_of_the_flag, kFence, race_global, "data") { auto d = zeros<int>(1, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(1, "out"); TWIN(message_order, (launch_config{2, 1}), d, f, o); }

template <bool Defect>
SIMT_DEVICE void message_acquire(thread t, view<int> data, view<int> flag, view<int> out) {
  if (t.block_idx().x == 0) {
    data[0] = 42;
    t.atomic_store(flag[0], 1, memory_order::release);
  } else {
    while (t.atomic_load(flag[0], Defect ? memory_order::relaxed : memory_order::acquire) == 0) {}
    out[0] = data[0];
  }
}
PAIR(relaxed_load_of_the_flag, kFence, race_global, "data") { auto d = zeros<int>(1, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(1, "out"); TWIN(message_acquire, (launch_config{2, 1}), d, f, o); }

template <bool Defect>
SIMT_DEVICE void release_scope(thread t, view<int> data, view<int> flag, view<int> out) {
  constexpr scope s = Defect ? scope::block : scope::device;
  if (t.block_idx().x == 0) {
    data[0] = 42;
    t.atomic_store(flag[0], 1, memory_order::release, s);
  } else {
    while (t.atomic_load(flag[0], memory_order::acquire, scope::device) == 0) {}
    out[0] = data[0];
  }
}
PAIR(release_of_block_scope, kFence, race_scope, "") { auto d = zeros<int>(1, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(1, "out"); TWIN(release_scope, (launch_config{2, 1}), d, f, o); }

template <bool Defect>
SIMT_DEVICE void counter_scope(thread t, view<int> x) {
  t.atomic_add(x[0], 1, memory_order::relaxed, Defect ? scope::block : scope::device);
}
PAIR(atomic_of_block_scope, kFence, race_scope, "x") { auto x = zeros<int>(1); TWIN(counter_scope, (launch_config{2, 1}), x); }

template <bool Defect>
SIMT_DEVICE void block_fence_inside(thread t, view<int> flag, view<int> out) {
  auto& data = t.shared<"data", int[1]>();
  if (t.rank() == 0) {
    data[0] = 42;
    if constexpr (!Defect) t.threadfence_block();
    t.atomic_exch(flag[t.block_idx().x], 1);
  } else if (t.rank() == 32) {
    while (t.atomic_load(flag[t.block_idx().x]) == 0) {}
    t.threadfence_block();
    out[t.block_idx().x] = data[0];
  }
}
PAIR(block_fence_between_warps, kFence, race_shared, "data") { auto f = zeros<int>(2, "flag"), o = zeros<int>(2, "out"); TWIN(block_fence_inside, (launch_config{2, 64}), f, o); }

template <bool Defect>
SIMT_DEVICE void volatile_flag(thread t, view<int> data, int* flag, view<int> out) {
  volatile int* f = flag;
  if (t.block_idx().x == 0) {
    data[0] = 42;
    if constexpr (!Defect) t.threadfence();
    *f = 1;
  } else {
    while (*f == 0) {}
    t.threadfence();
    out[0] = data[0];
  }
}
PAIR(volatile_flag_without_fence, kFence, race_global, "data") { auto d = zeros<int>(1, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(1, "out"); TWIN(::volatile_flag, (launch_config{2, 1}), d, f, o); }

template <bool Defect>
SIMT_DEVICE void plain_flag(thread t, view<int> flag, view<int> out) {
  if (t.block_idx().x == 0) {
    if constexpr (Defect) flag[0] = 1; else t.atomic_exch(flag[0], 1);
  } else {
    out[0] = t.atomic_load(flag[0]);
  }
}
PAIR(plain_store_of_a_flag, kFence, race_global, "flag") { auto f = zeros<int>(1, "flag"), o = zeros<int>(1, "out"); TWIN(::plain_flag, (launch_config{2, 1}), f, o); }

template <bool Defect>
SIMT_DEVICE void release_sequence(thread t, view<int> data, view<int> flag, view<int> out) {
  if (t.block_idx().x == 0) {
    data[0] = 42;
    t.atomic_store(flag[0], 1, memory_order::release);
  } else if (t.block_idx().x == 1) {
    while (t.atomic_load(flag[0]) == 0) {}
    if constexpr (Defect) t.atomic_store(flag[0], 2); else t.atomic_add(flag[0], 1);
  } else {
    while (t.atomic_load(flag[0]) != 2) {}  // relaxed: an acquire that sees 1 would order
    t.atomic_load(flag[0], memory_order::acquire);
    out[0] = data[0];
  }
}
PAIR(release_sequence_broken_by_a_store, kFence, race_global, "data") { auto d = zeros<int>(1, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(1, "out"); TWIN(release_sequence, (launch_config{3, 1}), d, f, o); }

template <bool Defect>
SIMT_DEVICE void spin_lock(thread t, view<int> lock, view<int> x) {
  if (t.rank() != 0) return;
  while (t.atomic_cas(lock[0], 0, 1, memory_order::acquire) != 0) {}
  x[0] += 1;
  if constexpr (Defect) t.atomic_exch(lock[0], 0); else t.atomic_store(lock[0], 0, memory_order::release);
}
PAIR(lock_without_release, kLock, race_global, "x") { auto l = zeros<int>(1, "lock"), x = zeros<int>(1, "x"); TWIN(spin_lock, (launch_config{4, 32}), l, x); }

template <bool Defect>
SIMT_DEVICE void unlocked_read(thread t, view<int> lock, view<int> x, view<int> y) {
  while (t.atomic_cas(lock[0], 0, 1, memory_order::acquire) != 0) {}
  x[0] += 1;
  if constexpr (!Defect) y[t.block_idx().x] = x[0];
  t.atomic_store(lock[0], 0, memory_order::release);
  if constexpr (Defect) y[t.block_idx().x] = x[0];
}
PAIR(read_after_unlock, kLock, race_global, "x") { auto l = zeros<int>(1, "lock"), x = zeros<int>(1, "x"), y = zeros<int>(4, "y"); TWIN(unlocked_read, (launch_config{4, 1}), l, x, y); }

template <bool Defect>
SIMT_DEVICE void last_block(thread t, view<int> parts, view<int> ticket, view<int> out) {
  auto& last = t.shared<"last", int[1]>();
  if (t.rank() == 0) parts[t.block_idx().x] = static_cast<int>(t.block_idx().x);
  if constexpr (!Defect) t.threadfence();
  if (t.rank() == 0) last[0] = t.atomic_add(ticket[0], 1) == t.grid_dim().x - 1;
  t.sync();
  if (last[0] && t.rank() == 0) {
    t.threadfence();
    int sum = 0;
    for (int i = 0; i < t.grid_dim().x; ++i) sum += parts[i];
    out[0] = sum;
  }
}
PAIR(last_block_done_without_fence, kLock, race_global, "parts") { auto p = zeros<int>(4, "parts"), k = zeros<int>(1, "ticket"), o = zeros<int>(1, "out"); TWIN(last_block, (launch_config{4, 32}), p, k, o); }

template <bool Defect>
SIMT_DEVICE void look_back(thread t, view<int> sum, view<int> ready, view<int> out) {
  const auto b = t.block_idx().x;
  int before = 0;
  if (b > 0) {
    while (t.atomic_load(ready[b - 1], memory_order::acquire) == 0) {}
    before = sum[b - 1];
  }
  sum[b] = before + 1;
  t.atomic_store(ready[b], 1, Defect ? memory_order::relaxed : memory_order::release);
  out[b] = before;
}
PAIR(look_back_chain, kLock, race_global, "sum") { auto s = zeros<int>(8, "sum"), r = zeros<int>(8, "ready"), o = zeros<int>(8, "out"); TWIN(look_back, (launch_config{8, 1}), s, r, o); }

template <bool Defect>
SIMT_DEVICE void transitive(thread t, view<int> data, view<int> flag, view<int> out) {
  const auto b = t.block_idx().x;
  if (b == 0) {
    data[0] = 1;
    t.atomic_store(flag[0], 1, memory_order::release);
  } else if (b == 1) {
    while (t.atomic_load(flag[0], Defect ? memory_order::relaxed : memory_order::acquire) == 0) {}
    t.atomic_store(flag[1], 1, memory_order::release);
  } else {
    while (t.atomic_load(flag[1], memory_order::acquire) == 0) {}
    out[0] = data[0];
  }
}
PAIR(order_through_a_third_block, kLock, race_global, "data") { auto d = zeros<int>(1, "data"), f = zeros<int>(2, "flag"), o = zeros<int>(1, "out"); TWIN(transitive, (launch_config{3, 1}), d, f, o); }

template <bool Defect>
SIMT_DEVICE void barrier_passes_on(thread t, view<int> data, view<int> flag, view<int> out) {
  if (t.block_idx().x == 0) {
    data[t.rank()] = 1;
    t.sync();
    if (t.rank() == 0) { t.threadfence(); t.atomic_exch(flag[0], 1); }
  } else {
    if (t.rank() == 0) { while (t.atomic_load(flag[0]) == 0) {} t.threadfence(); }
    if constexpr (!Defect) t.sync();
    out[t.rank()] = data[t.rank()];
  }
}
PAIR(barrier_passes_knowledge_on, kLock, race_global, "data") { auto d = zeros<int>(64, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(64, "out"); TWIN(barrier_passes_on, (launch_config{2, 64}), d, f, o); }

template <bool Defect>
SIMT_DEVICE void grid_steps(thread t, view<int> x, view<int> y) {
  x[t.grid<1>()] = t.rank();
  if constexpr (Defect) t.sync(); else t.sync_grid();
  y[t.grid<1>()] = x[63 - t.grid<1>()];
}
PAIR(block_barrier_where_grid_is_needed, kGrid, race_global, "x") { auto x = zeros<int>(64, "x"), y = zeros<int>(64, "y"); TWIN(grid_steps, (launch_config{.grid = 4, .block = 16, .cooperative = true}), x, y); }

// The first block of a cluster runs before the others begin: what it puts into their memory is there first.
template <bool Defect>
SIMT_DEVICE void cluster_push(thread t, view<int> y) {
  auto& inbox = t.shared<"inbox", int[16]>();
  inbox[t.rank()] = -1;
  if constexpr (!Defect) t.cluster().sync();
  int* const other = t.cluster().map_shared(&inbox[0], 1 - t.cluster().rank());
  if (t.rank() < 8) t.atomic_add(other[t.rank()], 5);
  t.cluster().sync();
  y[t.grid<1>()] = inbox[t.rank()];
}
PAIR(pushed_before_it_is_cleared, kGrid, race_shared, "inbox") { auto y = zeros<int>(32, "y"); TWIN(cluster_push, (launch_config{.grid = 2, .block = 16, .cluster = 2}), y); }

template <bool Defect>
SIMT_DEVICE void cluster_exchange(thread t, view<int> y) {
  auto& s = t.shared<"s", int[16]>();
  s[t.rank()] = t.rank();
  if constexpr (Defect) t.sync(); else t.cluster().sync();
  const int* other = t.cluster().map_shared(&s[0], 1 - t.cluster().rank());
  y[t.grid<1>()] = other[t.rank()];
  t.cluster().sync();
}
PAIR(block_barrier_where_cluster_is_needed, kGrid, race_shared, "s") { auto y = zeros<int>(32, "y"); TWIN(cluster_exchange, (launch_config{.grid = 2, .block = 16, .cluster = 2}), y); }

template <bool Defect>
SIMT_DEVICE void cluster_scope(thread t, view<int> data, view<int> out) {
  auto& flag = t.shared<"flag", int>();
  constexpr scope s = Defect ? scope::block : scope::cluster;
  if (t.rank() == 0) flag = 0;
  t.cluster().sync();
  if (t.cluster().rank() == 0 && t.rank() == 0) {
    data[0] = 42;
    t.fence(memory_order::release, s);
    t.atomic_store(*t.cluster().map_shared(&flag, 1), 1, memory_order::relaxed, scope::cluster);
  }
  if (t.cluster().rank() == 1 && t.rank() == 0) {
    while (t.atomic_load(flag, memory_order::relaxed, scope::cluster) == 0) {}
    t.fence(memory_order::acquire, scope::cluster);
    out[0] = data[0];
  }
  t.cluster().sync();
}
PAIR(fence_of_block_scope_in_a_cluster, kGrid, race_scope, "data") { auto d = zeros<int>(1, "data"), o = zeros<int>(1, "out"); TWIN(cluster_scope, (launch_config{.grid = 2, .block = 16, .cluster = 2}), d, o); }

// Blocks of two clusters: the scope of a cluster does not reach from one to the other.
template <bool Defect>
SIMT_DEVICE void other_cluster(thread t, view<int> x) {
  t.atomic_add(x[0], 1, memory_order::relaxed, Defect ? scope::cluster : scope::device);
}
PAIR(atomic_of_cluster_scope, kGrid, race_scope, "x") { auto x = zeros<int>(1); TWIN(other_cluster, (launch_config{.grid = 4, .block = 16, .cluster = 2}), x); }

// The host counts too, while the kernel may be under way.
template <bool Defect>
SIMT_DEVICE void counts_with_host(thread t, view<int> x) {
  t.atomic_add(x[0], 1, memory_order::relaxed, Defect ? scope::device : scope::system);
}
PAIR(atomic_of_device_scope_beside_the_host, kFence, race_scope, "x") {
  simt::managed_buffer<int> x(1, "x");
  x[0] = 0;
  if (defect)
    launch<counts_with_host<true>>({2, 32}, x);
  else
    launch<counts_with_host<false>>({2, 32}, x);
  __atomic_fetch_add(&x[0], 1, __ATOMIC_RELAXED);
  synchronize();
}

SIMT_DEVICE void add_one(thread t, view<int> x) { x[t.grid<1>()] += 1; }

PAIR(two_streams, kStream, race_global, "x") {
  auto x = zeros<int>(64);
  synchronize();
  stream a({.non_blocking = true}), b({.non_blocking = true});
  launch<add_one>(a, {2, 32}, x);
  if (!defect) a.synchronize();
  launch<add_one>(b, {2, 32}, x);
  synchronize();
}
PAIR(event_between_streams, kStream, race_global, "x") {
  auto x = zeros<int>(64);
  synchronize();
  stream a({.non_blocking = true}), b({.non_blocking = true});
  event done;
  launch<add_one>(a, {2, 32}, x);
  done.record(a);
  if (!defect) b.wait(done);
  launch<add_one>(b, {2, 32}, x);
  synchronize();
}
PAIR(event_recorded_too_early, kStream, race_global, "x") {
  auto x = zeros<int>(64);
  synchronize();
  stream a({.non_blocking = true}), b({.non_blocking = true});
  event done;
  if (defect) done.record(a);
  launch<add_one>(a, {2, 32}, x);
  if (!defect) done.record(a);
  b.wait(done);
  launch<add_one>(b, {2, 32}, x);
  synchronize();
}
PAIR(copy_on_another_stream, kStream, race_global, "x") {
  auto x = zeros<int>(64);
  synchronize();
  stream a({.non_blocking = true}), b({.non_blocking = true});
  std::vector<int> host(64, 3);
  launch<add_one>(a, {2, 32}, x);
  x.copy_from_async(host, defect ? b : a);
  synchronize();
}
PAIR(copy_back_without_waiting, kStream, race_global, "x") {
  auto x = zeros<int>(64);
  synchronize();
  stream a({.non_blocking = true}), b({.non_blocking = true});
  std::vector<int> host(64);
  launch<add_one>(a, {2, 32}, x);
  x.copy_to_async(host, defect ? b : a);
  synchronize();
}
PAIR(default_stream_and_non_blocking, kStream, race_global, "x") {
  auto x = zeros<int>(64);
  synchronize();
  stream a(stream::options{.non_blocking = defect});
  launch<add_one>(a, {2, 32}, x);
  launch<add_one>({2, 32}, x);
  synchronize();
}
PAIR(fill_on_another_stream, kStream, race_global, "x") {
  auto x = zeros<int>(64);
  synchronize();
  stream a({.non_blocking = true}), b({.non_blocking = true});
  launch<add_one>(a, {2, 32}, x);
  x.fill_bytes(0, defect ? b : a);
  synchronize();
}
PAIR(disjoint_halves, kStream, race_global, "x") {
  auto x = zeros<int>(64);
  synchronize();
  stream a({.non_blocking = true}), b({.non_blocking = true});
  launch<add_one>(a, {1, 32}, x);
  launch<add_one>(b, {1, 32}, x.view().subview(defect ? 31 : 32, 32));
  synchronize();
}

}  // namespace
