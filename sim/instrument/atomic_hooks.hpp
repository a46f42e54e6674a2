// SPDX-License-Identifier: Apache-2.0
// What happens at an atomic operation or a fence of instrumented code: on device threads the judge of the run sees it
// in the order that memory saw it; of the host's, those that release or acquire are announced. Out of the instrumented
// code.
//
// Of the judge (see access_hooks.hpp), as static functions and types:
//   class counting {counting(thread&, address, scope, is_sum); bool; bool sums(); void add(pc, more);
//       void done(pc, left);}   a relaxed read-modify-write of 4 bytes, done without a section; false: not possible.
//       sums: nothing is to be done, but `more` to be told. `left`: what it has left in memory
//   bool put_off_update(thread&, address, bytes, scope, pc)   the same of 4 or 8 bytes that only the running block can
//       see, before the operation
//   bool put_in_log(thread&, address, bytes, scope, pc)   the same of a word in memory, by the only worker
//   class atomic_section {atomic_section(thread&, address, bytes, let_count); bool is_counter();}   others cannot see
//   the operation without its announcement; is_counter: there is no section, `counting` may take it
//   bool atomic(thread&, address, bytes, event::atomic_op, order, scope, pc, is_sum)   in a section, after the
//   operation
//   void compared_and_swapped(thread&, address, bytes)   likewise, besides void fence(thread&, order, scope)
#pragma once

#include <mutex>
#include <optional>

#include <sim/exec/observer.hpp>
#include <sim/instrument/atomic_operation.hpp>
#include <sim/instrument/dispatcher.hpp>

namespace simt::sim {

struct atomic_request {
  void* p;
  std::uint32_t bytes;
  atomic_action action;
  std::uint64_t a, b;           // operand or desired value; expected value of cas
  event::order order, failure;  // failure: of a compare-and-swap that fails
  event::scope scope;
  std::uintptr_t pc;  // where it is done
  event::update_form form = event::update_form::atomic;
  bool is_sum = false;  // an addition or subtraction of integers of 4 bytes whose old value nobody reads

  // A failed compare-and-swap reads: its release part does not happen (C++ [atomics.types.operations]).
  event::order effective(bool wrote) const {
    if (action != atomic_action::cas || wrote) return order;
    if (failure == event::order::acq_rel) return event::order::acquire;
    return failure == event::order::release ? event::order::relaxed : failure;
  }
  event::atomic_op done(bool wrote) const {
    if (!wrote) return event::atomic_op::load;
    return action == atomic_action::store ? event::atomic_op::store : event::atomic_op::rmw;
  }
};

template <class Judge>
struct atomic_hooks {
  using thread = typename Judge::thread;

  // `on_memory`: perform_atomic for the operation's type, with `alone`. Gives the old value.
  template <class OnMemory>
  static std::uint64_t perform(const atomic_request& r, OnMemory on_memory) {
    bool wrote = false;
    const auto now = [&] { return on_memory(r.p, r.action, r.a, r.b, wrote, false); };
    const auto address = reinterpret_cast<std::uintptr_t>(r.p);
    auto* const t = static_cast<thread*>(cursor.thread);
    std::uint64_t old;
    if (t == nullptr) {
      if (!on_device_thread()) return perform_on_host(r, wrote, now);
      old = now();
      cursor.pc = r.pc;
    } else {
      if (cursor.is_local(address)) return now();
      using kind = pending_access::kind;
      dispatcher::step(r.pc, {address, r.bytes,
                              r.action == atomic_action::load    ? kind::read
                              : r.action == atomic_action::store ? kind::write
                                                                 : kind::update,
                              pending_order(r.order), pending_scope(r.scope)});
      // Before it has the section, another worker may make the word a counter; what is not counted then closes it.
      if (count(*t, r, on_memory, old))
        wrote = true;
      else if (!perform_judged(*t, r, may_count(r), wrote, now, old)) {
        if (count(*t, r, on_memory, old))
          wrote = true;
        else
          perform_judged(*t, r, false, wrote, now, old);
      }
      if (cursor.switches()) dispatcher::atomic_is_done(wrote, r.effective(wrote));
    }
    const std::int32_t cost = spin_cost(r.action, wrote, old, r.a, r.bytes);
    if (cost != kSpinCostLoad) ++cursor.writes;
    if (!cursor.self->as_loops) spend_checked(cost);
    return old;
  }

  // Before perform(): a relaxed update of a word that only the running block can see, which nobody listens to. True: it
  // is noted, may be done as if alone, and is_put_off() comes next. Without a request, for a bin of a histogram takes
  // longer to ask about than to add to.
  [[gnu::always_inline]] static bool put_off(void* p, std::uint32_t bytes, event::order o, event::scope s,
                                             std::uintptr_t pc) {
    auto* const t = static_cast<thread*>(cursor.thread);
    if (t == nullptr || o != event::order::relaxed || cursor.switches() || cursor.told() || cursor.may_wake)
      return false;
    dispatcher::flush_accesses();
    if (!Judge::put_off_update(*t, reinterpret_cast<std::uintptr_t>(p), bytes, s, pc)) return false;
    ++cursor.steps;
    cursor.pc = pc;
    return true;
  }
  // The same for a word in memory, where no other thread of the system runs device code: nobody can come between what
  // is noted and what is done. It is not as if alone: host code may come to the word.
  static bool put_in_log(void* p, std::uint32_t bytes, event::order o, event::scope s, std::uintptr_t pc) {
    __builtin_prefetch(p, 1);
    auto* const t = static_cast<thread*>(cursor.thread);
    if (t == nullptr || o != event::order::relaxed || cursor.switches() || cursor.told() || cursor.may_wake)
      return false;
    dispatcher::flush_accesses();
    if (!Judge::put_in_log(*t, reinterpret_cast<std::uintptr_t>(p), bytes, s, pc)) return false;
    ++cursor.steps;
    cursor.pc = pc;
    return true;
  }
  static void is_put_off(atomic_action action, std::uint64_t old, std::uint64_t a, std::uint32_t bytes) {
    const bool spins = !cursor.self->as_loops && spin_cost(action, true, old, a, bytes) == kSpinCostLoad;
    if (!spins) ++cursor.writes;
    if (!cursor.self->as_loops) spend_checked(spins ? kSpinCostLoad : kSpinCostRmw);
  }

  static void fence(event::order o, event::scope s) {
    if (auto* const t = static_cast<thread*>(cursor.thread)) {
      dispatcher::flush_accesses();
      if (cursor.switches()) dispatcher::fence_comes(o, s);
      Judge::fence(*t, o, s);
      if (cursor.told()) [[unlikely]]
        dispatcher::current()->tell_fence(o, s);
      spend_checked(kSpinCostLoad);
    } else if (!on_device_thread()) {
      host_fence(o);
    }
  }

 private:
  // A relaxed update that nobody has to be told of.
  static bool is_lone_update(const atomic_request& r) {
    return r.order == event::order::relaxed && r.action != atomic_action::load && r.action != atomic_action::store &&
           r.action != atomic_action::cas && !cursor.switches() && !cursor.told();
  }
  static bool may_count(const atomic_request& r) { return r.bytes == 4 && is_lone_update(r); }

  template <class OnMemory>
  static bool count(thread& t, const atomic_request& r, OnMemory on_memory, std::uint64_t& old) {
    if (!may_count(r) && (r.bytes != 8 || !is_lone_update(r))) return false;
    const auto address = reinterpret_cast<std::uintptr_t>(r.p);
    bool wrote = false;
    if (Judge::put_off_update(t, address, r.bytes, r.scope, r.pc)) {
      old = on_memory(r.p, r.action, r.a, r.b, wrote, true);
      return true;
    }
    if (r.bytes != 4) return false;
    typename Judge::counting section(t, address, r.scope, r.is_sum);
    if (!section) return false;
    if (section.sums()) {
      const auto by = static_cast<std::uint32_t>(r.a);
      section.add(r.pc, r.action == atomic_action::sub ? -by : by);
      old = 0;
      return true;
    }
    old = on_memory(r.p, r.action, r.a, r.b, wrote, false);
    auto left = static_cast<std::uint32_t>(old);
    on_memory(&left, r.action, r.a, r.b, wrote, true);
    section.done(r.pc, left);
    return true;
  }

  // False: nothing is done, for the word is a counter.
  template <class Now>
  static bool perform_judged(thread& t, const atomic_request& r, bool let_count, const bool& wrote, Now now,
                             std::uint64_t& old) {
    const auto address = reinterpret_cast<std::uintptr_t>(r.p);
    bool ours;
    {
      typename Judge::atomic_section section(t, address, r.bytes, let_count);
      if (section.is_counter()) return false;
      old = now();
      ours = Judge::atomic(t, address, r.bytes, r.done(wrote), r.effective(wrote), r.scope, r.pc, r.is_sum);
      if (ours && r.action == atomic_action::cas) Judge::compared_and_swapped(t, address, r.bytes);
    }
    if (cursor.told()) [[unlikely]]
      dispatcher::current()->tell_atomic(address, r.bytes, r.done(wrote), r.effective(wrote), r.scope,
                                         r.action == atomic_action::cas ? event::update_form::swap : r.form, r.pc);
    if (!ours) foreign_access(address, r.bytes, t, wrote, r.pc);
    return true;
  }

  template <class Now>
  static std::uint64_t perform_on_host(const atomic_request& r, const bool& wrote, Now now) {
    const auto address = reinterpret_cast<std::uintptr_t>(r.p);
    const bool watched = watched_of_host.contains(address);
    if (!watched && r.action != atomic_action::load && r.action != atomic_action::cas)
      host_unwatched(event::atomic_op::store, r.order);  // before others can see it
    std::optional<host_turn> turn;                       // no launch begins between the operation and its announcement
    if (watched) turn.emplace(std::try_to_lock);
    const std::uint64_t old = now();
    host_atomic(address, r.bytes, r.done(wrote), r.action == atomic_action::cas, r.effective(wrote), r.pc);
    return old;
  }
};

}  // namespace simt::sim
