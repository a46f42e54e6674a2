// SPDX-License-Identifier: Apache-2.0
// Warp intrinsics, those with a mask and the older ones without, which mean all lanes here.
#pragma once

#include "device_functions.hpp"

#define SIMT_CUDA_LANES 0xffffffffu
SIMT_CUDA_WAIT inline void __syncwarp(unsigned mask = SIMT_CUDA_LANES) { simt_cuda::self().sync_warp(mask); }
// The place is the caller's: lanes that are in another branch are at another line.
[[gnu::always_inline]] inline unsigned __activemask(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return simt_cuda::self().activemask(file, line);
}
SIMT_CUDA_WAIT inline int __all_sync(unsigned mask, int p) { return simt_cuda::self().all(mask, p != 0); }
SIMT_CUDA_WAIT inline int __any_sync(unsigned mask, int p) { return simt_cuda::self().any(mask, p != 0); }
SIMT_CUDA_WAIT inline unsigned __ballot_sync(unsigned mask, int p) { return simt_cuda::self().ballot(mask, p != 0); }
[[gnu::always_inline]] inline int __all(int p) { return __all_sync(SIMT_CUDA_LANES, p); }
[[gnu::always_inline]] inline int __any(int p) { return __any_sync(SIMT_CUDA_LANES, p); }
[[gnu::always_inline]] inline unsigned __ballot(int p) { return __ballot_sync(SIMT_CUDA_LANES, p); }

// Values of 4 and 8 bytes as they are; larger or smaller ones (vectors, half) travel in pieces.
namespace simt_cuda {
template <class T, class F>
[[gnu::always_inline]] inline T in_words(T v, F&& move) {
  if constexpr (std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8)) {
    return move(v);
  } else if constexpr (sizeof(T) <= 4) {
    unsigned bits = 0;
    __builtin_memcpy(&bits, &v, sizeof v);
    bits = move(bits);
    __builtin_memcpy(&v, &bits, sizeof v);
    return v;
  } else {
    static_assert(sizeof(T) % 4 == 0, "shuffles move values of 1, 2 or a multiple of 4 bytes");
    unsigned words[sizeof(T) / 4];
    __builtin_memcpy(words, &v, sizeof v);
    for (unsigned& w : words) w = move(w);
    __builtin_memcpy(&v, words, sizeof v);
    return v;
  }
}
}  // namespace simt_cuda

template <class T>
SIMT_CUDA_WAIT inline T __shfl_sync(unsigned mask, T v, int source, int width = 32) {
  return simt_cuda::in_words(v, [=](auto w) { return simt_cuda::self().shuffle(mask, w, source, width); });
}
template <class T>
SIMT_CUDA_WAIT inline T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32) {
  return simt_cuda::in_words(v, [=](auto w) { return simt_cuda::self().shuffle_up(mask, w, delta, width); });
}
template <class T>
SIMT_CUDA_WAIT inline T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32) {
  return simt_cuda::in_words(v, [=](auto w) { return simt_cuda::self().shuffle_down(mask, w, delta, width); });
}
template <class T>
SIMT_CUDA_WAIT inline T __shfl_xor_sync(unsigned mask, T v, int lanes, int width = 32) {
  return simt_cuda::in_words(v, [=](auto w) { return simt_cuda::self().shuffle_xor(mask, w, lanes, width); });
}
template <class T>
[[gnu::always_inline]] inline T __shfl(T v, int source, int width = 32) {
  return __shfl_sync(SIMT_CUDA_LANES, v, source, width);
}
template <class T>
[[gnu::always_inline]] inline T __shfl_up(T v, unsigned delta, int width = 32) {
  return __shfl_up_sync(SIMT_CUDA_LANES, v, delta, width);
}
template <class T>
[[gnu::always_inline]] inline T __shfl_down(T v, unsigned delta, int width = 32) {
  return __shfl_down_sync(SIMT_CUDA_LANES, v, delta, width);
}
template <class T>
[[gnu::always_inline]] inline T __shfl_xor(T v, int lanes, int width = 32) {
  return __shfl_xor_sync(SIMT_CUDA_LANES, v, lanes, width);
}

template <class T>
SIMT_CUDA_WAIT inline unsigned __match_any_sync(unsigned mask, T v) {
  return simt_cuda::self().match_any(mask, v);
}
template <class T>
SIMT_CUDA_WAIT inline unsigned __match_all_sync(unsigned mask, T v, int* same) {
  bool all = false;
  const unsigned lanes = simt_cuda::self().match_all(mask, v, &all);
  if (same != nullptr) *same = all;
  return lanes;
}

#define SIMT_CUDA_REDUCE(op, T) \
  SIMT_CUDA_WAIT inline T __reduce_##op##_sync(unsigned mask, T v) { return simt_cuda::self().reduce_##op(mask, v); }
SIMT_CUDA_REDUCE(add, int)
SIMT_CUDA_REDUCE(add, unsigned)
SIMT_CUDA_REDUCE(min, int)
SIMT_CUDA_REDUCE(min, unsigned)
SIMT_CUDA_REDUCE(max, int)
SIMT_CUDA_REDUCE(max, unsigned)
SIMT_CUDA_REDUCE(and, unsigned)
SIMT_CUDA_REDUCE(or, unsigned)
SIMT_CUDA_REDUCE(xor, unsigned)
#undef SIMT_CUDA_REDUCE
