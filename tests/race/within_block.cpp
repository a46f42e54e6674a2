// SPDX-License-Identifier: Apache-2.0
// Pairs: threads of one block; bytes and shapes of accesses.
#include <cstring>

#include <simt/half.hpp>

#include "suite.hpp"

namespace {
using simt::launch_config, simt::thread, simt::view;
using suite::zeros;

constexpr const char* kBlock = "within a block";
constexpr const char* kBytes = "bytes and shapes of accesses";

template <bool Defect>
SIMT_DEVICE void tile(thread t, view<int> x) {
  auto& s = t.shared<"tile", int[64]>();
  for (int round = 0; round < 3; ++round) {
    s[t.rank()] = round;
    t.sync();
    x[t.rank()] += s[63 - t.rank()];
    if constexpr (!Defect) t.sync();
  }
}
PAIR(second_barrier_of_a_tile, kBlock, race_shared, "tile") {
  auto x = zeros<int>(64);
  TWIN(tile, (launch_config{1, 64}), x);
}

template <bool Defect>
SIMT_DEVICE void first_barrier(thread t, view<int> x) {
  auto& s = t.shared<"s", int[64]>();
  s[t.rank()] = t.rank();
  if constexpr (!Defect) t.sync();
  x[t.rank()] = s[(t.rank() + 32) % 64];
}
PAIR(first_barrier, kBlock, race_shared, "s") {
  auto x = zeros<int>(64);
  TWIN(::first_barrier, (launch_config{1, 64}), x);
}

template <bool Defect>
SIMT_DEVICE void global_in_block(thread t, view<int> x, view<int> y) {
  x[t.grid<1>()] = t.rank();
  if constexpr (!Defect) t.sync();
  y[t.grid<1>()] = x[t.block_idx().x * 64 + (t.rank() + 33) % 64];
}
PAIR(global_memory_in_a_block, kBlock, race_global, "x") {
  auto x = zeros<int>(128, "x"), y = zeros<int>(128, "y");
  TWIN(global_in_block, (launch_config{2, 64}), x, y);
}

template <bool Defect>
SIMT_DEVICE void tree(thread t, view<int> x) {
  auto& s = t.shared<"s", int[128]>();
  s[t.rank()] = 1;
  t.sync();
  for (int half = 64; half > 0; half /= 2) {
    if (t.rank() < half) s[t.rank()] += s[t.rank() + half];
    if constexpr (Defect) {
      if (half > 32) t.sync();
    } else
      t.sync();
  }
  if (t.rank() == 0) x[0] = s[0];
}
PAIR(tree_without_barrier_in_the_last_warp, kBlock, race_shared, "s") {
  auto x = zeros<int>(1);
  TWIN(tree, (launch_config{1, 128}), x);
}

template <bool Defect>
SIMT_DEVICE void read_then_write(thread t, view<int> x) {
  const int v = x[(t.rank() + 1) % 64];
  if constexpr (!Defect) t.sync();
  x[t.rank()] = v;
}
PAIR(shift_in_place, kBlock, race_global, "x") {
  auto x = zeros<int>(64);
  TWIN(read_then_write, (launch_config{1, 64}), x);
}

template <bool Defect>
SIMT_DEVICE void counted(thread t, view<int> x) {
  auto& s = t.shared<"s", int[1]>();
  if (t.rank() == 0) s[0] = 3;
  if constexpr (Defect)
    x[t.rank()] = s[0];
  else {
    const int n = t.sync_count(true);
    x[t.rank()] = s[0] + n;
  }
}
PAIR(sync_count_orders, kBlock, race_shared, "s") {
  auto x = zeros<int>(64);
  TWIN(counted, (launch_config{1, 64}), x);
}

template <bool Defect>
SIMT_DEVICE void same_flag(thread t, view<int> x) {
  if constexpr (Defect)
    x[0] = t.rank();
  else
    t.atomic_exch(x[0], t.rank());
}
PAIR(plain_store_by_all, kBlock, race_global, "x") {
  auto x = zeros<int>(1);
  TWIN(same_flag, (launch_config{1, 64}), x);
}

template <bool Defect>
SIMT_DEVICE void atomic_against_plain(thread t, view<int> x, view<int> y) {
  t.atomic_add(x[0], 1);
  if constexpr (!Defect) t.sync();
  if (t.rank() == 0) y[0] = x[0];
}
PAIR(plain_read_beside_atomics, kBlock, race_global, "x") {
  auto x = zeros<int>(1, "x"), y = zeros<int>(1, "y");
  TWIN(atomic_against_plain, (launch_config{1, 64}), x, y);
}

template <bool Defect>
SIMT_DEVICE void shared_bins(thread t, view<int> x) {
  auto& bins = t.shared<"bins", int[8]>();
  if (t.rank() < 8) bins[t.rank()] = 0;
  t.sync();
  if constexpr (Defect)
    bins[t.rank() % 8] += 1;
  else
    t.atomic_add(bins[t.rank() % 8], 1);
  t.sync();
  if (t.rank() < 8) x[t.rank()] = bins[t.rank()];
}
PAIR(histogram_in_shared_memory, kBlock, race_shared, "bins") {
  auto x = zeros<int>(8);
  TWIN(shared_bins, (launch_config{1, 64}), x);
}

template <bool Defect>
SIMT_DEVICE void neighbours(thread t, view<unsigned char> x) {
  x[Defect ? t.rank() / 2 : t.rank()] = static_cast<unsigned char>(t.rank() + 1);
}
PAIR(neighbour_bytes, kBytes, race_global, "x") {
  auto x = zeros<unsigned char>(64);
  TWIN(neighbours, (launch_config{1, 64}), x);
}

template <bool Defect>
SIMT_DEVICE void halves(thread t, view<short> x) {
  x[t.rank()] = static_cast<short>(t.rank() + 1);
  if constexpr (Defect) reinterpret_cast<int*>(x.data_handle())[t.rank() / 2] = 5 + t.rank();
}
PAIR(short_and_int_overlap, kBytes, race_global, "x") {
  auto x = zeros<short>(64);
  TWIN(halves, (launch_config{1, 64}), x);
}

struct alignas(16) float4_like {
  float x, y, z, w;
};
template <bool Defect>
SIMT_DEVICE void vectors(thread t, view<float4_like> x) {
  x[t.rank()] = float4_like{1, 2, 3, static_cast<float>(t.rank())};
  if constexpr (Defect) x[(t.rank() + 1) % 32].w = 4.5f;
}
PAIR(member_of_a_vector, kBytes, race_global, "x") {
  auto x = zeros<float4_like>(32);
  TWIN(vectors, (launch_config{1, 32}), x);
}

struct record {
  int key;
  char tag[3];
  char last;
  double value;
};
template <bool Defect>
SIMT_DEVICE void fields(thread t, view<record> x) {
  if (t.rank() % 2 == 0)
    x[t.rank() / 2].tag[2] = 'a';
  else
    x[t.rank() / 2].tag[Defect ? 2 : 1] = 'b';
}
PAIR(fields_of_a_struct, kBytes, race_global, "x") {
  auto x = zeros<record>(16);
  TWIN(fields, (launch_config{1, 32}), x);
}

template <bool Defect>
SIMT_DEVICE void copied(thread t, int* x, const int* y) {
  std::memcpy(x + t.rank() * 8, y + t.rank() * 8, Defect ? 9 * sizeof(int) : 8 * sizeof(int));
}
PAIR(memcpy_overlap, kBytes, race_global, "x") {
  auto x = zeros<int>(260, "x"), y = zeros<int>(260, "y");
  TWIN(copied, (launch_config{1, 32}), x, y);
}

template <bool Defect>
SIMT_DEVICE void algorithm(thread t, int* x) {
  std::fill(x + t.rank() * 4, x + t.rank() * 4 + (Defect ? 5 : 4), t.rank() + 1);
}
PAIR(std_fill_overlap, kBytes, race_global, "x") {
  auto x = zeros<int>(140);
  TWIN(algorithm, (launch_config{1, 32}), x);
}

template <bool Defect>
SIMT_DEVICE void swapped(thread t, int* x) {
  std::swap(x[t.rank() * 2], x[t.rank() * 2 + (Defect ? 2 : 1)]);
}
PAIR(std_swap_overlap, kBytes, race_global, "x") {
  auto x = zeros<int>(80);
  TWIN(swapped, (launch_config{1, 32}), x);
}

template <bool Defect>
SIMT_DEVICE void raw_pointers(thread t, int* x) {
  int* p = x + t.rank();
  *p = 1 + t.rank();
  if constexpr (Defect) *(p + 1) = 2;
}
PAIR(raw_pointers, kBytes, race_global, "x") {
  auto x = zeros<int>(40);
  TWIN(::raw_pointers, (launch_config{1, 32}), x);
}

template <bool Defect>
SIMT_DEVICE void wide(thread t, long long* x) {
  x[t.rank()] = t.rank();
  if constexpr (Defect) reinterpret_cast<int*>(x)[2 * ((t.rank() + 1) % 32) + 1] = -1;
}
PAIR(half_of_a_long, kBytes, race_global, "x") {
  auto x = zeros<long long>(32);
  TWIN(wide, (launch_config{1, 32}), x);
}

// A structure passed by value and one returned, by functions that a compiler need not inline.
struct body {
  float x, y, z, mass;
};
SIMT_DEVICE float pull(body a, body b) {
  const float dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z, d = dx * dx + dy * dy + dz * dz + 1;
  float f = b.mass / d;
  for (int i = 0; i < 3; ++i) f = 0.5f * (f + b.mass / (f + d));
  return f * (dx + dy + dz);
}
template <bool Defect>
SIMT_DEVICE void bodies_by_value(thread t, view<body> all, view<float> out) {
  auto& tile = t.shared<"tile", body[64]>();
  const body me = all[t.rank()];
  tile[t.rank()] = me;
  if constexpr (!Defect) t.sync();
  out[t.rank()] = pull(me, tile[63 - t.rank()]) + pull(tile[(t.rank() + 1) % 64], me);
}
PAIR(structures_by_value, kBytes, race_shared, "tile") {
  auto x = zeros<body>(64, "all");
  auto y = zeros<float>(64, "y");
  TWIN(bodies_by_value, (launch_config{1, 64}), x, y);
}

template <bool Defect>
SIMT_DEVICE void sum_of_halves(thread t, view<simt::half> x) {
  if constexpr (Defect)
    x[1] = x[1] + simt::half(1.0f);
  else
    t.atomic_add(x[1], simt::half(1.0f));
}
PAIR(sum_of_halves_without_atomics, kBytes, race_global, "x") {
  auto x = zeros<simt::half>(2);
  TWIN(sum_of_halves, (launch_config{1, 64}), x);
}

}  // namespace
