// SPDX-License-Identifier: Apache-2.0
// The API's atomic operations in the check variant: which type is meant, and what the judge is told.
#include <cstring>

#include <backends/sim/atomics.hpp>
#include <backends/sim/bound_judge.hpp>
#include <backends/sim/thread.hpp>
#include <backends/sim/wide_atomics.hpp>
#include <sim/instrument/atomic_hooks.hpp>
#include <simt/bfloat16.hpp>
#include <simt/half.hpp>

namespace simt::sim {

namespace {

#define SIMT_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

using hooks = atomic_hooks<bound_judge>;

event::order to_event(memory_order o) { return static_cast<event::order>(o); }
event::scope to_event(simt::scope s) { return static_cast<event::scope>(s); }
static_assert(static_cast<int>(memory_order::seq_cst) == static_cast<int>(event::order::seq_cst));
static_assert(static_cast<int>(simt::scope::system) == static_cast<int>(event::scope::system));

constexpr std::uint32_t size_of(atomic_type t) {
  switch (t) {
    case atomic_type::s8:
    case atomic_type::u8:
      return 1;
    case atomic_type::s16:
    case atomic_type::u16:
    case atomic_type::f16:
    case atomic_type::bf16:
      return 2;
    case atomic_type::s32:
    case atomic_type::u32:
    case atomic_type::f32:
      return 4;
    default:
      return 8;
  }
}

std::uint64_t perform(void* p, atomic_type type, atomic_action action, std::uint64_t a, std::uint64_t b, bool& wrote,
                      bool alone) {
  switch (type) {
    case atomic_type::u8:
      return perform_atomic<std::uint8_t, std::uint8_t>(p, action, a, b, wrote, alone);
    case atomic_type::u16:
      return perform_atomic<std::uint16_t, std::uint16_t>(p, action, a, b, wrote, alone);
    case atomic_type::s8:
      return perform_atomic<std::int8_t, std::uint8_t>(p, action, a, b, wrote, alone);
    case atomic_type::s16:
      return perform_atomic<std::int16_t, std::uint16_t>(p, action, a, b, wrote, alone);
    case atomic_type::s32:
      return perform_atomic<std::int32_t, std::uint32_t>(p, action, a, b, wrote, alone);
    case atomic_type::u32:
      return perform_atomic<std::uint32_t, std::uint32_t>(p, action, a, b, wrote, alone);
    case atomic_type::s64:
      return perform_atomic<std::int64_t, std::uint64_t>(p, action, a, b, wrote, alone);
    case atomic_type::u64:
      return perform_atomic<std::uint64_t, std::uint64_t>(p, action, a, b, wrote, alone);
    case atomic_type::f16:
      return perform_atomic<half, std::uint16_t>(p, action, a, b, wrote, alone);
    case atomic_type::bf16:
      return perform_atomic<bfloat16, std::uint16_t>(p, action, a, b, wrote, alone);
    case atomic_type::f32:
      return perform_atomic<float, std::uint32_t>(p, action, a, b, wrote, alone);
    case atomic_type::f64:
      return perform_atomic<double, std::uint64_t>(p, action, a, b, wrote, alone);
  }
  return 0;
}

// pc: where it is done.
[[gnu::noinline]] std::uint64_t perform_watched(void* p, atomic_type type, atomic_action action, std::uint64_t a,
                                                std::uint64_t b, memory_order o, simt::scope s, event::update_form form,
                                                std::uintptr_t pc) {
  const bool is_sum = !event::is_read(form) && (type == atomic_type::s32 || type == atomic_type::u32) &&
                      (action == atomic_action::add || action == atomic_action::sub);
  const atomic_request r{p, size_of(type), action, a, b, to_event(o), to_event(o), to_event(s), pc, form, is_sum};
  return hooks::perform(r, [type](void* at, atomic_action what, std::uint64_t x, std::uint64_t y, bool& wrote,
                                  bool alone) { return perform(at, type, what, x, y, wrote, alone); });
}

bool is_integer_sum(atomic_type type, atomic_action action) {
  return action == atomic_action::add && (type == atomic_type::s32 || type == atomic_type::u32);
}

// An update of a word or two: the hooks may take it before it is done.
bool may_be_told_before(atomic_type type, atomic_action action) {
  return action != atomic_action::load && action != atomic_action::store && action != atomic_action::cas &&
         size_of(type) >= 4;
}

// What is not put off: in device memory, or in shared memory that others may come to.
[[gnu::noinline]] std::uint64_t perform_in_memory(void* p, atomic_type type, atomic_action action, std::uint64_t a,
                                                  std::uint64_t b, memory_order o, simt::scope s,
                                                  event::update_form form, std::uintptr_t pc) {
  const std::uint32_t bytes = size_of(type);
  if (!may_be_told_before(type, action) || !hooks::put_in_log(p, bytes, to_event(o), to_event(s), pc))
    return perform_watched(p, type, action, a, b, o, s, form, pc);
  bool wrote = false;
  const std::uint64_t old = is_integer_sum(type, action)
                                ? perform_atomic<std::uint32_t, std::uint32_t>(p, atomic_action::add, a, b, wrote)
                                : perform(p, type, action, a, b, wrote, false);
  hooks::is_put_off(action, old, a, bytes);
  return old;
}

[[gnu::noinline]] std::uint64_t perform_other(void* p, atomic_type type, atomic_action action, std::uint64_t a,
                                              std::uint64_t b, memory_order o, simt::scope s, event::update_form form,
                                              std::uintptr_t pc) {
  const std::uint32_t bytes = size_of(type);
  if (!may_be_told_before(type, action) || !hooks::put_off(p, bytes, to_event(o), to_event(s), pc))
    return perform_in_memory(p, type, action, a, b, o, s, form, pc);
  bool wrote = false;
  const std::uint64_t old = perform(p, type, action, a, b, wrote, true);
  hooks::is_put_off(action, old, a, bytes);
  return old;
}

// In each function that instrumented code calls: a bin of a histogram in shared memory takes longer to ask about than
// to add to.
[[gnu::always_inline]] inline std::uint64_t perform(void* p, atomic_type type, atomic_action action, std::uint64_t a,
                                                    std::uint64_t b, memory_order o, simt::scope s,
                                                    event::update_form form, std::uintptr_t pc) {
  if (!is_integer_sum(type, action)) [[unlikely]]
    return perform_other(p, type, action, a, b, o, s, form, pc);
  if (!hooks::put_off(p, 4, to_event(o), to_event(s), pc))
    return perform_in_memory(p, type, action, a, b, o, s, form, pc);
  bool wrote = false;
  const std::uint64_t old = perform_atomic<std::uint32_t, std::uint32_t>(p, atomic_action::add, a, b, wrote, true);
  hooks::is_put_off(atomic_action::add, old, a, 4);
  return old;
}

// Where p is no multiple of 16, it is done in several steps: the judge reports it.
wide_bits perform_wide(void* p, atomic_action action, wide_bits a, wide_bits b, bool& wrote) {
  const bool any = action == atomic_action::exch || action == atomic_action::store;  // whatever stands there
  wide_bits seen = b;
  if (reinterpret_cast<std::uintptr_t>(p) % 16 != 0) {
    std::memcpy(&seen, p, sizeof seen);
    wrote = action != atomic_action::load && (any || seen == b);
    if (wrote) std::memcpy(p, &a, sizeof a);
    return seen;
  }
  wrote = wide_swap_or_any(p, any, seen, a) && action != atomic_action::load;
  return seen;
}

}  // namespace

wide_bits checked_wide_atomic(void* p, atomic_action action, wide_bits a, wide_bits b, memory_order o, simt::scope s) {
  wide_bits old{};
  const atomic_request r{p, 16, action, a.low, b.low, to_event(o), to_event(o), to_event(s), SIMT_PC};
  hooks::perform(r, [&](void* at, atomic_action what, std::uint64_t, std::uint64_t, bool& wrote, bool) {
    old = perform_wide(at, what, a, b, wrote);
    return old == a ? a.low : ~a.low;  // whether it left memory as it was
  });
  return old;
}

std::uint64_t checked_atomic(void* p, atomic_type type, atomic_action action, std::uint64_t a, std::uint64_t b,
                             memory_order o, simt::scope s) {
  return perform(p, type, action, a, b, o, s, event::update_form::atomic, SIMT_PC);
}

void checked_fence(memory_order o, simt::scope s) { hooks::fence(to_event(o), to_event(s)); }

}  // namespace simt::sim

// What the compiler's plugin calls instead of checked_atomic where a GPU has another instruction for it
// (sim/compile/update_forms.hpp).
#define SIMT_UPDATE_AS(name, form)                                                                            \
  extern "C" __attribute__((used)) std::uint64_t name(void* p, simt::sim::atomic_type type,                   \
                                                      simt::sim::atomic_action action, std::uint64_t a,       \
                                                      std::uint64_t b, simt::memory_order o, simt::scope s) { \
    return simt::sim::perform(p, type, action, a, b, o, s, simt::sim::event::update_form::form, SIMT_PC);     \
  }
SIMT_UPDATE_AS(simt_reduction, reduction)
SIMT_UPDATE_AS(simt_increment, increment)
SIMT_UPDATE_AS(simt_reduction_of_warp, reduction_of_warp)
SIMT_UPDATE_AS(simt_atomic_of_warp, atomic_of_warp)
SIMT_UPDATE_AS(simt_atomic_of_full_warp, atomic_of_full_warp)
