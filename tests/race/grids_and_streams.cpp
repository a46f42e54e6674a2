// SPDX-License-Identifier: Apache-2.0
// Pairs: grids and clusters; launches, copies and streams.
#include "suite.hpp"

namespace {
using simt::event, simt::launch_config, simt::memory_order, simt::scope, simt::stream, simt::synchronize, simt::thread,
    simt::view;
using suite::zeros;

constexpr const char* kGrid = "grids and clusters";
constexpr const char* kStream = "launches, copies, streams";

template <bool Defect>
SIMT_DEVICE void grid_steps(thread t, view<int> x, view<int> y) {
  x[t.grid<1>()] = t.rank();
  if constexpr (Defect)
    t.sync();
  else
    t.sync_grid();
  y[t.grid<1>()] = x[63 - t.grid<1>()];
}
PAIR(block_barrier_where_grid_is_needed, kGrid, race_global, "x") {
  auto x = zeros<int>(64, "x"), y = zeros<int>(64, "y");
  TWIN(grid_steps, (launch_config{.grid = 4, .block = 16, .cooperative = true}), x, y);
}

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
PAIR(pushed_before_it_is_cleared, kGrid, race_shared, "inbox") {
  auto y = zeros<int>(32, "y");
  TWIN(cluster_push, (launch_config{.grid = 2, .block = 16, .cluster = 2}), y);
}

template <bool Defect>
SIMT_DEVICE void cluster_exchange(thread t, view<int> y) {
  auto& s = t.shared<"s", int[16]>();
  s[t.rank()] = t.rank();
  if constexpr (Defect)
    t.sync();
  else
    t.cluster().sync();
  const int* other = t.cluster().map_shared(&s[0], 1 - t.cluster().rank());
  y[t.grid<1>()] = other[t.rank()];
  t.cluster().sync();
}
PAIR(block_barrier_where_cluster_is_needed, kGrid, race_shared, "s") {
  auto y = zeros<int>(32, "y");
  TWIN(cluster_exchange, (launch_config{.grid = 2, .block = 16, .cluster = 2}), y);
}

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
    while (t.atomic_load(flag, memory_order::relaxed, scope::cluster) == 0) {
    }
    t.fence(memory_order::acquire, scope::cluster);
    out[0] = data[0];
  }
  t.cluster().sync();
}
PAIR(fence_of_block_scope_in_a_cluster, kGrid, race_scope, "data") {
  auto d = zeros<int>(1, "data"), o = zeros<int>(1, "out");
  TWIN(cluster_scope, (launch_config{.grid = 2, .block = 16, .cluster = 2}), d, o);
}

// Blocks of two clusters: the scope of a cluster does not reach from one to the other.
template <bool Defect>
SIMT_DEVICE void other_cluster(thread t, view<int> x) {
  t.atomic_add(x[0], 1, memory_order::relaxed, Defect ? scope::cluster : scope::device);
}
PAIR(atomic_of_cluster_scope, kGrid, race_scope, "x") {
  auto x = zeros<int>(1);
  TWIN(other_cluster, (launch_config{.grid = 4, .block = 16, .cluster = 2}), x);
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
