// SPDX-License-Identifier: Apache-2.0
// Checks around a piece of a test: which findings did these launches give? Host only.
//
//   auto findings = simt::check({.schedule = "random", .seed = 7}, [&] { simt::launch<kernel>(...); });
//
// Only the check variant finds anything; in sim and cuda the body runs and the result is empty. A kernel that dies
// is a finding too, and the exception ends here.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sim/report/finding.hpp>

namespace simt {

struct check_options {
  bool races = true, memory = true, uninit = true, barrier = true;
  std::string schedule = "natural";
  std::uint64_t seed = 0;
  int workers = 1;  // more find the same races faster; 1 repeats byte for byte
  bool volatile_is_plain = false;
  double timeout_seconds = 0;
  bool leaks = false;  // report what the body leaves allocated
  // auto, loops or fibers (docs/loops.md). As loops, which are faster, the same races are found, but of several
  // accesses that race with one another may be named, and a value may be another thread's.
  std::string execution = "fibers";
};

std::vector<finding> check(const check_options& options, const std::function<void()>& body);

}  // namespace simt
