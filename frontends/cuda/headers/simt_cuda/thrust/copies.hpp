// SPDX-License-Identifier: Apache-2.0
// thrust::copy: within a memory, and from one to the other.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <vector>

#include "iterators.hpp"

namespace thrust {

namespace detail {

template <class I>
inline constexpr bool is_contiguous = std::contiguous_iterator<I>;
template <class I>
concept indexable = requires(I i) {
  i[std::ptrdiff_t{}];
  i + std::ptrdiff_t{};
};

template <class I>
std::size_t length(const I& first, const I& last) {
  return static_cast<std::size_t>(std::distance(first, last));
}

// Elements of the host to device memory, whatever the iterator.
template <class I, class T>
void to_device(I first, std::size_t n, T* to, cudaStream_t s) {
  if (n == 0) return;
  const auto send = [&](const T* from) {
    require(cudaMemcpyAsync(to, from, n * sizeof(T), cudaMemcpyHostToDevice, s), "thrust::copy");
    require(cudaStreamSynchronize(s), "thrust::copy");
  };
  if constexpr (is_contiguous<I> && std::is_same_v<std::iter_value_t<I>, T>) {
    send(std::to_address(first));
  } else {
    std::unique_ptr<T[]> all(new T[n]);
    for (std::size_t i = 0; i < n; ++i, ++first) all[i] = static_cast<T>(*first);
    send(all.get());
  }
}

template <class T, class I>
I to_host(const T* from, std::size_t n, I to, cudaStream_t s) {
  using value = std::remove_cv_t<T>;
  if (n == 0) return to;
  const auto fetch = [&](value* p) {
    require(cudaMemcpyAsync(p, from, n * sizeof(T), cudaMemcpyDeviceToHost, s), "thrust::copy");
    require(cudaStreamSynchronize(s), "thrust::copy");
  };
  if constexpr (is_contiguous<I>) {
    if constexpr (std::is_same_v<std::iter_value_t<I>, value>) {
      fetch(std::to_address(to));
      return to + static_cast<std::ptrdiff_t>(n);
    }
  }
  std::unique_ptr<value[]> all(new value[n]);
  fetch(all.get());
  for (std::size_t i = 0; i < n; ++i, ++to) *to = all[i];
  return to;
}

}  // namespace detail

// Algorithms take `First, Rest...`: the first of these gives them the policy of the memory that they are given. The
// second is for a policy of the program's own: where the program has an algorithm of that name for it, that one is
// called.
#define SIMT_THRUST_WITHOUT_POLICY(name)                                           \
  template <class First, class... Rest>                                            \
  requires(!any_policy<First>) decltype(auto) name(First first, Rest... rest) {    \
    return thrust::name(detail::default_policy<First, Rest...>(), first, rest...); \
  }                                                                                \
  template <users_policy P, class... Rest>                                         \
  decltype(auto) name(const P& p, Rest... rest) {                                  \
    if constexpr (requires { name(detail::for_users(p), rest...); })               \
      return name(detail::for_users(p), rest...);                                  \
    else                                                                           \
      return thrust::name(detail::plain_policy(p), rest...);                       \
  }

namespace detail {
// Iterators of ours that make what they give, or lie over others: a kernel can read them.
template <class I>
concept fancy = std::is_base_of_v<facade<I, typename I::value_type, typename I::reference>, I> && !requires(I i) {
  i.get();
};

template <class P, class From, class To>
To copy_elements(const P& p, From first, std::size_t n, To to) {
  const auto from = raw(first);
  const auto into = raw(to);
  per_element(p, "thrust::copy()", n, [=](std::size_t i) {
    const auto at = static_cast<std::ptrdiff_t>(i);
    into[at] = from[at];
  });
  return to + static_cast<std::ptrdiff_t>(n);
}

// From the host to the device: plain memory by a copy of CUDA, what iterators of ours make by a kernel.
template <class P, class From, class To>
To copy_in(const P& p, From first, std::size_t n, To to) {
  if constexpr (std::is_pointer_v<From>)
    if (simt_cuda::is_device_address(first)) return copy_elements(device_policy(), first, n, to);
  if constexpr (fancy<From>) {
    return copy_elements(device_policy(), first, n, to);
  } else if constexpr (std::is_pointer_v<raw_type<To>>) {
    to_device(first, n, raw(to), stream_of(p));
    return to + static_cast<std::ptrdiff_t>(n);
  } else {
    using value = std::iter_value_t<From>;
    scratch<value> moved("a copy by Thrust", n, stream_of(p));
    to_device(first, n, moved.get(), stream_of(p));
    return copy_elements(device_policy(), moved.get(), n, to);
  }
}
template <class P, class From, class To>
To copy_out(const P& p, From first, std::size_t n, To to) {
  if constexpr (std::is_pointer_v<To>)
    if (simt_cuda::is_device_address(to)) return copy_elements(p, first, n, to);
  if constexpr (std::is_pointer_v<raw_type<From>>) {
    return to_host(raw(first), n, to, stream_of(p));
  } else {
    scratch<value_of<From>> gathered("a copy by Thrust", n, stream_of(p));
    copy_elements(device_policy(), first, n, gathered.get());
    return to_host(gathered.get(), n, to, stream_of(p));
  }
}
}  // namespace detail

template <policy P, class From, class To>
To copy(const P& p, From first, From last, To to) {
  constexpr bool from_device = detail::in_device_memory<From>::value, to_device = detail::in_device_memory<To>::value;
  const std::size_t n = detail::length(first, last);
  if constexpr (from_device != to_device && (from_device || to_device)) {
    if (!simt_cuda::on_device()) {
      if constexpr (from_device)
        return detail::copy_out(p, first, n, to);
      else
        return detail::copy_in(p, first, n, to);
    }
  }
  if constexpr (detail::indexable<From> && detail::indexable<To>) {
    return detail::copy_elements(p, first, n, to);
  } else {
    for (; first != last; ++first, ++to) *to = *first;
    return to;
  }
}
SIMT_THRUST_WITHOUT_POLICY(copy)
template <class From, class N, class To>
requires(!any_policy<From>) To copy_n(From first, N n, To to) {
  return thrust::copy(first, first + static_cast<std::ptrdiff_t>(n), to);
}
template <any_policy P, class From, class N, class To>
To copy_n(const P& p, From first, N n, To to) {
  return thrust::copy(p, first, first + static_cast<std::ptrdiff_t>(n), to);
}

}  // namespace thrust
