// SPDX-License-Identifier: Apache-2.0
// The checks by name: the one table that options, environment and reports go by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace simt {

// Which checks are on.
struct check_set {
  bool races = false;
  bool memory = false;   // out of bounds, use after free, misaligned, invalid free, leaks, host memory
  bool uninit = false;   // reads of what nothing has written
  bool barrier = false;  // barriers and masks of warps
  bool all() const { return races && memory && uninit && barrier; }
  bool any() const { return races || memory || uninit || barrier; }
  friend bool operator==(const check_set&, const check_set&) = default;
};

struct check_name {
  std::string_view name;
  bool check_set::*on;
};
inline constexpr check_name kChecks[] = {
    {"races", &check_set::races},
    {"memory", &check_set::memory},
    {"uninit", &check_set::uninit},
    {"barrier", &check_set::barrier},
};
inline constexpr std::string_view kAllChecks = "all";

// Those that are off.
check_set not_in(const check_set& checks);

// The names of those that are on, in the order of the table.
std::vector<std::string> names(const check_set& checks);

// Turns on what a list names: "races,memory" or "all". Returns the first word that names nothing; empty: all did.
std::string turn_on(std::string_view list, check_set& checks);

}  // namespace simt
