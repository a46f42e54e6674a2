// SPDX-License-Identifier: Apache-2.0
// A part of loop_proofs: asynchronous copies. What they write are entries of the batch, what they read has to be of an
// array that the launch only reads, and what all threads do about them are steps beside the entries.
#include <mutex>

#include <sim/exec/launch.hpp>
#include <sim/instrument/dispatcher.hpp>
#include <sim/instrument/loop_proofs.hpp>
#include <sim/instrument/row_copies.hpp>

namespace simt::sim {

bool loop_proofs::may_take_copies(const block_context& b) const {
  const dispatcher* const d = dispatcher::current();
  return d->judges_accesses() && !d->has_listeners() && !row_copies::of_this_thread().is_by_threads() &&
         d->judge_of_batches()->takes_copies(*state_at(b.observed->states, 0));
}

// The region's threads do theirs one by one; code addresses that are still to be learned are.
loop_answer loop_proofs::without_copies(const loop_region& r) const {
  for (std::int32_t i = 0; i < r.access_count; ++i)
    if (__atomic_load_n(&r.sites[r.accesses[i].site], __ATOMIC_RELAXED) == 0) return loop_answer::announced;
  return loop_answer::watched;
}

// Does the type of the array at `target` promise that alignment? As checked_copy_promise asks.
bool loop_proofs::is_declared(const block_context& b, std::uintptr_t target, std::int32_t alignment) {
  launch_state& l = *b.launch;
  const auto base = reinterpret_cast<std::uintptr_t>(b.shared);
  std::lock_guard lock(l.shared_mutex);
  for (std::int32_t i = 0; i < l.shared_count; ++i)
    if (const shared_array& a = l.shared_arrays[i]; target - base - a.offset < a.bytes)
      return a.declared_align == 0 || a.declared_align >= static_cast<std::uint32_t>(alignment);
  return true;
}

// Entries of what a copy writes, and beside each what it reads; false: that cannot be told.
bool loop_proofs::add_copy(const block_context& b, std::int32_t target, std::uintptr_t site, std::uint32_t some) {
  const loop_access &to = region_->accesses[target], &from = region_->accesses[target + 1];
  const truth made = to.when < 0 ? truth::yes : truths_[static_cast<std::size_t>(to.when)];
  if ((made == truth::mixed && some == 0) || varies(to)) return false;
  const std::uint64_t silent = silent_;
  if (!is_silent(b, from, made)) return false;
  silent_ = silent;
  silent_reads_.push_back(static_cast<std::uint32_t>(target + 1));
  const auto first = static_cast<std::uint32_t>(batch_.count);
  if (!add(from, site, some)) return false;
  std::vector<copy_source>& sources = sources_[static_cast<std::size_t>(to.copy - 1)];
  const std::uintptr_t base = static_cast<std::uintptr_t>(number(from.address.base));
  for (std::size_t k = first; k < batch_.count; ++k)
    sources.push_back(
        {from.address.base, batch_.facts[k].base - base, batch_.entries[k].stride, batch_.facts[k].row_stride});
  batch_.count = first;
  if (!add(to, site, some) || batch_.count - first != sources.size()) return false;
  for (std::size_t k = first; k < batch_.count; ++k)
    if (batch_.facts[k].times != 1) return false;  // onto what it has under way
  const std::int32_t declared = region_->copies[to.copy - 1].declared;
  if (declared != 0 && first < batch_.count && !is_declared(b, batch_.facts[first].base, declared)) return false;
  issues_[static_cast<std::size_t>(to.copy - 1)] = {copy_act::issue, 0, first,
                                                    static_cast<std::uint32_t>(batch_.count)};
  return true;
}

bool loop_proofs::put_copy_steps() {
  for (std::int32_t i = 0; i < region_->copy_count; ++i) {
    const loop_copy_step& s = region_->copies[i];
    const auto act = static_cast<copy_act>(s.act);
    if (act == copy_act::issue) {
      const copy_step& made = issues_[static_cast<std::size_t>(i)];
      if (made.from == made.to) continue;
      batch_.copies.push_back(made);
      const auto& sources = sources_[static_cast<std::size_t>(i)];
      batch_.sources.insert(batch_.sources.end(), sources.begin(), sources.end());
      continue;
    }
    const truth made = s.when < 0 ? truth::yes : truths_[static_cast<std::size_t>(s.when)];
    if (made == truth::mixed) return false;
    if (made == truth::yes) batch_.copies.push_back({act, static_cast<std::uint32_t>(number(s.keep)), 0, 0});
  }
  return true;
}

void loop_proofs::commit_copies() {
  row_copies& rows = row_copies::of_this_thread();
  const copy_start began = dispatcher::current()->judge_of_batches()->copies_began(*asked_->first);
  std::size_t source = 0;
  for (const copy_step& s : asked_->copies) {
    if (s.act == copy_act::commit) rows.commit();
    if (s.act == copy_act::wait) rows.wait(s.keep);
    for (std::uint32_t k = s.from; k < s.to; ++k) {
      const copy_source& from = asked_->sources[source++];
      rows.issue(*asked_, k, positions_, static_cast<std::uintptr_t>(number(from.place)) + from.behind, from, began);
    }
  }
}

}  // namespace simt::sim
