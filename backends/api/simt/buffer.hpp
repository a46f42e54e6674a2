// SPDX-License-Identifier: Apache-2.0
// buffer<T>: device memory with an owner and a name. Host only.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include <simt/device_copies.hpp>
#include <simt/stream.hpp>
#include <simt/type_name.hpp>
#include <simt/view.hpp>

namespace simt {

namespace detail {
// Number of elements of `extents`; throws what makes no sense or fits no memory.
inline std::int64_t element_count(const std::vector<std::int64_t>& extents, std::size_t element_bytes,
                                  const std::string& name) {
  std::int64_t n = 1;
  for (const std::int64_t e : extents) {
    if (e < 0)
      throw error(error_kind::invalid_argument, "buffer '" + name + "': extent " + std::to_string(e) + " is negative");
    if (__builtin_mul_overflow(n, e, &n) || n > std::int64_t{1} << 56)
      throw error(error_kind::out_of_memory, "buffer '" + name + "': more elements than memory can hold");
  }
  if (n > (std::int64_t{1} << 60) / static_cast<std::int64_t>(element_bytes))
    throw error(error_kind::out_of_memory, "buffer '" + name + "': " + std::to_string(n) + " elements of " +
                                               std::to_string(element_bytes) + " bytes are more than memory can hold");
  return n;
}

// A view of Rank axes of what a buffer holds; rank 1 sees any buffer flat.
template <int Rank, class T>
simt::view<T, Rank> view_of(T* data, std::int64_t size, const std::vector<std::int64_t>& extents,
                            const std::string& name) {
  if constexpr (Rank == 1) {
    return simt::view<T, 1>(data, size);
  } else {
    if (static_cast<int>(extents.size()) != Rank)
      throw error(error_kind::invalid_argument, "buffer '" + name + "' has " + std::to_string(extents.size()) +
                                                    " axes, a view of " + std::to_string(Rank) + " was asked for");
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return simt::view<T, Rank>(data, extents[I]...); }
    (std::make_index_sequence<Rank>());
  }
}
}  // namespace detail

// Owns `size()` elements of device memory; moves, does not copy. Uninitialised unless filled. The name stands in
// reports. T must be trivially copyable.
template <class T>
class buffer : public device_copies<buffer<T>, T> {
  using copies = device_copies<buffer<T>, T>;
  friend copies;
  static_assert(std::is_trivially_copyable_v<T>, "device memory holds trivially copyable types");

 public:
  buffer() = default;
  // Uninitialised array of 1 to 4 axes, slowest first.
  explicit buffer(std::int64_t size, std::string name = {})
      : buffer(std::vector<std::int64_t>{size}, std::move(name)) {}
  buffer(std::vector<std::int64_t> extents, std::string name) : extents_(std::move(extents)), name_(std::move(name)) {
    size_ = detail::element_count(extents_, sizeof(T), name_);
    data_ = std::shared_ptr<T>(static_cast<T*>(backend::allocate(bytes(), label())),
                               [](T* p) { backend::free(const_cast<std::remove_cv_t<T>*>(p)); });
  }
  // Memory that begins as work of `s` and ends as work of it when the buffer goes, without a wait of the host. Work of
  // other streams must be ordered after the one and before the other (CUDA Programming Guide, "Stream Ordered Memory
  // Allocator"); under check a missing order is a race.
  buffer(const stream& s, std::int64_t size, std::string name = {})
      : buffer(s, std::vector<std::int64_t>{size}, std::move(name)) {}
  buffer(const stream& s, std::vector<std::int64_t> extents, std::string name)
      : extents_(std::move(extents)), name_(std::move(name)) {
    size_ = detail::element_count(extents_, sizeof(T), name_);
    data_ = std::shared_ptr<T>(static_cast<T*>(backend::allocate_async(bytes(), label(), s.handle())),
                               free_on_stream{s, false});
  }
  buffer(buffer&&) noexcept = default;
  buffer& operator=(buffer&&) noexcept = default;
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;

  std::int64_t size() const { return size_; }
  std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }
  const std::vector<std::int64_t>& extents() const { return extents_; }
  const std::string& name() const { return name_; }
  T* data() const { return data_.get(); }
  // Gives the memory of a buffer that was made on a stream back as work of `s`; the buffer is empty then.
  SIMT_INLINE void free_on(const stream& s) {
    auto* const way = std::get_deleter<free_on_stream>(data_);
    if (way == nullptr)
      throw error(error_kind::invalid_argument, "free_on: buffer '" + name_ + "' was not made on a stream");
    backend::free_async(const_cast<std::remove_cv_t<T>*>(data()), s.handle());
    way->done = true;
    data_.reset();
    size_ = 0;
    extents_.clear();
  }

  // What kernels take. The rank must be the number of axes, except that rank 1 sees any buffer flat.
  template <int Rank = 1>
  simt::view<T, Rank> view() const {
    return detail::view_of<Rank>(data(), size_, extents_, name_);
  }

  using copies::copy_from;
  // Within the device; enqueues only.
  SIMT_INLINE void copy_from(const buffer& other, const stream& s = stream::default_stream()) {
    this->check_size("copy_from", static_cast<std::size_t>(other.size()));
    backend::copy(data(), other.data(), bytes(), copy_kind::device_to_device, s.handle(), false);
  }
  // Sets every byte.
  SIMT_INLINE void fill_bytes(int byte, const stream& s = stream::default_stream()) {
    backend::fill(data(), byte, bytes(), s.handle());
  }

 private:
  struct free_on_stream {
    stream where;
    bool done = false;
    void operator()(T* p) const {
      if (!done) backend::free_async(const_cast<std::remove_cv_t<T>*>(p), where.handle());
    }
  };
  memory_label label() const { return {name_, std::string(type_name<T>()), sizeof(T), extents_}; }
  std::string title() const { return "buffer '" + name_ + "'"; }
  std::shared_ptr<T> data_;
  std::int64_t size_ = 0;
  std::vector<std::int64_t> extents_;
  std::string name_;
};

// A device copy of a host array.
template <class T>
buffer<T> to_device(std::span<const T> host, std::string name = {}, const stream& s = stream::default_stream()) {
  buffer<T> b(static_cast<std::int64_t>(host.size()), std::move(name));
  b.copy_from(host, s);
  return b;
}
template <class T>
buffer<T> to_device(const std::vector<T>& host, std::string name = {}, const stream& s = stream::default_stream()) {
  return to_device(std::span<const T>(host.data(), host.size()), std::move(name), s);  // as a range it compiles slowly
}
template <class T>
std::vector<T> to_host(const buffer<T>& b, const stream& s = stream::default_stream()) {
  return b.to_host(s);
}

}  // namespace simt
