// SPDX-License-Identifier: Apache-2.0
// The functions that -fsanitize=thread compiles into device code. libtsan is never linked: these are ours.
//
// Each one finds the running device thread and hands the access to the detector; from host code of the same module
// only device addresses matter. This file decides nothing and must be compiled without instrumentation.
#include <pthread.h>

#include <backends/sim/access_cursor.hpp>
#include <backends/sim/checked_atomic.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sim/check/hot.hpp>

using namespace simt::sim;
namespace check = simt::check;

#define SIMT_HOOK extern "C" __attribute__((visibility("hidden"), used))
#define SIMT_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

// What backends/sim/inline_checks.hpp knows.
static_assert(offsetof(running_thread, next) == 0 && offsetof(running_thread, top) == 8 && offsetof(running_thread, top_end) == 16 &&
              offsetof(running_thread, exit_pc) == 24);
static_assert(offsetof(check::row_entry, pc) == 0 && offsetof(check::row_entry, address) == 8 && offsetof(check::row_entry, stride) == 16 &&
              sizeof(check::row_entry) == 24);

namespace {

using announce = bool (*)(check::thread_state&, std::uintptr_t, std::uint32_t, std::uintptr_t);

template <announce Announce, bool Write>
inline void access(void* p, std::uint32_t bytes, std::uintptr_t pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  check::thread_state* const t = cursor.state();
  if (t == nullptr) [[unlikely]] {
    host_access(address, bytes, Write, pc);
    return;
  }
  if (cursor.is_local(address)) return;
  ++cursor.steps;
  cursor.pc = pc;
  if constexpr (Write) ++cursor.writes;
  if (cursor.every_access_switches) [[unlikely]]
    schedule_point();
  if (!Announce(*t, address, bytes, pc)) [[unlikely]]
    foreign_access(address, bytes, *t, Write, pc);
}

template <bool Write, std::uint32_t Size>
[[gnu::always_inline]] inline bool beyond_glance(check::thread_state& t, std::uintptr_t address, std::uint32_t, std::uintptr_t pc) {
  if constexpr (Size >= 4)
    if (check::hot_access<Write, Size>(t, address, pc)) [[likely]]
      return true;
  return check::cold_access<Write, Size>(t, address, pc, true);
}

// In no row.
template <announce Announce, bool Write>
inline void lone_access(void* p, std::uint32_t bytes, std::uintptr_t pc) {
  settle_rows();
  access<Announce, Write>(p, bytes, pc);
}

// What the quick looks leave over. Out of line and last, like the looks among themselves: then each is a leaf that saves no
// registers.
template <bool Write, std::uint32_t Size>
[[gnu::noinline]] void other_scalar(void* p, std::uintptr_t pc) {
  access<beyond_glance<Write, Size>, Write>(p, Size, pc);
}

// True: the access is done.
template <bool Write, std::uint32_t Size, bool Again>
[[gnu::always_inline]] inline bool look(void* p, std::uintptr_t pc) {
  access_cursor& c = cursor;
  // The thread's own stack is neither device nor shared memory.
  check::thread_state* const t = c.state();
  if (t == nullptr || c.every_access_switches) [[unlikely]]
    return false;
  c.pc = pc;
  if (!check::glance<Write, Size, Again>(*t, reinterpret_cast<std::uintptr_t>(p), pc)) return false;
  ++c.steps;
  if constexpr (Write) ++c.writes;
  return true;
}

template <bool Write, std::uint32_t Size>
[[gnu::noinline]] void look_again(void* p, std::uintptr_t pc) {
  if (!look<Write, Size, true>(p, pc)) other_scalar<Write, Size>(p, pc);
}

template <bool Write, std::uint32_t Size>
[[gnu::always_inline]] inline void judge_scalar(void* p, std::uintptr_t pc) {
  if (!look<Write, Size, false>(p, pc)) [[unlikely]]
    look_again<Write, Size>(p, pc);
}

// In a segment of a row, but not what the row expects next: judged, and noted for the threads that follow.
template <bool Write, std::uint32_t Size>
[[gnu::noinline]] void in_row(void* p, std::uintptr_t pc) {
  access_cursor& c = cursor;
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (c.is_local(address)) return;
  if (c.rows->follows()) {
    catch_up();
    c.rows->deviate(c.next);
    take_counts();
    c.next = &check::no_row;
  }
  judge_scalar<Write, Size>(p, pc);
  if (!c.in_row) return;
  const check::block_state& b = *c.state()->block;
  const bool cells = address - b.device.base < b.device.size || address - b.shared.base < b.quick_shared;
  if (!cells || (address & (Size - 1)) != 0) return end_rows();
  c.rows->note(pc, address, Size, Write, c.calls()->active());
  c.in_row = c.rows->notes();
}
template <bool Write, std::uint32_t Size>
[[gnu::noinline]] void not_in_row(void* p, std::uintptr_t pc) {
  if (cursor.in_row) return in_row<Write, Size>(p, pc);
  judge_scalar<Write, Size>(p, pc);
}

template <bool Write, std::uint32_t Size>
[[gnu::always_inline]] inline void scalar(void* p, std::uintptr_t pc) {
  if constexpr (Size >= 4) {
    check::row_entry& e = *cursor.next;
    if (e.pc == pc && e.address == reinterpret_cast<std::uintptr_t>(p)) [[likely]] {
      e.address += static_cast<std::uintptr_t>(e.stride);
      cursor.next = &e + 1;
      return;
    }
    not_in_row<Write, Size>(p, pc);
  } else {
    if (cursor.state() != nullptr && cursor.is_local(reinterpret_cast<std::uintptr_t>(p))) return;
    settle_rows();
    other_scalar<Write, Size>(p, pc);
  }
}

// Volatile accesses may be turns of a spin. The host's are flags: x86 keeps the order of its loads, and of its stores.
template <announce Announce, bool Write>
inline void volatile_access(void* p, std::uint32_t bytes, std::uintptr_t pc) {
  const bool on_device = on_device_thread();
  if (!on_device && bytes <= 8) {
    host_atomic(reinterpret_cast<std::uintptr_t>(p), bytes, Write ? check::atomic_op::store : check::atomic_op::load, false,
                Write ? check::order::release : check::order::acquire, pc);
    return;
  }
  settle_rows();
  // Others run before the announcement if at all: after it the load must come at once.
  if (on_device && !Write) {
    cursor.pc = pc;  // where it waits
    spend_checked(kSpinCostLoad);
  }
  access<Announce, Write>(p, bytes, pc);
}

template <bool Write>
inline void range(void* p, std::size_t bytes, std::uintptr_t pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  check::thread_state* const t = cursor.state();
  if (bytes == 0) return;
  if (t == nullptr) {
    host_access(address, bytes, Write, pc);
    return;
  }
  if (cursor.is_local(address)) return;
  settle_rows();
  ++cursor.steps;
  cursor.pc = pc;
  if (cursor.every_access_switches) schedule_point();
  const bool ours = Write ? check::write_range(*t, address, bytes, pc) : check::read_range(*t, address, bytes, pc);
  if (!ours) foreign_access(address, bytes, *t, Write, pc);
}

}  // namespace

SIMT_HOOK void __tsan_init() {}
namespace {
// The first call of a thread since it waited, one that is too deep, or one of the host's, which nobody follows.
[[gnu::noinline]] void enter_other(void* caller) {
  access_cursor& c = cursor;
  shadow_stack* const s = c.take_calls();
  if (s == nullptr) return;
  if (c.top != c.top_end)
    *c.top++ = reinterpret_cast<std::uintptr_t>(caller);
  else
    ++s->deeper;
}
[[gnu::noinline]] void leave_other(std::uintptr_t pc) {
  access_cursor& c = cursor;
  shadow_stack* const s = c.take_calls();
  if (s == nullptr) return;
  c.exit_pc = pc;
  if (s->deeper > 0)
    --s->deeper;
  else if (c.top != s->frames)
    --c.top;
}
}  // namespace
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

#define SIMT_ACCESSES(n)                                                                                               \
  SIMT_HOOK void __tsan_read##n(void* p) { scalar<false, n>(p, SIMT_PC); }                                             \
  SIMT_HOOK void __tsan_write##n(void* p) { scalar<true, n>(p, SIMT_PC); }                                             \
  SIMT_HOOK void __tsan_read##n##_pc(void* p, void* pc) { scalar<false, n>(p, reinterpret_cast<std::uintptr_t>(pc)); } \
  SIMT_HOOK void __tsan_write##n##_pc(void* p, void* pc) { scalar<true, n>(p, reinterpret_cast<std::uintptr_t>(pc)); } \
  SIMT_HOOK void __tsan_unaligned_read##n(void* p) { lone_access<check::read_unaligned, false>(p, n, SIMT_PC); }       \
  SIMT_HOOK void __tsan_unaligned_write##n(void* p) { lone_access<check::write_unaligned, true>(p, n, SIMT_PC); }      \
  SIMT_HOOK void __tsan_volatile_read##n(void* p) { volatile_access<check::read_volatile, false>(p, n, SIMT_PC); }     \
  SIMT_HOOK void __tsan_volatile_write##n(void* p) { volatile_access<check::write_volatile, true>(p, n, SIMT_PC); }    \
  SIMT_HOOK void __tsan_unaligned_volatile_read##n(void* p) {                                                          \
    volatile_access<check::read_volatile, false>(p, n, SIMT_PC);                                                       \
  }                                                                                                                    \
  SIMT_HOOK void __tsan_unaligned_volatile_write##n(void* p) {                                                         \
    volatile_access<check::write_volatile, true>(p, n, SIMT_PC);                                                       \
  }                                                                                                                    \
  SIMT_HOOK void __tsan_read_write##n(void* p) {                                                                       \
    scalar<false, n>(p, SIMT_PC);                                                                                      \
    scalar<true, n>(p, SIMT_PC);                                                                                       \
  }                                                                                                                    \
  SIMT_HOOK void __tsan_unaligned_read_write##n(void* p) {                                                             \
    lone_access<check::read_unaligned, false>(p, n, SIMT_PC);                                                          \
    lone_access<check::write_unaligned, true>(p, n, SIMT_PC);                                                          \
  }
SIMT_ACCESSES(1)
SIMT_ACCESSES(2)
SIMT_ACCESSES(4)
SIMT_ACCESSES(8)
SIMT_ACCESSES(16)

SIMT_HOOK void __tsan_read_range(void* p, unsigned long n) { range<false>(p, n, SIMT_PC); }
SIMT_HOOK void __tsan_write_range(void* p, unsigned long n) { range<true>(p, n, SIMT_PC); }
SIMT_HOOK void __tsan_read_range_pc(void* p, unsigned long n, void* pc) {
  range<false>(p, n, reinterpret_cast<std::uintptr_t>(pc));
}
SIMT_HOOK void __tsan_write_range_pc(void* p, unsigned long n, void* pc) {
  range<true>(p, n, reinterpret_cast<std::uintptr_t>(pc));
}
SIMT_HOOK void __tsan_vptr_update(void** p, void*) { lone_access<check::write, true>(p, 8, SIMT_PC); }
SIMT_HOOK void __tsan_vptr_read(void** p) { lone_access<check::read, false>(p, 8, SIMT_PC); }
SIMT_HOOK void __tsan_ignore_thread_begin() {}
SIMT_HOOK void __tsan_ignore_thread_end() {}

// Copies: kept as calls by -fno-builtin-*, sent here by the linker (--wrap).
extern "C" void* __real_memcpy(void*, const void*, std::size_t);
extern "C" void* __real_memmove(void*, const void*, std::size_t);
extern "C" void* __real_memset(void*, int, std::size_t);
SIMT_HOOK void* __wrap_memcpy(void* to, const void* from, std::size_t n) {
  range<false>(const_cast<void*>(from), n, SIMT_PC);
  range<true>(to, n, SIMT_PC);
  return __real_memcpy(to, from, n);
}
SIMT_HOOK void* __wrap_memmove(void* to, const void* from, std::size_t n) {
  range<false>(const_cast<void*>(from), n, SIMT_PC);
  range<true>(to, n, SIMT_PC);
  return __real_memmove(to, from, n);
}
SIMT_HOOK void* __wrap_memset(void* to, int byte, std::size_t n) {
  range<true>(to, n, SIMT_PC);
  return __real_memset(to, byte, n);
}
extern "C" int __real_pthread_mutex_unlock(pthread_mutex_t*);
SIMT_HOOK int __wrap_pthread_mutex_unlock(pthread_mutex_t* m) {
  host_unlocked();
  return __real_pthread_mutex_unlock(m);
}
// clang names them so where it keeps the builtin.
SIMT_HOOK void* __tsan_memcpy(void* to, const void* from, std::size_t n) { return __wrap_memcpy(to, from, n); }
SIMT_HOOK void* __tsan_memmove(void* to, const void* from, std::size_t n) { return __wrap_memmove(to, from, n); }
SIMT_HOOK void* __tsan_memset(void* to, int byte, std::size_t n) { return __wrap_memset(to, byte, n); }

// Atomics of the language (std::atomic_ref, __atomic_*): system scope. C11 orders: 0 relaxed ... 5 seq_cst.
namespace {
simt::memory_order order_of(int mo) {
  switch (mo & 0x7fff) {
    case 0:
      return simt::memory_order::relaxed;
    case 1:
    case 2:
      return simt::memory_order::acquire;
    case 3:
      return simt::memory_order::release;
    case 4:
      return simt::memory_order::acq_rel;
    default:
      return simt::memory_order::seq_cst;
  }
}
template <class U>
U language_atomic(volatile U* p, atomic_action action, U a, U b, int mo, int failure, std::uintptr_t pc) {
  constexpr atomic_type type = sizeof(U) == 1   ? atomic_type::u8
                               : sizeof(U) == 2 ? atomic_type::u16
                               : sizeof(U) == 4 ? atomic_type::u32
                                                : atomic_type::u64;
  return static_cast<U>(atomic_at(const_cast<U*>(p), type, action, a, b, order_of(mo), order_of(failure), simt::scope::system, pc));
}
}  // namespace

#define SIMT_UPDATE(bits, U, name, action)                                      \
  SIMT_HOOK U __tsan_atomic##bits##_##name(volatile U* p, U v, int mo) {        \
    return language_atomic<U>(p, atomic_action::action, v, 0, mo, mo, SIMT_PC); \
  }
#define SIMT_COMPARE_EXCHANGE(bits, U, strength)                                                                          \
  SIMT_HOOK int __tsan_atomic##bits##_compare_exchange_##strength(volatile U* p, U* expected, U v, int mo, int failure) { \
    const U want = *expected;                                                                                             \
    *expected = language_atomic<U>(p, atomic_action::cas, v, want, mo, failure, SIMT_PC);                                 \
    return *expected == want;                                                                                             \
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

SIMT_HOOK void __tsan_atomic_thread_fence(int mo) { checked_fence(order_of(mo), simt::scope::system); }
SIMT_HOOK void __tsan_atomic_signal_fence(int) {}
