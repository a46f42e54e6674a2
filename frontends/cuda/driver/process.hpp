// SPDX-License-Identifier: Apache-2.0
// Child processes: run, with what they write collected or passed on. Boost.Process does the work, in process.cpp only:
// its headers take seconds to compile (docs/decisions/0020-child-processes.md).
#pragma once

#include <atomic>
#include <string>
#include <utility>
#include <vector>

namespace simt::cuda_source {

using environment_variables = std::vector<std::pair<std::string, std::string>>;  // name, value

struct process_result {
  int exit_code = -1;  // 128 + signal when a signal ended it; 127 when it could not be started
  int signal = 0;
  bool given_up = false;  // ended because its time was over
  std::string output, errors;
  std::string printed;  // what it wrote to standard output, where that was asked for
};

// Runs the file words[0] and waits. Standard output and standard error are collected; a program that cannot be started
// says so in `errors`. It is a process group of its own, so that end_processes() ends a compiler with its passes.
process_result run_process(const std::vector<std::string>& words);

// After `seconds` a program is killed, or, where what it has by then is wanted, asked to end (SIGTERM) and waited for.
// 0: it may take as long as it likes.
struct time_limit {
  double seconds = 0;
  bool asked = false;
};

// Runs the file words[0] with more variables in its environment. What it writes to descriptor `report_descriptor` is
// collected as `output`. Its standard input, output and error are ours; a `silent` one reads and writes nothing there,
// but for standard error. It does not outlive the calling thread. `running` holds its number while it runs, else 0.
// `keep_printed`: its standard output is kept instead, and copied to ours at the end unless it is silent.
process_result run_program(const std::vector<std::string>& words, const environment_variables& more,
                           int report_descriptor, bool silent, std::atomic<int>& running, time_limit limit,
                           bool keep_printed = false);

// From another thread: ends what run_process runs and begins from now on, each with all that it started.
void end_processes();

}  // namespace simt::cuda_source
