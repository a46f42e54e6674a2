// SPDX-License-Identifier: Apache-2.0
// simt::half, simt::bfloat16, their atomics, and CUDA's vector types.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <simt/bfloat16.hpp>
#include <simt/check.hpp>
#include <simt/half.hpp>
#include <simt/simt.hpp>
#include <simt/vector_types.hpp>

namespace {

using simt::bfloat16, simt::half;

constexpr float kInfinite = std::numeric_limits<float>::infinity();

static_assert(std::is_trivially_copyable_v<half> && std::is_trivially_default_constructible_v<half>);
static_assert(sizeof(half) == 2 && alignof(half) == 2 && sizeof(bfloat16) == 2);
static_assert(half(1.0f).bits() == 0x3c00 && bfloat16(1.0f).bits() == 0x3f80);
static_assert(!std::is_convertible_v<float, half> && std::is_convertible_v<half, float>);

// Every bit pattern, widened and narrowed again, on the device.
template <class T>
SIMT_DEVICE void there_and_back(simt::thread t, simt::view<float> wide, simt::view<std::uint16_t> narrow) {
  for (auto i : t.grid_stride(wide.size())) {
    wide[i] = T::from_bits(static_cast<std::uint16_t>(i));
    narrow[i] = T(wide[i]).bits();
  }
}
// What a pattern of a binary format with `fraction` explicit bits is worth.
float worth(std::uint32_t bits, int fraction) {
  const int exponent_bits = 15 - fraction, bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = static_cast<int>(bits >> fraction) & ((1 << exponent_bits) - 1);
  const auto digits = static_cast<double>(bits & ((1u << fraction) - 1));
  double v = exponent == 0 ? std::ldexp(digits, 1 - bias - fraction)
                           : std::ldexp(digits + (1 << fraction), exponent - bias - fraction);
  if (exponent == (1 << exponent_bits) - 1) v = digits == 0 ? kInfinite : std::nan("");
  return static_cast<float>(bits & 0x8000 ? -v : v);
}
template <class T>
void check_every_pattern(int fraction) {
  simt::buffer<float> wide(65536, "wide");
  simt::buffer<std::uint16_t> narrow(65536, "narrow");
  simt::launch<there_and_back<T>>({.grid = 4, .block = 256}, wide, narrow);
  const auto w = wide.to_host();
  const auto n = narrow.to_host();
  int wrong = 0;
  for (std::uint32_t i = 0; i < 65536; ++i) {
    const float expected = worth(i, fraction), host = T::from_bits(static_cast<std::uint16_t>(i));
    if (std::isnan(expected))
      wrong += !std::isnan(w[i]) || !std::isnan(host) || n[i] != 0x7fff;
    else
      wrong += w[i] != expected || std::signbit(w[i]) != std::signbit(expected) || n[i] != i || host != expected;
  }
  CHECK(wrong == 0);
}
TEST_CASE("every half and every bfloat16 is what its bits say") {
  check_every_pattern<half>(10);
  check_every_pattern<bfloat16>(7);
}

struct rounding_case {
  double from;
  std::uint16_t half_bits, bfloat16_bits;
};
// NaN is not here: a GPU makes 0x7e00 and 0x7fc0 of a double's, 0x7fff of a float's.
const std::vector<rounding_case> kRounded{
    {0.0, 0, 0},
    {-0.0, 0x8000, 0x8000},
    {1 + 0x1p-11, 0x3c00, 0x3f80},            // a tie goes to even
    {1 + 0x3p-11, 0x3c02, 0x3f80},            //
    {1 + 0x1p-11 + 0x1p-40, 0x3c01, 0x3f80},  // past the tie by less than a float sees
    {1 + 0x1p-8, 0x3c04, 0x3f80},
    {1 + 0x1p-8 + 0x1p-45, 0x3c04, 0x3f81},
    {65504, 0x7bff, 0x4780},
    {65519.99, 0x7bff, 0x4780},
    {65520, 0x7c00, 0x4780},  // overflow is to infinity
    {-1e30, 0xfc00, 0xf14a},
    {0x1p-24, 0x0001, 0x3380},  // the smallest half
    {0x1p-25, 0x0000, 0x3300},  // a tie with zero
    {0x1p-25 + 0x1p-60, 0x0001, 0x3300},
    {0x1.ffcp-15, 0x03ff + 1, 0x3880},  // rounds up into the normal numbers
    {0x1p-133, 0x0000, 0x0001},         // the smallest bfloat16
    {0x1p-134, 0x0000, 0x0000},
    {3.4e38, 0x7c00, 0x7f80},
    {1e300, 0x7c00, 0x7f80},
    {std::numeric_limits<double>::infinity(), 0x7c00, 0x7f80},
    {-std::numeric_limits<double>::infinity(), 0xfc00, 0xff80},
};
SIMT_DEVICE void narrow_doubles(simt::thread t, simt::view<const double> from, simt::view<std::uint16_t> h,
                                simt::view<std::uint16_t> b) {
  const auto i = t.grid<1>();
  if (i >= from.size()) return;
  h[i] = half(from[i]).bits();
  b[i] = bfloat16(from[i]).bits();
}
TEST_CASE("rounding to nearest even, once") {
  const auto n = static_cast<std::int64_t>(kRounded.size());
  std::vector<double> from;
  for (const auto& c : kRounded) from.push_back(c.from);
  std::vector<std::uint16_t> h(from.size()), b(from.size());
  simt::launch<narrow_doubles>({.grid = 1, .block = n}, from, h, b);
  for (std::size_t i = 0; i < from.size(); ++i) {
    CAPTURE(from[i]);
    CHECK(h[i] == kRounded[i].half_bits);
    CHECK(b[i] == kRounded[i].bfloat16_bits);
    CHECK(half(from[i]).bits() == kRounded[i].half_bits);
    CHECK(bfloat16(from[i]).bits() == kRounded[i].bfloat16_bits);
  }
  CHECK(std::isnan(float(half(std::numeric_limits<double>::quiet_NaN()))));
  CHECK(std::isnan(float(bfloat16(std::numeric_limits<double>::quiet_NaN()))));
  CHECK(float(half(2049)) == 2048);
  CHECK(float(half(2051)) == 2052);
  CHECK(float(half(1ll << 40)) == kInfinite);
  CHECK(bfloat16((1ull << 63) + 1).bits() == 0x5f00);
  CHECK(bfloat16((1ull << 63) + (1ull << 55) + 1).bits() == 0x5f01);  // a tie in 53 bits, not in 64
  CHECK(float(half(-7)) == -7);
}

template <class T>
SIMT_DEVICE void arithmetic(simt::thread t, simt::view<const T> a, simt::view<const T> b, simt::view<const T> c,
                            simt::view<T> out) {
  const auto i = t.grid<1>();
  const auto n = a.size();
  if (i >= n) return;
  out[i] = a[i] + b[i];
  out[n + i] = a[i] - b[i];
  out[2 * n + i] = a[i] * b[i];
  out[3 * n + i] = a[i] / b[i];
  out[4 * n + i] = fma(a[i], b[i], c[i]);
  T x = a[i];
  x += b[i];
  x *= c[i];
  out[5 * n + i] = -x;
}
// The nearest T of v: ties to the even one of two.
template <class T>
bool is_nearest(T got, long double v) {
  if (std::isinf(static_cast<float>(got)))
    return std::fabs(v) >= (sizeof(T) == 2 && T(1).bits() == 0x3c00 ? 65520.0L : 0x1.ffp127L);
  if (static_cast<float>(got) == v) return true;
  const auto bits = got.bits();
  const auto distance = [&](std::uint16_t x) {
    return std::fabs(static_cast<long double>(static_cast<float>(T::from_bits(x))) - v);
  };
  for (const int step : {-1, 1}) {
    const auto other = static_cast<std::uint16_t>(bits + step);
    if ((other & 0x7fff) == 0x7fff) continue;
    if (distance(other) < distance(bits) || (distance(other) == distance(bits) && (bits & 1))) return false;
  }
  return true;
}
template <class T>
void check_arithmetic() {
  constexpr std::size_t n = 2000;
  std::mt19937 random(7);
  std::vector<T> a, b, c;
  for (std::size_t i = 0; i < n; ++i)
    for (auto* v : {&a, &b, &c})
      v->push_back(T(std::ldexp(static_cast<float>(static_cast<int>(random() % 4096) - 2048),
                                static_cast<int>(random() % 12) - 14)));
  simt::buffer<T> out(6 * n, "out");
  simt::launch<arithmetic<T>>({.grid = 16, .block = 128}, a, b, c, out);
  const auto got = out.to_host();
  int wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const long double x = static_cast<float>(a[i]), y = static_cast<float>(b[i]), z = static_cast<float>(c[i]);
    wrong += !is_nearest(got[i], x + y) || !is_nearest(got[n + i], x - y) || !is_nearest(got[2 * n + i], x * y);
    if (y != 0) wrong += !is_nearest(got[3 * n + i], x / y);
    wrong += !is_nearest(got[4 * n + i], x * y + z);
    wrong += -((a[i] + b[i]) * c[i]) != got[5 * n + i];
  }
  CHECK(wrong == 0);
}
TEST_CASE("arithmetic is correctly rounded") {
  check_arithmetic<half>();
  check_arithmetic<bfloat16>();
  // Rounded once: the product's last bit decides a tie.
  CHECK(fma(half(1 + 0x1p-10), half(1 - 0x1p-10), half(0x1p-1)).bits() == half(1.5 - 0x1p-20).bits());
  CHECK(half(1) / half(0) == kInfinite);
  CHECK((half(0) / half(0)).bits() == 0x7fff);
  CHECK(std::isnan(float(half(kInfinite) - half(kInfinite))));
  CHECK(half(1) < half(2));
  CHECK(half(-0.0f) == half(0.0f));
  CHECK_FALSE(half(std::nanf("")) == half(std::nanf("")));
  CHECK(half(1.5f) * 2.0f == 3.0f);
}

// Every thread adds to a sum in global memory and to one in shared memory.
template <class T, bool Atomic>
SIMT_DEVICE void sums(simt::thread t, simt::view<T> out) {
  auto& partial = t.shared<"partial", T>();
  if (t.rank() == 0) partial = T(0);
  t.sync();
  t.atomic_add(partial, T(1));
  if constexpr (Atomic)
    t.atomic_add(out[0], T(0.5f));
  else
    out[0] += T(0.5f);
  t.sync();
  if (t.rank() == 0) t.atomic_max(out[1], partial);
  if (t.rank() == 0) t.atomic_add(out[2], T(1), simt::memory_order::acq_rel, simt::scope::system);
}
template <class T>
void check_sums() {
  auto out = simt::to_device(std::vector<T>{T(0), T(0), T(0)}, "out");
  simt::launch<sums<T, true>>({.grid = 4, .block = 64}, out);
  const auto got = out.to_host();
  CHECK(float(got[0]) == 128);
  CHECK(float(got[1]) == 64);
  CHECK(float(got[2]) == 4);
}
TEST_CASE("atomic sums of small floats") {
  check_sums<half>();
  check_sums<bfloat16>();
}

// Lanes pass halves to each other.
SIMT_DEVICE void rotate(simt::thread t, simt::view<half> x) {
  x[t.rank()] = t.shuffle(simt::kFullMask, x[t.rank()], t.lane() + 1);
}
TEST_CASE("shuffles of halves") {
  std::vector<half> x;
  for (int i = 0; i < 32; ++i) x.push_back(half(i));
  simt::launch<rotate>({.grid = 1, .block = 32}, x);
  CHECK(float(x[0]) == 1);
  CHECK(float(x[31]) == 0);
}

#if defined(SIMT_VARIANT_CHECK)
TEST_CASE("a sum of halves without atomics is a race") {
  const auto run = [](auto launch) {
    return simt::check({}, [&] {
      auto out = simt::to_device(std::vector<half>{half(0), half(0), half(0)}, "out");
      launch(out);
    });
  };
  CHECK(run([](auto& out) { simt::launch<sums<half, true>>({.grid = 4, .block = 64}, out); }).empty());
  const auto found = run([](auto& out) { simt::launch<sums<half, false>>({.grid = 4, .block = 64}, out); });
  REQUIRE_FALSE(found.empty());
  CHECK(found[0].rule == simt::rule::race_global);
  CHECK(found[0].type == "simt::half");
}
#endif

static_assert(sizeof(simt::float4) == 16 && alignof(simt::float4) == 16 && alignof(simt::float3) == 4 &&
              sizeof(simt::float3) == 12);
static_assert(alignof(simt::int2) == 8 && alignof(simt::uchar4) == 4 && sizeof(simt::char3) == 3 &&
              alignof(simt::short4) == 8);
static_assert(alignof(simt::double2) == 16 && alignof(simt::longlong2) == 16 && alignof(simt::ulong2) == 16 &&
              alignof(simt::uint1) == 4);

SIMT_DEVICE void scale_vectors(simt::thread t, simt::view<simt::float4> v, simt::view<simt::uchar4> bytes) {
  const auto i = t.grid<1>();
  if (i >= v.size()) return;
  const simt::float4 x = v[i];
  v[i] = simt::make_float4(2 * x.x, 3 * x.y, 4 * x.z, 5 * x.w);
  bytes[i] = simt::make_uchar4(static_cast<unsigned char>(i), 1, 2, 255);
}
TEST_CASE("vectors move as one") {
  std::vector<simt::float4> v(40, simt::make_float4(1, 1, 1, 1));
  std::vector<simt::uchar4> bytes(40);
  simt::launch<scale_vectors>({.grid = 2, .block = 32}, v, bytes);
  CHECK(v[39].x == 2);
  CHECK(v[39].w == 5);
  CHECK(bytes[39].x == 39);
  CHECK(bytes[39].w == 255);
}

}  // namespace
