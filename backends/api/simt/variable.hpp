// SPDX-License-Identifier: Apache-2.0
// The host's side of device variables and constants. Host only.
//
//   SIMT_CONSTANT(weights, float[9]);                    // namespace scope; kernels read weights[i]
//   SIMT_DEVICE_VARIABLE(hits, int) = 0;                 // kernels read and write hits
//   simt::variable(weights).copy_from(host_weights);     // in the file that declares it
//   const int n = simt::variable(hits).get();
#pragma once

#include <span>
#include <string>
#include <type_traits>

#include <simt/device_copies.hpp>
#include <simt/stream.hpp>
#include <simt/view.hpp>

namespace simt {

// Names a variable that SIMT_DEVICE_VARIABLE or SIMT_CONSTANT declared; owns nothing. Arrays of arrays are seen flat.
// Copies are ordered as those of buffer: by their stream.
template <class T>
class variable : public device_copies<variable<T>, std::remove_cv_t<std::remove_all_extents_t<T>>> {
  using copies = device_copies<variable<T>, std::remove_cv_t<std::remove_all_extents_t<T>>>;
  friend copies;

 public:
  using element = std::remove_cv_t<std::remove_all_extents_t<T>>;

  explicit variable(T& declared) : declared_(&declared) {}

  std::int64_t size() const { return static_cast<std::int64_t>(sizeof(T) / sizeof(element)); }
  std::size_t bytes() const { return sizeof(T); }
  // Where it lies on the selected device. Kernels must not write a constant through it.
  element* data() const { return static_cast<element*>(backend::variable_address(declared_)); }
  simt::view<element> view() const { return simt::view<element>(data(), size()); }

  // Variables that are no arrays.
  SIMT_INLINE void set(const element& value, const stream& s = stream::default_stream()) {
    static_assert(!std::is_array_v<T>, "set() is for variables that are no arrays: use copy_from()");
    this->copy_from(std::span<const element>(&value, 1), s);
  }
  SIMT_INLINE element get(const stream& s = stream::default_stream()) const {
    static_assert(!std::is_array_v<T>, "get() is for variables that are no arrays: use to_host()");
    element value;
    this->copy_to(std::span<element>(&value, 1), s);
    return value;
  }

 private:
  static std::string title() { return "the variable"; }
  T* declared_;
};

}  // namespace simt
