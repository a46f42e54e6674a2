// SPDX-License-Identifier: Apache-2.0
// How many of what, in words.
#pragma once

#include <concepts>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace simt {

// 12,345,678
std::string with_commas(std::int64_t n);

struct counted_form {
  std::string_view ending = "s";  // of more than one: "es" for "launch"
  bool commas = false;            // in large numbers
};
inline constexpr counted_form kCommas{.commas = true};

// "1 run", "2 runs"
std::string counted(std::int64_t n, std::string_view what, counted_form form = {});
template <std::integral T>
std::string counted(T n, std::string_view what, counted_form form = {}) {
  return counted(static_cast<std::int64_t>(n), what, form);
}

}  // namespace simt
