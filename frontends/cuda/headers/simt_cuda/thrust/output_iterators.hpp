// SPDX-License-Identifier: Apache-2.0
// Iterators that give what is written to them to a function.
#pragma once

#include "iterators.hpp"

namespace thrust {

namespace detail {
// Writes function(v); reads, where there is a function for that, reading(what is there).
template <class Reading, class Writing, class Raw>
struct transforming_place {
  Reading reading;
  Writing writing;
  Raw at;
  template <class V>
  const transforming_place& operator=(const V& v) const {
    Writing f = writing;
    *at = f(v);
    return *this;
  }
  auto read() const {
    Reading f = reading;
    return f(*at);
  }
  template <class V>
  requires std::is_convertible_v<std::invoke_result_t<Reading, reference_of<Raw>>, V>
  operator V() const { return static_cast<V>(read()); }
};
struct unchanged {
  template <class V>
  std::remove_cvref_t<V> operator()(V&& v) const {
    return v;
  }
};
}  // namespace detail

template <class Reading, class Writing, class Iterator>
class transform_input_output_iterator
    : public detail::facade<
          transform_input_output_iterator<Reading, Writing, Iterator>,
          std::decay_t<std::invoke_result_t<Reading, detail::reference_of<detail::raw_type<Iterator>>>>,
          detail::transforming_place<Reading, Writing, detail::raw_type<Iterator>>> {
 public:
  transform_input_output_iterator() = default;
  transform_input_output_iterator(Iterator i, Reading r, Writing w) : i_(i), reading_(r), writing_(w) {}
  transform_input_output_iterator(Iterator i, Writing w) requires std::is_same_v<Reading, detail::unchanged>
      : transform_input_output_iterator(i, {}, w) {}
  detail::transforming_place<Reading, Writing, detail::raw_type<Iterator>> dereference() const {
    return {reading_, writing_, detail::raw(i_)};
  }
  void advance(std::ptrdiff_t n) { i_ += n; }
  std::ptrdiff_t distance_to(const transform_input_output_iterator& o) const { return o.i_ - i_; }
  const Iterator& base() const { return i_; }
  const Reading& reading() const { return reading_; }
  const Writing& writing() const { return writing_; }

 private:
  Iterator i_;
  Reading reading_;
  Writing writing_;
};
template <class Reading, class Writing, class Iterator>
auto make_transform_input_output_iterator(Iterator i, Reading r, Writing w) {
  return transform_input_output_iterator<Reading, Writing, Iterator>(i, r, w);
}
template <class Function, class Iterator>
using transform_output_iterator = transform_input_output_iterator<detail::unchanged, Function, Iterator>;
template <class Function, class Iterator>
transform_output_iterator<Function, Iterator> make_transform_output_iterator(Iterator i, Function f) {
  return {i, f};
}

namespace detail {
template <class Function>
struct tabulating_place {
  Function function;
  std::ptrdiff_t at;
  template <class V>
  const tabulating_place& operator=(const V& v) const {
    Function f = function;
    f(at, v);
    return *this;
  }
};
}  // namespace detail
// Calls function(i, v) for what is written at i.
template <class Function>
class tabulate_output_iterator
    : public detail::facade<tabulate_output_iterator<Function>, std::ptrdiff_t, detail::tabulating_place<Function>> {
 public:
  tabulate_output_iterator() = default;
  explicit tabulate_output_iterator(Function f, std::ptrdiff_t at = 0) : f_(f), at_(at) {}
  detail::tabulating_place<Function> dereference() const { return {f_, at_}; }
  void advance(std::ptrdiff_t n) { at_ += n; }
  std::ptrdiff_t distance_to(const tabulate_output_iterator& o) const { return o.at_ - at_; }

 private:
  Function f_;
  std::ptrdiff_t at_ = 0;
};
template <class Function>
tabulate_output_iterator<Function> make_tabulate_output_iterator(Function f, std::ptrdiff_t at = 0) {
  return tabulate_output_iterator<Function>(f, at);
}

template <class R, class W, class I>
auto unwrap_iterator(const transform_input_output_iterator<R, W, I>& i) {
  return transform_input_output_iterator<R, W, detail::raw_type<I>>(detail::raw(i.base()), i.reading(), i.writing());
}
namespace detail {
template <class R, class W, class I>
struct in_device_memory<transform_input_output_iterator<R, W, I>> : in_device_memory<I> {};
}  // namespace detail

}  // namespace thrust
