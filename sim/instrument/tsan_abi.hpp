// SPDX-License-Identifier: Apache-2.0
// The functions that -fsanitize=thread compiles into device code. libtsan is never linked: these are ours.
//
// Each one finds the running device thread and hands the access on (access_hooks.hpp); from host code of the same
// module only device addresses matter. This file decides nothing.
//
// Included by the one source file that binds a judge to them, which has said before:
//   namespace simt::sim { using bound_judge = ...; }  // see access_hooks.hpp and atomic_hooks.hpp
// That file must be compiled without instrumentation.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>

#include <sim/instrument/access_hooks.hpp>
#include <sim/instrument/atomic_hooks.hpp>
#include <sim/instrument/block_arithmetic.hpp>
#include <sim/instrument/profiled_loops.hpp>

// NOLINTBEGIN(misc-definitions-in-headers): one source file includes this one.
#define SIMT_HOOK extern "C" __attribute__((visibility("hidden"), used))
#define SIMT_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

namespace simt::sim::tsan_abi {

using hooks = access_hooks<bound_judge>;

// What inline_checks.hpp knows.
static_assert(offsetof(running_thread, next) == 0 && offsetof(running_thread, top) == 8 &&
              offsetof(running_thread, top_end) == 16 && offsetof(running_thread, exit_pc) == 24);
static_assert(offsetof(batch_entry, pc) == 0 && offsetof(batch_entry, address) == 8 &&
              offsetof(batch_entry, stride) == 16 && sizeof(batch_entry) == 24);

// The first call of a thread since it waited, one that is too deep, or one of the host's, which nobody follows.
[[gnu::noinline]] inline void enter_other(void* caller) {
  access_cursor& c = cursor;
  shadow_stack* const s = c.take_calls();
  if (s == nullptr) return;
  if (c.top != c.top_end)
    *c.top++ = reinterpret_cast<std::uintptr_t>(caller);
  else
    ++s->deeper;
}
[[gnu::noinline]] inline void leave_other(std::uintptr_t pc) {
  access_cursor& c = cursor;
  shadow_stack* const s = c.take_calls();
  if (s == nullptr) return;
  c.exit_pc = pc;
  if (s->deeper > 0)
    --s->deeper;
  else if (c.top != s->frames)
    --c.top;
}

SIMT_HOOK void __tsan_init() {}
SIMT_HOOK void __tsan_func_entry(void* caller) {
  access_cursor& c = cursor;
  std::uintptr_t* const top = c.top;
  if (top == c.top_end) [[unlikely]]
    return enter_other(caller);
  *top = reinterpret_cast<std::uintptr_t>(caller);
  c.top = top + 1;
}
SIMT_HOOK void __tsan_func_exit() {
  access_cursor& c = cursor;
  if (c.top == c.top_end) [[unlikely]]
    return leave_other(SIMT_PC);
  --c.top;
  c.exit_pc = SIMT_PC;
}

#define SIMT_ACCESSES(n)                                                                                  \
  SIMT_HOOK void __tsan_read##n(void* p) { hooks::scalar<false, n>(p, SIMT_PC); }                         \
  SIMT_HOOK void __tsan_write##n(void* p) { hooks::scalar<true, n>(p, SIMT_PC); }                         \
  SIMT_HOOK void __tsan_read##n##_pc(void* p, void* pc) {                                                 \
    hooks::scalar<false, n>(p, reinterpret_cast<std::uintptr_t>(pc));                                     \
  }                                                                                                       \
  SIMT_HOOK void __tsan_write##n##_pc(void* p, void* pc) {                                                \
    hooks::scalar<true, n>(p, reinterpret_cast<std::uintptr_t>(pc));                                      \
  }                                                                                                       \
  SIMT_HOOK void __tsan_unaligned_read##n(void* p) { hooks::unaligned<false>(p, n, SIMT_PC); }            \
  SIMT_HOOK void __tsan_unaligned_write##n(void* p) { hooks::unaligned<true>(p, n, SIMT_PC); }            \
  SIMT_HOOK void __tsan_volatile_read##n(void* p) { hooks::is_volatile<false>(p, n, SIMT_PC); }           \
  SIMT_HOOK void __tsan_volatile_write##n(void* p) { hooks::is_volatile<true>(p, n, SIMT_PC); }           \
  SIMT_HOOK void __tsan_unaligned_volatile_read##n(void* p) { hooks::is_volatile<false>(p, n, SIMT_PC); } \
  SIMT_HOOK void __tsan_unaligned_volatile_write##n(void* p) { hooks::is_volatile<true>(p, n, SIMT_PC); } \
  SIMT_HOOK void __tsan_read_write##n(void* p) { hooks::update<n>(p, SIMT_PC); }                          \
  SIMT_HOOK void __tsan_unaligned_read_write##n(void* p) {                                                \
    hooks::unaligned<false>(p, n, SIMT_PC);                                                               \
    hooks::unaligned<true>(p, n, SIMT_PC);                                                                \
  }
SIMT_ACCESSES(1)
SIMT_ACCESSES(2)
SIMT_ACCESSES(4)
SIMT_ACCESSES(8)
SIMT_ACCESSES(16)

// Loops that the compiler pass has made (checked_loops.hpp): the same, and where the call was made is noted.
#define SIMT_LOOP_ACCESSES(n)                                        \
  SIMT_HOOK void simt_loop_read##n(void* p, std::uintptr_t* site) {  \
    __atomic_store_n(site, SIMT_PC, __ATOMIC_RELAXED);               \
    hooks::scalar<false, n>(p, SIMT_PC);                             \
  }                                                                  \
  SIMT_HOOK void simt_loop_write##n(void* p, std::uintptr_t* site) { \
    __atomic_store_n(site, SIMT_PC, __ATOMIC_RELAXED);               \
    hooks::scalar<true, n>(p, SIMT_PC);                              \
  }
SIMT_LOOP_ACCESSES(1)
SIMT_LOOP_ACCESSES(2)
SIMT_LOOP_ACCESSES(4)
SIMT_LOOP_ACCESSES(8)
SIMT_LOOP_ACCESSES(16)

// Called once by each source that has them, before main.
SIMT_HOOK void simt_code_has_markers() { code_has_markers = true; }
// What the batch expects next is the marker of this word: it has been here before.
[[gnu::always_inline]] inline bool passes_marker(std::size_t word, std::uintptr_t pc) {
  batch_entry& e = *cursor.next;
  if (e.pc != pc || e.address != profile_markers + 4 * word) return false;
  e.address += static_cast<std::uintptr_t>(e.stride);
  cursor.next = &e + 1;
  return true;
}
// A basic block begins, in code that the compiler pass has marked for counters (sim/compile/markers.hpp): a read of the
// marker of that number, so that it is gathered into batches like all else. `does`: its arithmetic, or null. A call of
// its own, so that the usual case saves no registers.
[[gnu::noinline]] inline void enter_new_block(unsigned number, marked_block* does, std::uintptr_t pc) {
  if (cursor.thread == nullptr || profile_markers == 0) return;
  enters_block(does, pc);
  hooks::scalar<false, 4>(reinterpret_cast<void*>(profile_markers + 4 * (number % kProfileMarkers)), pc);
}
SIMT_HOOK void simt_profile_block(unsigned number, marked_block* does) {
  if (passes_marker(number % kProfileMarkers, SIMT_PC)) [[likely]]
    return;
  enter_new_block(number, does, SIMT_PC);
}

// The same in loops that the compiler pass has made, which notes where the call is.
SIMT_HOOK void simt_loop_begins(unsigned number, marked_block* does, std::uintptr_t* site) {
  __atomic_store_n(site, SIMT_PC, __ATOMIC_RELAXED);
  if (!passes_marker(number % kProfileMarkers, SIMT_PC)) enter_new_block(number, does, SIMT_PC);
}

// The loop of one such block begins, which is to turn so often. True: it is told of in short, by its accesses in the
// first turn, in the second behind simt_profile_second_turn, and simt_profile_loop_ends (profiled_loops.hpp).
[[gnu::noinline]] inline void tell_of_loop(std::size_t word, std::uintptr_t pc) {
  if (cursor.thread == nullptr) return;
  hooks::scalar<false, 4>(reinterpret_cast<void*>(profile_markers + 4 * (kProfileMarkers + word)), pc);
}
[[gnu::noinline]] inline bool begin_other_loop(unsigned number, marked_block* does, unsigned long turns,
                                               std::uintptr_t pc) {
  const access_cursor& c = cursor;
  if (!on_device_thread()) return host_is_unheard;
  if (c.thread == nullptr || profile_markers == 0 || !c.unjudged() || c.switches() || turns > kMostTurns || turns == 0)
    return false;
  tell_of_loop(kNoTurns + turns, pc);
  enter_new_block(number, does, pc);
  return true;
}
SIMT_HOOK bool simt_profile_loop(unsigned number, marked_block* does, unsigned long turns) {
  if (passes_marker(kProfileMarkers + kNoTurns + turns, SIMT_PC)) [[likely]] {
    if (!passes_marker(number % kProfileMarkers, SIMT_PC)) enter_new_block(number, does, SIMT_PC);
    return true;
  }
  return begin_other_loop(number, does, turns, SIMT_PC);
}
SIMT_HOOK void simt_profile_second_turn() {
  if (!passes_marker(kProfileMarkers + kSecondTurn, SIMT_PC)) tell_of_loop(kSecondTurn, SIMT_PC);
}
SIMT_HOOK void simt_profile_loop_ends() {
  if (!passes_marker(kProfileMarkers + kLoopEnds, SIMT_PC)) tell_of_loop(kLoopEnds, SIMT_PC);
}

SIMT_HOOK void __tsan_read_range(void* p, unsigned long n) { hooks::range<false>(p, n, SIMT_PC); }
SIMT_HOOK void __tsan_write_range(void* p, unsigned long n) { hooks::range<true>(p, n, SIMT_PC); }
SIMT_HOOK void __tsan_read_range_pc(void* p, unsigned long n, void* pc) {
  hooks::range<false>(p, n, reinterpret_cast<std::uintptr_t>(pc));
}
SIMT_HOOK void __tsan_write_range_pc(void* p, unsigned long n, void* pc) {
  hooks::range<true>(p, n, reinterpret_cast<std::uintptr_t>(pc));
}
SIMT_HOOK void __tsan_vptr_update(void** p, void*) { hooks::scalar<true, 8>(p, SIMT_PC); }
SIMT_HOOK void __tsan_vptr_read(void** p) { hooks::scalar<false, 8>(p, SIMT_PC); }
SIMT_HOOK void __tsan_ignore_thread_begin() {}
SIMT_HOOK void __tsan_ignore_thread_end() {}

// Copies: kept as calls by -fno-builtin-*, sent here by the linker (--wrap).
extern "C" void* __real_memcpy(void*, const void*, std::size_t);
extern "C" void* __real_memmove(void*, const void*, std::size_t);
extern "C" void* __real_memset(void*, int, std::size_t);
SIMT_HOOK void* __wrap_memcpy(void* to, const void* from, std::size_t n) {
  hooks::range<false>(const_cast<void*>(from), n, SIMT_PC);
  hooks::range<true>(to, n, SIMT_PC);
  return __real_memcpy(to, from, n);
}
SIMT_HOOK void* __wrap_memmove(void* to, const void* from, std::size_t n) {
  hooks::range<false>(const_cast<void*>(from), n, SIMT_PC);
  hooks::range<true>(to, n, SIMT_PC);
  return __real_memmove(to, from, n);
}
SIMT_HOOK void* __wrap_memset(void* to, int byte, std::size_t n) {
  hooks::range<true>(to, n, SIMT_PC);
  return __real_memset(to, byte, n);
}
extern "C" int __real_pthread_mutex_unlock(pthread_mutex_t*);
SIMT_HOOK int __wrap_pthread_mutex_unlock(pthread_mutex_t* m) {
  host_unlocked();
  return __real_pthread_mutex_unlock(m);
}
// A thread that a callback starts comes after what the callback did, as after a lock that it gave up. libstdc++'s
// std::thread starts one in the library, by this function of its own.
extern "C" int __real_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
SIMT_HOOK int __wrap_pthread_create(pthread_t* to, const pthread_attr_t* how, void* (*body)(void*), void* with) {
  host_unlocked();
  return __real_pthread_create(to, how, body, with);
}
extern "C" void __real__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    void*, void*, void (*)());
SIMT_HOOK void __wrap__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    void* self, void* state, void (*depends)()) {
  host_unlocked();
  __real__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(self, state, depends);
}
// clang names them so where it keeps the builtin.
SIMT_HOOK void* __tsan_memcpy(void* to, const void* from, std::size_t n) { return __wrap_memcpy(to, from, n); }
// The same in loops that the compiler pass has made; site: null, or where it is noted where the call was made.
SIMT_HOOK void simt_loop_copy(void* to, void* from, std::size_t n, std::uintptr_t* site) {
  if (site != nullptr) __atomic_store_n(site, SIMT_PC, __ATOMIC_RELAXED);
  hooks::range<false>(from, n, SIMT_PC);
  hooks::range<true>(to, n, SIMT_PC);
}
SIMT_HOOK void* __tsan_memmove(void* to, const void* from, std::size_t n) { return __wrap_memmove(to, from, n); }
SIMT_HOOK void* __tsan_memset(void* to, int byte, std::size_t n) { return __wrap_memset(to, byte, n); }

// Atomics of the language (std::atomic_ref, __atomic_*): system scope. C11 orders: 0 relaxed ... 5 seq_cst.
inline event::order order_of(int mo) {
  switch (mo & 0x7fff) {
    case 0:
      return event::order::relaxed;
    case 1:
    case 2:
      return event::order::acquire;
    case 3:
      return event::order::release;
    case 4:
      return event::order::acq_rel;
    default:
      return event::order::seq_cst;
  }
}
template <class U>
U language_atomic(volatile U* p, atomic_action action, U a, U b, int mo, int failure, std::uintptr_t pc) {
  const atomic_request r{const_cast<U*>(p),    sizeof(U), action, a, b, order_of(mo), order_of(failure),
                         event::scope::system, pc};
  return static_cast<U>(atomic_hooks<bound_judge>::perform(r, perform_atomic<U, U>));
}

#define SIMT_UPDATE(bits, U, name, action)                                      \
  SIMT_HOOK U __tsan_atomic##bits##_##name(volatile U* p, U v, int mo) {        \
    return language_atomic<U>(p, atomic_action::action, v, 0, mo, mo, SIMT_PC); \
  }
#define SIMT_COMPARE_EXCHANGE(bits, U, strength)                                                           \
  SIMT_HOOK int __tsan_atomic##bits##_compare_exchange_##strength(volatile U* p, U* expected, U v, int mo, \
                                                                  int failure) {                           \
    const U want = *expected;                                                                              \
    *expected = language_atomic<U>(p, atomic_action::cas, v, want, mo, failure, SIMT_PC);                  \
    return *expected == want;                                                                              \
  }
#define SIMT_ATOMICS(bits, U)                                                                               \
  SIMT_HOOK U __tsan_atomic##bits##_load(const volatile U* p, int mo) {                                     \
    return language_atomic<U>(const_cast<volatile U*>(p), atomic_action::load, 0, 0, mo, mo, SIMT_PC);      \
  }                                                                                                         \
  SIMT_HOOK void __tsan_atomic##bits##_store(volatile U* p, U v, int mo) {                                  \
    language_atomic<U>(p, atomic_action::store, v, 0, mo, mo, SIMT_PC);                                     \
  }                                                                                                         \
  SIMT_HOOK U __tsan_atomic##bits##_compare_exchange_val(volatile U* p, U want, U v, int mo, int failure) { \
    return language_atomic<U>(p, atomic_action::cas, v, want, mo, failure, SIMT_PC);                        \
  }                                                                                                         \
  SIMT_COMPARE_EXCHANGE(bits, U, strong)                                                                    \
  SIMT_COMPARE_EXCHANGE(bits, U, weak)                                                                      \
  SIMT_UPDATE(bits, U, exchange, exch)                                                                      \
  SIMT_UPDATE(bits, U, fetch_add, add)                                                                      \
  SIMT_UPDATE(bits, U, fetch_sub, sub)                                                                      \
  SIMT_UPDATE(bits, U, fetch_and, and_)                                                                     \
  SIMT_UPDATE(bits, U, fetch_or, or_)                                                                       \
  SIMT_UPDATE(bits, U, fetch_xor, xor_)                                                                     \
  SIMT_UPDATE(bits, U, fetch_nand, nand)
SIMT_ATOMICS(8, std::uint8_t)
SIMT_ATOMICS(16, std::uint16_t)
SIMT_ATOMICS(32, std::uint32_t)
SIMT_ATOMICS(64, std::uint64_t)

SIMT_HOOK void __tsan_atomic_thread_fence(int mo) {
  atomic_hooks<bound_judge>::fence(order_of(mo), event::scope::system);
}
SIMT_HOOK void __tsan_atomic_signal_fence(int) {}

}  // namespace simt::sim::tsan_abi
// NOLINTEND(misc-definitions-in-headers)
