// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/worker_sums.hpp>

#include <algorithm>

#include <sim/exec/launch.hpp>
#include <sim/exec/uninterrupted.hpp>
#include <sim/exec/worker.hpp>
#include <sim/memory/device_memory.hpp>

namespace simt::sim {

namespace {

// Updates that a thread is taken to make, at least: a copy is worth it from about as many updates as it has words.
constexpr std::int64_t kUpdatesOfThread = 16;
// More in one launch: a kernel whose pointers differ from block to block.
constexpr std::size_t kMostAnswers = 32;

std::uint64_t nothing_of(sum_kind kind) { return kind.operation == sum_operation::and_ ? ~std::uint64_t{0} : 0; }

template <class Word>
void update(Word& at, sum_operation what, Word by) {
  switch (what) {
    case sum_operation::add:
      __atomic_fetch_add(&at, by, __ATOMIC_RELAXED);
      break;
    case sum_operation::or_:
      __atomic_fetch_or(&at, by, __ATOMIC_RELAXED);
      break;
    case sum_operation::xor_:
      __atomic_fetch_xor(&at, by, __ATOMIC_RELAXED);
      break;
    case sum_operation::and_:
      __atomic_fetch_and(&at, by, __ATOMIC_RELAXED);
      break;
  }
}

template <class Word>
void move_to_memory(const worker_sum& sum, sum_kind kind) {
  auto* const memory = reinterpret_cast<Word*>(sum.first);
  auto* const copy = reinterpret_cast<Word*>(sum.copy);
  const auto nothing = static_cast<Word>(nothing_of(kind));
  for (std::uint64_t i = 0; i < sum.words; ++i)
    if (copy[i] != nothing) {
      update(memory[i], kind.operation, copy[i]);
      copy[i] = nothing;
    }
}

bool is_worth_it(const launch_state& l, std::uint64_t words) {
  const std::int64_t workers = std::clamp<std::int64_t>(worker_count(), 1, std::max<std::int64_t>(l.blocks, 1));
  const std::int64_t threads = l.grid.volume() * l.block.volume();
  return threads >= static_cast<std::int64_t>(words) * workers / kUpdatesOfThread;
}

}  // namespace

worker_sum worker_sums::copy_of(std::uintptr_t first, std::size_t bytes, sum_kind kind) {
  const std::size_t word = kind.eight_bytes ? 8 : 4;
  copy *free = nullptr, *fitting = nullptr;
  for (copy& c : copies_) {
    if (c.open && c.sum.first == first) return c.kind == kind ? c.sum : worker_sum{};
    if (c.open) continue;
    free = &c;
    if (c.bytes >= bytes && nothing_of(c.kind) == nothing_of(kind)) fitting = &c;
  }
  if (fitting != nullptr) {
    free = fitting;
  } else {
    if (free == nullptr) free = &copies_.emplace_back();
    const std::size_t count = std::max((bytes + 7) / 8, free->bytes / 8);
    free->words = std::make_unique_for_overwrite<std::uint64_t[]>(count);
    std::fill_n(free->words.get(), count, nothing_of(kind));
    free->bytes = count * 8;
  }
  free->kind = kind;
  free->open = true;
  return free->sum = {first, bytes / word, reinterpret_cast<std::byte*>(free->words.get())};
}

worker_sum worker_sums::find(const launch_state& l, const answer& a) {
  const launch_traits& traits = l.traits;
  if (traits.scheduled || traits.observed || traits.instrumented || traits.one_by_one) return {};
  const sum_kind kind = sum_kind_of(a.kind);
  const live_bytes own = find_live_bytes(reinterpret_cast<std::uintptr_t>(a.base));
  if (own.bytes == 0 || own.home != memory_home::device || own.constant) return {};
  if (own.bytes > kMostBytes || !is_worth_it(l, own.bytes / (kind.eight_bytes ? 8 : 4))) return {};
  const address_range device = device_range();
  for (const void* const p : a.all_others()) {
    const auto at = reinterpret_cast<std::uintptr_t>(p);
    if (!device.contains(at)) continue;
    const live_bytes other = find_live_bytes(at);
    if (other.bytes == 0 || other.address == own.address) return {};
  }
  return copy_of(own.address, own.bytes, kind);
}

// Each block asks, the same question mostly.
worker_sum worker_sums::open(const launch_state& l, const void* base, std::uint32_t kind, const void* const* others,
                             std::uint32_t count) {
  for (const answer& a : answers_)
    if (a.base == base && a.kind == kind && std::ranges::equal(a.all_others(), std::span(others, count))) return a.sum;
  if (answers_.size() == kMostAnswers || count > kMostOthers) return {};
  answer& a = answers_.emplace_back();
  a.base = base;
  a.kind = kind;
  a.count = count;
  std::copy_n(others, count, a.others.begin());
  return a.sum = find(l, a);
}

void worker_sums::end() {
  answers_.clear();
  for (copy& c : copies_) {
    if (!c.open) continue;
    if (c.kind.eight_bytes)
      move_to_memory<std::uint64_t>(c.sum, c.kind);
    else
      move_to_memory<std::uint32_t>(c.sum, c.kind);
    c.open = false;
  }
}

void simt_worker_sum(worker_sum& sum, const void* base, std::uint32_t kind, const void* const* others,
                     std::uint32_t count) {
  worker* const w = current_worker();
  if (w == nullptr || w->launch == nullptr) {
    sum = {};
    return;
  }
  const uninterrupted whole(w);
  sum = w->sums.open(*w->launch, base, kind, others, count);
}

}  // namespace simt::sim
