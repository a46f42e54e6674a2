// SPDX-License-Identifier: Apache-2.0
// What the translator makes of inline PTX (frontends/cuda/translate/ptx.cpp): one function an instruction, named
// simt_ptx_ and its first word; T: the instruction's type; mods: its other words with dots around (".rn.ftz."). PTX ISA
// 8, "Instruction Set". Here: warps and control.
#pragma once

#include <cstdint>

#include "cluster_functions.hpp"
#include "named_barriers.hpp"
#include "ptx_arithmetic.hpp"
#include "ptx_barriers.hpp"
#include "ptx_bits.hpp"
#include "ptx_comparisons.hpp"
#include "ptx_matrices.hpp"
#include "ptx_memory.hpp"
#include "ptx_registers.hpp"
#include "ptx_video.hpp"
#include "warp_functions.hpp"

namespace simt_cuda::ptx {

template <class V, class S, class C, class M>
[[gnu::always_inline]] inline std::uint32_t shuffle(char mode, V value, S source, C c, M mask, bool& in_range) {
  const auto v = as<std::uint32_t>(value), b = static_cast<std::uint32_t>(source),
             clamp = static_cast<std::uint32_t>(c);
  const auto members = static_cast<unsigned>(mask);
  const int width = 32 - static_cast<int>(clamp >> 8 & 31);
  const int lane = static_cast<int>(self().lane()), in_segment = lane & (width - 1);
  in_range = mode == 'u'   ? in_segment >= static_cast<int>(b)
             : mode == 'd' ? in_segment + static_cast<int>(b) < width
                           : true;
  if (mode == 'u') return __shfl_up_sync(members, v, b, width);
  if (mode == 'd') return __shfl_down_sync(members, v, b, width);
  if (mode == 'b') return __shfl_xor_sync(members, v, static_cast<int>(b), width);
  return __shfl_sync(members, v, static_cast<int>(b), width);
}
template <class T>
[[gnu::always_inline]] inline std::uint32_t simt_ptx_activemask(const char*) {
  return __activemask();
}
template <class T>
[[noreturn]] inline void simt_ptx_trap(const char*) {
  __trap();
}
template <class T>
inline void simt_ptx_brkpt(const char*) {
  __brkpt();
}
template <class T, class N>
inline void simt_ptx_pmevent(const char*, N) {}  // for a profiler of the GPU
template <class T, class N>
inline void simt_ptx_nanosleep(const char*, N ns) {
  __nanosleep(static_cast<unsigned>(ns));
}
template <class T>
inline void simt_ptx_griddepcontrol(const char*) {}  // a kernel begins when those before it have ended
// Hints to the caches mean nothing here.
template <class T>
inline void simt_ptx_prefetch(const char*, const char*) {}
template <class T>
inline void simt_ptx_prefetchu(const char*, const char*) {}
template <class T, class N>
inline void simt_ptx_discard(const char*, const char*, N) {}
template <class T, class N>
inline void simt_ptx_applypriority(const char*, const char*, N) {}
template <class T, class... V>
inline std::uint64_t simt_ptx_createpolicy(const char*, V...) {
  return 0;
}

}  // namespace simt_cuda::ptx
