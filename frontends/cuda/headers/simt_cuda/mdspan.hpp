// SPDX-License-Identifier: Apache-2.0
// cuda::std::mdspan: views of memory with several indices, by C++23 ([mdspan.syn]) and with NVIDIA's operator() beside
// operator[]. Our own, for host compilers have it only in newer modes, and never the parentheses.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cuda::std {

using ::std::dynamic_extent;
using ::std::size_t;

template <class Index, size_t... Extents>
class extents {
 public:
  using index_type = Index;
  using size_type = ::std::make_unsigned_t<Index>;
  using rank_type = size_t;
  static constexpr rank_type rank() noexcept { return sizeof...(Extents); }
  static constexpr rank_type rank_dynamic() noexcept { return (rank_type{Extents == dynamic_extent} + ... + 0); }
  static constexpr size_t static_extent(rank_type r) noexcept {
    constexpr size_t kAll[] = {Extents..., 0};
    return kAll[r];
  }
  constexpr index_type extent(rank_type r) const noexcept { return sizes_[r]; }

  constexpr extents() noexcept : sizes_{(Extents == dynamic_extent ? Index(0) : Index(Extents))...} {}
  // All sizes, or those that are not in the type.
  template <class... I>
  requires((::std::is_convertible_v<I, Index> && ...) && sizeof...(I) > 0 &&
           (sizeof...(I) == rank() || sizeof...(I) == rank_dynamic())) constexpr explicit extents(I... given) noexcept
      : extents() {
    const Index all[] = {static_cast<Index>(given)...};
    take<sizeof...(I)>(all);
  }
  template <class I, size_t N>
  requires(N == rank() || N == rank_dynamic()) constexpr explicit(N != rank_dynamic())
      extents(const ::std::array<I, N>& given) noexcept
      : extents() {
    take<N>(given);
  }
  template <class I, size_t... Others>
  requires(sizeof...(Others) == rank()) constexpr extents(const extents<I, Others...>& other) noexcept {
    for (rank_type r = 0; r < rank(); ++r) sizes_[r] = static_cast<Index>(other.extent(r));
  }
  template <class I, size_t... Others>
  friend constexpr bool operator==(const extents& a, const extents<I, Others...>& b) noexcept {
    if constexpr (sizeof...(Others) != rank()) return false;
    for (rank_type r = 0; r < rank(); ++r)
      if (static_cast<size_t>(a.extent(r)) != static_cast<size_t>(b.extent(r))) return false;
    return true;
  }

 private:
  template <size_t N, class Given>
  constexpr void take(const Given& given) noexcept {
    for (rank_type r = 0, next = 0; r < rank(); ++r)
      if (N == rank() || static_extent(r) == dynamic_extent) sizes_[r] = static_cast<Index>(given[next++]);
  }
  Index sizes_[rank() == 0 ? 1 : rank()] = {};
};
namespace detail {
template <class Index, class Ranks>
struct all_dynamic;
template <class Index, size_t... R>
struct all_dynamic<Index, ::std::index_sequence<R...>> {
  using type = extents<Index, (R, dynamic_extent)...>;
};
}  // namespace detail
template <class Index, size_t Rank>
using dextents = typename detail::all_dynamic<Index, ::std::make_index_sequence<Rank>>::type;
template <size_t Rank, class Index = size_t>
using dims = dextents<Index, Rank>;
template <class... I>
extents(I...) -> extents<size_t, (sizeof(I), dynamic_extent)...>;

namespace detail {
// What the mappings share: the place of an element is the sum of its indices times their strides.
template <class Extents, class Layout>
class mapping_of {
 public:
  using extents_type = Extents;
  using index_type = typename Extents::index_type;
  using size_type = typename Extents::size_type;
  using rank_type = typename Extents::rank_type;
  using layout_type = Layout;
  static constexpr rank_type kRank = Extents::rank();
  constexpr const extents_type& extents() const noexcept { return extents_; }
  constexpr index_type stride(rank_type r) const noexcept { return strides_[r]; }
  constexpr ::std::array<index_type, kRank> strides() const noexcept {
    ::std::array<index_type, kRank> all{};
    for (rank_type r = 0; r < kRank; ++r) all[r] = strides_[r];
    return all;
  }
  constexpr index_type required_span_size() const noexcept {
    index_type last = 1;
    for (rank_type r = 0; r < kRank; ++r) {
      if (extents_.extent(r) == 0) return 0;
      last += (extents_.extent(r) - 1) * strides_[r];
    }
    return last;
  }
  template <class... I>
  requires(sizeof...(I) == kRank) constexpr index_type operator()(I... i) const noexcept {
    const index_type at[] = {static_cast<index_type>(i)..., 0};
    index_type place = 0;
    for (rank_type r = 0; r < kRank; ++r) place += at[r] * strides_[r];
    return place;
  }
  static constexpr bool is_always_unique() noexcept { return true; }
  static constexpr bool is_always_strided() noexcept { return true; }
  static constexpr bool is_unique() noexcept { return true; }
  static constexpr bool is_strided() noexcept { return true; }
  constexpr bool is_exhaustive() const noexcept {
    index_type elements = 1;
    for (rank_type r = 0; r < kRank; ++r) elements *= extents_.extent(r);
    return required_span_size() == elements;
  }
  friend constexpr bool operator==(const mapping_of& a, const mapping_of& b) noexcept {
    return a.extents_ == b.extents_ && a.strides() == b.strides();
  }

 protected:
  constexpr mapping_of() noexcept = default;
  constexpr mapping_of(const Extents& e) noexcept : extents_(e) {}
  Extents extents_{};
  index_type strides_[kRank == 0 ? 1 : kRank] = {};
};
}  // namespace detail

// The last index is the one of neighbours.
struct layout_right {
  template <class Extents>
  struct mapping : detail::mapping_of<Extents, layout_right> {
    constexpr mapping(const Extents& e = {}) noexcept : detail::mapping_of<Extents, layout_right>(e) {
      typename Extents::index_type step = 1;
      for (size_t r = Extents::rank(); r-- > 0; step *= e.extent(r)) this->strides_[r] = step;
    }
    static constexpr bool is_always_exhaustive() noexcept { return true; }
  };
};
struct layout_left {
  template <class Extents>
  struct mapping : detail::mapping_of<Extents, layout_left> {
    constexpr mapping(const Extents& e = {}) noexcept : detail::mapping_of<Extents, layout_left>(e) {
      typename Extents::index_type step = 1;
      for (size_t r = 0; r < Extents::rank(); step *= e.extent(r), ++r) this->strides_[r] = step;
    }
    static constexpr bool is_always_exhaustive() noexcept { return true; }
  };
};
struct layout_stride {
  template <class Extents>
  struct mapping : detail::mapping_of<Extents, layout_stride> {
    constexpr mapping() noexcept : mapping(layout_right::mapping<Extents>()) {}
    template <class I>
    constexpr mapping(const Extents& e, const ::std::array<I, Extents::rank()>& strides) noexcept
        : detail::mapping_of<Extents, layout_stride>(e) {
      for (size_t r = 0; r < Extents::rank(); ++r)
        this->strides_[r] = static_cast<typename Extents::index_type>(strides[r]);
    }
    template <class Other>
    requires requires(const Other& o) { o.stride(0), o.extents(); }
    constexpr mapping(const Other& other) noexcept : mapping(Extents(other.extents()), other.strides()) {}
    static constexpr bool is_always_exhaustive() noexcept { return false; }
  };
};

template <class T>
struct default_accessor {
  using offset_policy = default_accessor;
  using element_type = T;
  using reference = T&;
  using data_handle_type = T*;
  constexpr default_accessor() noexcept = default;
  template <class U>
  requires ::std::is_convertible_v<U (*)[], T (*)[]>
  constexpr default_accessor(default_accessor<U>) noexcept {}
  constexpr reference access(data_handle_type p, size_t i) const noexcept { return p[i]; }
  constexpr data_handle_type offset(data_handle_type p, size_t i) const noexcept { return p + i; }
};

template <class T, class Extents, class Layout = layout_right, class Accessor = default_accessor<T>>
class mdspan {
 public:
  using extents_type = Extents;
  using layout_type = Layout;
  using accessor_type = Accessor;
  using mapping_type = typename Layout::template mapping<Extents>;
  using element_type = T;
  using value_type = ::std::remove_cv_t<T>;
  using index_type = typename Extents::index_type;
  using size_type = typename Extents::size_type;
  using rank_type = typename Extents::rank_type;
  using data_handle_type = typename Accessor::data_handle_type;
  using reference = typename Accessor::reference;

  static constexpr rank_type rank() noexcept { return Extents::rank(); }
  static constexpr rank_type rank_dynamic() noexcept { return Extents::rank_dynamic(); }
  static constexpr size_t static_extent(rank_type r) noexcept { return Extents::static_extent(r); }
  constexpr index_type extent(rank_type r) const noexcept { return mapping_.extents().extent(r); }

  constexpr mdspan() noexcept = default;
  template <class... I>
  requires((::std::is_convertible_v<I, index_type> && ...) &&
           (sizeof...(I) == Extents::rank() ||
            sizeof...(I) == Extents::rank_dynamic())) constexpr explicit mdspan(data_handle_type p, I... sizes)
      : data_(p), mapping_(make_extents(sizes...)) {}
  template <class I, size_t N>
  requires(N == Extents::rank() || N == Extents::rank_dynamic()) constexpr explicit(N != Extents::rank_dynamic())
      mdspan(data_handle_type p, const ::std::array<I, N>& sizes)
      : data_(p), mapping_(Extents(sizes)) {}
  constexpr mdspan(data_handle_type p, const Extents& e) : data_(p), mapping_(e) {}
  constexpr mdspan(data_handle_type p, const mapping_type& m) : data_(p), mapping_(m) {}
  constexpr mdspan(data_handle_type p, const mapping_type& m, const Accessor& a)
      : data_(p), mapping_(m), accessor_(a) {}
  template <class U, class E, class L, class A>
  requires(::std::is_constructible_v<mapping_type, const typename L::template mapping<E>&> ||
           ::std::is_same_v<L, Layout>) &&
      ::std::is_constructible_v<Accessor, const A&> constexpr mdspan(const mdspan<U, E, L, A>& other)
      : data_(other.data_handle()),
  accessor_(other.accessor()) {
    if constexpr (::std::is_same_v<L, Layout> && !::std::is_same_v<L, layout_stride>)
      mapping_ = mapping_type(Extents(other.extents()));
    else
      mapping_ = mapping_type(other.mapping());
  }

  template <class... I>
  requires(sizeof...(I) == Extents::rank() && (::std::is_convertible_v<I, index_type> && ...)) constexpr reference
  operator()(I... i) const {
    return accessor_.access(data_, static_cast<size_t>(mapping_(static_cast<index_type>(i)...)));
  }
  template <class I>
  requires(Extents::rank() == 1 && ::std::is_convertible_v<I, index_type>) constexpr reference operator[](I i) const {
    return (*this)(i);
  }
  template <class I>
  constexpr reference operator[](const ::std::array<I, Extents::rank()>& i) const {
    return ::std::apply([this](auto... each) -> reference { return (*this)(each...); }, i);
  }
#if defined(__cpp_multidimensional_subscript)
  template <class... I>
  requires(sizeof...(I) == Extents::rank() && sizeof...(I) != 1) constexpr reference operator[](I... i) const {
    return (*this)(i...);
  }
#endif
  constexpr size_type size() const noexcept {
    size_type n = 1;
    for (rank_type r = 0; r < rank(); ++r) n *= static_cast<size_type>(extent(r));
    return n;
  }
  [[nodiscard]] constexpr bool empty() const noexcept { return size() == 0; }
  constexpr index_type stride(rank_type r) const { return mapping_.stride(r); }
  constexpr const extents_type& extents() const noexcept { return mapping_.extents(); }
  constexpr const data_handle_type& data_handle() const noexcept { return data_; }
  constexpr const mapping_type& mapping() const noexcept { return mapping_; }
  constexpr const accessor_type& accessor() const noexcept { return accessor_; }
  constexpr bool is_exhaustive() const { return mapping_.is_exhaustive(); }
  static constexpr bool is_unique() { return true; }
  static constexpr bool is_strided() { return true; }

 private:
  template <class... I>
  static constexpr Extents make_extents(I... sizes) {
    if constexpr (sizeof...(I) == 0)
      return Extents();
    else
      return Extents(static_cast<index_type>(sizes)...);
  }
  data_handle_type data_{};
  mapping_type mapping_{};
  [[no_unique_address]] Accessor accessor_{};
};
template <class T, class... I>
requires(sizeof...(I) > 0 && (::std::is_convertible_v<I, size_t> && ...)) mdspan(T*, I...)
->mdspan<T, dextents<size_t, sizeof...(I)>>;
template <class T, size_t N>
mdspan(T (&)[N]) -> mdspan<T, extents<size_t, N>>;
template <class T, class I, size_t N>
mdspan(T*, const ::std::array<I, N>&) -> mdspan<T, dextents<size_t, N>>;
template <class T, class I, size_t... E>
mdspan(T*, const extents<I, E...>&) -> mdspan<T, extents<I, E...>>;
template <class T, class Mapping>
requires requires { typename Mapping::layout_type; }
mdspan(T*, const Mapping&)->mdspan<T, typename Mapping::extents_type, typename Mapping::layout_type>;

// A part of a view: of each index one value, a range from a pair, or all.
struct full_extent_t {
  explicit full_extent_t() = default;
};
inline constexpr full_extent_t full_extent{};
template <class T, class Extents, class Layout, class Accessor, class... Slices>
requires(sizeof...(Slices) ==
         Extents::rank()) constexpr auto submdspan(const mdspan<T, Extents, Layout, Accessor>& whole,
                                                   Slices... slices) {
  using index = typename Extents::index_type;
  constexpr size_t kLeft = ((::std::is_convertible_v<Slices, index> ? 0 : 1) + ... + 0);
  ::std::array<index, kLeft> sizes{}, strides{};
  size_t r = 0, kept = 0;
  index first = 0;
  const auto take = [&](const auto& slice) {
    using slice_type = ::std::remove_cvref_t<decltype(slice)>;
    if constexpr (::std::is_convertible_v<slice_type, index>) {
      first += static_cast<index>(slice) * whole.stride(r);
    } else {
      strides[kept] = whole.stride(r);
      if constexpr (::std::is_same_v<slice_type, full_extent_t>) {
        sizes[kept++] = whole.extent(r);
      } else {
        const index from = static_cast<index>(::std::get<0>(slice));
        first += from * whole.stride(r);
        sizes[kept++] = static_cast<index>(::std::get<1>(slice)) - from;
      }
    }
    ++r;
  };
  (take(slices), ...);
  using part = dextents<index, kLeft>;
  return mdspan<T, part, layout_stride, Accessor>(
      whole.accessor().offset(whole.data_handle(), static_cast<size_t>(first)),
      typename layout_stride::template mapping<part>(part(sizes), strides), whole.accessor());
}

}  // namespace cuda::std
