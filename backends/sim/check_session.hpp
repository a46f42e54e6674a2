// SPDX-License-Identifier: Apache-2.0
// One checked run: which consumers watch it, and what it has found at its end. Check variant.
#pragma once

#include <string>
#include <vector>

#include <backends/sim/check_hook.hpp>
#include <sim/check/consumer.hpp>
#include <sim/instrument/dispatcher.hpp>
#include <sim/report/symbolize.hpp>

namespace simt::sim {

// What to watch for; see run_request.
struct check_settings {
  check_set checks;
  bool volatile_is_plain = false;
  int workers = 1;
};

class check_session {
 public:
  explicit check_session(const check_settings& settings);

  // Findings so far, with source lines, in a repeatable order. `leaks`: report what is still allocated.
  std::vector<finding> collect(bool leaks, std::vector<std::string>& notes);
  // See check_hook.
  std::int64_t unwritten(const void* device, std::size_t element_bytes, std::int64_t count);
  dispatcher& events() { return dispatcher_; }

 private:
  check_settings settings_;
  check::detector_consumer detector_;
  dispatcher dispatcher_;
  symbolizer symbols_;
};

}  // namespace simt::sim
