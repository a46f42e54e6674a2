// SPDX-License-Identifier: Apache-2.0
#include "counted.hpp"

#include <fmt/format.h>

namespace simt {

std::string with_commas(std::int64_t n) {
  std::string digits = fmt::format("{}", n);
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string counted(std::int64_t n, std::string_view what, counted_form form) {
  return fmt::format("{} {}{}", form.commas ? with_commas(n) : fmt::format("{}", n), what, n == 1 ? "" : form.ending);
}

}  // namespace simt
