// SPDX-License-Identifier: Apache-2.0
#include "recorded_order.hpp"

#include <fmt/format.h>

#include <string_view>

namespace simt {

std::string digest_of(const recorded_order& order) {  // FNV-1a
  std::uint64_t sum = 0xcbf29ce484222325;
  const auto add = [&](std::string_view text) {
    for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    sum = (sum ^ 0xff) * 0x100000001b3;  // ends a text: no character of UTF-8 is 0xff
  };
  for (const recorded_launch& l : order.launches) {
    add(l.kernel);
    add(std::to_string(l.blocks));
    add(std::to_string(l.threads));
    add(l.picks);
    if (!l.older_values.empty()) add(l.older_values);
  }
  return fmt::format("{:016x}", sum);
}

}  // namespace simt
