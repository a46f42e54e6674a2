// SPDX-License-Identifier: Apache-2.0
// Child processes: run, with what they write collected or passed on.
#pragma once

#include <string>
#include <vector>

namespace simt::cuda_source {

struct process_result {
  int exit_code = -1;  // 128 + signal when a signal ended it
  int signal = 0;
  std::string output, errors;
};

// Runs words[0] (found by PATH) and waits. Standard output and standard error are collected.
process_result run_process(const std::vector<std::string>& words);

// Runs words[0] with more environment ("NAME=value"). Everything that it writes to descriptor `report_fd` is collected as
// `output`; standard output goes to nowhere if `silent`.
process_result run_program(const std::vector<std::string>& words, const std::vector<std::string>& environment, int report_fd, bool silent);

}  // namespace simt::cuda_source
