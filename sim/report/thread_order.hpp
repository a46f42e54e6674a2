// SPDX-License-Identifier: Apache-2.0
// The order of threads that shows a finding, for people: what was done at each step, and where somebody departed from
// the order of thread numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "explored_run.hpp"

namespace simt {

struct order_step {
  std::int64_t block = 0, thread = 0;  // linear, in its block
  step_kind kind = step_kind::read;
  std::string file;
  int line = 0;             // 0: unknown
  std::uint32_t older = 0;  // the value that is read, or stored, is so many stores behind the newest
  bool later = false;       // what is read is stored later
  // Another thread would have gone on, or the newest value would have been read.
  bool departs = false;
  bool operator==(const order_step&) const = default;
};

struct thread_order {
  std::vector<std::string> text;  // a sentence for each departure
  std::vector<order_step> steps;
  bool operator==(const thread_order&) const = default;
};

// Of a run that kept its trail. `threads`: of a block.
thread_order order_of(const step_record& run, std::int64_t threads);

// As a picture for the HTML page: a lane for each thread, its accesses, and the departures between them. Empty where
// there is no order.
std::string order_drawing(const thread_order& order);

}  // namespace simt
