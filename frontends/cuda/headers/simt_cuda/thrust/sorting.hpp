// SPDX-License-Identifier: Apache-2.0
// Sorting and partitions.
#pragma once

#include "compactions.hpp"

namespace thrust {

namespace detail {

struct nothing {};
// Values that go with no keys.
struct no_values {
  nothing operator[](std::ptrdiff_t) const { return {}; }
};
struct no_storage {
  struct place {
    const place& operator=(nothing) const { return *this; }
    operator nothing() const { return {}; }
  };
  place operator[](std::ptrdiff_t) const { return {}; }
};

// Stable: merges runs from one pair of arrays to the other and back. The result is in k and v.
template <class K, class V, class KeyRoom, class ValueRoom, class Less>
void merge_sort(K k, V v, KeyRoom key_room, ValueRoom value_room, std::ptrdiff_t n, Less& is_less) {
  const auto pass = [&](auto kf, auto vf, auto kt, auto vt, std::ptrdiff_t width) {
    for (std::ptrdiff_t first = 0; first < n; first += 2 * width) {
      const std::ptrdiff_t middle = first + width < n ? first + width : n,
                           last = first + 2 * width < n ? first + 2 * width : n;
      std::ptrdiff_t i = first, j = middle;
      for (std::ptrdiff_t o = first; o < last; ++o) {
        const bool right = i == middle || (j < last && is_less(kf[j], kf[i]));
        const std::ptrdiff_t from = right ? j++ : i++;
        kt[o] = kf[from];
        vt[o] = vf[from];
      }
    }
  };
  std::ptrdiff_t width = 1;
  for (; width < n; width *= 4) {
    pass(k, v, key_room, value_room, width);
    pass(key_room, value_room, k, v, 2 * width);
  }
}

// The same without other memory: for threads of kernels, which sort little.
template <class K, class V, class Key, class Value, class Less>
void insertion_sort(K k, V v, std::ptrdiff_t n, Less& is_less) {
  for (std::ptrdiff_t i = 1; i < n; ++i) {
    const Key key = k[i];
    const Value value = static_cast<Value>(v[i]);
    std::ptrdiff_t o = i;
    for (; o > 0 && is_less(key, k[o - 1]); --o) {
      k[o] = static_cast<Key>(k[o - 1]);
      v[o] = static_cast<Value>(v[o - 1]);
    }
    k[o] = key;
    v[o] = value;
  }
}

template <class Key, class Value, class P, class K, class V, class Less>
void sort_arrays(const P& p, const char* name, K k, V v, std::ptrdiff_t n, Less is_less) {
  constexpr bool kKeysOnly = std::is_same_v<Value, nothing>;
  if constexpr (is_device<P>) {
    if (!simt_cuda::on_device()) {
      scratch<Key> key_room("the room of a sort by Thrust", static_cast<std::size_t>(n), stream_of(p));
      Key* const kr = key_room.get();
      if constexpr (kKeysOnly) {
        alone(p, name, [=]() mutable { merge_sort(k, v, kr, no_storage(), n, is_less); });
      } else {
        scratch<Value> value_room("the room of a sort by Thrust", static_cast<std::size_t>(n), stream_of(p));
        Value* const vr = value_room.get();
        alone(p, name, [=]() mutable { merge_sort(k, v, kr, vr, n, is_less); });
      }
      return;
    }
  }
  if (simt_cuda::on_device()) return insertion_sort<K, V, Key, Value>(k, v, n, is_less);
  std::vector<Key> key_room(static_cast<std::size_t>(n));
  if constexpr (kKeysOnly) {
    merge_sort(k, v, key_room.begin(), no_storage(), n, is_less);
  } else {
    std::vector<Value> value_room(static_cast<std::size_t>(n));
    merge_sort(k, v, key_room.begin(), value_room.begin(), n, is_less);
  }
}
}  // namespace detail

#define SIMT_THRUST_SORTS(prefix)                                                   \
  template <policy P, class I, class Less = less<>>                                 \
  void prefix(const P& p, I first, I last, Less is_less = {}) {                     \
    detail::sort_arrays<detail::value_of<I>, detail::nothing>(                      \
        p, "thrust::" #prefix "()", detail::raw(first), detail::no_storage(),       \
        static_cast<std::ptrdiff_t>(detail::length(first, last)), is_less);         \
  }                                                                                 \
  SIMT_THRUST_WITHOUT_POLICY(prefix)                                                \
  template <policy P, class K, class V, class Less = less<>>                        \
  void prefix##_by_key(const P& p, K first, K last, V values, Less is_less = {}) {  \
    detail::sort_arrays<detail::value_of<K>, detail::value_of<V>>(                  \
        p, "thrust::" #prefix "_by_key()", detail::raw(first), detail::raw(values), \
        static_cast<std::ptrdiff_t>(detail::length(first, last)), is_less);         \
  }                                                                                 \
  SIMT_THRUST_WITHOUT_POLICY(prefix##_by_key)
SIMT_THRUST_SORTS(sort)
SIMT_THRUST_SORTS(stable_sort)
#undef SIMT_THRUST_SORTS

template <policy P, class I, class O, class U, class Q>
pair<O, U> partition_copy(const P& p, I first, I last, O to, U others, Q wanted) {
  O end_of_wanted = thrust::copy_if(p, first, last, to, wanted);
  return {end_of_wanted, thrust::remove_copy_if(p, first, last, others, wanted)};
}
template <policy P, class I, class S, class O, class U, class Q>
pair<O, U> partition_copy(const P& p, I first, I last, S stencil, O to, U others, Q wanted) {
  O end_of_wanted = thrust::copy_if(p, first, last, stencil, to, wanted);
  return {end_of_wanted, thrust::remove_copy_if(p, first, last, stencil, others, wanted)};
}
SIMT_THRUST_WITHOUT_POLICY(partition_copy)
namespace detail {
// Those that are wanted in front, both parts in their order; wanted_at(x, i).
template <class P, class I, class Q>
I partition_stably(const P& p, I first, I last, Q wanted_at) {
  using value = value_of<I>;
  const auto n = static_cast<std::ptrdiff_t>(length(first, last));
  const auto x = raw(first);
  auto work = [=](value* others) mutable {
    std::ptrdiff_t kept = 0, rest = 0;
    for (std::ptrdiff_t i = 0; i < n; ++i)
      if (wanted_at(x, i))
        x[kept++] = static_cast<value>(x[i]);
      else
        others[rest++] = x[i];
    for (std::ptrdiff_t i = 0; i < rest; ++i) x[kept + i] = others[i];
    return kept;
  };
  if constexpr (is_device<P>) {
    scratch<value> room("the room of a partition by Thrust", static_cast<std::size_t>(n), stream_of(p));
    value* const at = room.get();
    return first + alone(p, "thrust::partition()", [=]() mutable { return work(at); });
  } else {
    std::unique_ptr<value[]> room(new value[static_cast<std::size_t>(n)]);
    return first + work(room.get());
  }
}
}  // namespace detail
template <policy P, class I, class Q>
I stable_partition(const P& p, I first, I last, Q wanted) {
  return detail::partition_stably(p, first, last,
                                  [=](const auto& x, std::ptrdiff_t i) mutable { return wanted(x[i]); });
}
template <policy P, class I, class S, class Q>
I stable_partition(const P& p, I first, I last, S stencil, Q wanted) {
  return detail::partition_stably(
      p, first, last, [=, s = detail::raw(stencil)](const auto&, std::ptrdiff_t i) mutable { return wanted(s[i]); });
}
SIMT_THRUST_WITHOUT_POLICY(stable_partition)
template <policy P, class I, class... Rest>
I partition(const P& p, I first, I last, Rest... rest) {
  return thrust::stable_partition(p, first, last, rest...);
}
SIMT_THRUST_WITHOUT_POLICY(partition)

}  // namespace thrust
