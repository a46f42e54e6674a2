// SPDX-License-Identifier: Apache-2.0
// What a call of one of NVIDIA's libraries is here: a kernel of one thread on the call's stream. It announces in ranges
// what the library reads and writes, at the line of the user's call, and computes unwatched: itself, or in a library of
// the host.
//
// Entry points are SIMT_LIBRARY_CALL: they keep a frame of their own, so that SIMT_CALLED_FROM is the user's line.
#pragma once

#include <bit>
#include <cstddef>
#include <type_traits>

#include <cuda_runtime.h>

#define SIMT_LIBRARY_CALL [[gnu::noinline]] inline
#define SIMT_CALLED_FROM (__builtin_extract_return_addr(__builtin_return_address(0)))

namespace simt_cuda {
// Runs the work on an ordinary stack of the host and waits for it: libraries need more than a device thread has.
void on_large_stack(void (*work)(void*), void* data);
// Zeros in the host's memory, for a device thread that computes for a library. Ends the program where there are none.
void* host_room(std::size_t bytes);
void free_host_room(void* room);
}  // namespace simt_cuda

namespace simt_cuda::libraries {

#if defined(SIMT_VARIANT_CHECK)
extern "C" void __tsan_read_range_pc(void* p, unsigned long bytes, void* place);
extern "C" void __tsan_write_range_pc(void* p, unsigned long bytes, void* place);
#endif
using size = std::ptrdiff_t;

// The user's line of the call whose kernel runs. One is enough: launches take turns.
inline const void* line_of_call = nullptr;
SIMT_UNWATCHED inline void set_line_of_call(const void* place) { line_of_call = place; }

// In plain runs the ends are touched, so that a wild pointer is a fault of this call and not of a library.
SIMT_UNWATCHED inline void touch(const void* p) { (void)*static_cast<const volatile char*>(p); }

// `count` pieces of `bytes`, `step` bytes from one to the next.
template <bool Write>
SIMT_UNWATCHED void uses(const void* p, size bytes, size count, size step) {
  if (bytes <= 0 || count <= 0) return;
#if defined(SIMT_VARIANT_CHECK)
  if (step == bytes) {
    bytes *= count;
    count = 1;
  }
  for (size i = 0; i < count; ++i) {
    char* const piece = const_cast<char*>(static_cast<const char*>(p)) + i * step;
    (Write ? __tsan_write_range_pc : __tsan_read_range_pc)(piece, static_cast<unsigned long>(bytes),
                                                           const_cast<void*>(line_of_call));
  }
#else
  touch(p);
  touch(static_cast<const char*>(p) + (count - 1) * step + bytes - 1);
#endif
}
SIMT_UNWATCHED inline void reads(const void* p, size bytes, size count = 1, size step = 0) {
  uses<false>(p, bytes, count, step);
}
SIMT_UNWATCHED inline void writes(void* p, size bytes, size count = 1, size step = 0) {
  uses<true>(p, bytes, count, step);
}
template <class T>
SIMT_UNWATCHED void reads_array(const T* p, size n) {
  reads(p, n * static_cast<size>(sizeof(T)));
}
template <class T>
SIMT_UNWATCHED void writes_array(T* p, size n) {
  writes(p, n * static_cast<size>(sizeof(T)));
}

// A factor (alpha, beta): read now by the host, or by the kernel where it lies on the device.
template <class T>
struct factor {
  T value;
  const T* place;
  SIMT_UNWATCHED T get() const {
    if (place == nullptr) return value;
    reads_array(place, 1);
    return *place;
  }
};
template <class T>
factor<T> factor_of(bool on_device, const void* p) {
  if (on_device) return {T{}, static_cast<const T*>(p)};
  return {*static_cast<const T*>(p), nullptr};
}

// A call's work as data. Calls share one kernel for each of a few sizes, for a kernel is compiled in every way in which
// threads can run. Copied as bytes, as closures of kernels are (simt_cuda/launch.hpp).
template <std::size_t Bytes>
struct work_as_bytes {
  void (*call)(void* work);
  const void* place;
  alignas(16) unsigned char work[Bytes];
};
// With that, what most calls pass is as much as a compiler still copies without calling memcpy.
inline constexpr std::size_t kSmallWork = 112;

template <std::size_t Bytes>
void run_kernel_of_work(const char* name, work_as_bytes<Bytes> kept) {
  run_kernel(name, [=](const uint3, const uint3, const dim3, const dim3) mutable -> void {
    set_line_of_call(kept.place);
    kept.call(kept.work);
  });
}

// Whether the kernel ran. `name`: with (), for reports.
template <class Work>
bool run(const char* name, cudaStream_t stream, const void* place, Work work) {
  static_assert(alignof(Work) <= 16);
  work_as_bytes<(sizeof(Work) <= kSmallWork ? kSmallWork : std::bit_ceil(sizeof(Work)))> kept{
      .call = [](void* w) { (*static_cast<Work*>(w))(); }, .place = place, .work = {}};
  __builtin_memcpy(kept.work, &work, sizeof work);
  configure(dim3(1), dim3(1), 0, stream);
  run_kernel_of_work(name, kept);
  return finish_launch() == cudaSuccess;
}

// Inside a call: what needs the stack of a host thread, because it goes into a library. `work` is unwatched.
template <class Work>
SIMT_UNWATCHED void outside(Work& work) {
  on_large_stack([](void* w) SIMT_UNWATCHED { (*static_cast<Work*>(w))(); }, &work);
}

}  // namespace simt_cuda::libraries
