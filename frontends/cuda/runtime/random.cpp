// SPDX-License-Identifier: Apache-2.0
// Jumps of the XORWOW generator. Its step is linear over bits, so n steps are a power of a 160 x 160 matrix of bits;
// the powers for 2^k steps are made once, by squaring.
#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include <backends/sim/frontend.hpp>

namespace simt_cuda {

void xorwow_skip(unsigned int v[5], unsigned long long n, bool subsequences);

namespace {

using words = std::array<unsigned int, 5>;
// Row i is what a lone bit i of the state becomes.
using matrix = std::array<words, 160>;

words times(const matrix& m, const words& v) {
  words r{};
  for (unsigned i = 0; i < 160; ++i)
    if (v[i / 32] >> (i % 32) & 1)
      for (unsigned w = 0; w < 5; ++w) r[w] ^= m[i][w];
  return r;
}

std::vector<matrix>& powers() {  // [k]: 2^k steps
  static auto* p = new std::vector<matrix>;
  return *p;
}

matrix one_step() {
  matrix m{};
  for (unsigned i = 0; i < 160; ++i) {
    words v{};
    v[i / 32] = 1u << (i % 32);
    const unsigned t = v[0] ^ (v[0] >> 2);
    m[i] = {v[1], v[2], v[3], v[4], (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1))};
  }
  return m;
}

}  // namespace

void xorwow_skip(unsigned int v[5], unsigned long long n, bool subsequences) {
  if (n == 0) return;
  constexpr unsigned kSubsequence = 67, kMost = kSubsequence + 64;
  static std::mutex mutex;
  {
    const simt::frontend::uninterrupted whole;
    std::lock_guard lock(mutex);
    auto& p = powers();
    if (p.empty()) {
      p.reserve(kMost);
      p.push_back(one_step());
    }
    const unsigned need = (subsequences ? kSubsequence : 0) + 64 - static_cast<unsigned>(__builtin_clzll(n));
    while (p.size() < need) {
      const matrix last = p.back();
      matrix next;
      for (unsigned i = 0; i < 160; ++i) next[i] = times(last, last[i]);
      p.push_back(next);
    }
  }
  words state{v[0], v[1], v[2], v[3], v[4]};
  for (unsigned k = subsequences ? kSubsequence : 0; n != 0; ++k, n >>= 1)
    if (n & 1) state = times(powers()[k], state);
  for (unsigned w = 0; w < 5; ++w) v[w] = state[w];
}

}  // namespace simt_cuda
