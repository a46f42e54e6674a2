// SPDX-License-Identifier: Apache-2.0
// <simt/math.hpp>: the edge cases where a GPU's results differ from a CPU's or C++ leaves them open.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <simt/check.hpp>
#include <simt/math.hpp>
#include <simt/simt.hpp>

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
constexpr double kWideNan = std::numeric_limits<double>::quiet_NaN();
constexpr int kMin = std::numeric_limits<int>::min(), kMax = std::numeric_limits<int>::max();
constexpr std::int64_t kWideMin = std::numeric_limits<std::int64_t>::min(),
                       kWideMax = std::numeric_limits<std::int64_t>::max();

template <class T>
SIMT_HOST_DEVICE std::uint64_t bits(T v) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<std::uint64_t>(v);
  else
    return std::bit_cast<std::uint32_t>(v);
}

template <class T>
struct two {
  T a, b;
};
template <class T>
struct three {
  T a, b, c;
};

// What is tried, with the type of its input x.
#define SIMT_TEST_FUNCTIONS(X)                                                                                 \
  X(shl, two<std::uint32_t>, simt::shift_left(x.a, x.b))                                                       \
  X(shr, two<std::uint32_t>, simt::shift_right(x.a, x.b))                                                      \
  X(sar, two<std::int32_t>, simt::shift_right(x.a, static_cast<std::uint32_t>(x.b)))                           \
  X(shl64, two<std::int64_t>, simt::shift_left(x.a, static_cast<std::uint32_t>(x.b)))                          \
  X(div32, two<int>, simt::divide(x.a, x.b))                                                                   \
  X(mod32, two<int>, simt::modulo(x.a, x.b))                                                                   \
  X(divu, two<std::uint32_t>, simt::divide(x.a, x.b))                                                          \
  X(modu, two<std::uint32_t>, simt::modulo(x.a, x.b))                                                          \
  X(div64, two<std::int64_t>, simt::divide(x.a, x.b))                                                          \
  X(count_bits, std::uint32_t, simt::popc(x) + 100 * simt::clz(x) + 10000 * simt::ffs(x))                      \
  X(count_bits64, std::int64_t, simt::popc(x) + 100 * simt::clz(x) + 10000 * simt::ffs(x))                     \
  X(brev, std::uint32_t, simt::brev(x))                                                                        \
  X(brev64, std::uint64_t, simt::brev(x))                                                                      \
  X(perm, three<std::uint32_t>, simt::byte_perm(x.a, x.b, x.c))                                                \
  X(funnel, three<std::uint32_t>, simt::funnelshift_l(x.a, x.b, x.c) ^ simt::funnelshift_r(x.a, x.b, x.c))     \
  X(funnel_c, three<std::uint32_t>, simt::funnelshift_lc(x.a, x.b, x.c) ^ simt::funnelshift_rc(x.a, x.b, x.c)) \
  X(mulhi32, two<int>, simt::mulhi(x.a, x.b))                                                                  \
  X(mulhiu, two<std::uint32_t>, simt::mulhi(x.a, x.b))                                                         \
  X(mulhi64, two<std::int64_t>, simt::mulhi(x.a, x.b))                                                         \
  X(mulhiu64, two<std::uint64_t>, simt::mulhi(x.a, x.b))                                                       \
  X(averages, two<int>, simt::hadd(x.a, x.b) * 3 + simt::rhadd(x.a, x.b))                                      \
  X(dot, three<int>, simt::dp4a(x.a, x.b, x.c) + simt::mul24(x.a, x.b))                                        \
  X(dot2, three<int>, simt::dp2a_lo(x.a, x.b, x.c) * 1000 + simt::dp2a_hi(x.a, x.b, x.c))                      \
  X(distance, three<int>, simt::sad(x.a, x.b, static_cast<std::uint32_t>(x.c)))                                \
  X(least, two<float>, simt::fmin(x.a, x.b))                                                                   \
  X(most, two<float>, simt::fmax(x.a, x.b))                                                                    \
  X(least64, two<double>, simt::fmin(x.a, x.b))                                                                \
  X(most64, two<double>, simt::fmax(x.a, x.b))                                                                 \
  X(clamped, float, simt::saturate(x))                                                                         \
  X(to_int_rn, float, simt::convert_rn<int>(x))                                                                \
  X(to_int_rz, float, simt::convert_rz<int>(x))                                                                \
  X(to_int_ru, float, simt::convert_ru<int>(x))                                                                \
  X(to_int_rd, float, simt::convert_rd<int>(x))                                                                \
  X(to_unsigned, float, simt::convert_rz<std::uint32_t>(x))                                                    \
  X(to_wide, float, simt::convert_rn<std::int64_t>(x))                                                         \
  X(to_wide_unsigned, float, simt::convert_rn<std::uint64_t>(x))                                               \
  X(from_wide, double, simt::convert_rz<int>(x))                                                               \
  X(from_wide_unsigned, double, simt::convert_rn<std::uint32_t>(x))                                            \
  X(wide_to_wide, double, simt::convert_rd<std::int64_t>(x))                                                   \
  X(sum_ru, two<float>, simt::add_ru(x.a, x.b))                                                                \
  X(sum_rd, two<float>, simt::add_rd(x.a, x.b))                                                                \
  X(sum_rz, two<float>, simt::add_rz(x.a, x.b))                                                                \
  X(sum64_ru, two<double>, simt::add_ru(x.a, x.b))                                                             \
  X(quotient_rd, two<float>, simt::div_rd(x.a, x.b))                                                           \
  X(quotient_ru, two<double>, simt::div_ru(x.a, x.b))                                                          \
  X(root_ru, float, simt::sqrt_ru(x))                                                                          \
  X(inverse_rz, float, simt::rcp_rz(x))                                                                        \
  X(separate, three<float>, simt::add_rn(simt::mul_rn(x.a, x.b), x.c))                                         \
  X(fused, three<float>, simt::fma_rn(x.a, x.b, x.c))                                                          \
  X(fused_ru, three<float>, simt::fma_ru(x.a, x.b, x.c))                                                       \
  X(fused64_rz, three<double>, simt::fma_rz(x.a, x.b, x.c))                                                    \
  X(difference_rz, two<float>, simt::sub_rz(x.a, x.b))                                                         \
  X(product_ru, two<double>, simt::mul_ru(x.a, x.b))                                                           \
  X(narrowed_ru, double, simt::narrow_ru(x))                                                                   \
  X(narrowed_rz, double, simt::narrow_rz(x))                                                                   \
  X(sine, double, simt::sinpi(x))                                                                              \
  X(cosine, double, simt::cospi(x))                                                                            \
  X(cosine32, float, simt::cospi(x))                                                                           \
  X(inverse_root, float, simt::rsqrt(x))

#define SIMT_TEST_NUMBER(name, In, expression) number_of_##name,
enum function_number { SIMT_TEST_FUNCTIONS(SIMT_TEST_NUMBER) };

#define SIMT_TEST_FUNCTION(name, In, expression)                 \
  struct name {                                                  \
    using input = In;                                            \
    static constexpr int number = number_of_##name;              \
    SIMT_HOST_DEVICE static auto of(In x) { return expression; } \
  };
SIMT_TEST_FUNCTIONS(SIMT_TEST_FUNCTION)

// Inputs come from memory, so that no compiler folds them: as words, for one kernel computes all functions. A kernel
// for each took a minute to compile.
constexpr std::int64_t kWords = 3;
template <class F>
SIMT_DEVICE std::uint64_t result_of(const std::uint64_t* words) {
  typename F::input x;
  static_assert(sizeof x <= kWords * sizeof *words);
  std::memcpy(&x, words, sizeof x);
  return bits(F::of(x));
}
SIMT_DEVICE void compute(simt::thread t, simt::view<const std::uint64_t> in, simt::view<std::uint64_t> out,
                         int function) {
  const auto i = t.grid<1>();
  if (i >= out.size()) return;
  const std::uint64_t words[kWords] = {in[kWords * i], in[kWords * i + 1], in[kWords * i + 2]};
#define SIMT_TEST_CASE_OF(name, In, expression) \
  case number_of_##name:                        \
    out[i] = result_of<name>(words);            \
    break;
  switch (function) { SIMT_TEST_FUNCTIONS(SIMT_TEST_CASE_OF) }
}

template <class In, class Out>
struct example {
  In in;
  Out out;
};
void expect_bits(const std::vector<std::uint64_t>& device, const std::vector<std::uint64_t>& host,
                 const std::vector<std::uint64_t>& wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    CAPTURE(i);
    CHECK(device[i] == wanted[i]);
    CHECK(host[i] == wanted[i]);
  }
}
std::vector<std::uint64_t> on_device(int function, const std::vector<std::uint64_t>& words) {
  std::vector<std::uint64_t> out(words.size() / kWords);
  simt::launch<compute>({.grid = 1, .block = static_cast<std::int64_t>(out.size())}, words, out, function);
  return out;
}
// Each example on the device and on the host.
template <class F, class In, class Out>
void check_all(const std::vector<example<In, Out>>& examples) {
  std::vector<std::uint64_t> in(kWords * examples.size()), host, wanted;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    std::memcpy(&in[kWords * i], &examples[i].in, sizeof(In));
    host.push_back(bits(F::of(examples[i].in))), wanted.push_back(bits(examples[i].out));
  }
  expect_bits(on_device(F::number, in), host, wanted);
}

TEST_CASE("shifts by the width and more") {
  check_all<shl>(std::vector<example<two<std::uint32_t>, std::uint32_t>>{
      {{1, 31}, 1u << 31}, {{1, 32}, 0}, {{5, 33}, 0}, {{7, 0xffffffff}, 0}, {{3, 0}, 3}});
  check_all<shr>(std::vector<example<two<std::uint32_t>, std::uint32_t>>{
      {{0xf0000000, 31}, 1}, {{0xf0000000, 32}, 0}, {{9, 64}, 0}});
  check_all<sar>(std::vector<example<two<std::int32_t>, std::int32_t>>{
      {{-8, 1}, -4}, {{-8, 32}, -1}, {{-8, 100}, -1}, {{8, 32}, 0}});
  check_all<shl64>(std::vector<example<two<std::int64_t>, std::int64_t>>{
      {{1, 40}, std::int64_t{1} << 40}, {{1, 64}, 0}, {{1, 63}, kWideMin}});
}

TEST_CASE("division by zero and overflow") {
  check_all<div32>(std::vector<example<two<int>, int>>{
      {{7, 0}, -1}, {{0, 0}, -1}, {{-7, 2}, -3}, {{kMin, -1}, kMin}, {{5, -1}, -5}});
  check_all<mod32>(std::vector<example<two<int>, int>>{{{7, 0}, -1}, {{-7, 2}, -1}, {{kMin, -1}, 0}, {{7, 4}, 3}});
  check_all<divu>(
      std::vector<example<two<std::uint32_t>, std::uint32_t>>{{{7, 0}, 0xffffffff}, {{0xfffffffe, 2}, 0x7fffffff}});
  check_all<modu>(std::vector<example<two<std::uint32_t>, std::uint32_t>>{{{7, 0}, 0xffffffff}, {{7, 4}, 3}});
  check_all<div64>(std::vector<example<two<std::int64_t>, std::int64_t>>{
      {{7, 0}, -1}, {{kWideMin, -1}, kWideMin}, {{kWideMax, 2}, kWideMax / 2}});
}

TEST_CASE("bits") {
  check_all<count_bits>(std::vector<example<std::uint32_t, int>>{
      {0, 3200}, {1, 1 + 3100 + 10000}, {0x80000000, 1 + 320000}, {0xf0f0, 8 + 1600 + 50000}});
  check_all<count_bits64>(
      std::vector<example<std::int64_t, int>>{{0, 6400}, {-1, 64 + 10000}, {std::int64_t{1} << 40, 1 + 2300 + 410000}});
  check_all<brev>(std::vector<example<std::uint32_t, std::uint32_t>>{{1, 0x80000000}, {0x12345678, 0x1e6a2c48}});
  check_all<brev64>(std::vector<example<std::uint64_t, std::uint64_t>>{{2, std::uint64_t{1} << 62}});
  check_all<perm>(std::vector<example<three<std::uint32_t>, std::uint32_t>>{
      {{0x33221100, 0x77665544, 0x7410}, 0x77441100}, {{0x00800000, 0, 0xa2}, 0x00008080}});
  check_all<funnel>(std::vector<example<three<std::uint32_t>, std::uint32_t>>{
      {{0x80000001, 0x12345678, 4}, 0x23456788u ^ 0x88000000u}, {{5, 9, 32}, 9u ^ 5u}});
  check_all<funnel_c>(std::vector<example<three<std::uint32_t>, std::uint32_t>>{
      {{5, 9, 32}, 5u ^ 9u}, {{5, 9, 40}, 5u ^ 9u}, {{5, 9, 0}, 9u ^ 5u}});
}

TEST_CASE("products and sums") {
  check_all<mulhi32>(std::vector<example<two<int>, int>>{{{kMin, 2}, -1}, {{kMax, kMax}, 0x3fffffff}});
  check_all<mulhiu>(std::vector<example<two<std::uint32_t>, std::uint32_t>>{{{0x80000000, 6}, 3},
                                                                            {{0xffffffff, 0xffffffff}, 0xfffffffe}});
  check_all<mulhi64>(std::vector<example<two<std::int64_t>, std::int64_t>>{
      {{kWideMin, 2}, -1}, {{kWideMin, kWideMin}, std::int64_t{1} << 62}});
  check_all<mulhiu64>(std::vector<example<two<std::uint64_t>, std::uint64_t>>{{{std::uint64_t{1} << 63, 6}, 3}});
  check_all<averages>(std::vector<example<two<int>, int>>{{{3, 4}, 3 * 3 + 4}, {{-3, -4}, -4 * 3 - 3}});
  check_all<averages>(std::vector<example<two<int>, int>>{{{-1, 0}, -3}});
  check_all<dot>(std::vector<example<three<int>, int>>{{{0x01020304, 0x01000002, 10}, 1 + 8 + 10 + (0x020304 * 2)},
                                                       {{-1, 1, 0}, -2}});
  check_all<dot2>(
      std::vector<example<three<int>, int>>{{{0x0002ffff, 0x05060708, 10}, (10 - 8 + 14) * 1000 + 10 - 6 + 10}});
  check_all<distance>(
      std::vector<example<three<int>, std::uint32_t>>{{{3, -4, 10}, 17}, {{kMin, kMax, 0}, 0xffffffff}});
}

TEST_CASE("minimum, maximum and saturation of NaN, zeros, infinities") {
  const std::vector<two<float>> in{{kNan, 3},       {3, kNan},      {-0.0f, 0.0f}, {0.0f, -0.0f},
                                   {-kInfinity, 1}, {kInfinity, 1}, {2, 1}};
  const float low[] = {3, 3, -0.0f, -0.0f, -kInfinity, 1, 1}, high[] = {3, 3, 0.0f, 0.0f, 1, kInfinity, 2};
  std::vector<example<two<float>, float>> smaller, larger;
  std::vector<example<two<double>, double>> smaller64, larger64;
  for (std::size_t i = 0; i < in.size(); ++i) {
    smaller.push_back({in[i], low[i]});
    larger.push_back({in[i], high[i]});
    smaller64.push_back({{in[i].a, in[i].b}, low[i]});
    larger64.push_back({{in[i].a, in[i].b}, high[i]});
  }
  check_all<least>(smaller);
  check_all<most>(larger);
  check_all<least64>(smaller64);
  check_all<most64>(larger64);
  check_all<clamped>(
      std::vector<example<float, float>>{{kNan, 0}, {-1, 0}, {0.25f, 0.25f}, {7, 1}, {kInfinity, 1}, {-kInfinity, 0}});
}

TEST_CASE("float to integer: rounding, saturation, NaN") {
  check_all<to_int_rn>(std::vector<example<float, int>>{{2.5f, 2},
                                                        {3.5f, 4},
                                                        {-2.5f, -2},
                                                        {3e9f, kMax},
                                                        {-3e9f, kMin},
                                                        {kInfinity, kMax},
                                                        {kNan, 0},
                                                        {2147483520.0f, 2147483520}});
  check_all<to_int_rz>(std::vector<example<float, int>>{{2.9f, 2}, {-2.9f, -2}});
  check_all<to_int_ru>(std::vector<example<float, int>>{{2.1f, 3}, {-2.9f, -2}});
  check_all<to_int_rd>(std::vector<example<float, int>>{{2.9f, 2}, {-2.1f, -3}});
  check_all<to_unsigned>(std::vector<example<float, std::uint32_t>>{
      {-1, 0}, {-0.5f, 0}, {5e9f, 0xffffffff}, {3e9f, 3000000000}, {kNan, 0}});
  check_all<to_wide>(
      std::vector<example<float, std::int64_t>>{{1e19f, kWideMax}, {-1e19f, kWideMin}, {kNan, kWideMin}, {-7.5f, -8}});
  check_all<to_wide_unsigned>(
      std::vector<example<float, std::uint64_t>>{{1e20f, ~std::uint64_t{0}}, {-1, 0}, {kNan, std::uint64_t{1} << 63}});
  check_all<from_wide>(
      std::vector<example<double, int>>{{2147483647.9, kMax}, {-2147483649.0, kMin}, {kWideNan, kMin}, {-1.9, -1}});
  check_all<from_wide_unsigned>(
      std::vector<example<double, std::uint32_t>>{{4294967295.4, 0xffffffff}, {kWideNan, 0x80000000}});
  check_all<wide_to_wide>(
      std::vector<example<double, std::int64_t>>{{-0.5, -1}, {1e300, kWideMax}, {kWideNan, kWideMin}});
}

TEST_CASE("one operation, rounded as its name says") {
  constexpr float kAbove = 0x1.000002p0f, kBelow = 0x1.fffffep-1f;
  // The small side is beyond what a double sees beside the large one.
  check_all<sum_ru>(std::vector<example<two<float>, float>>{
      {{1, 1e-30f}, kAbove}, {{1, -1e-30f}, 1}, {{-1, 1e-30f}, -kBelow}, {{1, 2}, 3}});
  check_all<sum_rd>(
      std::vector<example<two<float>, float>>{{{1, 1e-30f}, 1}, {{1, -1e-30f}, kBelow}, {{-1, -1e-30f}, -kAbove}});
  check_all<sum_rz>(std::vector<example<two<float>, float>>{
      {{1, -1e-30f}, kBelow}, {{-1, 1e-30f}, -kBelow}, {{3e38f, 3e38f}, std::numeric_limits<float>::max()}});
  check_all<sum64_ru>(std::vector<example<two<double>, double>>{{{1, 1e-300}, 0x1.0000000000001p0}, {{1, 1}, 2}});
  check_all<quotient_rd>(std::vector<example<two<float>, float>>{{{1, 3}, 0x1.555554p-2f}, {{-1, 3}, -0x1.555556p-2f}});
  check_all<quotient_ru>(std::vector<example<two<double>, double>>{{{1, 3}, 0x1.5555555555556p-2}});
  check_all<root_ru>(std::vector<example<float, float>>{{2, 0x1.6a09e8p0f}, {4, 2}});
  check_all<inverse_rz>(std::vector<example<float, float>>{{3, 0x1.555554p-2f}, {8, 0.125f}});
  check_all<separate>(std::vector<example<three<float>, float>>{{{kAbove, kAbove, -0x1.000004p0f}, 0}});
  check_all<fused>(std::vector<example<three<float>, float>>{{{kAbove, kAbove, -0x1.000004p0f}, 0x1p-46f}});
  check_all<fused_ru>(std::vector<example<three<float>, float>>{{{1e-30f, 1e-10f, 1}, kAbove}, {{2, 3, 4}, 10}});
  check_all<fused64_rz>(std::vector<example<three<double>, double>>{{{1e-200, -1e-100, 1}, 0x1.fffffffffffffp-1}});
  check_all<difference_rz>(std::vector<example<two<float>, float>>{{{1, 1e-30f}, kBelow}});
  check_all<product_ru>(
      std::vector<example<two<double>, double>>{{{0x1.0000000000001p0, 0x1.0000000000001p0}, 0x1.0000000000003p0}});
  check_all<narrowed_ru>(std::vector<example<double, float>>{{1 + 1e-12, kAbove}, {1e300, kInfinity}, {0.5, 0.5f}});
  check_all<narrowed_rz>(
      std::vector<example<double, float>>{{1 - 1e-12, kBelow}, {1e300, std::numeric_limits<float>::max()}});
}

TEST_CASE("functions that are exact where they can be") {
  check_all<sine>(
      std::vector<example<double, double>>{{0.5, 1}, {-0.5, -1}, {2.5, 1}, {1e15 + 0.5, 1}, {0.0, 0.0}, {-0.0, -0.0}});
  check_all<cosine>(std::vector<example<double, double>>{{0, 1}, {1, -1}, {0.5, 0}, {1.5, 0}, {1e15 + 1, -1}});
  check_all<cosine32>(std::vector<example<float, float>>{{-3, -1}, {4096, 1}});
  check_all<inverse_root>(std::vector<example<float, float>>{{4, 0.5f}, {0, kInfinity}, {kInfinity, 0}});
  CHECK(simt::normcdf(0.0) == 0.5);
  CHECK(simt::rcbrt(8.0f) == doctest::Approx(0.5));
  CHECK(simt::sinpi(1.0 / 6) == doctest::Approx(0.5));
}

#if !defined(SIMT_VARIANT_CUDA)
SIMT_DEVICE void plain_division(simt::thread t, simt::view<int> x) { x[0] = 7 / x[t.rank() + 1]; }
TEST_CASE("a plain division by zero stays a finding, divide() is none") {
  std::vector<int> x{1, 0};
  CHECK_THROWS_WITH_AS(simt::launch<plain_division>({.grid = 1, .block = 1}, x), doctest::Contains("division"),
                       simt::error);
}
#endif

}  // namespace
