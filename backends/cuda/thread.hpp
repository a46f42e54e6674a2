// SPDX-License-Identifier: Apache-2.0
// simt::thread on a GPU: an empty struct over CUDA's built-in variables. Included by <simt/kernel.hpp>.
//
// The same public methods as backends/sim/thread.hpp, which holds their contracts; docs/backends.md lists both, and a
// test compares them. Everything is inlined: a kernel costs what it would cost written in CUDA.
#pragma once

#if !defined(__CUDACC__)
#error "kernels of the cuda variant are compiled by nvcc: use simt_add_kernels, or LANGUAGE CUDA on the source"
#endif

#include <cstdio>
#include <type_traits>

#include <backends/cuda/async_copy.hpp>
#include <backends/cuda/atomics.hpp>
#include <backends/cuda/grid.hpp>
#include <backends/cuda/warp.hpp>
#include <simt/dim3.hpp>
#include <simt/type_name.hpp>
#include <simt/view.hpp>

// What assert() calls; the CUDA headers declare it only without NDEBUG.
extern "C" __device__ void __assertfail(const void* message, const void* file, unsigned line, const void* function,
                                        std::size_t char_size);

namespace simt {

namespace gpu {
// The block's dynamic shared memory. Aligned for asynchronous bulk copies.
__device__ inline unsigned char* dynamic_shared_memory() {
  extern __shared__ __align__(128) unsigned char simt_dynamic_shared[];
  return simt_dynamic_shared;
}
}  // namespace gpu

class thread : public gpu::warp_operations, public gpu::grid_operations<thread>, public gpu::async_operations {
 public:
  __device__ dim3 thread_idx() const { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
  __device__ dim3 block_idx() const { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
  __device__ dim3 block_dim() const { return {blockDim.x, blockDim.y, blockDim.z}; }
  __device__ dim3 grid_dim() const { return {gridDim.x, gridDim.y, gridDim.z}; }

  template <int N>
  __device__ auto grid() const {
    static_assert(N >= 1 && N <= 3);
    if constexpr (N == 1)
      return absolute(blockIdx.x, blockDim.x, threadIdx.x);
    else if constexpr (N == 2)
      return position2{absolute(blockIdx.x, blockDim.x, threadIdx.x), absolute_yz(blockIdx.y, blockDim.y, threadIdx.y)};
    else
      return position3{absolute(blockIdx.x, blockDim.x, threadIdx.x), absolute_yz(blockIdx.y, blockDim.y, threadIdx.y),
                       absolute_yz(blockIdx.z, blockDim.z, threadIdx.z)};
  }
  template <int N>
  __device__ auto grid_size() const {
    static_assert(N >= 1 && N <= 3);
    if constexpr (N == 1)
      return absolute(gridDim.x, blockDim.x, 0);
    else if constexpr (N == 2)
      return position2{absolute(gridDim.x, blockDim.x, 0), absolute_yz(gridDim.y, blockDim.y, 0)};
    else
      return position3{absolute(gridDim.x, blockDim.x, 0), absolute_yz(gridDim.y, blockDim.y, 0),
                       absolute_yz(gridDim.z, blockDim.z, 0)};
  }
  __device__ strided_range grid_stride(std::int64_t n) const {
    return {absolute(blockIdx.x, blockDim.x, threadIdx.x), n, absolute(gridDim.x, blockDim.x, 0)};
  }
  template <class T>
  __device__ strided_range grid_stride(const view<T>& v) const {
    return grid_stride(v.size());
  }
  __device__ strided_range block_stride(std::int64_t n) const {
    return {rank(), n, static_cast<int>(blockDim.x * blockDim.y * blockDim.z)};
  }

  __device__ int rank() const {
    return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
  }
  __device__ int warp() const { return rank() / kWarpSize; }
  __device__ int lane() const { return rank() % kWarpSize; }
  static constexpr int kWarpSize = 32;

  __device__ void sync() const { __syncthreads(); }
  __device__ int sync_count(bool p) const { return __syncthreads_count(p); }
  __device__ bool sync_and(bool p) const { return __syncthreads_and(p) != 0; }
  __device__ bool sync_or(bool p) const { return __syncthreads_or(p) != 0; }

#define SIMT_THREAD_RMW(name, action)                                                                 \
  template <class T>                                                                                  \
  __device__ T atomic_##name(T& x, std::type_identity_t<T> v, memory_order o = memory_order::relaxed, \
                             scope s = scope::device) const {                                         \
    return gpu::atomics<T>::action(x, v, o, s);                                                       \
  }
  SIMT_THREAD_RMW(add, add)
  SIMT_THREAD_RMW(sub, sub)
  SIMT_THREAD_RMW(min, min)
  SIMT_THREAD_RMW(max, max)
  SIMT_THREAD_RMW(and, and_)
  SIMT_THREAD_RMW(or, or_)
  SIMT_THREAD_RMW(xor, xor_)
  SIMT_THREAD_RMW(exch, exch)
  SIMT_THREAD_RMW(inc, inc)
  SIMT_THREAD_RMW(dec, dec)
#undef SIMT_THREAD_RMW
  template <class T>
  __device__ T atomic_cas(T& x, std::type_identity_t<T> expected, std::type_identity_t<T> desired,
                          memory_order o = memory_order::relaxed, scope s = scope::device) const {
    return gpu::atomics<T>::cas(x, expected, desired, o, s);
  }
  template <class T>
  __device__ T atomic_load(const T& x, memory_order o = memory_order::relaxed, scope s = scope::device) const {
    return gpu::atomics<T>::load(const_cast<T&>(x), o, s);
  }
  template <class T>
  __device__ void atomic_store(T& x, std::type_identity_t<T> v, memory_order o = memory_order::relaxed,
                               scope s = scope::device) const {
    gpu::atomics<T>::store(x, v, o, s);
  }

  __device__ void fence(memory_order o = memory_order::seq_cst, scope s = scope::device) const { gpu::fence(o, s); }
  __device__ void threadfence_block() const { __threadfence_block(); }
  __device__ void threadfence() const { __threadfence(); }
  __device__ void threadfence_system() const { __threadfence_system(); }

  template <fixed_string Name, class T>
  __device__ T& shared() const {
    static_assert(std::is_trivially_copyable_v<std::remove_all_extents_t<T>>);
    static_assert(sizeof(T) <= 48 * 1024, "static shared memory is limited to 48 KiB a block; use dynamic_shared");
    if constexpr (std::is_trivially_default_constructible_v<std::remove_all_extents_t<T>>) {
      __shared__ T array;
      return array;
    } else {  // shared memory is never initialised, and CUDA takes no constructor there
      __shared__ alignas(T) unsigned char storage[sizeof(T)];
      return reinterpret_cast<T&>(storage);
    }
  }
  template <class T>
  __device__ T* dynamic_shared() const {
    return reinterpret_cast<T*>(gpu::dynamic_shared_memory());
  }
  __device__ std::int64_t dynamic_shared_bytes() const {
    unsigned bytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    return bytes;
  }

  template <class... A>
  __device__ void printf(const char* format, A... a) const {
    ::printf(format, a...);
  }
  // Both end the launch with an assertion message of the driver, which names block, thread and the line of the call.
  [[noreturn]] __device__ void trap(const char* file = __builtin_FILE(), int line = __builtin_LINE()) const {
    __assertfail("the kernel called trap()", file, static_cast<unsigned>(line), "kernel", 1);
    __trap();
  }
  __device__ void expect(bool ok, const char* what = "device assertion failed", const char* file = __builtin_FILE(),
                         int line = __builtin_LINE()) const {
    if (!ok) __assertfail(what, file, static_cast<unsigned>(line), "kernel", 1);
  }

  __device__ std::int64_t clock64() const { return ::clock64(); }
  __device__ std::uint32_t clock() const { return static_cast<std::uint32_t>(::clock()); }
  __device__ std::uint64_t global_timer_ns() const {
    std::uint64_t ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
    return ns;
  }
  __device__ void nanosleep(std::uint32_t nanoseconds) const { __nanosleep(nanoseconds); }
  __device__ void yield() const { __nanosleep(100); }

  __device__ std::int64_t block_index() const {
    return blockIdx.x +
           static_cast<std::int64_t>(gridDim.x) * (blockIdx.y + static_cast<std::int64_t>(gridDim.y) * blockIdx.z);
  }

 private:
  // x needs 64 bits: a grid has up to 2^31 - 1 blocks along it. y and z do not (65,535 blocks of at most 1,024
  // threads), and a compiler that knows their upper half to be zero multiplies them by a row's length in fewer steps.
  __device__ static std::int64_t absolute(unsigned block, unsigned size, unsigned offset) {
    return static_cast<std::int64_t>(block) * size + offset;
  }
  __device__ static std::int64_t absolute_yz(unsigned block, unsigned size, unsigned offset) {
    return block * size + offset;
  }
};

}  // namespace simt
