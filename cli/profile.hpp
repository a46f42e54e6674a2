// SPDX-License-Identifier: Apache-2.0
// Where the counters of `simrun profile` go: the screen, files, beside those of an earlier run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "output_file.hpp"
#include "run_options.hpp"
#include "sim/report/profile_files.hpp"
#include "sim/report/run_report.hpp"

namespace simt::cli {

class profile_output {
 public:
  // Opens files before anything runs. What is wrong, or nothing; so does write().
  std::string open(const run_options& o);
  // stream: of the text.
  std::string write(const run_report& r, const run_options& o, int stream);

 private:
  output_file json_, html_;
  std::optional<std::vector<profiled_kernel>> before_;
};

// Says what to do where a GPU is asked for; `command` is what ncu is to run. Returns the exit code.
int profile_on_gpu(const std::string& command);

}  // namespace simt::cli
