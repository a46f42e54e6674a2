// SPDX-License-Identifier: Apache-2.0
// Which device thread runs this code: for functions that, unlike those of our own API, get no simt::thread.
//
// The running stack (fiber) knows. In the sim variant that is three loads away from a thread-local pointer, inlined;
// in the check variant a call out of the instrumented code, which must not look into the engine itself.
#pragma once

#include <string_view>
#include <type_traits>

#include <simt/kernel.hpp>

#include "vector_types.hpp"

// How kernels contain the functions in which their threads wait. Where the compiler pass makes loops, these are what is
// left for fibers, and small code is worth more there than the nanoseconds of a call. Checked kernels need the place of
// the call in the kernel itself.
#if defined(SIMT_WAITS_ARE_CALLS)
#define SIMT_CUDA_WAIT [[gnu::noinline]]
#else
#define SIMT_CUDA_WAIT [[gnu::always_inline]]
#endif
// Two calls in two branches stay two, each with the line that reports name.
#if defined(__clang__)
#define SIMT_CUDA_UNMERGED [[clang::nomerge]]
#else
#define SIMT_CUDA_UNMERGED
#endif

namespace simt_cuda {

// True while a device thread runs on this OS thread.
bool on_device();
// The compilers write a lambda's type as (lambda at FILE:1:2), <lambda(int)> or f()::<lambda(int)>.
template <class F>
consteval bool is_lambda() {
  constexpr std::string_view signature = __PRETTY_FUNCTION__, type = signature.substr(signature.find("F = ") + 4);
  return std::is_class_v<F> && (type.starts_with("(lambda at ") ||
                                (type.find("<lambda(") != type.npos && type.find("<lambda(") == type.rfind("::") + 2) ||
                                type.starts_with("<lambda("));
}
// The running thread's carry of inline PTX, where functions hand it on, each with an asm statement of its own.
bool carry_of_thread();
void leave_carry(bool carry);

inline ::uint3 to_uint3(const simt::dim3& d) {
  return {static_cast<unsigned>(d.x), static_cast<unsigned>(d.y), static_cast<unsigned>(d.z)};
}

#if defined(SIMT_VARIANT_CHECK)
simt::thread self();
::uint3 thread_idx();
::uint3 block_idx();
::dim3 block_dim();
::dim3 grid_dim();
::dim3 cluster_dim();
// Where block `rank` of the running cluster keeps what lies at `mine` in this block's shared memory.
void* cluster_shared(void* mine, int rank);
constexpr void spin() {}  // accesses to volatile memory are places to switch at
#else
// The queue of stacks of the worker on this OS thread; set by the loop over threads.
extern __thread simt::sim::run_queue* running __attribute__((tls_model("initial-exec")));

// The place of a block in its grid, in two registers. CUDA's grids have at most 65,535 rows and planes.
struct place_in_grid {
  std::int64_t x;
  std::uint64_t y_and_z;
};
// Out of line: every use of self() would have its divisions, which take longer to compile than the rest of a kernel.
[[gnu::noinline, gnu::const]] inline place_in_grid place_of_block(std::int64_t block, std::int64_t gx,
                                                                  std::int64_t gy) {
  const std::int64_t row = block / gx;
  return {block % gx, static_cast<std::uint64_t>(row % gy) | static_cast<std::uint64_t>(row / gy) << 32U};
}

[[gnu::always_inline]] inline simt::thread self() {
  const simt::sim::fiber& f = *running->current;
  const simt::sim::thread_range& r = *f.range;
  simt::sim::block_context& b = *f.thread.block;
  const simt::sim::launch_state& l = *b.launch;
  const std::int64_t x = simt::sim::as_number(r.x), y = simt::sim::as_number(r.y), z = simt::sim::as_number(r.z);
  if (b.active) [[likely]]  // a thread has waited; divisions cost more than a wait
    return simt::thread(b, l, x, y, z, b.at[0], b.at[1], b.at[2]);
  const place_in_grid at = place_of_block(simt::sim::as_number(r.block), l.grid.x, l.grid.y);
  return simt::thread(b, l, x, y, z, at.x, static_cast<std::int64_t>(at.y_and_z & 0xffffffffU),
                      static_cast<std::int64_t>(at.y_and_z >> 32U));
}
[[gnu::always_inline]] inline ::uint3 thread_idx() { return to_uint3(self().thread_idx()); }
[[gnu::always_inline]] inline ::uint3 block_idx() { return to_uint3(self().block_idx()); }
[[gnu::always_inline]] inline ::dim3 block_dim() { return to_uint3(self().block_dim()); }
[[gnu::always_inline]] inline ::dim3 grid_dim() { return to_uint3(self().grid_dim()); }
inline ::dim3 cluster_dim() {
  const simt::thread t = self();
  return to_uint3(t.cluster().shape());
}
inline void* cluster_shared(void* mine, int rank) {
  const simt::thread t = self();
  return t.cluster().map_shared(static_cast<char*>(mine), rank);
}
// The budget of a loop is spent: others run. The caller's place is the loop's, for reports of hangs.
[[gnu::noinline]] inline void yield_in_loop() {
  running->current->thread.wait_pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  self().yield();
}
// One round of a loop that may wait for a volatile variable. The host calls functions with such loops, too, before the
// first launch and after others, and the compiler calls them for constants.
[[gnu::always_inline]] constexpr void spin() {
  if (__builtin_is_constant_evaluated() || running == nullptr || running->current == nullptr) return;
  simt::sim::block_context& b = *running->current->thread.block;
  if ((b.spin_budget -= simt::sim::kSpinCostLoad) < 0) [[unlikely]]
    yield_in_loop();
}
#endif

// The lanes that an operation of a tile names. `mask` leaves out those that a last warp does not have; in loops, which
// know them, the mask is to be seen to be a tile's.
[[gnu::always_inline]] inline unsigned lanes_of_tile(unsigned mask, unsigned size) {
  (void)size;
  return mask;
}

[[gnu::always_inline]] inline ::uint3 place_in(std::int64_t x, std::int64_t y, std::int64_t z) {
  return {static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)};
}

// assert() of thread t, which stands at pc.
[[noreturn]] void assert_failed_in(const simt::thread& t, const char* expression, const char* file, unsigned line,
                                   const char* function, const void* pc);

#if defined(SIMT_LOOPS)
// In loops over a block's threads no stack knows who runs, but the loops' indices do: there the compiler pass
// (sim/compile/substitutes.hpp) calls loops::f instead of f, with the loop function's parameters behind f's own.
namespace loops {
#define SIMT_LOOP_UNUSED                                                                                          \
  (void)b, (void)args, (void)arrays, (void)x, (void)y, (void)z, (void)dx, (void)dy, (void)dz, (void)bx, (void)by, \
      (void)bz, (void)gx, (void)gy, (void)gz
#define SIMT_IN_LOOPS(type, name, value)                                \
  [[gnu::used]] SIMT_UNWATCHED inline type name(SIMT_LOOP_PARAMETERS) { \
    SIMT_LOOP_UNUSED;                                                   \
    return value;                                                       \
  }
#if defined(SIMT_VARIANT_CHECK)
SIMT_IN_LOOPS(simt::thread, self, simt::thread(b, simt::sim::position_of(x, y, z)))
#else
SIMT_IN_LOOPS(void, spin, )  // loops that wait for others are none of those that are cut (sim/compile/waiting.hpp)
SIMT_IN_LOOPS(simt::thread, self,
              simt::thread(b, simt::sim::extent3{dx, dy, dz}, simt::sim::extent3{gx, gy, gz}, x, y, z, bx, by, bz))
#endif
SIMT_IN_LOOPS(::uint3, thread_idx, place_in(x, y, z))
SIMT_IN_LOOPS(::uint3, block_idx, place_in(bx, by, bz))
SIMT_IN_LOOPS(::dim3, block_dim, ::dim3(place_in(dx, dy, dz)))
SIMT_IN_LOOPS(::dim3, grid_dim, ::dim3(place_in(gx, gy, gz)))
SIMT_IN_LOOPS(bool, on_device, true)
#undef SIMT_IN_LOOPS
[[gnu::used]] SIMT_UNWATCHED inline unsigned lanes_of_tile(unsigned mask, unsigned size, SIMT_LOOP_PARAMETERS) {
  (void)mask;
  const simt::thread t = self(b, args, arrays, x, y, z, dx, dy, dz, bx, by, bz, gx, gy, gz);
  return size == 32 ? 0xffffffffu : ((1u << size) - 1) << (static_cast<unsigned>(t.lane()) & ~(size - 1));
}
// Cold and not inlined, so it is known to wait for nobody (is_cold_report in sim/compile/engine_calls.hpp).
[[noreturn, gnu::used, gnu::cold, gnu::noinline]] SIMT_UNWATCHED inline void assert_failed(
    const char* expression, const char* file, unsigned line, const char* function, SIMT_LOOP_PARAMETERS) {
  assert_failed_in(self(b, args, arrays, x, y, z, dx, dy, dz, bx, by, bz, gx, gy, gz), expression, file, line, function,
                   __builtin_return_address(0));
}
}  // namespace loops
#endif

}  // namespace simt_cuda
