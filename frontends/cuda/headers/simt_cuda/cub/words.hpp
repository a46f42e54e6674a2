// SPDX-License-Identifier: Apache-2.0
// The words in which a value may be moved: the longest of their kind that a type's size and alignment are multiples of.
#pragma once
#include "tools.hpp"

namespace cub {

template <class T>
struct AlignBytes {
  static constexpr unsigned ALIGN_BYTES = alignof(T);
  using Type = T;
};
template <class T>
struct AlignBytes<const T> : AlignBytes<T> {};
template <class T>
struct AlignBytes<volatile T> : AlignBytes<T> {};
template <class T>
struct AlignBytes<const volatile T> : AlignBytes<T> {};

template <class T>
struct UnitWord {
 private:
  template <class Word>
  static constexpr bool fits = sizeof(T) % sizeof(Word) == 0 && AlignBytes<T>::ALIGN_BYTES % alignof(Word) == 0;

 public:
  using ShuffleWord =
      std::conditional_t<fits<int>, unsigned int, std::conditional_t<fits<short>, unsigned short, unsigned char>>;
  using VolatileWord = std::conditional_t<fits<long long>, unsigned long long, ShuffleWord>;
  using DeviceWord = std::conditional_t<fits<longlong2>, ulonglong2, VolatileWord>;
  using TextureWord = std::conditional_t<fits<int4>, uint4, std::conditional_t<fits<int2>, uint2, ShuffleWord>>;
};
// These move whole, as their alignment allows.
template <>
struct UnitWord<float2> {
  using ShuffleWord = int;
  using VolatileWord = unsigned long long;
  using DeviceWord = unsigned long long;
  using TextureWord = float2;
};
template <>
struct UnitWord<float4> {
  using ShuffleWord = int;
  using VolatileWord = unsigned long long;
  using DeviceWord = ulonglong2;
  using TextureWord = float4;
};
template <>
struct UnitWord<char2> {
  using ShuffleWord = unsigned short;
  using VolatileWord = unsigned short;
  using DeviceWord = unsigned short;
  using TextureWord = unsigned short;
};
template <class T>
struct UnitWord<const T> : UnitWord<T> {};
template <class T>
struct UnitWord<volatile T> : UnitWord<T> {};
template <class T>
struct UnitWord<const volatile T> : UnitWord<T> {};

}  // namespace cub
