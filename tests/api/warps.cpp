// SPDX-License-Identifier: Apache-2.0
// Warp operations against their definition, worked out on the host lane by lane: the same on every variant.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <simt/simt.hpp>

namespace {

std::uint32_t existing(int threads, int warp) {
  const int n = threads - warp * 32;
  return n >= 32 ? 0xffffffffu : (1u << n) - 1;
}

// PTX ISA, shfl.sync: source lane of each mode.
int source_lane(int mode, int lane, int b, int width) {
  const int first = lane / width * width, last = first + width - 1;
  int source = lane;
  if (mode == 0) return first + (b & (width - 1));
  if (mode == 1) source = lane - b >= first ? lane - b : lane;
  if (mode == 2) source = lane + b <= last ? lane + b : lane;
  if (mode == 3) source = (lane ^ b) <= last ? lane ^ b : lane;
  return source;
}

template <class T>
SIMT_DEVICE void shuffles(simt::thread t, simt::view<const T> in, simt::view<T> out, int mode, int b, int width) {
  const auto mask = 0xffffffffu;
  const int i = t.rank();
  if (mode == 0) out[i] = t.shuffle(mask, in[i], b, width);
  if (mode == 1) out[i] = t.shuffle_up(mask, in[i], static_cast<unsigned>(b), width);
  if (mode == 2) out[i] = t.shuffle_down(mask, in[i], static_cast<unsigned>(b), width);
  if (mode == 3) out[i] = t.shuffle_xor(mask, in[i], b, width);
}

struct pair_of_floats {
  float a, b;
  bool operator==(const pair_of_floats&) const = default;
};
template <class T>
T number(int i) {
  if constexpr (std::is_same_v<T, pair_of_floats>)
    return {static_cast<float>(i), static_cast<float>(-i)};
  else
    return static_cast<T>(i * 1000003LL + 17);
}

template <class T>
void check_shuffles() {
  constexpr int kThreads = 96;
  std::vector<T> values;
  for (int i = 0; i < kThreads; ++i) values.push_back(number<T>(i));
  auto in = simt::to_device(values, "in");
  simt::buffer<T> out(kThreads, "out");
  for (int mode = 0; mode < 4; ++mode)
    for (const int width : {32, 16, 8, 4, 2, 1})
      for (const int b : {0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 31}) {
        simt::launch<shuffles<T>>({.grid = 1, .block = kThreads}, in, out, mode, b, width);
        const std::vector<T> got = out.to_host();
        for (int i = 0; i < kThreads; ++i) {
          const int source = i / 32 * 32 + source_lane(mode, i % 32, b, width);
          INFO("mode " << mode << " width " << width << " b " << b << " thread " << i);
          REQUIRE((got[static_cast<std::size_t>(i)] == values[static_cast<std::size_t>(source)]));
        }
      }
}

TEST_CASE("shuffles take every mode, width and 4- or 8-byte type") {
  check_shuffles<int>();
  check_shuffles<unsigned>();
  check_shuffles<float>();
  check_shuffles<long long>();
  check_shuffles<unsigned long long>();
  check_shuffles<double>();
}
#if !defined(SIMT_VARIANT_CUDA)
TEST_CASE("shuffles take structs of up to 8 bytes") { check_shuffles<pair_of_floats>(); }
#endif

SIMT_DEVICE void all_votes(simt::thread t, simt::view<const int> p, simt::view<std::uint32_t> out) {
  const int i = t.rank();
  const bool mine = p[i] != 0;
  std::uint32_t* o = &out[i * 5];
  o[0] = t.ballot(0xffffffffu, mine);
  o[1] = t.any(0xffffffffu, mine);
  o[2] = t.all(0xffffffffu, mine);
  o[3] = t.match_any(0xffffffffu, p[i]);
  o[4] = t.match_all(0xffffffffu, p[i]);
}

TEST_CASE("votes and matches, with whole and partial warps") {
  for (const int threads : {1, 7, 31, 32, 33, 64, 100, 1024})
    for (int pattern = 0; pattern < 4; ++pattern) {
      std::vector<int> p;
      for (int i = 0; i < threads; ++i)
        p.push_back(pattern == 0 ? 0 : pattern == 1 ? 5 : pattern == 2 ? i % 3 : (i / 32 == 1 ? 1 : i % 2 * 7));
      auto in = simt::to_device(p, "p");
      simt::buffer<std::uint32_t> out(threads * 5, "out");
      simt::launch<all_votes>({.grid = 1, .block = threads}, in, out);
      const auto got = out.to_host();
      for (int i = 0; i < threads; ++i) {
        const std::uint32_t lanes = existing(threads, i / 32);
        std::uint32_t ballot = 0, same = 0;
        for (int l = 0; l < 32; ++l)
          if (lanes >> l & 1) {
            const int other = p[static_cast<std::size_t>(i / 32 * 32 + l)];
            if (other != 0) ballot |= 1u << l;
            if (other == p[static_cast<std::size_t>(i)]) same |= 1u << l;
          }
        INFO("threads " << threads << " pattern " << pattern << " thread " << i);
        const std::uint32_t* o = &got[static_cast<std::size_t>(i * 5)];
        REQUIRE(o[0] == ballot);
        REQUIRE(o[1] == (ballot != 0));
        REQUIRE(o[2] == (ballot == lanes));
        REQUIRE(o[3] == same);
        // What match_all gives for a partial warp under a full mask is not specified: whole warps only.
        if (lanes == 0xffffffffu) REQUIRE(o[4] == (same == lanes ? lanes : 0));
      }
    }
}

// Lanes in groups of three masks, each in a branch of its own; values that differ in the upper half of 8 bytes too.
template <class T>
SIMT_DEVICE void matches(simt::thread t, simt::view<const T> in, simt::view<std::uint32_t> out) {
  const int i = t.rank();
  std::uint32_t* o = &out[i * 5];
  const auto ask = [&](std::uint32_t mask) {
    bool same = false;
    o[0] = t.match_any(mask, in[i]);
    o[1] = t.match_all(mask, in[i], &same);
    o[2] = same;
    o[3] = t.ballot(mask, in[i] == in[0]);
    o[4] = t.any(mask, in[i] == in[0]) * 2u + t.all(mask, in[i] == in[0]);
  };
  if (t.lane() < 4)
    ask(0x0000000f);
  else if (t.lane() % 2)
    ask(0xaaaaaaa0);
  else
    ask(0x55555550);
}
template <class T>
void check_matches() {
  constexpr int kThreads = 64;
  for (const int kinds : {1, 2, 5}) {
    std::vector<T> v;
    for (int i = 0; i < kThreads; ++i) v.push_back(number<T>(sizeof(T) == 8 ? i % kinds << 20 : i % kinds));
    auto in = simt::to_device(v, "in");
    simt::buffer<std::uint32_t> out(kThreads * 5, "out");
    simt::launch<matches<T>>({.grid = 1, .block = kThreads}, in, out);
    const auto got = out.to_host();
    for (int i = 0; i < kThreads; ++i) {
      const std::uint32_t mask = i % 32 < 4 ? 0x0000000fu : i % 2 ? 0xaaaaaaa0u : 0x55555550u;
      std::uint32_t same = 0, first = 0;
      for (int l = 0; l < 32; ++l)
        if (mask >> l & 1) {
          const T other = v[static_cast<std::size_t>(i / 32 * 32 + l)];
          if (other == v[static_cast<std::size_t>(i)]) same |= 1u << l;
          if (other == v[0]) first |= 1u << l;
        }
      INFO("kinds " << kinds << " thread " << i);
      const std::uint32_t* o = &got[static_cast<std::size_t>(i * 5)];
      REQUIRE(o[0] == same);
      REQUIRE(o[1] == (same == mask ? mask : 0));
      REQUIRE(o[2] == (same == mask));
      REQUIRE(o[3] == first);
      REQUIRE(o[4] == (first != 0 ? 2u : 0u) + (first == mask ? 1u : 0u));
    }
  }
}
TEST_CASE("matches and votes of parts of a warp, for every 4- and 8-byte type") {
  check_matches<int>();
  check_matches<unsigned>();
  check_matches<float>();
  check_matches<long long>();
  check_matches<unsigned long long>();
  check_matches<double>();
}

template <class T>
SIMT_DEVICE void reductions(simt::thread t, simt::view<const T> in, simt::view<T> out) {
  const int i = t.rank();
  const T v = in[i];
  const std::uint32_t mask = i % 2 ? 0xaaaaaaaau : 0x55555555u;  // two groups of each warp, interleaved
  T* o = &out[i * 6];
  if (i % 2) {
    o[0] = t.reduce_add(mask, v);
    o[1] = t.reduce_min(mask, v);
    o[2] = t.reduce_max(mask, v);
  } else {
    o[2] = t.reduce_max(mask, v);
    o[1] = t.reduce_min(mask, v);
    o[0] = t.reduce_add(mask, v);
  }
  if constexpr (std::is_integral_v<T>) {
    o[3] = t.reduce_and(mask, v);
    o[4] = t.reduce_or(mask, v);
    o[5] = t.reduce_xor(mask, v);
  }
}

template <class T>
void check_reductions() {
  constexpr int kThreads = 128;
  std::vector<T> values;
  for (int i = 0; i < kThreads; ++i)
    if constexpr (std::is_integral_v<T>)
      values.push_back(static_cast<T>(i * 2654435761LL - 5'000'000'000LL));
    else
      values.push_back(static_cast<T>((i * 37) % 101 - 50));  // sums of small integers are exact
  auto in = simt::to_device(values, "in");
  simt::buffer<T> out(kThreads * 6, "out");
  out.fill_bytes(0);
  simt::launch<reductions<T>>({.grid = 1, .block = kThreads}, in, out);
  const auto got = out.to_host();
  for (int i = 0; i < kThreads; ++i) {
    const auto first = static_cast<std::size_t>(i / 32 * 32 + i % 2);
    T low = values[first], high = low;
    [[maybe_unused]] std::uint64_t both = ~0ull, some = 0, odd = 0, wrapped = 0;
    double exact = 0;
    for (std::size_t l = first; l < first + 32; l += 2) {
      low = std::min(low, values[l]);
      high = std::max(high, values[l]);
      if constexpr (std::is_integral_v<T>) {
        const auto bits = static_cast<std::uint64_t>(values[l]);
        both &= bits, some |= bits, odd ^= bits, wrapped += bits;
      } else {
        exact += values[l];
      }
    }
    const T* o = &got[static_cast<std::size_t>(i * 6)];
    INFO("thread " << i);
    CHECK(o[1] == low);
    CHECK(o[2] == high);
    if constexpr (std::is_integral_v<T>) {
      CHECK(o[0] == static_cast<T>(wrapped));
      CHECK(o[3] == static_cast<T>(both));
      CHECK(o[4] == static_cast<T>(some));
      CHECK(o[5] == static_cast<T>(odd));
    } else {
      CHECK(o[0] == static_cast<T>(exact));
    }
  }
}

TEST_CASE("reductions over interleaved groups of a warp, in different order in each branch") {
  check_reductions<int>();
  check_reductions<unsigned>();
  check_reductions<long long>();
  check_reductions<unsigned long long>();
  check_reductions<float>();
  check_reductions<double>();
}

}  // namespace
