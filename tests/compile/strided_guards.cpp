// SPDX-License-Identifier: Apache-2.0
// Conditions for which few threads do something (sim/compile/strided_guards.hpp): remainders, masks and multiples of an
// index, with numbers that are constants or not, near the ends of the index's type, too, where it wraps within a row.
// Each element says whether its thread passed; the host asks the same of one number at a time.
#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

#include <simt/simt.hpp>

namespace strided_guards {
namespace {

constexpr int kThreads = 100, kBlocks = 3, kAll = kThreads * kBlocks;

enum class question { remainder, remainder_if_any, mask, below, at_most };

// With a wrap.
template <class T>
SIMT_DEVICE constexpr T product(T a, T b) {
  using word = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  return static_cast<T>(static_cast<word>(a) * static_cast<word>(b));
}
template <class T>
SIMT_DEVICE constexpr T sum(T a, unsigned b) {
  return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + b);
}
template <question Q, class T>
SIMT_DEVICE constexpr bool passes(T i, T number, T given) {
  switch (Q) {
    case question::remainder:
      return i % number == given;
    case question::remainder_if_any:
      return number != 0 && i % number == given;
    case question::mask:
      return (i & number) == given;
    case question::below:
      return product(i, number) < given;
    default:
      return product(i, number) <= given;
  }
}

SIMT_DEVICE unsigned place_of(simt::thread t) {
  return static_cast<unsigned>(t.block_idx().x) * static_cast<unsigned>(t.block_dim().x) +
         static_cast<unsigned>(t.thread_idx().x);
}
template <class T, question Q>
SIMT_DEVICE void mark(simt::thread t, T before, T number, T given, std::int64_t* out) {
  const unsigned place = place_of(t);
  const T i = sum(before, place);
  if (passes<Q>(i, number, given)) out[place] = static_cast<std::int64_t>(i) * 3 + 1;
}
template <class T, question Q, int Number, int Given>
SIMT_DEVICE void mark_known(simt::thread t, T before, std::int64_t* out) {
  const unsigned place = place_of(t);
  const T i = sum(before, place);
  if (passes<Q, T>(i, Number, Given)) out[place] = static_cast<std::int64_t>(i) * 3 + 1;
}
template <class T, question Q>
[[gnu::noinline]] std::int64_t expected(T before, T number, T given, unsigned place) {
  const T i = sum(before, place);
  return passes<Q>(i, number, given) ? static_cast<std::int64_t>(i) * 3 + 1 : -7;
}

void compare_with(const std::vector<std::int64_t>& wanted, const std::function<void(std::int64_t*)>& launch,
                  std::int64_t before, std::int64_t number, std::int64_t given) {
  auto out = simt::to_device(std::vector<std::int64_t>(kAll, -7), "out");
  launch(out.view().data_handle());
  CAPTURE(before);
  CAPTURE(number);
  CAPTURE(given);
  CHECK(out.to_host() == wanted);
}
template <class T, question Q, class F>
[[gnu::noinline]] void compare_with(T before, T number, T given, const F& launch) {
  std::vector<std::int64_t> wanted(kAll);
  for (unsigned place = 0; place < kAll; ++place) wanted[place] = expected<T, Q>(before, number, given, place);
  compare_with(wanted, launch, static_cast<std::int64_t>(before), static_cast<std::int64_t>(number),
               static_cast<std::int64_t>(given));
}

// Where an index may begin.
template <class T>
std::vector<T> beginnings() {
  constexpr T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  return {0, 1, 6, most, static_cast<T>(most - 150), static_cast<T>(most - 298), least, static_cast<T>(0 - 120)};
}

template <class T, question Q>
void compare(std::vector<T> numbers, std::vector<T> given) {
  for (const T before : beginnings<T>())
    for (const T number : numbers)
      for (const T g : given)
        compare_with<T, Q>(before, number, g, [=](std::int64_t* out) {
          simt::launch<mark<T, Q>>({.grid = kBlocks, .block = kThreads}, before, number, g, out);
        });
}
template <class T, question Q, int Number, int Given = 0>
void compare_known() {
  for (const T before : beginnings<T>())
    compare_with<T, Q>(before, Number, Given, [=](std::int64_t* out) {
      simt::launch<mark_known<T, Q, Number, Given>>({.grid = kBlocks, .block = kThreads}, before, out);
    });
}

// Numbers of all kinds: 1, small ones, powers, the largest and, with a sign, some below 0.
template <class T>
std::vector<T> numbers() {
  std::vector<T> all = {1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 99, 127, std::numeric_limits<T>::max()};
  if (std::is_signed_v<T>) all.insert(all.end(), {static_cast<T>(-2), static_cast<T>(-3), static_cast<T>(-8)});
  return all;
}

TEST_CASE("remainders as steps") {
  compare<int, question::remainder>(numbers<int>(), {0, 1, 4, -1, 100});
  compare<unsigned, question::remainder>(numbers<unsigned>(), {0, 1, 4, ~0U, 100});
  compare<std::int64_t, question::remainder>(numbers<std::int64_t>(), {0, 5});
  compare<std::int16_t, question::remainder>(numbers<std::int16_t>(), {0, 5});
  compare<std::uint8_t, question::remainder>(numbers<std::uint8_t>(), {0, 5});
}
TEST_CASE("a divisor of 0 behind a question whether it is") {
  compare<int, question::remainder_if_any>({0, 4, 6}, {0, 2});
  compare<unsigned, question::remainder_if_any>({0, 4, 6}, {0, 2});
}
TEST_CASE("masks as steps") {
  const auto masks = [](auto zero) {
    using T = decltype(zero);
    return std::vector<T>{0, 1, 3, 5, 7, 11, 15, 16, 31, 63, 95, static_cast<T>(-1), static_cast<T>(-2)};
  };
  compare<int, question::mask>(masks(0), {0, 3, 8, 15, -1});
  compare<unsigned, question::mask>(masks(0U), {0, 3, 8, 15, ~0U});
  compare<std::uint64_t, question::mask>(masks(std::uint64_t{0}), {0, 3});
  compare<std::uint8_t, question::mask>(masks(std::uint8_t{0}), {0, 3, 8});
}
TEST_CASE("multiples below a limit as bounds") {
  const std::vector<int> limits = {0, 1, 100, 255, 4096, -1, std::numeric_limits<int>::max()};
  compare<int, question::below>(numbers<int>(), limits);
  compare<int, question::at_most>(numbers<int>(), limits);
  const std::vector<unsigned> natural = {0, 1, 100, 255, 4096, ~0U, 1U << 31};
  compare<unsigned, question::below>(numbers<unsigned>(), natural);
  compare<unsigned, question::at_most>(numbers<unsigned>(), natural);
  compare<unsigned, question::below>({1U << 24, 1U << 30, 40'000'000, 0}, natural);
  compare<int, question::below>({1 << 24, 1 << 30, 40'000'000, 0}, limits);
}
TEST_CASE("known steps") {
  compare_known<int, question::remainder, 2>();
  compare_known<int, question::remainder, 2, 1>();
  compare_known<int, question::remainder, 3>();
  compare_known<unsigned, question::remainder, 2, 1>();
  compare_known<unsigned, question::remainder, 32>();
  compare_known<unsigned, question::remainder, 12, 5>();
  compare_known<unsigned, question::remainder, 512, 7>();
  compare_known<std::int64_t, question::remainder, 64>();
  compare_known<std::uint8_t, question::remainder, 8, 3>();
  compare_known<unsigned, question::mask, 7, 2>();
  compare_known<unsigned, question::mask, 11, 8>();
  compare_known<int, question::below, 6, 1000>();
  compare_known<unsigned, question::at_most, 256, 0>();
}

}  // namespace
}  // namespace strided_guards
