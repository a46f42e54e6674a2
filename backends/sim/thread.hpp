// SPDX-License-Identifier: Apache-2.0
// simt::thread on the simulator: who am I, and everything that a thread can ask for. Included by <simt/kernel.hpp>.
//
// A small handle passed by value. In the sim variant its methods are inlined into the kernel; in the check variant
// whatever changes the engine's state is a call out of the instrumented code.
#pragma once

#include <cstddef>
#include <cstdio>

#include <backends/sim/async_copy.hpp>
#include <backends/sim/atomics.hpp>
#include <backends/sim/grid.hpp>
#include <backends/sim/prefetching_range.hpp>
#include <backends/sim/warp.hpp>
#include <backends/sim/wide_atomics.hpp>
#include <sim/exec/executors/fiber_calls.hpp>
#include <sim/exec/launch.hpp>
#include <sim/instrument/checked_calls.hpp>
#include <sim/instrument/inline_checks.hpp>
#include <sim/instrument/thread_place.hpp>
#include <sim/instrument/thread_position.hpp>
#include <simt/dim3.hpp>
#include <simt/type_name.hpp>
#include <simt/view.hpp>

namespace simt {

namespace sim {
// Out-of-line services, backends/sim/services.cpp.
// pc: the place to name; null: the caller's.
[[noreturn]] void trap_thread(block_context& b, std::int32_t rank, std::int64_t block_index, fault_kind kind,
                              const char* text, const void* pc = nullptr);
[[gnu::format(printf, 1, 2)]] void print_from_thread(const char* format, ...);
// Nanoseconds since some moment, and the same in steps of the simulated device's clock (device_properties::clock_khz).
std::uint64_t now_ns();
// All clocks of the device go forward by so much at once.
void let_time_pass(std::uint64_t ns);
std::int64_t now_steps();
#if defined(SIMT_VARIANT_CHECK)
void checked_fence(memory_order order, simt::scope s);
#endif

// One static array of shared memory: the same name and type is the same array in every thread of a block.
template <fixed_string Name, class T>
struct shared_slot {
  using element = std::remove_all_extents_t<T>;
  static shared_key make() {
    shared_key key{};
    key.name = Name.text;
    static const std::string type(type_name<element>());
    key.type = type.c_str();
    key.bytes = sizeof(T);
    key.align = alignof(T) > 16 ? alignof(T) : 16;
    key.element_bytes = sizeof(element);
    key.rank = static_cast<std::int32_t>(std::rank_v<T>);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((key.extents[I] = static_cast<std::uint32_t>(std::extent_v<T, I>)), ...);
    }
    (std::make_index_sequence<(std::rank_v<T> < 4 ? std::rank_v<T> : 4)>());
    key.id = register_shared_key();
    return key;
  }
  static inline const shared_key key = make();
};

// What reports call the dynamic shared memory of a block: its elements are of the type that is asked for first.
template <class T>
struct dynamic_shared_slot {
  static shared_key make() {
    static const std::string type(type_name<T>());
    shared_key key{};
    key.name = "dynamic shared memory";
    key.type = type.c_str();
    key.element_bytes = sizeof(T);
    key.rank = 1;
    return key;
  }
  static inline const shared_key key = make();
};
}  // namespace sim

class thread : public sim::warp_operations<thread>,
               public sim::grid_operations<thread>,
               public sim::async_operations<thread> {
 public:
#if defined(SIMT_VARIANT_CHECK)
  SIMT_INLINE thread(sim::block_context& b, std::uint64_t position) : block_(&b), position_(position) {}
#else
  SIMT_INLINE thread(sim::block_context& b, sim::extent3 block, sim::extent3 grid, std::int64_t tx, std::int64_t ty,
                     std::int64_t tz, std::int64_t bx, std::int64_t by, std::int64_t bz)
      : block_(&b),
        tx_(tx),
        ty_(ty),
        tz_(tz),
        bx_(bx),
        by_(by),
        bz_(bz),
        dx_(block.x),
        dy_(block.y),
        dz_(block.z),
        gx_(grid.x),
        gy_(grid.y),
        gz_(grid.z) {}
  SIMT_INLINE thread(sim::block_context& b, const sim::launch_state& l, std::int64_t tx, std::int64_t ty,
                     std::int64_t tz, std::int64_t bx, std::int64_t by, std::int64_t bz)
      : thread(b, l.block, l.grid, tx, ty, tz, bx, by, bz) {}
#endif

  // CUDA: threadIdx, blockIdx, blockDim, gridDim.
  SIMT_INLINE dim3 thread_idx() const { return {tx(), ty(), tz()}; }
  SIMT_INLINE dim3 block_idx() const { return {bx(), by(), bz()}; }
  SIMT_INLINE dim3 block_dim() const { return {dx(), dy(), dz()}; }
  SIMT_INLINE dim3 grid_dim() const { return {gx(), gy(), gz()}; }

  // Absolute position in the grid: an integer in one dimension, {x, y} or {x, y, z} in more.
  template <int N>
  SIMT_INLINE auto grid() const {
    static_assert(N >= 1 && N <= 3);
    if constexpr (N == 1)
      return origin_x() + tx();
    else if constexpr (N == 2)
      return position2{origin_x() + tx(), origin_y() + ty()};
    else
      return position3{origin_x() + tx(), origin_y() + ty(), origin_z() + tz()};
  }
  // Threads of the whole grid, likewise.
  template <int N>
  SIMT_INLINE auto grid_size() const {
    static_assert(N >= 1 && N <= 3);
    if constexpr (N == 1)
      return gx() * dx();
    else if constexpr (N == 2)
      return position2{gx() * dx(), gy() * dy()};
    else
      return position3{gx() * dx(), gy() * dy(), gz() * dz()};
  }
  // for (auto i : t.grid_stride(n)): every i below n is visited by exactly one thread of a one-dimensional grid.
  SIMT_INLINE strided_range grid_stride(std::int64_t n) const { return {origin_x() + tx(), n, gx() * dx()}; }
  // The same for the elements of a view, whose size it takes; the simulator fetches them ahead.
  template <class T>
  SIMT_INLINE auto grid_stride(const view<T>& v) const {
#if defined(SIMT_VARIANT_CHECK)
    return grid_stride(v.size());
#else
    return sim::prefetching_range(v.data_handle(), sizeof(T), origin_x() + tx(), v.size(), gx() * dx());
#endif
  }
  // The same within the block.
  SIMT_INLINE strided_range block_stride(std::int64_t n) const { return {rank(), n, dx() * dy() * dz()}; }

  // Linear index in the block, x fastest; its warp and its lane in that warp (PTX ISA, %laneid).
  SIMT_INLINE int rank() const { return static_cast<int>(tx() + dx() * (ty() + dy() * tz())); }
  SIMT_INLINE int warp() const { return rank() / kWarpSize; }
  SIMT_INLINE int lane() const { return rank() % kWarpSize; }
  static constexpr int kWarpSize = 32;

  // Waits for every thread of the block that has not left the kernel (CUDA: __syncthreads). Orders all their memory
  // accesses before it against all after it.
  [[gnu::always_inline]] void sync() const {
#if defined(SIMT_VARIANT_CHECK)
    SIMT_OWN_PLACE sim::checked_barrier(*block_);
#else
    sim::block_barrier(*block_, rank(), block_index());
#endif
  }
  // The same, and for how many threads p holds / whether for all / for any (CUDA: __syncthreads_count/and/or).
  [[gnu::always_inline]] int sync_count(bool p) const { return vote(p); }
  [[gnu::always_inline]] bool sync_and(bool p) const { return vote(!p) == 0; }
  [[gnu::always_inline]] bool sync_or(bool p) const { return vote(p) != 0; }

  // Atomics: the old value; relaxed order and device scope unless said otherwise, as CUDA's atomicAdd and friends.
#define SIMT_THREAD_RMW(name, action)                                                                             \
  template <class T>                                                                                              \
  [[gnu::always_inline]] T atomic_##name(T& x, std::type_identity_t<T> v, memory_order o = memory_order::relaxed, \
                                         scope s = scope::device) const {                                         \
    return sim::atomics<T>::action(*block_, rank(), block_index(), x, v, o, s);                                   \
  }
  SIMT_THREAD_RMW(add, add)
  SIMT_THREAD_RMW(sub, sub)
  SIMT_THREAD_RMW(min, min)
  SIMT_THREAD_RMW(max, max)
  SIMT_THREAD_RMW(and, and_)
  SIMT_THREAD_RMW(or, or_)
  SIMT_THREAD_RMW(xor, xor_)
  SIMT_THREAD_RMW(exch, exch)
  SIMT_THREAD_RMW(inc, inc)  // x >= v ? 0 : x + 1
  SIMT_THREAD_RMW(dec, dec)  // x == 0 || x > v ? v : x - 1
#undef SIMT_THREAD_RMW
  // Stores `desired` if x == expected; the old value either way.
  template <class T>
  [[gnu::always_inline]] T atomic_cas(T& x, std::type_identity_t<T> expected, std::type_identity_t<T> desired,
                                      memory_order o = memory_order::relaxed, scope s = scope::device) const {
    return sim::atomics<T>::cas(*block_, rank(), block_index(), x, expected, desired, o, s);
  }
  template <class T>
  [[gnu::always_inline]] T atomic_load(const T& x, memory_order o = memory_order::relaxed,
                                       scope s = scope::device) const {
    return sim::atomics<T>::load(*block_, rank(), block_index(), const_cast<T&>(x), o, s);
  }
  template <class T>
  [[gnu::always_inline]] void atomic_store(T& x, std::type_identity_t<T> v, memory_order o = memory_order::relaxed,
                                           scope s = scope::device) const {
    sim::atomics<T>::store(*block_, rank(), block_index(), x, v, o, s);
  }

  // Fences (CUDA: __threadfence_block, __threadfence, __threadfence_system).
  [[gnu::always_inline]] void fence(memory_order o = memory_order::seq_cst, scope s = scope::device) const {
#if defined(SIMT_VARIANT_CHECK)
    sim::checked_fence(o, s);
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    (void)o;
    (void)s;
    sim::spend(*block_, sim::kSpinCostLoad, rank(), block_index());
#endif
  }
  [[gnu::always_inline]] void threadfence_block() const { fence(memory_order::seq_cst, scope::block); }
  [[gnu::always_inline]] void threadfence() const { fence(memory_order::seq_cst, scope::device); }
  [[gnu::always_inline]] void threadfence_system() const { fence(memory_order::seq_cst, scope::system); }

  // Static shared memory: t.shared<"tile", float[16][16]>() is float (&)[16][16], uninitialised, one a block. The name
  // and type identify the array; it stands in reports. At most 48 KiB in all, as on a GPU.
  template <fixed_string Name, class T>
  [[gnu::always_inline]] T& shared() const {
    static_assert(std::is_trivially_copyable_v<std::remove_all_extents_t<T>>);
    static_assert(sizeof(T) <= 48 * 1024, "static shared memory is limited to 48 KiB a block; use dynamic_shared");
#if defined(SIMT_VARIANT_CHECK)
    return *reinterpret_cast<T*>(sim::checked_shared(*block_, sim::shared_slot<Name, T>::key));
#else
    return *reinterpret_cast<T*>(sim::shared_address(*block_, sim::shared_slot<Name, T>::key));
#endif
  }
  // The block's dynamic shared memory, as large as the launch asked for.
  template <class T>
  SIMT_INLINE T* dynamic_shared() const {
#if defined(SIMT_VARIANT_CHECK)
    return reinterpret_cast<T*>(sim::checked_dynamic_shared(*block_, sim::dynamic_shared_slot<T>::key));
#else
    return reinterpret_cast<T*>(block_->shared);
#endif
  }
  SIMT_INLINE std::int64_t dynamic_shared_bytes() const {
#if defined(SIMT_VARIANT_CHECK)
    return sim::checked_dynamic_shared_bytes(*block_);
#else
    return block_->launch->dynamic_shared;
#endif
  }

  // Writes to the host's standard output when the launch is done or earlier; the text of one call stays together.
  template <class... A>
  void printf(const char* format, A... a) const {
    sim::print_from_thread(format, a...);
  }
  // Ends the launch as failed (CUDA: __trap).
  [[noreturn]] SIMT_INLINE void trap() const {
    sim::trap_thread(*block_, rank(), block_index(), sim::fault_kind::trap, "");
  }
  // Ends the launch as failed unless `ok`; `what` stands in the report.
  void expect(bool ok, const char* what = "device assertion failed") const {
    if (!ok) [[unlikely]]
      sim::trap_thread(*block_, rank(), block_index(), sim::fault_kind::expectation, what);
  }

  // Clocks (CUDA: clock, clock64; PTX: %globaltimer): steps of the device's clock, of which clock() gives the lower 32
  // bits, and nanoseconds of a timer that all threads share. On the simulator both are the host's time, so differences
  // hold what the host did meanwhile. A loop on a clock lets other threads run and is never taken for a hang.
  std::int64_t clock64() const {
    clock_read();
    return sim::now_steps();
  }
  std::uint32_t clock() const { return static_cast<std::uint32_t>(clock64()); }
  std::uint64_t global_timer_ns() const {
    clock_read();
    return sim::now_ns();
  }
  // Sleeps for about `nanoseconds`, between 0 and twice that; at most a millisecond (CUDA: __nanosleep). Here: lets
  // others run.
  [[gnu::always_inline]] void nanosleep(std::uint32_t nanoseconds) const {
    (void)nanoseconds;
    yield();
  }
  // Lets other threads run: for loops that wait.
  [[gnu::always_inline]] void yield() const {
#if defined(SIMT_VARIANT_CHECK)
    sim::checked_yield();
#else
    sim::yield_thread(*block_, rank(), block_index());
#endif
  }

  SIMT_INLINE sim::block_context& context() const { return *block_; }

 private:
  // A reading differs from the last, as memory does after an update.
  void clock_read() const {
#if defined(SIMT_VARIANT_CHECK)
    sim::checked_clock_read();
#else
    sim::spend(*block_, sim::kSpinCostRmw, rank(), block_index());
#endif
  }
  [[gnu::always_inline]] std::int32_t vote(bool p) const {
#if defined(SIMT_VARIANT_CHECK)
    SIMT_OWN_PLACE return sim::checked_barrier_vote(*block_, p ? 1 : 0);
#else
    return sim::block_barrier_count(*block_, p, rank(), block_index());
#endif
  }

#if defined(SIMT_VARIANT_CHECK)
  // Two words, which calls pass in registers; the rest is the block's.
#define SIMT_OF(name, place) \
  SIMT_INLINE std::int64_t name() const { return sim::place(block_, position_); }
  SIMT_OF(tx, thread_x)
  SIMT_OF(ty, thread_y)
  SIMT_OF(tz, thread_z)
  SIMT_OF(bx, block_x)
  SIMT_OF(by, block_y)
  SIMT_OF(bz, block_z)
  SIMT_OF(origin_x, first_of_block_x)
  SIMT_OF(origin_y, first_of_block_y)
  SIMT_OF(origin_z, first_of_block_z)
  SIMT_OF(dx, extent_x)
  SIMT_OF(dy, extent_y)
  SIMT_OF(dz, extent_z)
  SIMT_OF(gx, grid_x)
  SIMT_OF(gy, grid_y)
  SIMT_OF(gz, grid_z)

 public:
  SIMT_OF(block_index, block_number)
#undef SIMT_OF

 private:
  sim::block_context* block_;
  std::uint64_t position_;  // sim::position_of
#else
  // clang-format off
#define SIMT_OF(name) SIMT_INLINE std::int64_t name() const { return name##_; }
  SIMT_OF(tx) SIMT_OF(ty) SIMT_OF(tz) SIMT_OF(bx) SIMT_OF(by) SIMT_OF(bz)
  SIMT_OF(dx) SIMT_OF(dy) SIMT_OF(dz) SIMT_OF(gx) SIMT_OF(gy) SIMT_OF(gz)
#undef SIMT_OF
  SIMT_INLINE std::int64_t origin_x() const { return bx_ * dx_; }
  // clang-format on
  SIMT_INLINE std::int64_t origin_y() const { return by_ * dy_; }
  SIMT_INLINE std::int64_t origin_z() const { return bz_ * dz_; }

 public:
  SIMT_INLINE std::int64_t block_index() const { return bx_ + gx_ * (by_ + gy_ * bz_); }

 private:
  sim::block_context* block_;
  std::int64_t tx_, ty_, tz_, bx_, by_, bz_, dx_, dy_, dz_, gx_, gy_, gz_;
#endif
};

}  // namespace simt
