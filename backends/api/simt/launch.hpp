// SPDX-License-Identifier: Apache-2.0
// launch<kernel>(stream, {.grid = .., .block = ..}, arguments...). Host only.
//
// A kernel is a SIMT_DEVICE function whose first parameter is simt::thread and whose result is void. Its other
// parameters take: values as they are; for a view or pointer a buffer, a view, or a host array (std::vector,
// std::array, std::span), which is copied in before and, unless the parameter is const, copied out after the launch
// (the call then waits for it).
#pragma once

#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include <simt/buffer.hpp>
#include <simt/host_memory.hpp>
#include <simt/launch_config.hpp>
// detail::start_launch: runs or enqueues one launch whose limits have been checked.
#if defined(SIMT_VARIANT_CUDA)
#include <backends/cuda/start_launch.hpp>
#else
#include <backends/sim/start_launch.hpp>
#endif

namespace simt {

namespace detail {

// What a kernel parameter P is made of from an argument A; keeps temporaries of the launch alive.
template <class P, class A>
struct argument {  // plain values
  P value;
  argument(A&& a, const stream&) : value(static_cast<P>(a)) {}
  static constexpr bool waits = false;
  void finish(const stream&) {}
};

template <class T>
struct view_parameter : std::false_type {};
template <class T, int R>
struct view_parameter<view<T, R>> : std::true_type {
  using element = T;
  static constexpr int rank = R;
};

template <class A>
struct is_buffer : std::false_type {};
template <class T>
struct is_buffer<buffer<T>> : std::true_type {};
template <class T, host_memory Kind>
struct is_buffer<host_buffer<T, Kind>> : std::true_type {};

// What is cheap to ask comes first: each argument of each launch is asked.
template <class A>
concept host_array =
    !view_parameter<std::remove_cvref_t<A>>::value && !is_buffer<std::remove_cvref_t<A>>::value && requires(A & a) {
  typename std::remove_cvref_t<A>::value_type;
  std::span(a);
};

template <class P, class A>
requires(view_parameter<P>::value&& is_buffer<std::remove_cvref_t<A>>::value) struct argument<P, A> {
  P value;
  argument(A&& a, const stream&) : value(a.template view<view_parameter<P>::rank>()) {}
  static constexpr bool waits = false;
  void finish(const stream&) {}
};

template <class T, class A>
requires(is_buffer<std::remove_cvref_t<A>>::value) struct argument<T*, A> {
  T* value;
  argument(A&& a, const stream&) : value(a.data()) {}
  static constexpr bool waits = false;
  void finish(const stream&) {}
};

// Host arrays: copied to the device for the launch, and back if the kernel may write them.
template <class E, class A>
struct host_argument {
  using value_type = std::remove_cv_t<E>;
  std::span<const value_type> from;
  std::span<value_type> to;
  buffer<value_type> copy;
  host_argument(A& a, const stream& s) : from(a), copy(static_cast<std::int64_t>(from.size()), "host array") {
    if constexpr (!std::is_const_v<E>) {
      static_assert(!std::is_const_v<std::remove_pointer_t<decltype(std::span(a).data())>>,
                    "this parameter is written by the kernel, the argument is a const array");
      to = std::span<value_type>(a);
    }
    copy.copy_from(from, s);
  }
  static constexpr bool waits = !std::is_const_v<E>;
  void finish(const stream& s) {
    if constexpr (waits) copy.copy_to(to, s);
  }
};
template <class P, class A>
requires(view_parameter<P>::value&& view_parameter<P>::rank == 1 && host_array<A>) struct argument<P, A>
    : host_argument<typename view_parameter<P>::element, std::remove_reference_t<A>> {
  using base = host_argument<typename view_parameter<P>::element, std::remove_reference_t<A>>;
  P value;
  argument(A&& a, const stream& s) : base(a, s), value(base::copy.view()) {}
};
template <class T, class A>
requires(host_array<A>) struct argument<T*, A> : host_argument<T, std::remove_reference_t<A>> {
  using base = host_argument<T, std::remove_reference_t<A>>;
  T* value;
  argument(A&& a, const stream& s) : base(a, s), value(base::copy.data()) {}
};

// Makes a kernel's parameters from the arguments, calls start with them, and finishes what hangs on them.
template <class... P, class Start, class... A>
void launch_with(stream& s, std::type_identity<std::tuple<P...>>, const Start& start, A&&... a) {
  static_assert(sizeof...(P) == sizeof...(A),
                "the launch passes a different number of arguments than the kernel takes");
  [&](auto&&... made) {
    start(std::tuple<P...>(made.value...));
    (made.finish(s), ...);
  }(argument<P, A>(std::forward<A>(a), s)...);
}

}  // namespace detail

template <auto Kernel, class... A>
void launch(stream s, const launch_config& config, A&&... arguments) {
  using traits = detail::kernel_traits<decltype(+Kernel)>;
  check_launch(config, function_name<Kernel>());
  detail::launch_with(
      s, std::type_identity<typename traits::parameters>{},
      [&]<class... P>(const std::tuple<P...>& parameters) {
        detail::start_launch<Kernel, P...>(config, s, parameters);
      },
      std::forward<A>(arguments)...);
}
// On the default stream.
template <auto Kernel, class... A>
void launch(const launch_config& config, A&&... arguments) {
  launch<Kernel>(stream::default_stream(), config, std::forward<A>(arguments)...);
}

}  // namespace simt
