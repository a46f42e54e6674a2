// SPDX-License-Identifier: Apache-2.0
// Several neighbouring cells at a time, by AVX2, for accesses that neighbouring threads make side by side.
//
// A function takes the cells of `threads` threads, `Cells` each, one after the other. It gives the number of threads
// that it went through. It stops before cells that are not ordered before the threads: the writer word must lie in
// `oldest` to `floor`, the reader word below `floor`. A writer word of 0, of a cell that nothing has touched, counts as
// `untouched`. The caller decides there, and may go on behind. Without AVX2 it gives 0.
#pragma once

#include "sim/check/block_state.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#if __has_include(<sys/platform/x86.h>)
#define _Bool bool  // the header is C
#include <sys/platform/x86.h>
#undef _Bool
#endif
#endif

namespace simt::check::cell_vector {

#if defined(__x86_64__)

// The C library asks the processor once, as the process starts. __builtin_cpu_supports() would ask again, a dozen
// times, and where the processor is a virtual one each answer takes longer than a system call.
#ifdef CPU_FEATURE_ACTIVE
inline bool usable = CPU_FEATURE_ACTIVE(AVX2);  // tests turn it off
#else
inline bool usable = __builtin_cpu_supports("avx2") != 0;
#endif

#define SIMT_AVX2 [[gnu::target("avx2")]] inline

// writer, readers, writer, readers
SIMT_AVX2 __m256i in_both(shadow_word writer, shadow_word readers) {
  const auto w = static_cast<long long>(writer), r = static_cast<long long>(readers);
  return _mm256_set_epi64x(r, w, r, w);
}
// Of two cells the writers, or the readers; 0 besides.
template <bool Writers>
SIMT_AVX2 __m256i in_two(shadow_word first, shadow_word second) {
  const auto a = static_cast<long long>(first), b = static_cast<long long>(second);
  return Writers ? _mm256_set_epi64x(0, b, 0, a) : _mm256_set_epi64x(b, 0, a, 0);
}
// Signed compares will do: epochs have 40 bits, and the word of a slow cell, with its highest bit set, is less than
// all.
SIMT_AVX2 bool is_old(__m256i cells, __m256i mask, __m256i below, __m256i floor) {
  const __m256i age = _mm256_and_si256(cells, mask);
  const __m256i old = _mm256_and_si256(_mm256_cmpgt_epi64(age, below), _mm256_cmpgt_epi64(floor, age));
  return _mm256_movemask_epi8(old) == -1;
}
// Writer words that are 0 become `untouched`, whose reader words are 0.
SIMT_AVX2 __m256i with_untouched(__m256i cells, __m256i untouched) {
  return _mm256_or_si256(cells, _mm256_and_si256(_mm256_cmpeq_epi64(cells, _mm256_setzero_si256()), untouched));
}
template <std::uint32_t Cells>
inline constexpr std::uint32_t threads_at_once = Cells == 1   ? 4
                                                 : Cells == 2 ? 2
                                                              : 1;  // four cells, a cache line

// `readers_count`: whether the readers' age matters.
// `Untouched`: whether untouched is other than 0.
template <std::uint32_t Cells, bool Untouched>
SIMT_AVX2 std::uint32_t quiet(const cell* c, std::uint32_t threads, epoch oldest, epoch floor, bool readers_count,
                              shadow_word untouched) {
  constexpr std::uint32_t kThreads = threads_at_once<Cells>;
  const __m256i mask = in_both(kSlow | kEpochMask, readers_count ? kEpochMask : 0),
                below = in_both(oldest - 1, ~shadow_word{0}), top = in_both(floor, floor), none = in_both(untouched, 0);
  std::uint32_t i = 0;
  for (; i + kThreads <= threads; i += kThreads, c += 4) {
    __builtin_prefetch(c + 256, 1);  // cells of threads to come
    const auto* const at = reinterpret_cast<const __m256i*>(c);
    __m256i a = _mm256_loadu_si256(at), b = _mm256_loadu_si256(at + 1);
    if (Untouched) a = with_untouched(a, none), b = with_untouched(b, none);
    if (!is_old(a, mask, below, top) || !is_old(b, mask, below, top)) break;
  }
  return i;
}

// The threads write or read: `self` is the first one's word, the next one's is `step` more.
template <bool Write, std::uint32_t Cells, bool Untouched>
SIMT_AVX2 std::uint32_t record(cell* c, std::uint32_t threads, epoch oldest, epoch floor, shadow_word self,
                               shadow_word step, shadow_word untouched) {
  constexpr std::uint32_t kThreads = threads_at_once<Cells>;
  const __m256i mask = in_both(kSlow | kEpochMask, kEpochMask), below = in_both(oldest - 1, ~shadow_word{0}),
                top = in_both(floor, floor), none = in_both(untouched, 0);
  __m256i first = in_two<Write>(self, Cells == 1 ? self + step : self);
  __m256i second = Cells == 1   ? in_two<Write>(self + 2 * step, self + 3 * step)
                   : Cells == 2 ? in_two<Write>(self + step, self + step)
                                : first;
  const __m256i stride = in_two<Write>(kThreads * step, kThreads * step);
  std::uint32_t i = 0;
  for (; i + kThreads <= threads; i += kThreads, c += 4) {
    auto* const at = reinterpret_cast<__m256i*>(c);
    __m256i a = _mm256_loadu_si256(at), b = _mm256_loadu_si256(at + 1);
    if (Untouched) a = with_untouched(a, none), b = with_untouched(b, none);
    if (!is_old(a, mask, below, top) || !is_old(b, mask, below, top)) break;
    _mm256_storeu_si256(at, Write ? first : _mm256_blend_epi32(a, first, 0xCC));
    _mm256_storeu_si256(at + 1, Write ? second : _mm256_blend_epi32(b, second, 0xCC));
    first = _mm256_add_epi64(first, stride);
    second = _mm256_add_epi64(second, stride);
  }
  return i;
}
#undef SIMT_AVX2

#else

inline bool usable = false;
template <std::uint32_t Cells, bool Untouched>
std::uint32_t quiet(const cell*, std::uint32_t, epoch, epoch, bool, shadow_word) {
  return 0;
}
template <bool Write, std::uint32_t Cells, bool Untouched>
std::uint32_t record(cell*, std::uint32_t, epoch, epoch, shadow_word, shadow_word, shadow_word) {
  return 0;
}

#endif

}  // namespace simt::check::cell_vector
