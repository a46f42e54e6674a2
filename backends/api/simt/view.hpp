// SPDX-License-Identifier: Apache-2.0
// view<T, Rank>: a pointer with signed 64-bit extents, row-major; what kernels see of a buffer.
//
// Spelled like std::mdspan, so that it can become it. Copying a view copies no element. In the check variant an index
// outside its extent is a finding even where the address lies in the buffer: the access is then redirected to a
// scratch cell, so that it neither crashes nor spoils other data.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <simt/dim3.hpp>

#if defined(SIMT_VARIANT_CHECK)
namespace simt::sim {
// Reports index `index` (axes in order) outside `extents` of an array at `data`; gives scratch memory for one element.
void* report_view_out_of_bounds(const void* data, std::size_t element_bytes, int rank, const std::int64_t* index,
                                const std::int64_t* extents, const void* pc);
}  // namespace simt::sim
#endif

namespace simt {

template <class T, int Rank = 1>
class view {
  static_assert(Rank >= 1 && Rank <= 4, "a view has 1 to 4 axes");

 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using index_type = std::int64_t;

  SIMT_INLINE SIMT_HD constexpr view() : data_(nullptr), extents_{} {}
  template <class... I>
  requires(sizeof...(I) == Rank && (std::is_convertible_v<I, index_type> && ...)) SIMT_INLINE SIMT_HD
      constexpr explicit view(T* data, I... extents)
      : data_(data), extents_{static_cast<index_type>(extents)...} {}
  // view<float> is a view<const float> too.
  template <class U>
  requires(std::is_convertible_v<U (*)[], T (*)[]> && !std::is_same_v<U, T>) SIMT_INLINE SIMT_HD
      constexpr view(const view<U, Rank>& other)
      : data_(other.data_handle()), extents_{} {
    for (int r = 0; r < Rank; ++r) extents_[r] = other.extent(r);
  }

  static constexpr int rank() { return Rank; }
  SIMT_INLINE SIMT_HD constexpr index_type extent(int r) const { return extents_[r]; }
  SIMT_INLINE SIMT_HD constexpr index_type size() const {
    index_type n = 1;
    for (int r = 0; r < Rank; ++r) n *= extents_[r];
    return n;
  }
  SIMT_INLINE SIMT_HD constexpr bool empty() const { return size() == 0; }
  SIMT_INLINE SIMT_HD constexpr T* data_handle() const { return data_; }

  SIMT_INLINE SIMT_REFERS SIMT_HD constexpr T& operator[](index_type i) const requires(Rank == 1) { return at(i); }
  template <class... I>
  requires(sizeof...(I) == Rank && (std::is_convertible_v<I, index_type> && ...)) SIMT_INLINE SIMT_REFERS SIMT_HD
      constexpr T&
      operator()(I... i) const {
    return at(static_cast<index_type>(i)...);
  }

  // `count` elements of a one-dimensional view from `first`.
  SIMT_INLINE SIMT_HD constexpr view subview(index_type first, index_type count) const requires(Rank == 1) {
    return view(data_ + first, count);
  }
  // Row `i`: the view without its slowest axis.
  SIMT_INLINE SIMT_HD constexpr auto row(index_type i) const requires(Rank >= 2) {
    index_type stride = 1;
    for (int r = 1; r < Rank; ++r) stride *= extents_[r];
    if constexpr (Rank == 2)
      return view<T, 1>(data_ + i * stride, extents_[1]);
    else if constexpr (Rank == 3)
      return view<T, 2>(data_ + i * stride, extents_[1], extents_[2]);
    else
      return view<T, 3>(data_ + i * stride, extents_[1], extents_[2], extents_[3]);
  }

 private:
  template <class... I>
  SIMT_INLINE SIMT_REFERS SIMT_HD constexpr T& at(I... i) const {
    return at_axes(std::make_index_sequence<Rank>(), i...);
  }
  template <std::size_t... Axis, class... I>
  SIMT_INLINE SIMT_REFERS SIMT_HD constexpr T& at_axes(std::index_sequence<Axis...>, I... i) const {
    index_type offset = 0;
    ((offset = offset * extents_[Axis] + i), ...);
#if defined(SIMT_VARIANT_CHECK)
    if (!((i >= 0 && i < extents_[Axis]) && ...)) [[unlikely]]
      return outside_of(*this, i...);
#endif
    return data_[offset];
  }
#if defined(SIMT_VARIANT_CHECK)
  // Apart from at(), and a copy: an address taken there would have the view's own fields watched.
  template <class... I>
  [[gnu::noinline, gnu::cold]] SIMT_UNWATCHED static T& outside_of(view self, I... i) {
    const index_type index[Rank] = {i...};
    const volatile void* data = self.data_;
    return *static_cast<T*>(sim::report_view_out_of_bounds(const_cast<const void*>(data), sizeof(T), Rank, index,
                                                           self.extents_, __builtin_return_address(0)));
  }
#endif

  T* data_;
  index_type extents_[Rank];
};

}  // namespace simt
