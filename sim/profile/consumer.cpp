// SPDX-License-Identifier: Apache-2.0
#include "sim/profile/consumer.hpp"

#include <algorithm>

#include "sim/instrument/profiled_loops.hpp"
#include "sim/memory/device_memory.hpp"
#include "sim/profile/block_counts.hpp"

namespace simt::profile {

namespace event = sim::event;

namespace {

constexpr std::uintptr_t kArraysAt = std::uintptr_t{1} << 40;  // as if each array began here

block_counts& of(const event::block& b) { return *static_cast<block_counts*>(b.kept); }

operation in_global(event::access_kind k) {
  return k == event::access_kind::write ? operation::global_store : operation::global_load;
}
operation in_shared(event::access_kind k) {
  return k == event::access_kind::write ? operation::shared_store : operation::shared_load;
}

operation update_in_global(event::update_form f) {
  switch (f) {
    case event::update_form::reduction_of_warp:
      return operation::global_reduction_of_warp;
    case event::update_form::atomic_of_warp:
      return operation::global_atomic_of_warp;
    case event::update_form::atomic_of_full_warp:
      return operation::global_atomic_of_full_warp;
    default:
      return event::is_read(f) ? operation::global_atomic : operation::global_reduction;
  }
}
operation update_in_shared(event::update_form f) {
  switch (f) {
    case event::update_form::increment:
      return operation::shared_increment;
    case event::update_form::swap:
      return operation::shared_swap;
    case event::update_form::reduction_of_warp:
    case event::update_form::atomic_of_warp:
      return operation::shared_atomic_of_warp;
    case event::update_form::atomic_of_full_warp:
      return operation::shared_atomic_of_full_warp;
    default:
      return operation::shared_atomic;
  }
}

// The widest instructions that a copy of `bytes` from here can be made of.
std::uint32_t piece_of(std::uintptr_t address, std::size_t bytes) {
  for (const std::uint32_t size : {16U, 8U, 4U, 2U})
    if (address % size == 0 && bytes % size == 0) return size;
  return 1;
}

}  // namespace

counting_consumer::counting_consumer(address_range device, address_range shared, address_range markers,
                                     std::vector<address_range> (*constants)())
    : device_(device), shared_(shared), markers_(markers), find_constants_(constants) {}
counting_consumer::~counting_consumer() = default;

void counting_consumer::allocated(const sim::allocation& a, std::span<const event::code_address>) {
  if (!launch_runs_) arrays_[a.address] = a.bytes;
}
void counting_consumer::freed(const sim::allocation& a) {
  if (!launch_runs_) arrays_.erase(a.address);
}

void counting_consumer::launch_begins(const event::launch& l) {
  launch_runs_ = true;
  constants_ = find_constants_();
  running_ = &kernels_[l.kernel];
  ++running_->launches;
  running_->threads_per_block = l.block.x * l.block.y * l.block.z;
  running_->dynamic_shared = l.dynamic_shared;
}

void counting_consumer::launch_ends() {
  for (const auto& b : all_) {
    b->sites.each([&](const place& p, const tally& t) { running_->sites[p] += t; });
    for (const auto& [key, t] : b->runs) running_->runs[key] += t;
    running_->cut = running_->cut || b->cut;
    running_->static_shared = std::max(running_->static_shared, static_cast<std::int64_t>(b->static_shared));
  }
  all_.clear();
  free_.clear();
  launch_runs_ = false;
}

void counting_consumer::block_begins(event::block& b) {
  block_counts* counts;
  {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) free_.push_back(all_.emplace_back(std::make_unique<block_counts>()).get());
    counts = free_.back();
    free_.pop_back();
  }
  counts->begin(b);
  b.kept = counts;
}

void counting_consumer::block_ends(const event::block& b) {
  block_counts& counts = of(b);
  counts.all_wait();
  const std::lock_guard lock(mutex_);
  free_.push_back(&counts);
}

void counting_consumer::shared_array_used(const event::block& b, const event::shared_array& a) {
  block_counts& counts = of(b);
  if (a.where.from - b.shared.from < static_cast<std::uintptr_t>(b.launch->dynamic_shared)) return;
  counts.uses_shared_array(a.where.from, a.where.size);
}

// A marker, or what is told of a loop in short, by lanes that may differ in how often it turns.
void counting_consumer::add_marker(block_counts& counts, std::uint32_t first, std::uint32_t count,
                                   const step& s) const {
  constexpr std::uintptr_t kOfBlocks = 4 * std::uintptr_t{sim::kProfileMarkers};
  if (s.address < kOfBlocks) return counts.add(first, count, s);
  for (std::uint32_t i = 0; i < count; i += s.stride == 0 ? count : 1) {
    const std::uintptr_t number = (s.address - kOfBlocks + static_cast<std::uintptr_t>(s.stride) * i) / 4;
    step told = s;
    told.stride = 0;
    told.what = number == sim::kSecondTurn ? operation::second_turn
                : number == sim::kLoopEnds ? operation::loop_ends
                                           : operation::turns;
    told.address = told.what == operation::turns ? number - sim::kNoTurns : 0;
    counts.add(first + i, s.stride == 0 ? count : 1, told);
  }
}

// Where its array begins decides a little of what an update costs; here arrays lie apart otherwise than on a GPU.
std::uintptr_t counting_consumer::as_on_a_gpu(std::uintptr_t address) const {
  const auto after = arrays_.upper_bound(address);
  if (after == arrays_.begin()) return address;
  const auto& [base, bytes] = *std::prev(after);
  return address - base < bytes ? kArraysAt + (address - base) : address;
}

counting_consumer::space counting_consumer::space_of(std::uintptr_t address) const {
  if (markers_.holds(address)) return space::marker;
  if (device_.holds(address)) {
    const bool constant = std::ranges::any_of(constants_, [&](address_range r) { return r.holds(address); });
    return constant ? space::none : space::global;
  }
  return shared_.holds(address) ? space::shared : space::none;
}

void counting_consumer::accessed(const event::access& e) {
  block_counts& counts = of(*e.block);
  const auto rank = static_cast<std::uint32_t>(e.rank);
  const space where = space_of(e.address);
  if (where == space::none) return;
  if (where == space::marker)
    return add_marker(counts, rank, 1, {e.site, e.address - markers_.base, 0, 4, operation::marker});
  const operation what = where == space::shared ? in_shared(e.kind) : in_global(e.kind);
  if (e.form != event::access_form::range)
    return counts.add(rank, 1, {e.site, e.address, 0, static_cast<std::uint32_t>(e.size), what});
  const std::uint32_t piece = piece_of(e.address, e.size);
  for (std::size_t at = 0; at < e.size; at += piece) counts.add(rank, 1, {e.site, e.address + at, 0, piece, what});
}

void counting_consumer::accessed_in_batch(const event::access_batch& e) {
  block_counts& counts = of(*e.block);
  const space where = space_of(e.base);
  if (where == space::none) return;
  step s{e.site, e.base, e.stride, e.size, operation::marker};
  const bool marks = where == space::marker;
  if (!marks) s.what = where == space::shared ? in_shared(e.kind) : in_global(e.kind);
  if (marks) s.address -= markers_.base;
  // Neighbours within a row are evenly spaced; from one row to the next the distance may be another.
  const bool even = e.row_stride == e.stride * static_cast<std::intptr_t>(e.width);
  const told_step told{s, static_cast<std::uint32_t>(e.first_rank), e.count, even ? 0 : e.width, e.row_stride};
  if (!marks) return counts.add(told);
  told.each_part(
      [&](std::uint32_t first, std::uint32_t count, const step& part) { add_marker(counts, first, count, part); });
}

void counting_consumer::did_atomic(const event::atomic& e) {
  const space where = space_of(e.address);
  if (where != space::global && where != space::shared) return;
  const bool shared = where == space::shared;
  operation what = shared ? update_in_shared(e.form) : update_in_global(e.form);
  if (e.op == event::atomic_op::load && e.form != event::update_form::swap)
    what = shared ? operation::shared_load : operation::global_load;
  if (e.op == event::atomic_op::store) what = shared ? operation::shared_store : operation::global_store;
  of(*e.block).add(static_cast<std::uint32_t>(e.rank), 1,
                   {e.site, is_global_update(what) ? as_on_a_gpu(e.address) : e.address, 0, e.size, what});
}

// The global side of a copy to shared memory (LDGSTS); the hardware counts nothing on the shared side.
void counting_consumer::copy_issued(const event::async_copy& e) {
  if (space_of(e.from) != space::global) return;
  const std::uint32_t piece = piece_of(e.from | e.to, e.size);
  for (std::size_t at = 0; at < e.size; at += piece)
    of(*e.block).add(e.issuer->rank, 1, {e.site, e.from + at, 0, piece, operation::global_load});
}

void counting_consumer::barrier_opens(const event::barrier& e) { of(*e.block).all_wait(); }
void counting_consumer::warp_synced(const event::warp_sync& e) {
  of(*e.block).warp_waits(static_cast<std::uint32_t>(e.warp), e.mask);
}
void counting_consumer::named_barrier_opens(const event::block& b, std::int32_t, std::span<const std::int32_t> ranks) {
  for (std::size_t i = 0; i < ranks.size();) {
    const auto warp = static_cast<std::uint32_t>(ranks[i]) / kLanes;
    std::uint32_t mask = 0;
    for (; i < ranks.size() && static_cast<std::uint32_t>(ranks[i]) / kLanes == warp; ++i)
      mask |= 1U << (static_cast<std::uint32_t>(ranks[i]) % kLanes);
    of(b).warp_waits(warp, mask);
  }
}
void counting_consumer::blocks_synced(std::span<const event::block* const> blocks) {
  for (const event::block* b : blocks) of(*b).all_wait();
}

}  // namespace simt::profile
