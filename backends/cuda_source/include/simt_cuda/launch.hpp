// SPDX-License-Identifier: Apache-2.0
// What kernel<<<...>>>(...) and a kernel's body become; see backends/cuda_source/rewrite/rewrite.hpp.
//
// configure() notes a configuration; the kernel that is called next takes it, wraps parameters and body into a closure
// and runs that for every thread of the grid. Each thread works on a copy of the closure: parameters are its own.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "runtime_types.hpp"
#include "thread.hpp"

namespace simt_cuda {

// At the start of the program's main.
void enter_main();
// Keeps what the present exception says until report_exception.
void note_exception();

// Host: the configuration of the kernel call that follows.
void configure(::dim3 grid, ::dim3 block, std::size_t shared_bytes = 0, cudaStream_t stream = nullptr, bool cooperative = false,
               ::dim3 cluster = ::dim3(1, 1, 1));

// Called by a kernel with __cluster_dims__ before it runs: the launch's own attribute must not say otherwise.
void use_cluster(::dim3 cluster);

#if defined(SIMT_VARIANT_CHECK)
using thread_call = void (*)(const void* closure, const simt::thread& t);
void launch(const char* signature, thread_call call, const void* closure, std::size_t bytes);
SIMT_UNWATCHED inline ::uint3 narrow(const simt::dim3& d) {
  return {static_cast<unsigned>(d.x), static_cast<unsigned>(d.y), static_cast<unsigned>(d.z)};
}

template <class Closure>
SIMT_UNWATCHED void call_one(const void* closure, const simt::thread& t) {
  Closure mine = *static_cast<const Closure*>(closure);
  mine(narrow(t.thread_idx()), narrow(t.block_idx()), ::dim3(narrow(t.block_dim())), ::dim3(narrow(t.grid_dim())));
}

// Called by the kernel itself. `signature`: its __PRETTY_FUNCTION__, for reports.
template <class Closure>
void run_kernel(const char* signature, const Closure& closure) {
  launch(signature, &call_one<Closure>, &closure, sizeof closure);
}

#else

void launch(const char* signature, simt::sim::block_function body, const void* closure, std::size_t bytes);
[[noreturn]] void report_exception(simt::sim::block_context& b, simt::sim::fiber& self);

// The loop nest over blocks and threads, as in backends/sim/start_launch.hpp: bounds and positions have a pointer type,
// so a kernel's stores cannot alias them and a kernel that never waits can be vectorised.
template <class Closure>
[[gnu::noinline, gnu::flatten]] void run_threads(simt::sim::block_context& b, simt::sim::fiber& self, const Closure closure) {
  using simt::sim::as_limit, simt::sim::as_number;
  const simt::sim::launch_state& l = *b.launch;
  const std::int64_t gx = l.grid.x, gy = l.grid.y, dx = l.block.x, dy = l.block.y, dz = l.block.z;
  const ::dim3 block_dim(static_cast<unsigned>(dx), static_cast<unsigned>(dy), static_cast<unsigned>(dz));
  const ::dim3 grid_dim(static_cast<unsigned>(gx), static_cast<unsigned>(gy), static_cast<unsigned>(l.grid.z));
  simt::sim::thread_range r;
  r.x_end = as_limit(dx);
  r.y_end = as_limit(dy);
  r.z_end = as_limit(dz);
  r.block_end = as_limit(self.block_end);
  r.x = r.y = r.z = as_limit(-1);
  self.range = &r;
  running = b.queue;
  std::int64_t block = self.block_first;
  std::int64_t bx = block % gx, by = block / gx % gy, bz = block / (gx * gy);
  std::int64_t x0 = self.first % dx, y0 = self.first / dx % dy, z0 = self.first / (dx * dy);
  do {
    r.block = as_limit(block);
    const ::uint3 block_idx{static_cast<unsigned>(bx), static_cast<unsigned>(by), static_cast<unsigned>(bz)};
    for (std::int64_t z = z0; z < as_number(r.z_end); ++z, y0 = 0) {
      r.z = as_limit(z);
      for (std::int64_t y = y0; y < as_number(r.y_end); ++y, x0 = 0) {
        r.y = as_limit(y);
        for (std::int64_t x = x0; x < as_number(r.x_end); ++x) {
          r.x = as_limit(x);
          Closure mine = closure;
          mine(::uint3{static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)}, block_idx, block_dim, grid_dim);
        }
      }
    }
    x0 = y0 = z0 = 0;
    ++block;
    if (++bx == gx) {
      bx = 0;
      if (++by == gy) {
        by = 0;
        ++bz;
      }
    }
  } while (block < as_number(r.block_end));
  self.range = nullptr;
}

template <class Closure>
void block_body(simt::sim::block_context& b, simt::sim::fiber& self) {
  try {
    run_threads<Closure>(b, self, *static_cast<const Closure*>(b.launch->args));
    return;
  } catch (...) {
    simt_cuda::note_exception();
  }
  report_exception(b, self);  // outside the handler: the stack is abandoned, the exception must be over
}

template <class Closure>
void run_kernel(const char* signature, const Closure& closure) {
  launch(signature, &block_body<Closure>, &closure, sizeof closure);
}
#endif

// cudaLaunchKernel and friends: parameters through an array of pointers.
template <class... P>
void call_with(void (*kernel)(P...), void** arguments) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    kernel(*static_cast<std::remove_cv_t<P>*>(arguments[I])...);
  }(std::index_sequence_for<P...>{});
}

}  // namespace simt_cuda
