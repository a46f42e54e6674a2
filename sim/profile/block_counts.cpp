// SPDX-License-Identifier: Apache-2.0
#include "sim/profile/block_counts.hpp"

#include <algorithm>
#include <bit>

namespace simt::profile {

namespace {

constexpr std::uint32_t kWidest = kWidestAccess;
constexpr std::size_t kMostSteps = std::size_t{24} << 20;  // of a block; 32 bytes each

bool is_shared(operation o) { return o >= operation::shared_load && o <= operation::shared_atomic; }
bool is_update(operation o) {
  return is_global_update(o) || (o >= operation::shared_increment && o <= operation::shared_atomic);
}
shared_cost cost_in_shared(operation what, const warp_access& a) {
  switch (what) {
    case operation::shared_load:
      return cost_of_shared_load(a);
    case operation::shared_atomic:
    case operation::shared_atomic_of_warp:
    case operation::shared_atomic_of_full_warp:
      return cost_of_shared_atomic(a);
    case operation::shared_swap:
      return cost_of_shared_swap(a);
    default:
      return cost_of_shared_store(a);  // lanes that count up in one word share it as those that write it do
  }
}

// What one lane does for all of them, whose addresses are the same.
warp_access first_lane(const warp_access& a) {
  warp_access one;
  const auto lane = static_cast<std::size_t>(std::countr_zero(a.mask));
  one.mask = 1U << lane;
  one.size = a.size;
  one.address[lane] = a.address[lane];
  return one;
}

// The usual case: every lane, one after the other.
bool is_contiguous(const warp_access& a) {
  if (a.mask != ~0U || a.address[0] % a.size != 0) return false;
  bool all = true;
  for (std::uint32_t i = 0; i < kLanes; ++i) all &= a.address[i] == a.address[0] + std::uintptr_t{i} * a.size;
  return all;
}

struct instruction_cost {
  std::uint32_t cost, other;  // as in amounts
};
instruction_cost cost_of(operation what, const warp_access& a) {
  if (is_shared(what)) {
    const bool simple = is_contiguous(a) && a.size >= kBankBytes && !is_update(what);
    const shared_cost c = simple ? shared_cost{a.size / kBankBytes, 0} : cost_in_shared(what, a);
    return {c.wavefronts, c.conflicts};
  }
  if (is_contiguous(a)) {
    const std::uintptr_t first = a.address[0] / kSectorBytes,
                         last = (a.address[0] + kLanes * a.size - 1) / kSectorBytes;
    return {static_cast<std::uint32_t>(last - first + 1), std::max(a.size, 1U)};
  }
  const global_cost c = is_global_update(what) ? cost_of_global_update(a) : cost_in_global(a);
  return {c.sectors, c.ideal};
}

}  // namespace

void block_counts::begin(const sim::event::block& b) {
  warps_used_ = (static_cast<std::size_t>(b.threads) + kLanes - 1) / kLanes;
  if (warps_.size() < warps_used_) warps_.resize(warps_used_);
  for (std::size_t w = 0; w < warps_used_; ++w) warps_[w].forget();
  steps_ = 0;
  pieces_.begin();
  at_ = b.at;
  shared_base_ = b.shared.from;
  arrays_.clear();
  arrays_bytes_ = 0;
}

void block_counts::uses_shared_array(std::uintptr_t from, std::size_t bytes) {
  if (std::ranges::find(arrays_, from, &shared_array::from) != arrays_.end()) return;
  arrays_.push_back({from, bytes});
  arrays_bytes_ += bytes;
  static_shared = std::max(static_shared, arrays_bytes_);
}

// nvcc begins an array where its elements' alignment allows; here it lies wherever the engine has room.
std::uintptr_t block_counts::begin_of_array(std::uintptr_t address) const {
  const auto at = std::ranges::find_if(arrays_, [&](const shared_array& a) { return address - a.from < a.bytes; });
  return at != arrays_.end() ? at->from : shared_base_;
}

void block_counts::add(const told_step& t) {
  if (cut) return;
  if (pieces_.follows()) {
    if (pieces_.note(t)) return;
    give_up_piece();
  }
  give_to_warps(t);
}

void block_counts::give_to_warps(const told_step& t) {
  t.each_part([&](std::uint32_t first, std::uint32_t count, step part) {
    for (const std::uint32_t end = first + count; first < end;) {
      const std::uint32_t lane = first % kLanes, lanes = std::min(kLanes - lane, end - first);
      warps_[first / kLanes].add(lane, lanes, part);
      part.address += static_cast<std::uintptr_t>(part.stride * static_cast<std::intptr_t>(lanes));
      first += lanes;
      ++steps_;
    }
  });
  if (steps_ > kMostSteps) [[unlikely]] {
    std::size_t kept = 0;
    for (std::size_t w = 0; w < warps_used_; ++w) kept += warps_[w].steps();
    steps_ = kept;
    if (kept > kMostSteps) {
      cut = true;
      for (std::size_t w = 0; w < warps_used_; ++w) warps_[w].forget();
    }
  }
}

void block_counts::give_up_piece() {
  for (const told_step& t : pieces_.steps()) give_to_warps(t);
  pieces_.give_up();
}

void block_counts::warp_waits(std::uint32_t warp, std::uint32_t mask) {
  if (pieces_.follows()) give_up_piece();
  if (warp < warps_used_) put_together(warp, mask);
}

void block_counts::all_wait() {
  if (pieces_.follows() && !pieces_.steps().empty()) {
    if (!count_known_piece()) count_and_learn();
  } else {
    for (std::uint32_t w = 0; w < warps_used_; ++w) put_together(w, ~0U);
  }
  pieces_.begin();
  steps_ = 0;
}

bool block_counts::count_known_piece() {
  const piece_counts* const known = pieces_.find();
  if (known == nullptr) return false;
  for (const auto& [where, added] : known->sites) sites[where] += added;
  for (const piece_counts::run_amounts& added : known->runs) {
    run_tally& t = runs[added.key];
    t.whole += added.whole;
    for (std::size_t i = 0; i < kMostPieces; ++i) t.apart[i] += added.apart[i];
  }
  return true;
}

void block_counts::count_and_learn() {
  std::uint16_t number = 0;
  for (told_step t : pieces_.steps()) {
    t.did.told = number++;
    give_to_warps(t);
  }
  std::vector<std::pair<std::uint16_t, std::uint16_t>> together;
  bool bound = !cut;
  for (std::uint32_t w = 0; w < warps_used_ && bound; ++w)
    bound = warps_[w].bind([&](std::uint16_t a, std::uint16_t b) { together.emplace_back(a, b); });
  site_table added;
  run_table runs_added;
  counts_to_ = &added, runs_to_ = &runs_added;
  for (std::uint32_t w = 0; w < warps_used_; ++w) put_together(w, ~0U);
  counts_to_ = &sites, runs_to_ = &runs;
  piece_counts counts;
  added.each([&](const place& p, const tally& t) {
    sites[p] += t;
    counts.sites.emplace_back(p, t);
  });
  for (const auto& [key, t] : runs_added) {
    runs[key] += t;
    counts.runs.push_back({key, t.whole, {}});
    std::ranges::copy(t.apart, counts.runs.back().apart.begin());
  }
  if (bound) pieces_.learn(together, std::move(counts));
}

void block_counts::put_together(std::uint32_t warp, std::uint32_t mask) {
  if (warps_[warp].empty()) return;
  run_.pieces = 0;
  warps_[warp].put_together(
      mask, [&](std::uintptr_t site, operation what, const warp_access& a) { executed(warp, site, what, a); },
      [&](std::uint64_t turns) {
        end_run(warp);  // each turn begins with a marker
        times_ = turns;
      });
  end_run(warp);
}

void block_counts::executed(std::uint32_t warp, std::uintptr_t site, operation what, const warp_access& a) {
  // What is written around an update in headers may be blocks of its own.
  if (what == operation::marker && run_.pieces > 0 && is_global_update(run_.what) && a.mask == run_.parts[0].mask)
    return count((*counts_to_)[{site, what}], what, a, warp);
  if (run_.pieces > 0 && !goes_on(site, what, a)) end_run(warp);
  if (what == operation::marker || (is_update(what) && !is_global_update(what)) || a.size >= kWidest)
    return count((*counts_to_)[{site, what}], what, a, warp);
  run_.what = what;
  run_.sites[run_.pieces] = site;
  run_.parts[run_.pieces++] = a;
}

// Does `a` begin where the last piece ends, in every lane? A load may leave members out. An update may be of a vector's
// members. The same instruction again is the next turn of a loop.
bool block_counts::goes_on(std::uintptr_t site, operation what, const warp_access& a) const {
  const auto pieces = run_.sites.begin() + run_.pieces;
  if (std::find(run_.sites.begin(), pieces, site) != pieces) return false;
  const warp_access &first = run_.parts[0], &last = run_.parts[run_.pieces - 1];
  if (what != run_.what || a.mask != last.mask || a.mask == 0 || run_.pieces == kMostPieces) return false;
  const auto any = static_cast<std::size_t>(std::countr_zero(a.mask));
  const std::uintptr_t behind = a.address[any] - first.address[any],
                       end = last.address[any] - first.address[any] + last.size;
  const bool loads = what == operation::global_load || what == operation::shared_load;
  if (behind > kWidest - a.size || (loads ? behind < end : behind != end)) return false;
  for (std::uint32_t m = a.mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(m));
    if (a.address[lane] != first.address[lane] + behind) return false;
  }
  return true;
}

// Of a vector of four words nvcc loads those that are used: by themselves where they are two that no load of 8 bytes
// has.
bool block_counts::are_two_words_apart(std::uint32_t first, std::uint32_t end, const warp_access& whole) const {
  if (whole.size != 4 * kBankBytes) return false;
  const auto any = static_cast<std::size_t>(std::countr_zero(whole.mask));
  std::uint32_t words = 0;
  for (std::uint32_t i = first; i < end; ++i)
    for (std::uint32_t byte = 0; byte < run_.parts[i].size; ++byte)
      words |= 1U << (run_.parts[i].address[any] - whole.address[any] + byte) / kBankBytes;
  return std::popcount(words) == 2;
}

// How many of the pieces from `first` on are one instruction, and which: as many bytes as a power of two that all
// lanes' addresses suit. A load may leave out the last member of a vector; what is stored is stored whole.
std::uint32_t block_counts::joined_pieces(std::uint32_t first, warp_access& whole) const {
  const bool loads = run_.what == operation::global_load || run_.what == operation::shared_load;
  const auto any = static_cast<std::size_t>(std::countr_zero(run_.parts[first].mask));
  for (std::uint32_t end = run_.pieces; end > first + 1; --end) {
    whole = run_.parts[first];
    const warp_access& last = run_.parts[end - 1];
    const auto bytes = static_cast<std::uint32_t>(last.address[any] - whole.address[any] + last.size);
    whole.size = std::bit_ceil(bytes);
    if ((whole.size != bytes && !loads) || are_two_words_apart(first, end, whole)) continue;
    bool suits = true;
    for (std::uint32_t m = whole.mask; m != 0 && suits; m &= m - 1)
      suits = whole.address[static_cast<std::size_t>(std::countr_zero(m))] % whole.size == 0;
    if (suits) return end - first;
  }
  return 1;
}

void block_counts::end_run(std::uint32_t warp) {
  const open_run& r = run_;
  for (std::uint32_t i = 0; i < r.pieces;) {
    warp_access whole;
    const std::uint32_t pieces = joined_pieces(i, whole);
    if (pieces == 1) {
      count((*counts_to_)[{r.sites[i], r.what}], r.what, r.parts[i], warp);
    } else {
      run_key key;
      key.pieces = pieces;
      key.what = r.what;
      std::copy_n(r.sites.begin() + i, pieces, key.sites.begin());
      run_tally& t = (*runs_to_)[key];
      count(t.whole, r.what, whole, warp);
      for (std::uint32_t k = 0; k < pieces; ++k) count(t.apart[k], r.what, r.parts[i + k], warp);
    }
    i += pieces;
  }
  run_.pieces = 0;
}

void block_counts::count(tally& t, operation what, const warp_access& a, std::uint32_t warp) const {
  const auto lanes = static_cast<std::uint32_t>(std::popcount(a.mask));
  t.executions += times_;
  t.lanes += times_ * lanes;
  if (what == operation::marker) return;
  t.bytes += times_ * lanes * a.size;
  const auto [cost, other] = is_of_one_lane(what, a.mask) ? cost_of(what, first_lane(a)) : cost_of(what, a);
  t.cost += times_ * cost;
  t.other += times_ * other;
  if (cost <= t.worst.cost) return;
  const auto any = static_cast<std::size_t>(std::countr_zero(a.mask));
  t.worst = {cost, a, at_, warp, is_shared(what) ? begin_of_array(a.address[any]) : 0};
}

}  // namespace simt::profile
