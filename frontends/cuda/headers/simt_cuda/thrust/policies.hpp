// SPDX-License-Identifier: Apache-2.0
// Where an algorithm of Thrust runs: on the host, on the running thread, or as a kernel; and what starts it there.
//
// Algorithms are written as loops. per_element() is one thread for each element; alone() is one thread that does all of
// it: simple to get right, and as fast as many threads on a machine of few cores. Both are kernels of the program like
// its own, so that checks watch them.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <cuda_runtime.h>

namespace thrust {

struct any_execution_policy {};
namespace detail {
// What programs name that take any policy: const execution_policy_base<Derived>&.
template <class Derived>
struct execution_policy_base : any_execution_policy {};
template <class Derived>
const Derived& derived_cast(const execution_policy_base<Derived>& p) {
  return static_cast<const Derived&>(p);
}
template <class T>
T& strip_const(const T& p) {
  return const_cast<T&>(p);
}
}  // namespace detail
template <class Derived>
struct execution_policy : detail::execution_policy_base<Derived> {
  static constexpr bool is_device = false;
};
template <class Derived>
struct host_execution_policy : detail::execution_policy_base<Derived> {
  static constexpr bool is_device = false;
};
template <class Derived>
struct device_execution_policy : detail::execution_policy_base<Derived> {
  static constexpr bool is_device = true;
};
// Tags of systems are policies, too: thrust::malloc(device_system_tag(), n).
struct host_system_tag : host_execution_policy<host_system_tag> {};
struct device_system_tag : device_execution_policy<device_system_tag> {};
template <class P>
concept any_policy = std::is_base_of_v<any_execution_policy, std::remove_cvref_t<P>>;

namespace detail {
struct host_policy : host_execution_policy<host_policy> {
  static constexpr cudaStream_t stream = nullptr;
  template <class Allocator>
  const host_policy& operator()(Allocator&&) const {
    return *this;
  }
};
struct seq_policy : host_execution_policy<seq_policy> {
  static constexpr cudaStream_t stream = nullptr;
};
struct device_policy : device_execution_policy<device_policy> {
  cudaStream_t stream = nullptr;
  device_policy on(cudaStream_t s) const {
    device_policy p;
    p.stream = s;
    return p;
  }
  template <class Allocator>
  const device_policy& operator()(Allocator&&) const {
    return *this;
  }
};

// Thrust's own, and references to what they are made of.
template <class P>
inline constexpr bool is_own = false;
template <>
inline constexpr bool is_own<host_policy> = true;
template <>
inline constexpr bool is_own<seq_policy> = true;
template <>
inline constexpr bool is_own<device_policy> = true;
template <>
inline constexpr bool is_own<host_system_tag> = true;
template <>
inline constexpr bool is_own<device_system_tag> = true;
template <class D>
inline constexpr bool is_own<execution_policy_base<D>> = is_own<D>;
template <class D>
inline constexpr bool is_own<execution_policy<D>> = is_own<D>;
template <class D>
inline constexpr bool is_own<host_execution_policy<D>> = is_own<D>;
template <class D>
inline constexpr bool is_own<device_execution_policy<D>> = is_own<D>;

// A policy of the program's own, as an argument that only the program's functions take: they are found in its
// namespace, and no algorithm of ours takes this for a policy or an iterator.
template <class D>
struct as_users : any_execution_policy {
  D* policy;
  operator D&() const { return *policy; }
};
template <class D>
as_users<D> for_users(const execution_policy_base<D>& p) {
  return {{}, const_cast<D*>(static_cast<const D*>(&p))};
}
template <class P>
inline constexpr bool is_wrapped = false;
template <class D>
inline constexpr bool is_wrapped<as_users<D>> = true;
}  // namespace detail
template <class P>
concept policy = any_policy<P> && detail::is_own<std::remove_cvref_t<P>>;
template <class P>
concept users_policy = any_policy<P> && !policy<P> && !detail::is_wrapped<std::remove_cvref_t<P>>;

inline constexpr detail::host_policy host;
inline constexpr detail::seq_policy seq;
inline constexpr detail::device_policy device;
namespace cuda {
inline constexpr detail::device_policy par, par_nosync;
template <class Derived>
using execution_policy = device_execution_policy<Derived>;
}  // namespace cuda
namespace cuda_cub {
using thrust::cuda::par;
}
// The systems of the host: all are its one thread.
namespace cpp {
using tag = host_system_tag;
template <class Derived>
using execution_policy = host_execution_policy<Derived>;
inline constexpr detail::host_policy par;
}  // namespace cpp
namespace omp {
inline constexpr detail::host_policy par;
}
namespace tbb {
inline constexpr detail::host_policy par;
}
namespace system {
using thrust::cuda::par;
namespace cuda {
using thrust::cuda::par;
using thrust::cuda::par_nosync;
}  // namespace cuda

// Errors are the standard's, with a category of CUDA's.
using std::errc;
using std::error_category;
using std::error_code;
using std::error_condition;
using std::generic_category;
using std::make_error_code;
using std::make_error_condition;
using std::system_category;
using std::system_error;
inline const error_category& cuda_category() {
  class category : public error_category {
    const char* name() const noexcept override { return "cuda"; }
    std::string message(int e) const override {
      const auto error = static_cast<cudaError_t>(e);
      return std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error);
    }
  };
  static const category made;
  return made;
}
namespace detail {
class bad_alloc : public std::bad_alloc {
 public:
  explicit bad_alloc(cudaError_t e) : text_(std::string("std::bad_alloc: ") + cudaGetErrorName(e)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};
}  // namespace detail
}  // namespace system
using system::cuda_category;
using system::errc;
using system::error_category;
using system::error_code;
using system::error_condition;
using system::generic_category;
using system::make_error_code;
using system::make_error_condition;
using system::system_category;
using system::system_error;

namespace detail {

inline void require(cudaError_t e, const char* what) {
  if (e != cudaSuccess) throw system::system_error(e, system::cuda_category(), what);
}

// A piece of device memory for the time of an algorithm.
template <class T>
class scratch {
 public:
  scratch(const char* name, std::size_t count, cudaStream_t) {
    if (count == 0) return;
    void* p = nullptr;
    simt_cuda::name_next(name);
    const cudaError_t e = cudaMalloc(&p, count * sizeof(T));
    if (e != cudaSuccess) throw system::detail::bad_alloc(e);
    at_ = static_cast<T*>(p);
  }
  ~scratch() {
    if (at_ != nullptr) (void)cudaFree(at_);
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  T* get() const { return at_; }

 private:
  T* at_ = nullptr;
};

template <class P>
inline constexpr bool is_device = std::remove_cvref_t<P>::is_device;
template <class Derived>
inline constexpr bool is_device<execution_policy_base<Derived>> = Derived::is_device;

template <class P>
cudaStream_t stream_of(const P& p) {
  if constexpr (requires { p.stream; })
    return p.stream;
  else
    return nullptr;
}
template <class Derived>
cudaStream_t stream_of(const execution_policy_base<Derived>& p) {
  return stream_of(static_cast<const Derived&>(p));
}

// Of Thrust's own policies the one that runs where the program's does.
template <users_policy P>
auto plain_policy(const P& p) {
  if constexpr (is_device<P>)
    return thrust::device.on(stream_of(p));
  else
    return thrust::host;
}

template <class Body>
void start(const char* name, cudaStream_t s, unsigned blocks, unsigned threads, Body body) {
  simt_cuda::configure(dim3(blocks), dim3(threads), 0, s);
  simt_cuda::run_kernel(name, [=](const uint3 thread, const uint3 block, const dim3, const dim3) mutable -> void {
    body(static_cast<std::size_t>(block.x) * threads + thread.x);
  });
}

inline void wait(const char* name, cudaStream_t s) {
  require(cudaPeekAtLastError(), name);
  require(cudaStreamSynchronize(s), name);
}

// body(i) for each i below n; the kernel is called `name` ("thrust::fill()").
template <class P, class Body>
void per_element(const P& p, const char* name, std::size_t n, Body body) {
  if constexpr (is_device<P>) {
    if (!simt_cuda::on_device()) {
      if (n == 0) return;
      constexpr unsigned kThreads = 256;
      const unsigned blocks = static_cast<unsigned>((n + kThreads - 1) / kThreads);
      start(name, stream_of(p), blocks, kThreads, [=](std::size_t i) mutable {
        if (i < n) body(i);
      });
      wait(name, stream_of(p));
      return;
    }
  }
  for (std::size_t i = 0; i < n; ++i) body(i);
}

// body() on one thread; what it returns goes back to the host.
template <class P, class Body>
auto alone(const P& p, const char* name, Body body) {
  using result = decltype(body());
  if constexpr (is_device<P>) {
    if (!simt_cuda::on_device()) {
      if constexpr (std::is_void_v<result>) {
        start(name, stream_of(p), 1, 1, [=](std::size_t) mutable { body(); });
        wait(name, stream_of(p));
        return;
      } else {
        scratch<result> on_device("the result of a Thrust algorithm", 1, stream_of(p));
        result* const to = on_device.get();
        start(name, stream_of(p), 1, 1, [=](std::size_t) mutable { ::new (static_cast<void*>(to)) result(body()); });
        wait(name, stream_of(p));
        alignas(result) unsigned char bytes[sizeof(result)];
        require(cudaMemcpy(bytes, to, sizeof bytes, cudaMemcpyDeviceToHost), name);
        return result(*std::launder(reinterpret_cast<result*>(bytes)));
      }
    }
  }
  return body();
}

}  // namespace detail
}  // namespace thrust
