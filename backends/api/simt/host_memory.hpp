// SPDX-License-Identifier: Apache-2.0
// managed_buffer<T> and pinned_buffer<T>: memory that host and kernels reach by one address. Host only.
//
// Nothing orders the two sides by itself: after a launch that uses such memory the host must wait for the stream or the
// device before it touches it, and copies to and from it that the host does not wait for count too. Under check a
// missing wait is a race with the host as one side. Such memory counts as initialised: uninitialised reads of it are
// not found.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <simt/buffer.hpp>

namespace simt {

// managed: the driver moves pages to the side that uses them (CUDA Programming Guide, "Unified Memory Programming").
// pinned: the host's memory, page-locked; kernels reach it over the bus, asynchronous copies run beside kernels.
enum class host_memory : std::uint8_t { managed, pinned };

// Owns size() elements; moves, does not copy. T must be trivially copyable.
template <class T, host_memory Kind>
class host_buffer {
  static_assert(std::is_trivially_copyable_v<T>, "device memory holds trivially copyable types");

 public:
  using value_type = T;

  host_buffer() = default;
  // Uninitialised array of 1 to 4 axes, slowest first; the name stands in reports.
  explicit host_buffer(std::int64_t size, std::string name = {})
      : host_buffer(std::vector<std::int64_t>{size}, std::move(name)) {}
  host_buffer(std::vector<std::int64_t> extents, std::string name)
      : extents_(std::move(extents)), name_(std::move(name)) {
    size_ = detail::element_count(extents_, sizeof(T), name_);
    const memory_label label{name_, std::string(type_name<T>()), sizeof(T), extents_};
    if constexpr (Kind == host_memory::managed)
      data_ = std::shared_ptr<T>(static_cast<T*>(backend::allocate_managed(bytes(), label)),
                                 [](T* p) { backend::free(p); });
    else
      data_ = std::shared_ptr<T>(static_cast<T*>(backend::allocate_pinned(bytes(), label)),
                                 [](T* p) { backend::free_pinned(p); });
  }
  host_buffer(host_buffer&&) noexcept = default;
  host_buffer& operator=(host_buffer&&) noexcept = default;
  host_buffer(const host_buffer&) = delete;
  host_buffer& operator=(const host_buffer&) = delete;

  std::int64_t size() const { return size_; }
  std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }
  const std::vector<std::int64_t>& extents() const { return extents_; }
  const std::string& name() const { return name_; }

  // The same address on both sides.
  T* data() const { return data_.get(); }
  T* begin() const { return data(); }
  T* end() const { return data() + size_; }
  T& operator[](std::int64_t i) const { return data()[i]; }
  std::span<T> span() const { return {data(), static_cast<std::size_t>(size_)}; }

  // What kernels take. The rank must be the number of axes, except that rank 1 sees any buffer flat.
  template <int Rank = 1>
  simt::view<T, Rank> view() const {
    return detail::view_of<Rank>(data(), size_, extents_, name_);
  }

 private:
  std::shared_ptr<T> data_;
  std::int64_t size_ = 0;
  std::vector<std::int64_t> extents_;
  std::string name_;
};

template <class T>
using managed_buffer = host_buffer<T, host_memory::managed>;
template <class T>
using pinned_buffer = host_buffer<T, host_memory::pinned>;

}  // namespace simt
