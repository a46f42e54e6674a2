// SPDX-License-Identifier: Apache-2.0
// What is announced by itself and put off: plain accesses of one thread, and updates.
#include "sim/check/core.hpp"
#include "sim/check/deferred_shared.hpp"

namespace simt::check {

namespace {
constexpr std::size_t kMostSingles = 64;  // entries beside which single accesses are put off: each looks at them all
}

// Is it what the next thread does behind the last entry?
bool deferred_shared::goes_on(const entry& e) const {
  if (log_.size() <= piece_) return false;
  const entry& last = log_.back();
  if (last.at.pc != e.at.pc || last.fact.size != e.fact.size || last.fact.write != e.fact.write || last.in_rows ||
      last.first + last.positions != e.first)
    return false;
  const auto step = static_cast<std::intptr_t>(e.fact.base - last.fact.base);
  return last.positions == 1 || step == last.at.stride * std::intptr_t{last.positions};
}

bool deferred_shared::take_one(std::uint32_t rank, std::uintptr_t address, std::uint32_t size, bool write,
                               std::uintptr_t pc) {
  if (b_->foreign_shared || b_->quiet_from > b_->base) return false;
  if (at_ != nullptr || b_->barriers != since_) {
    begin_piece();
    resumed_ = before_;
  }
  entry now{{pc, address, 0}, {}, rank, 1, 1, false, {address, address + size}};
  now.fact.base = address;
  now.fact.size = static_cast<std::uint8_t>(size);
  now.fact.write = write;
  if (log_.size() >= kMostSingles || !may_take(now)) return false;
  if (write) resumed_ = nullptr;
  if (!goes_on(now)) return record(now), true;
  entry& last = log_.back();
  if (last.positions == 1) last.at.stride = static_cast<std::intptr_t>(address - last.fact.base);
  ++last.positions, ++last.width;
  last.where.widen(now.where);
  (write ? written_ : read_).widen(now.where);
  if (write) mark(address, address + size);
  return true;
}

bool deferred_shared::take_other_update(std::uint32_t rank, std::uintptr_t address, const shared_updates::site& s) {
  if (b_->foreign_shared || b_->quiet_from > b_->base || s.reach < scope::block || !has(address) ||
      where_.size - (address - where_.base) < s.size)
    return false;
  begin_interval();
  look_up_to_date();
  if (!updates_.is_of(b_->barriers)) updates_.begin(where_, b_->barriers);
  return (updates_.meets(address, address + s.size) || add_updated_array(address, s.size)) &&
         updates_.add_other(rank, address, s, [&] { return is_written(address, address + s.size); });
}
// The array there, of which no plain access is put off since the last barrier.
bool deferred_shared::add_updated_array(std::uintptr_t address, std::uint32_t size) {
  if (where_.size / 4 > shared_updates::kMostWords) return false;
  for (const shared_object& a : b_->arrays) {
    if (address - a.address >= a.size) continue;
    const address_range whole = whole_cells({a.address, a.size});
    const extent e{whole.base, std::min(whole.base + whole.size, where_.base + where_.size)};
    if (updates_.meets(e.from, e.to) || meets_copy(e)) return false;
    if (b_->barriers == since_ && std::ranges::any_of(log_, [&](const entry& o) { return o.where.meets(e); }))
      return false;
    updates_.add_array(e.from, e.to, size, is_written(e.from, e.to));
    return true;
  }
  return false;
}

void deferred_shared::record_updates() {
  block_state& b = *b_;
  updates_.each([&](std::uint32_t rank, std::uintptr_t address, const shared_updates::site& s) {
    update_of_shared(b.all[rank], address, s.size, s.reach, s.pc);
  });
}

}  // namespace simt::check
