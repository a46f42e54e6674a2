// SPDX-License-Identifier: Apache-2.0
// The counters of one run of simrun profile, and what they have seen. The check runtime of a first report has none
// (without_counters.cpp). Check variant.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace simt {
class symbolizer;
struct profiled_kernel;
}  // namespace simt

namespace simt::sim {

class consumer;

class run_counters {
 public:
  virtual ~run_counters() = default;
  // Who is to hear what happens.
  virtual consumer& listener() = 0;
  // What was counted so far, by kernel and source line.
  virtual std::vector<profiled_kernel> counted(symbolizer& symbols, std::vector<std::string>& notes) = 0;
};

// `checked`: what the host does concerns others, too. One at a time.
std::unique_ptr<run_counters> count_run(bool checked);

}  // namespace simt::sim
