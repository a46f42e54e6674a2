// SPDX-License-Identifier: Apache-2.0
// Element-wise comparison over the types that programs put out.
#include "output_compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace simt::cli {
namespace {

template <class T>
T element(const output_bytes& o, std::size_t i) {
  T value;
  std::memcpy(&value, o.bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

std::vector<std::int64_t> position(std::size_t i, const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> out(extents.size());
  auto rest = static_cast<std::int64_t>(i);
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    out[axis] = rest % std::max<std::int64_t>(extents[axis], 1);
    rest /= std::max<std::int64_t>(extents[axis], 1);
  }
  return out;
}

template <class T>
bool agree(T a, T b, double tolerance, double& relative) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (a == b && (tolerance > 0 || std::signbit(a) == std::signbit(b))) return true;
    const double scale = std::max(std::abs(static_cast<double>(a)), std::abs(static_cast<double>(b)));
    if (scale < static_cast<double>(std::numeric_limits<T>::min()) && tolerance > 0) return true;
    relative = std::abs(static_cast<double>(a) - static_cast<double>(b)) / scale;
    return relative <= tolerance;
  } else {
    return a == b;
  }
}

template <class T>
std::optional<output_difference> compare(const output_bytes& a, const output_bytes& b, double tolerance) {
  output_difference out;
  const std::size_t count = a.bytes.size() / sizeof(T);
  for (std::size_t i = 0; i < count; ++i) {
    double relative = 0;
    const T x = element<T>(a, i), y = element<T>(b, i);
    if (agree(x, y, tolerance, relative)) continue;
    if (out.count++ == 0) {
      out.index = position(i, a.extents);
      // Enough digits that two different values look different.
      if constexpr (std::is_floating_point_v<T>) {
        out.first = fmt::format("{:.{}g}", x, std::numeric_limits<T>::max_digits10);
        out.second = fmt::format("{:.{}g}", y, std::numeric_limits<T>::max_digits10);
      } else {
        out.first = std::to_string(x);
        out.second = std::to_string(y);
      }
    }
    out.worst = std::max(out.worst, relative);
  }
  out.elements = static_cast<std::int64_t>(count);
  if (out.count == 0) return {};
  return out;
}

}  // namespace

std::optional<output_difference> compare_outputs(const output_bytes& a, const output_bytes& b, double tolerance,
                                                 std::string& wrong) {
  wrong.clear();
  if (a.type != b.type)
    wrong = fmt::format("type {} against {}", a.type, b.type);
  else if (a.extents != b.extents || a.bytes.size() != b.bytes.size())
    wrong = fmt::format("extents [{}] against [{}]", fmt::join(a.extents, ", "), fmt::join(b.extents, ", "));
  if (!wrong.empty()) return {};
  const std::string& t = a.type;
  if (t == "float32" || t == "float") return compare<float>(a, b, tolerance);
  if (t == "float64" || t == "double") return compare<double>(a, b, tolerance);
  if (t == "int8") return compare<std::int8_t>(a, b, 0);
  if (t == "int16") return compare<std::int16_t>(a, b, 0);
  if (t == "int32" || t == "int") return compare<std::int32_t>(a, b, 0);
  if (t == "int64") return compare<std::int64_t>(a, b, 0);
  if (t == "uint16") return compare<std::uint16_t>(a, b, 0);
  if (t == "uint32") return compare<std::uint32_t>(a, b, 0);
  if (t == "uint64") return compare<std::uint64_t>(a, b, 0);
  return compare<std::uint8_t>(a, b, 0);  // other types: byte by byte
}

}  // namespace simt::cli
