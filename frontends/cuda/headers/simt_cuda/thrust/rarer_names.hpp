// SPDX-License-Identifier: Apache-2.0
// Names of Thrust that stand for those of the standard library, and questions about iterators.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "adaptors.hpp"
#include "iterators.hpp"
#include "vectors.hpp"

namespace thrust {

using std::addressof;
using std::false_type;
using std::index_sequence;
using std::integer_sequence;
using std::integral_constant;
using std::make_index_sequence;
using std::make_integer_sequence;
using std::true_type;

struct no_traversal_tag {};
struct input_device_iterator_tag : std::input_iterator_tag {};
struct output_device_iterator_tag : std::output_iterator_tag {};
struct forward_device_iterator_tag : std::forward_iterator_tag {};
struct bidirectional_device_iterator_tag : std::bidirectional_iterator_tag {};
struct random_access_device_iterator_tag : std::random_access_iterator_tag {};
using input_host_iterator_tag = std::input_iterator_tag;
using output_host_iterator_tag = std::output_iterator_tag;
using forward_host_iterator_tag = std::forward_iterator_tag;
using bidirectional_host_iterator_tag = std::bidirectional_iterator_tag;
using random_access_host_iterator_tag = std::random_access_iterator_tag;

template <class I>
using iterator_difference_t = typename iterator_difference<I>::type;
template <class I>
struct iterator_reference {
  using type = decltype(*std::declval<I&>());
};
template <class I>
using iterator_reference_t = typename iterator_reference<I>::type;
template <class I>
struct iterator_pointer {
  using type = typename std::iterator_traits<I>::pointer;
};
template <class I>
using iterator_pointer_t = typename iterator_pointer<I>::type;
template <class I>
using iterator_system_t = typename iterator_system<I>::type;
// All iterators here that are not of a list or a stream go anywhere in one step.
template <class I>
struct iterator_traversal {
  using type = std::conditional_t<std::random_access_iterator<I>, random_access_traversal_tag, forward_traversal_tag>;
};
template <class I>
using iterator_traversal_t = typename iterator_traversal<I>::type;
template <class I>
inline constexpr bool is_contiguous_iterator_v = requires(const I& i) {
  raw_pointer_cast(&*i);
};
template <class I>
using is_contiguous_iterator = std::bool_constant<is_contiguous_iterator_v<I>>;

template <class I>
struct proclaim_contiguous_iterator : std::false_type {};
template <class I>
auto unwrap_contiguous_iterator(const I& i) {
  return raw_pointer_cast(&*i);
}
template <class I>
using unwrap_contiguous_iterator_t = decltype(unwrap_contiguous_iterator(std::declval<const I&>()));
template <class I>
auto try_unwrap_contiguous_iterator(const I& i) {
  if constexpr (is_contiguous_iterator_v<I>)
    return raw_pointer_cast(&*i);
  else
    return i;
}
template <class I>
using try_unwrap_contiguous_iterator_t = decltype(try_unwrap_contiguous_iterator(std::declval<const I&>()));

// Bytes of such objects may be moved instead of the objects.
template <class T>
struct proclaim_trivially_relocatable : std::false_type {};
template <class T>
inline constexpr bool is_trivially_relocatable_v =
    std::is_trivially_copyable_v<T> || proclaim_trivially_relocatable<T>::value;
template <class T>
using is_trivially_relocatable = std::bool_constant<is_trivially_relocatable_v<T>>;
template <class From, class To>
inline constexpr bool is_trivially_relocatable_to_v = std::is_same_v<From, To>&& is_trivially_relocatable_v<To>;
template <class From, class To>
using is_trivially_relocatable_to = std::bool_constant<is_trivially_relocatable_to_v<From, To>>;
template <class From, class To>
inline constexpr bool is_indirectly_trivially_relocate_to_v = is_contiguous_iterator_v<From>&&
    is_contiguous_iterator_v<To>&& is_trivially_relocatable_to_v<iterator_value_t<From>, iterator_value_t<To>>;
template <class From, class To>
using is_indirectly_trivially_relocatable_to = std::bool_constant<is_indirectly_trivially_relocate_to_v<From, To>>;

namespace detail {
template <class T, T Last, T... I>
std::integer_sequence<T, (Last - I)...> reversed(std::integer_sequence<T, I...>);
template <class T, T V, T... I>
std::integer_sequence<T, V, I...> with_first(std::integer_sequence<T, I...>);
template <class T, T V, T... I>
std::integer_sequence<T, I..., V> with_last(std::integer_sequence<T, I...>);
}  // namespace detail
template <class T, T N>
using make_reversed_integer_sequence = decltype(detail::reversed<T, N - 1>(std::make_integer_sequence<T, N>()));
template <std::size_t N>
using make_reversed_index_sequence = make_reversed_integer_sequence<std::size_t, N>;
template <class T, T V, class Sequence>
using integer_sequence_push_front = decltype(detail::with_first<T, V>(Sequence()));
template <class T, T V, class Sequence>
using integer_sequence_push_back = decltype(detail::with_last<T, V>(Sequence()));

template <class T>
using universal_host_pinned_allocator = pinned_allocator<T>;
namespace cuda {
using thrust::universal_allocator;
using thrust::universal_host_pinned_allocator;
using thrust::universal_host_pinned_vector;
using thrust::universal_vector;
}  // namespace cuda

template <class To, class T>
device_ptr<To> static_pointer_cast(const device_ptr<T>& p) {
  return device_ptr<To>(static_cast<To*>(raw_pointer_cast(p)));
}

namespace system {
using std::is_error_code_enum;
using std::is_error_condition_enum;
}  // namespace system
using std::is_error_code_enum;
using std::is_error_condition_enum;

}  // namespace thrust
