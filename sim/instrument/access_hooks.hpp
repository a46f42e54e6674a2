// SPDX-License-Identifier: Apache-2.0
// What happens at an access of instrumented code: the running thread is found, batches are gathered, and the judge of
// the run looks at the rest. Must be compiled without instrumentation.
//
// The judge is bound when this is compiled (tsan_abi.hpp), because each access comes here and there is no time for a
// virtual call. A judge is a type with these static functions; `thread` derives from watched_thread, `pc` is the code
// address of the access, which is announced before it happens. Functions that give a bool: whether the address is
// device or shared memory.
//   using thread = ...;
//   template <bool Write, uint32_t Size, bool Again>
//   bool fast(thread&, address, pc)   a first look that calls nothing (Again: a second one); false: not decided
//   template <bool Write, uint32_t Size>
//   bool scalar(thread&, address, pc)   decides; 1, 2, 4, 8 or 16 bytes
//   template <bool Write>
//   bool unaligned(thread&, address, bytes, pc), is_volatile(same), range(same)
//   bool may_be_noncoherent(const thread&, address, bytes)   asked before a read through the read-only cache, and
//   void noncoherent(thread&, address, bytes, pc)            told of it where that says so, with nothing outstanding
//   bool reads_constant(thread&, address, bytes)   a read of what no kernel writes: nothing is left to do for it
//   bool can_batch(const thread&, address)   memory of which batches are recorded
//   bool is_told_of(const thread&, address)   memory of which consumers want to hear when nothing is judged
#pragma once

#include <cstddef>
#include <cstdint>

#include <sim/instrument/dispatcher.hpp>

namespace simt::sim {

template <class Judge>
struct access_hooks {
  using thread = typename Judge::thread;

  static thread* running() { return static_cast<thread*>(cursor.thread); }

  static constexpr event::access_kind kind(bool write) {
    return write ? event::access_kind::write : event::access_kind::read;
  }

  // Of which no batch is gathered. Flushed.
  template <bool Write, event::access_form Form, class Decide>
  static void one_by_one(thread& t, std::uintptr_t address, std::size_t bytes, std::uintptr_t pc, Decide decide) {
    if (cursor.told()) [[unlikely]] {
      dispatcher::current()->tell_access(kind(Write), Form, address, bytes, pc);
      if (cursor.unjudged()) return;
    }
    if (!decide(t)) [[unlikely]]
      foreign_access(address, bytes, t, Write, pc);
  }

  template <bool Write, event::access_form Form, class Decide>
  static void lone(void* p, std::size_t bytes, std::uintptr_t pc, Decide decide) {
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    thread* const t = running();
    if (t == nullptr) return of_host(p, bytes, Write, pc);
    if (cursor.is_local(address)) return;
    constexpr bool kFlag = Form == event::access_form::is_volatile;
    dispatcher::step(pc, {address, bytes, Write ? pending_access::kind::write : pending_access::kind::read,
                          kFlag ? pending_access::order::relaxed : pending_access::order::weak});
    if (Write && Form != event::access_form::range) ++cursor.writes;
    one_by_one<Write, Form>(*t, address, bytes, pc, decide);
  }

  // Arguments, say, which the host has: where nothing is judged, the batch goes on as if it were not there.
  static bool concerns_nobody(std::uintptr_t address) {
    return cursor.unjudged() && !Judge::is_told_of(*running(), address);
  }

  // A read of what no kernel writes. True: it is done, and no batch need know of it.
  static bool is_of_constant(std::uintptr_t address, std::size_t bytes, std::uintptr_t pc) {
    access_cursor& c = cursor;
    if (c.every_access != 0 || !Judge::reads_constant(*running(), address, bytes)) return false;
    c.pc = pc;
    ++c.steps;
    return true;
  }

  // What the fast looks leave over. Out of line and last, like the looks among themselves: then each is a leaf that
  // saves no registers.
  template <bool Write, std::uint32_t Size>
  [[gnu::noinline]] static void other_scalar(void* p, std::uintptr_t pc) {
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    thread* const t = running();
    access_cursor& c = cursor;
    if (c.is_local(address)) return;
    ++c.steps;
    c.pc = pc;
    if constexpr (Write) ++c.writes;
    if (c.switches()) [[unlikely]]
      schedule_point({address, Size, Write ? pending_access::kind::write : pending_access::kind::read});
    one_by_one<Write, event::access_form::scalar>(
        *t, address, Size, pc, [&](thread& self) { return Judge::template scalar<Write, Size>(self, address, pc); });
  }

  // True: the access is done.
  template <bool Write, std::uint32_t Size, bool Again>
  [[gnu::always_inline]] static inline bool look(void* p, std::uintptr_t pc) {
    access_cursor& c = cursor;
    // The thread's own stack is neither device nor shared memory.
    thread* const t = running();
    if (c.every_access != 0) [[unlikely]]
      return false;
    c.pc = pc;
    if (!Judge::template fast<Write, Size, Again>(*t, reinterpret_cast<std::uintptr_t>(p), pc)) return false;
    ++c.steps;
    if constexpr (Write) ++c.writes;
    return true;
  }

  template <bool Write, std::uint32_t Size>
  [[gnu::noinline]] static void look_again(void* p, std::uintptr_t pc) {
    if (!look<Write, Size, true>(p, pc)) other_scalar<Write, Size>(p, pc);
  }

  template <bool Write, std::uint32_t Size>
  [[gnu::always_inline]] static inline void judge_scalar(void* p, std::uintptr_t pc) {
    if (!look<Write, Size, false>(p, pc)) [[unlikely]]
      look_again<Write, Size>(p, pc);
  }

  // Host code: most of what it touches is its own memory, which is told by two comparisons.
  [[gnu::always_inline]] static inline void of_host(void* p, std::size_t bytes, bool write, std::uintptr_t pc) {
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    if (watched_of_host.contains(address)) [[unlikely]]
      host_access(address, bytes, write, pc);
  }

  // In a segment of a batch, but not what the batch expects next: judged, and noted for the threads that follow.
  template <bool Write, std::uint32_t Size>
  [[gnu::noinline]] static void in_segment(void* p, std::uintptr_t pc) {
    access_cursor& c = cursor;
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    if (c.is_local(address) || concerns_nobody(address)) return;
    if (!Write && (address & (Size - 1)) == 0 && is_of_constant(address, Size, pc)) return;
    if (c.batches->follows()) {
      catch_up();
      c.batches->deviate(c.next);
      take_counts();
      c.next = &no_batch;
    }
    judge_scalar<Write, Size>(p, pc);
    if (!c.in_batch) return;
    if (!Judge::can_batch(*running(), address) || (address & (Size - 1)) != 0) return dispatcher::flush_accesses();
    c.batches->note(pc, address, Size, Write, c.calls()->active());
    c.in_batch = c.batches->notes();
  }
  template <bool Write, std::uint32_t Size>
  [[gnu::noinline]] static void not_expected(void* p, std::uintptr_t pc) {
    if (running() == nullptr) return of_host(p, Size, Write, pc);
    if (cursor.in_batch) return in_segment<Write, Size>(p, pc);
    if (cursor.is_local(reinterpret_cast<std::uintptr_t>(p))) return;  // by reference, through a call that is one
    judge_scalar<Write, Size>(p, pc);
  }

  template <bool Write, std::uint32_t Size>
  [[gnu::always_inline]] static inline void scalar(void* p, std::uintptr_t pc) {
    if constexpr (Size >= 4) {
      batch_entry& e = *cursor.next;
      if (e.pc == pc && e.address == reinterpret_cast<std::uintptr_t>(p)) [[likely]] {
        e.address += static_cast<std::uintptr_t>(e.stride);
        cursor.next = &e + 1;
        return;
      }
      not_expected<Write, Size>(p, pc);
    } else {
      if (running() == nullptr) return of_host(p, Size, Write, pc);
      const auto address = reinterpret_cast<std::uintptr_t>(p);
      if (cursor.is_local(address) || concerns_nobody(address)) return;
      if (!Write && (address & (Size - 1)) == 0 && is_of_constant(address, Size, pc)) return;
      dispatcher::flush_accesses();
      other_scalar<Write, Size>(p, pc);
    }
  }

  // Both accesses of x += 1 at one look, the write's. Where it finds nothing, nothing is to be found at the read: a
  // write meets all that a read meets, takes only what is initialised, and leaves no reader. True: they are done.
  template <std::uint32_t Size>
  [[gnu::noinline]] static bool update_at_one_look(void* p, std::uintptr_t pc) {
    if (!look<true, Size, false>(p, pc)) return false;
    ++cursor.steps;
    return true;
  }

  // x += 1: a read, then a write.
  template <std::uint32_t Size>
  [[gnu::always_inline]] static inline void update(void* p, std::uintptr_t pc) {
    if (running() == nullptr && !watched_of_host.contains(reinterpret_cast<std::uintptr_t>(p))) return;
    if constexpr (Size >= 4)
      if (!cursor.in_batch && running() != nullptr && update_at_one_look<Size>(p, pc)) return;
    scalar<false, Size>(p, pc);
    scalar<true, Size>(p, pc);
  }

  // Two members of 4 bytes that the compiler moves at once: each whole cell for itself. True: they are done.
  template <bool Write>
  [[gnu::always_inline]] static inline bool two_cells(void* p, std::uintptr_t pc) {
    access_cursor& c = cursor;
    if (running() == nullptr || c.in_batch || !look<Write, 4, false>(p, pc)) return false;
    --c.steps;  // it is one access
    if constexpr (Write) --c.writes;
    return look<Write, 4, false>(static_cast<std::byte*>(p) + 4, pc);
  }

  template <bool Write>
  static void unaligned(void* p, std::uint32_t bytes, std::uintptr_t pc) {
    if (bytes == 8 && reinterpret_cast<std::uintptr_t>(p) % 4 == 0 && two_cells<Write>(p, pc)) return;
    lone<Write, event::access_form::unaligned>(p, bytes, pc, [&](thread& t) {
      return Judge::template unaligned<Write>(t, reinterpret_cast<std::uintptr_t>(p), bytes, pc);
    });
  }

  // A read through the read-only cache follows.
  static void noncoherent(const void* p, std::size_t bytes, std::uintptr_t pc) {
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    if (running() == nullptr || cursor.unjudged() || !Judge::may_be_noncoherent(*running(), address, bytes)) return;
    dispatcher::flush_accesses();
    Judge::noncoherent(*running(), address, bytes, pc);
  }

  // A copy of a vector or of a small structure, which compilers leave as one of bytes, is an access of its size.
  template <bool Write>
  static void range(void* p, std::size_t bytes, std::uintptr_t pc) {
    if (bytes == 0) return;
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    if ((address & (bytes - 1)) == 0) {
      if (bytes == 16) return scalar<Write, 16>(p, pc);
      if (bytes == 8) return scalar<Write, 8>(p, pc);
      if (bytes == 4) return scalar<Write, 4>(p, pc);
    }
    if (running() != nullptr && (concerns_nobody(address) || (!Write && is_of_constant(address, bytes, pc)))) return;
    lone<Write, event::access_form::range>(p, bytes, pc, [&](thread& t) {
      return Judge::template range<Write>(t, reinterpret_cast<std::uintptr_t>(p), bytes, pc);
    });
  }

  // Volatile accesses may be rounds of a spin. The host's are flags: x86 keeps the order of its loads, and of its
  // stores.
  template <bool Write>
  static void is_volatile(void* p, std::uint32_t bytes, std::uintptr_t pc) {
    const bool on_device = on_device_thread();
    if (!on_device && bytes <= 8) {
      host_atomic(reinterpret_cast<std::uintptr_t>(p), bytes, Write ? event::atomic_op::store : event::atomic_op::load,
                  false, Write ? event::order::release : event::order::acquire, pc);
      return;
    }
    // Others run before the announcement if at all: after it the load must come at once.
    if (on_device && !Write) {
      cursor.pc = pc;  // where it waits
      spend_checked(kSpinCostLoad);
    }
    lone<Write, event::access_form::is_volatile>(p, bytes, pc, [&](thread& t) {
      return Judge::template is_volatile<Write>(t, reinterpret_cast<std::uintptr_t>(p), bytes, pc);
    });
  }
};

}  // namespace simt::sim
