// SPDX-License-Identifier: Apache-2.0
// What kernel<<<...>>>(...) and a kernel's body become; see frontends/cuda/translate/translate.hpp.
//
// configure() notes a configuration; the kernel that is called next takes it, wraps parameters and body into a closure
// and runs that for every thread of the grid. Each thread works on a copy of the closure: parameters are its own. CUDA
// takes arguments to the device as bytes (Programming Guide, "__global__ Function Argument Processing"): a closure that
// is not trivially copyable is copied so too, and no thread runs copy constructors or destructors of parameters.
#pragma once

#include <cstddef>
#include <new>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <backends/sim/launch_body.hpp>

#if defined(SIMT_VARIANT_CHECK) && defined(__x86_64__)
#include "leave_kernel_x86_64.hpp"
#endif
#include "runtime_types.hpp"
#include "thread.hpp"

namespace simt_cuda {

// At the start of the program's main.
void enter_main();
// Host: the configuration of the kernel call that follows.
void configure(::dim3 grid, ::dim3 block, std::size_t shared_bytes = 0, cudaStream_t stream = nullptr,
               bool cooperative = false, ::dim3 cluster = ::dim3(1, 1, 1));

// A kernel's `return;` and its end: the place, for reports. The function that the kernel is inlined into has but one
// exit.
SIMT_INLINE inline void leave_kernel() {
#if defined(SIMT_VARIANT_CHECK) && defined(SIMT_LOOPS)
  [[clang::nomerge]] simt::sim::simt_leaves_kernel();
#elif defined(SIMT_VARIANT_CHECK) && defined(__x86_64__)
  note_leaving();
#elif defined(SIMT_VARIANT_CHECK)
  simt::sim::simt_leaves_kernel();
#endif
}

// Called by a kernel with __cluster_dims__ before it runs: the launch's own attribute must not say otherwise.
void use_cluster(::dim3 cluster);

#if defined(SIMT_VARIANT_CHECK) && defined(SIMT_LOOPS)
inline constexpr std::size_t kClosureOffset = 64;  // of checked_closure::bytes
#endif

// The mangled type of a kernel's body, for reports; null without RTTI.
template <class Closure>
const char* closure_name() {
#if defined(__GXX_RTTI)
  return typeid(Closure).name();
#else
  return nullptr;
#endif
}

// The compiler is asked in its own word: std::is_trivially_copyable asks much else about each kernel's closure before.
// g++ does not want that word in a function's signature.
template <class Closure>
inline constexpr bool kIsCopiedAsBytes = __is_trivially_copyable(Closure);

// call(mine) with a copy of the closure at `closure`: parameters are the thread's own.
template <class Closure, class Call>
SIMT_INLINE inline void with_own_copy(const void* closure, const Call& call) {
  if constexpr (kIsCopiedAsBytes<Closure>) {
    Closure mine = *static_cast<const Closure*>(closure);
    call(mine);
  } else {
    alignas(Closure) unsigned char mine[sizeof(Closure)];
    __builtin_memcpy(mine, closure, sizeof mine);
    call(*std::launder(reinterpret_cast<Closure*>(mine)));
  }
}

#if defined(SIMT_LOOPS)
// One thread, of which the compiler pass makes loops over a block's threads.
template <class Closure>
SIMT_LOOP_THREAD void thread_for_loops(SIMT_LOOP_PARAMETERS) {
  (void)b, (void)arrays;
#if defined(SIMT_VARIANT_CHECK)
  args = static_cast<const std::byte*>(args) + kClosureOffset;
#endif
  with_own_copy<Closure>(args, [&](Closure& mine) {
    mine(place_in(x, y, z), place_in(bx, by, bz), ::dim3(place_in(dx, dy, dz)), ::dim3(place_in(gx, gy, gz)));
  });
}
template <class Closure>
inline constexpr simt::sim::loop_body kernel_loops{thread_for_loops<Closure>};
#endif

// Null: no pass ran.
template <class Closure>
constexpr const simt::sim::loop_body* loops_of() {
#if defined(SIMT_LOOPS)
  return &kernel_loops<Closure>;
#else
  return nullptr;
#endif
}

#if defined(SIMT_VARIANT_CHECK)
using row_call = void (*)(const void* closure, simt::sim::checked_thread_loop& walk);
// What a checked launch passes: the call and, behind it, the closure's bytes.
struct checked_closure {
  row_call call;
  alignas(64) unsigned char bytes[];
};
#if defined(SIMT_LOOPS)
static_assert(offsetof(checked_closure, bytes) == kClosureOffset);
#endif
// `loops`: what the compiler pass has made of the kernel; null where there was none.
void launch(const char* signature, const char* closure_name, row_call call, const simt::sim::loop_body* loops,
            const void* closure, std::size_t bytes);

// Unwatched: the closure lies in the host's memory.
template <class Closure>
[[gnu::noinline]] SIMT_UNWATCHED Closure parameters(const void* closure) {
  return *static_cast<const Closure*>(closure);
}
[[gnu::noinline]] SIMT_UNWATCHED inline void copy_parameters(void* to, const void* closure, std::size_t bytes) {
  __builtin_memcpy(to, closure, bytes);
}

// As simt::sim::run_row. g++ inlines the kernel and what that calls: then parameters are this function's own variables,
// in registers, where in the closure every use of one would be an access to follow; and structures by value, which g++
// does not announce when they are passed or returned, are ordinary copies.
template <class Closure>
#if !defined(__clang__)
[[gnu::flatten]]
#endif
void call_row(const void* closure, simt::sim::checked_thread_loop& walk) {
  simt::sim::batch_threads<true> threads(walk);
  const auto call = [&](Closure& mine) {
    const simt::thread t = threads.handle();
    mine(to_uint3(t.thread_idx()), to_uint3(t.block_idx()), to_uint3(t.block_dim()), to_uint3(t.grid_dim()));
  };
  if constexpr (kIsCopiedAsBytes<Closure>) {
    const Closure all = parameters<Closure>(closure);
    do {
      Closure mine = all;
      call(mine);
    } while (threads.follow());
  } else {
    do {
      alignas(Closure) unsigned char mine[sizeof(Closure)];
      copy_parameters(mine, closure, sizeof mine);
      call(*std::launder(reinterpret_cast<Closure*>(mine)));
    } while (threads.follow());
  }
}

// Called by the kernel itself. `signature`: its __PRETTY_FUNCTION__, for reports. launch is qualified: the closure
// would bring functions of that name in the program's namespaces along.
template <class Closure>
void run_kernel(const char* signature, const Closure& closure) {
  simt_cuda::launch(signature, closure_name<Closure>(), &call_row<Closure>, loops_of<Closure>(), &closure,
                    sizeof closure);
}

#else

void launch(const char* signature, const char* closure_name, simt::sim::block_function body,
            const simt::sim::loop_body* loops, const void* closure, std::size_t bytes);

// The kernel is inlined into the loop of sim/exec/executors/thread_loop.hpp.
template <class Closure>
[[gnu::noinline]] SIMT_FLATTEN void run_threads(
    simt::sim::block_context& b, simt::sim::fiber& self,
    std::conditional_t<kIsCopiedAsBytes<Closure>, const Closure, const Closure&> closure) {
  const simt::sim::launch_state& l = *b.launch;
  const ::dim3 block_dim(static_cast<unsigned>(l.block.x), static_cast<unsigned>(l.block.y),
                         static_cast<unsigned>(l.block.z));
  const ::dim3 grid_dim(static_cast<unsigned>(l.grid.x), static_cast<unsigned>(l.grid.y),
                        static_cast<unsigned>(l.grid.z));
  running = b.queue;
  const auto run = [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t bx, std::int64_t by,
                       std::int64_t bz) {
#if defined(SIMT_DEBUG)
    simt::sim::debug_thread_begins(b, {{bx, by, bz}, {x, y, z}}, simt::sim::code_of(closure));
#endif
    with_own_copy<Closure>(&closure, [&](Closure& mine) {
      mine(::uint3{static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)},
           ::uint3{static_cast<unsigned>(bx), static_cast<unsigned>(by), static_cast<unsigned>(bz)}, block_dim,
           grid_dim);
    });
  };
  simt::sim::run_over_threads(b, self, run);
}

struct launch_extents {
  ::dim3 block, grid;
};
// Runs one thread.
using thread_call = void (*)(const void* closure, ::uint3 thread, ::uint3 block, const launch_extents& extents);
// As run_threads, by a call for each thread that `self` is to run.
void run_thread_calls(simt::sim::block_context& b, simt::sim::fiber& self, thread_call call, const void* closure);

#if defined(SIMT_LOOPS) && !defined(SIMT_PROFILE)  // a profile counts in the loop over threads
// Without tail calls: where a thread waits is told by the address that the wait returns to.
template <class Closure>
[[clang::disable_tail_calls]] SIMT_FLATTEN void call_thread(const void* closure, ::uint3 thread, ::uint3 block,
                                                            const launch_extents& extents) {
  with_own_copy<Closure>(closure, [&](Closure& mine) { mine(thread, block, extents.block, extents.grid); });
}

// Whether threads of the kernel with these loops may wait for each other: the compiler pass
// (sim/compile/thread_calls.hpp) knows, and puts its answer here.
[[gnu::noinline]] inline bool kernel_waits(const simt::sim::loop_body*) { return false; }
#endif

template <class Closure>
void block_body(simt::sim::block_context& b, simt::sim::fiber& self) {
#if defined(SIMT_LOOPS) && !defined(SIMT_PROFILE)
  if (kernel_waits(&kernel_loops<Closure>))
    run_thread_calls(b, self, &call_thread<Closure>, b.launch->args);
  else
#endif
    run_threads<Closure>(b, self, *static_cast<const Closure*>(b.launch->args));
  simt::sim::finish_fiber(self);
}

template <class Closure>
void run_kernel(const char* signature, const Closure& closure) {
  simt_cuda::launch(signature, closure_name<Closure>(), &block_body<Closure>, loops_of<Closure>(), &closure,
                    sizeof closure);
}
#endif

// cudaLaunchKernel and friends: parameters through an array of pointers.
template <class... P>
void call_with(void (*kernel)(P...), void** arguments) {
  [&]<std::size_t... I>(std::index_sequence<I...>) { kernel(*static_cast<std::remove_cv_t<P>*>(arguments[I])...); }
  (std::index_sequence_for<P...>{});
}

}  // namespace simt_cuda
