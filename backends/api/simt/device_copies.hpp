// SPDX-License-Identifier: Apache-2.0
// Copies between host arrays and a whole piece of device memory: what buffer and variable have in common. Host only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <simt/stream.hpp>

namespace simt {

namespace detail {
[[noreturn]] inline void refuse_size(const char* what, const std::string& title, std::int64_t mine, std::size_t other) {
  throw error(error_kind::invalid_argument, std::string(what) + ": " + title + " has " + std::to_string(mine) +
                                                " elements, the other side has " + std::to_string(other));
}
}  // namespace detail

// Self gives data(), size(), bytes() and, for messages, title(): "buffer 'x'".
template <class Self, class T>
class device_copies {
 public:
  // The host waits until its side may be reused.
  SIMT_INLINE void copy_from(std::span<const T> host, const stream& s = stream::default_stream()) {
    check_size("copy_from", host.size());
    backend::copy(self().data(), host.data(), self().bytes(), copy_kind::host_to_device, s.handle(), true);
  }
  SIMT_INLINE void copy_to(std::span<T> host, const stream& s = stream::default_stream()) const {
    check_size("copy_to", host.size());
    backend::copy(host.data(), self().data(), self().bytes(), copy_kind::device_to_host, s.handle(), true);
  }
  // Enqueues only: the host memory must stay until the stream has done it.
  SIMT_INLINE void copy_from_async(std::span<const T> host, const stream& s) {
    check_size("copy_from_async", host.size());
    backend::copy(self().data(), host.data(), self().bytes(), copy_kind::host_to_device, s.handle(), false);
  }
  SIMT_INLINE void copy_to_async(std::span<T> host, const stream& s) const {
    check_size("copy_to_async", host.size());
    backend::copy(host.data(), self().data(), self().bytes(), copy_kind::device_to_host, s.handle(), false);
  }
  SIMT_INLINE std::vector<T> to_host(const stream& s = stream::default_stream()) const {
    std::vector<T> host(static_cast<std::size_t>(self().size()));
    copy_to({host.data(), host.size()}, s);  // a vector as a range compiles slowly
    return host;
  }

 protected:
  void check_size(const char* what, std::size_t n) const {
    if (static_cast<std::int64_t>(n) != self().size()) detail::refuse_size(what, self().title(), self().size(), n);
  }

 private:
  SIMT_INLINE const Self& self() const { return static_cast<const Self&>(*this); }
};

}  // namespace simt
