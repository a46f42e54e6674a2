// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/crowd.hpp>

#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>

#include <sim/exec/worker.hpp>
#include <sim/memory/address_space.hpp>

namespace simt::sim {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::int64_t kPart = 4;  // of what it holds, begins at once
constexpr std::chrono::milliseconds kMostKept{1};

struct crowd {
  std::atomic<std::int64_t> held{0};  // blocks, when it was last asked; the other workers read it
  std::int64_t to_begin = 0;          // of a batch
  std::int64_t round_ends = 0;        // idle_yields
  clock::time_point keeps_core_until{};
};
std::array<crowd, kSharedWorkers> crowds;

// How many blocks of a launch the simulated device holds at once, as far as there is room for their shared memory.
std::int64_t blocks_of_device(const launch_state& l) {
  const std::int64_t slots = reservations().shared_slots_per_worker;
  if (l.blocks_of_device == nullptr) return slots;
  std::int64_t shared = l.dynamic_shared;  // without the gaps that a check leaves between arrays
  for (std::int32_t i = 0; i < l.shared_count; ++i) shared += l.shared_arrays[i].bytes;
  return std::min(std::max<std::int64_t>(1, l.blocks_of_device(l.threads, shared)), slots);
}

crowd& crowd_of(const worker& w) { return crowds[static_cast<std::size_t>(w.index)]; }

}  // namespace

void forget_crowd(const worker& w) {
  crowd& c = crowd_of(w);
  c.held.store(0, std::memory_order_relaxed);
  c.to_begin = c.round_ends = 0;
}

bool has_room_for_block(const worker& w, bool crowded) {
  const launch_state& l = *w.launch;
  if (l.traits.clustered && !w.chunk.empty()) return true;
  if (!crowded && w.residents.count >= l.max_resident) return false;
  if (!l.spins.load(std::memory_order_relaxed)) return true;
  crowd_of(w).held.store(w.residents.count, std::memory_order_relaxed);
  std::int64_t held = 0;
  for (int i = 0; i < worker_count(); ++i) held += crowds[static_cast<std::size_t>(i)].held;
  return held < blocks_of_device(l);
}

bool wants_another_block(const worker& w) {
  if (w.launch->traits.scheduled || w.launch->traits.clustered) return false;
  crowd& c = crowd_of(w);
  c.to_begin = c.to_begin > 0 ? c.to_begin - 1 : w.residents.count / kPart;
  return c.to_begin > 0;
}

void let_others_run(const worker& w) {
  crowd& c = crowd_of(w);
  c.to_begin = 0;
  const std::int64_t yields = w.hangs.idle_yields, round = std::max<std::int64_t>(w.hangs.spinning, 1);
  if (yields < c.round_ends && c.round_ends - yields <= round) return;
  c.round_ends = yields + round;
  const clock::time_point now = clock::now();
  if (now < c.keeps_core_until) return;
  sched_yield();
  const clock::time_point back = clock::now();
  c.keeps_core_until = back + std::min<clock::duration>(back - now, kMostKept);
}

}  // namespace simt::sim
