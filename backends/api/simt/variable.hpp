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
#include <vector>

#include <simt/stream.hpp>
#include <simt/view.hpp>

namespace simt {

// Names a variable that SIMT_DEVICE_VARIABLE or SIMT_CONSTANT declared; owns nothing. Arrays of arrays are seen flat.
// Copies are ordered as those of buffer: by their stream.
template <class T>
class variable {
 public:
  using element = std::remove_cv_t<std::remove_all_extents_t<T>>;

  explicit variable(T& declared) : declared_(&declared) {}

  std::int64_t size() const { return static_cast<std::int64_t>(sizeof(T) / sizeof(element)); }
  std::size_t bytes() const { return sizeof(T); }
  // Where it lies on the selected device. Kernels must not write a constant through it.
  element* data() const { return static_cast<element*>(backend::variable_address(declared_)); }
  simt::view<element> view() const { return simt::view<element>(data(), size()); }

  // Whole copies; the host waits until its side may be reused.
  SIMT_INLINE void copy_from(std::span<const element> host, const stream& s = stream::default_stream()) {
    check_size("copy_from", host.size());
    backend::copy(data(), host.data(), bytes(), copy_kind::host_to_device, s.handle(), true);
  }
  SIMT_INLINE void copy_to(std::span<element> host, const stream& s = stream::default_stream()) const {
    check_size("copy_to", host.size());
    backend::copy(host.data(), data(), bytes(), copy_kind::device_to_host, s.handle(), true);
  }
  // Enqueues only: the host memory must stay until the stream has done it.
  SIMT_INLINE void copy_from_async(std::span<const element> host, const stream& s) {
    check_size("copy_from_async", host.size());
    backend::copy(data(), host.data(), bytes(), copy_kind::host_to_device, s.handle(), false);
  }
  SIMT_INLINE void copy_to_async(std::span<element> host, const stream& s) const {
    check_size("copy_to_async", host.size());
    backend::copy(host.data(), data(), bytes(), copy_kind::device_to_host, s.handle(), false);
  }
  SIMT_INLINE std::vector<element> to_host(const stream& s = stream::default_stream()) const {
    std::vector<element> host(static_cast<std::size_t>(size()));
    copy_to(host, s);
    return host;
  }
  // Variables that are no arrays.
  SIMT_INLINE void set(const element& value, const stream& s = stream::default_stream()) {
    static_assert(!std::is_array_v<T>, "set() is for variables that are no arrays: use copy_from()");
    copy_from(std::span<const element>(&value, 1), s);
  }
  SIMT_INLINE element get(const stream& s = stream::default_stream()) const {
    static_assert(!std::is_array_v<T>, "get() is for variables that are no arrays: use to_host()");
    element value;
    copy_to(std::span<element>(&value, 1), s);
    return value;
  }

 private:
  void check_size(const char* what, std::size_t n) const {
    if (static_cast<std::int64_t>(n) != size())
      throw error(error_kind::invalid_argument, std::string(what) + ": the variable has " + std::to_string(size()) +
                                                    " elements, the other side has " + std::to_string(n));
  }
  T* declared_;
};

}  // namespace simt
