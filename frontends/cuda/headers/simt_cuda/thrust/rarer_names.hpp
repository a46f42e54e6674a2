// SPDX-License-Identifier: Apache-2.0
// Names of Thrust that stand for those of the standard library, and questions about iterators.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "adaptors.hpp"
#include "iterators.hpp"

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
