// SPDX-License-Identifier: Apache-2.0
// What CUB's collectives and device-wide functions share: storage, operators, keys as bits, moves between lanes.
#pragma once

#include <cstdio>
#include <limits>
#include <type_traits>

#include <cuda/functional>
#include <cuda/std/array>
#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include "../thrust/all.hpp"
#include "../hide_names.hpp"

#define CUB_VERSION 300000
#define CUB_MAJOR_VERSION 3
#define CUB_MINOR_VERSION 0
#define CUB_SUBMINOR_VERSION 0
#define CUB_RUNTIME_FUNCTION
#define CUB_NS_QUALIFIER ::cub
#define CUB_NAMESPACE_BEGIN namespace cub {
#define CUB_NAMESPACE_END }
#define CUB_STDERR
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y)-1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) ((((x) + (y)-1) / (y)) * y)
#define CUB_PTX_WARP_THREADS 32
#define CUB_WARP_THREADS(arch) 32
#define CubDebug(e) cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e)                                                 \
  do {                                                                  \
    if (cub::Debug((cudaError_t)(e), __FILE__, __LINE__)) std::exit(1); \
  } while (false)

namespace cub {

inline cudaError_t Debug(cudaError_t e, const char* file, int line) {
  if (e != cudaSuccess)
    std::fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", static_cast<int>(e), file, line, cudaGetErrorString(e));
  return e;
}

struct NullType {
  template <class T>
  NullType& operator=(const T&) {
    return *this;
  }
  bool operator==(const NullType&) const { return true; }
  bool operator!=(const NullType&) const { return false; }
};
template <class Key, class Value>
struct KeyValuePair {
  using KeyT = Key;
  using ValueT = Value;
  Key key;
  Value value;
  KeyValuePair() = default;
  KeyValuePair(const Key& k, const Value& v) : key(k), value(v) {}
  bool operator!=(const KeyValuePair& o) const { return key != o.key || value != o.value; }
};

#define SIMT_CUB_OPERATOR(name, expression)                   \
  struct name {                                               \
    template <class X, class Y>                               \
    constexpr auto operator()(const X& x, const Y& y) const { \
      return expression;                                      \
    }                                                         \
  };
SIMT_CUB_OPERATOR(Equality, x == y)
SIMT_CUB_OPERATOR(Inequality, x != y)
SIMT_CUB_OPERATOR(Sum, x + y)
SIMT_CUB_OPERATOR(Difference, x - y)
SIMT_CUB_OPERATOR(Division, x / y)
#undef SIMT_CUB_OPERATOR
struct Max {
  template <class T>
  constexpr T operator()(const T& x, const T& y) const {
    return x < y ? y : x;
  }
};
struct Min {
  template <class T>
  constexpr T operator()(const T& x, const T& y) const {
    return y < x ? y : x;
  }
};
struct ArgMax {
  template <class K, class V>
  KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& x, const KeyValuePair<K, V>& y) const {
    return x.value < y.value || (!(y.value < x.value) && y.key < x.key) ? y : x;
  }
};
struct ArgMin {
  template <class K, class V>
  KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& x, const KeyValuePair<K, V>& y) const {
    return y.value < x.value || (!(x.value < y.value) && y.key < x.key) ? y : x;
  }
};
template <class B>
struct CastOp {
  template <class A>
  B operator()(const A& a) const {
    return static_cast<B>(a);
  }
};
template <class Equal>
struct InequalityWrapper {
  Equal op;
  template <class X, class Y>
  bool operator()(const X& x, const Y& y) {
    return !op(x, y);
  }
};

template <class T>
struct DoubleBuffer {
  T* d_buffers[2] = {nullptr, nullptr};
  int selector = 0;
  DoubleBuffer() = default;
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

// A number that stands in device memory by the time a kernel asks for it.
template <class T, class I = T*>
struct FutureValue {
  using value_type = T;
  using iterator_type = I;
  I at;
  explicit FutureValue(I where) : at(where) {}
  operator T() const { return *at; }
};
// Storage for a T, without its constructor.
template <class T>
struct Uninitialized {
  alignas(T) unsigned char storage[sizeof(T)];
  T& Alias() { return reinterpret_cast<T&>(storage); }
};

template <class N, class D>
constexpr N DivideAndRoundUp(N n, D d) {
  return n / static_cast<N>(d) + (n % static_cast<N>(d) != 0 ? 1 : 0);
}
template <int N, int Current = N, int Count = 0>
struct Log2 {
  enum { VALUE = Log2<N, (Current >> 1), Count + 1>::VALUE };
};
template <int N, int Count>
struct Log2<N, 0, Count> {
  enum { VALUE = (1 << (Count - 1) < N) ? Count : Count - 1 };
};
template <int N>
struct PowerOfTwo {
  enum { VALUE = (N & (N - 1)) == 0 };
};
template <bool C, class A, class B>
struct If {
  using Type = std::conditional_t<C, A, B>;
};

// The iterators that CUB had before Thrust's.
template <class T, class = std::ptrdiff_t>
using CountingInputIterator = thrust::counting_iterator<T>;
template <class T, class = std::ptrdiff_t>
using ConstantInputIterator = thrust::constant_iterator<T>;
template <class = void>
using DiscardOutputIterator = thrust::discard_iterator<>;
template <class Value, class Function, class Iterator, class = std::ptrdiff_t>
class TransformInputIterator
    : public thrust::detail::facade<TransformInputIterator<Value, Function, Iterator>, Value, Value> {
 public:
  TransformInputIterator(Iterator i, Function f) : i_(i), f_(f) {}
  Value dereference() const {
    Function f = f_;
    return static_cast<Value>(f(*i_));
  }
  void advance(std::ptrdiff_t n) { i_ += n; }
  std::ptrdiff_t distance_to(const TransformInputIterator& o) const { return o.i_ - i_; }

 private:
  Iterator i_;
  Function f_;
};
template <class Iterator, class Offset = std::ptrdiff_t,
          class Value = typename std::iterator_traits<Iterator>::value_type>
class ArgIndexInputIterator : public thrust::detail::facade<ArgIndexInputIterator<Iterator, Offset, Value>,
                                                            KeyValuePair<Offset, Value>, KeyValuePair<Offset, Value>> {
 public:
  explicit ArgIndexInputIterator(Iterator i, Offset at = 0) : i_(i), at_(at) {}
  KeyValuePair<Offset, Value> dereference() const { return {at_, i_[at_]}; }
  void advance(std::ptrdiff_t n) { at_ += static_cast<Offset>(n); }
  std::ptrdiff_t distance_to(const ArgIndexInputIterator& o) const { return o.at_ - at_; }

 private:
  Iterator i_;
  Offset at_;
};

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier M, class Iterator>
auto ThreadLoad(Iterator i) {
  if constexpr (M == LOAD_VOLATILE || M == LOAD_CV)
    return *const_cast<const volatile std::remove_reference_t<decltype(*i)>*>(i);
  else
    return static_cast<typename std::iterator_traits<Iterator>::value_type>(*i);
}
template <CacheStoreModifier M, class Iterator, class T>
void ThreadStore(Iterator i, T v) {
  if constexpr (M == STORE_VOLATILE)
    *const_cast<volatile std::remove_reference_t<decltype(*i)>*>(i) = v;
  else
    *i = v;
}
template <CacheLoadModifier M, class T, class = std::ptrdiff_t>
class CacheModifiedInputIterator : public thrust::detail::facade<CacheModifiedInputIterator<M, T>, T, T> {
 public:
  template <class U>
  explicit CacheModifiedInputIterator(U* p) : p_(p) {}
  T dereference() const { return *p_; }
  void advance(std::ptrdiff_t n) { p_ += n; }
  std::ptrdiff_t distance_to(const CacheModifiedInputIterator& o) const { return o.p_ - p_; }

 private:
  const T* p_;
};

template <CacheStoreModifier M, class T, class = std::ptrdiff_t>
class CacheModifiedOutputIterator : public thrust::detail::facade<CacheModifiedOutputIterator<M, T>, T, T&> {
 public:
  template <class U>
  explicit CacheModifiedOutputIterator(U* p) : p_(p) {}
  T& dereference() const { return *p_; }
  void advance(std::ptrdiff_t n) { p_ += n; }
  std::ptrdiff_t distance_to(const CacheModifiedOutputIterator& o) const { return o.p_ - p_; }

 private:
  T* p_;
};

// Reads go through a texture on a GPU; here they are plain ones, of whatever was bound.
template <class T, class = std::ptrdiff_t>
class TexObjInputIterator : public thrust::detail::facade<TexObjInputIterator<T>, T, T> {
 public:
  TexObjInputIterator() = default;
  template <class U>
  cudaError_t BindTexture(U* p, std::size_t = 0, std::size_t offset = 0) {
    p_ = p + offset;
    return cudaSuccess;
  }
  static cudaError_t UnbindTexture() { return cudaSuccess; }
  T dereference() const { return *p_; }
  void advance(std::ptrdiff_t n) { p_ += n; }
  std::ptrdiff_t distance_to(const TexObjInputIterator& o) const { return o.p_ - p_; }

 private:
  const T* p_ = nullptr;
};

inline unsigned LaneId() { return static_cast<unsigned>(simt_cuda::self().lane()); }
inline unsigned WarpId() { return static_cast<unsigned>(simt_cuda::self().rank()) / 32; }
inline int RowMajorTid(int, int, int) { return static_cast<int>(simt_cuda::self().rank()); }
inline unsigned LaneMaskLt() { return (1u << LaneId()) - 1; }
inline unsigned LaneMaskLe() { return LaneMaskLt() | (1u << LaneId()); }
inline unsigned LaneMaskGe() { return ~LaneMaskLt(); }
inline unsigned LaneMaskGt() { return ~LaneMaskLe(); }
inline void CTA_SYNC() { __syncthreads(); }
inline void WARP_SYNC(unsigned mask) { __syncwarp(mask); }
inline cudaError_t PtxVersion(int& v) {
  v = 900;
  return cudaSuccess;
}

namespace detail {

inline int rank() { return static_cast<int>(simt_cuda::self().rank()); }

// Elements in shared memory that need no constructor: __shared__ variables and members of unions.
template <class T, int N>
struct slots {
  alignas(T) unsigned char bytes[sizeof(T) * (N > 0 ? N : 1)];
  T& operator[](int i) { return reinterpret_cast<T*>(bytes)[i]; }
};

// A value of any size from another lane.
template <class T>
T from_lane(unsigned mask, const T& v, int lane) {
  if constexpr (std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8)) {
    return __shfl_sync(mask, v, lane);
  } else {
    constexpr std::size_t kWords = (sizeof(T) + 3) / 4;
    unsigned words[kWords] = {};
    __builtin_memcpy(words, &v, sizeof v);
    for (unsigned& w : words) w = __shfl_sync(mask, w, lane);
    alignas(T) unsigned char bytes[sizeof(T)];
    __builtin_memcpy(bytes, words, sizeof bytes);
    return *std::launder(reinterpret_cast<T*>(bytes));
  }
}

// Keys as unsigned numbers in the order of the keys.
template <std::size_t Bytes>
struct unsigned_of_size;
template <>
struct unsigned_of_size<1> {
  using type = std::uint8_t;
};
template <>
struct unsigned_of_size<2> {
  using type = std::uint16_t;
};
template <>
struct unsigned_of_size<4> {
  using type = std::uint32_t;
};
template <>
struct unsigned_of_size<8> {
  using type = std::uint64_t;
};
template <class Key>
auto ordered_bits(const Key& k) {
  using bits = typename unsigned_of_size<sizeof(Key)>::type;
  constexpr bits kSign = static_cast<bits>(bits(1) << (sizeof(Key) * 8 - 1));
  bits b;
  __builtin_memcpy(&b, &k, sizeof b);
  if constexpr (std::is_unsigned_v<Key>)
    return b;
  else if constexpr (std::is_integral_v<Key>)
    return static_cast<bits>(b ^ kSign);
  else  // float, double, halves: -0 sorts as +0
    return static_cast<bits>(b == kSign ? kSign : (b & kSign) != 0 ? ~b : b | kSign);
}
template <class Key>
unsigned digit_of(const Key& k, int bit, int count, bool descending) {
  const auto b = ordered_bits(k);
  using bits = decltype(ordered_bits(k));
  const bits turned = descending ? static_cast<bits>(~b) : static_cast<bits>(b);
  return static_cast<unsigned>(turned >> bit) & ((1u << count) - 1);
}

}  // namespace detail

// A thread's own items.
template <int N, class T, class Op>
T ThreadReduce(const T (&items)[N], Op op) {
  T sum = items[0];
  for (int i = 1; i < N; ++i) sum = op(sum, items[i]);
  return sum;
}
namespace internal {
using cub::ThreadReduce;
}

// Device memory for programs that ask it of CUB: cudaMalloc and cudaFree, nothing is kept.
class CachingDeviceAllocator {
 public:
  explicit CachingDeviceAllocator(bool = false, bool = false) {}
  CachingDeviceAllocator(unsigned, unsigned, unsigned = 0, std::size_t = 0, bool = false, bool = false) {}
  cudaError_t DeviceAllocate(void** p, std::size_t n, cudaStream_t = nullptr) { return cudaMalloc(p, n ? n : 1); }
  cudaError_t DeviceAllocate(int, void** p, std::size_t n, cudaStream_t = nullptr) { return cudaMalloc(p, n ? n : 1); }
  cudaError_t DeviceFree(void* p) { return cudaFree(p); }
  cudaError_t DeviceFree(int, void* p) { return cudaFree(p); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
};

}  // namespace cub

#include "../restore_names.hpp"
