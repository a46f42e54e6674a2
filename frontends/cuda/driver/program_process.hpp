// SPDX-License-Identifier: Apache-2.0
// A built program as a module with one program in it: each run is a process of its own. So schedules, suppressions and
// reports of a CUDA source file are those of `simrun run`.
#pragma once

#include <atomic>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <simt/module.hpp>

#include "process.hpp"

namespace simt::cuda_source {

class program_process final : public module {
 public:
  program_process(std::string executable, std::vector<std::string> arguments, std::string variant);
  int abi() const override { return module_abi; }
  std::string variant() const override { return variant_; }
  std::vector<program_info> programs() override { return {}; }
  std::vector<device_summary> devices() override { return {}; }
  std::string unavailable() override { return {}; }

  // The first run reads and writes as the program does; later ones are silent, for the same text is not shown twice.
  run_result run(const run_request& request) override;
  void interrupt(int signal) override;

  // What was held against the first run in each run of a search, as a sentence for the report.
  std::string compared() const;

  // Of the first run: the report's where it has something to say, else the program's own.
  int exit_code() const { return exit_code_; }

 private:
  std::string executable_;
  std::vector<std::string> arguments_;
  std::string variant_;
  // What a run of a search gives, without what differs between two runs of the same order, such as times.
  void keep_what_is_comparable(run_report& r, std::string printed);
  void learn_what_varies(const run_request& request, const run_report& first, const std::string& printed);

  // How long a run may take that only has to find again, thread by thread, what the first one has found.
  time_limit limit_of(const run_request& request) const;

  int runs_ = 0, exit_code_ = 0;
  std::string first_execution_;
  int first_workers_ = 0;
  double first_seconds_ = 0;
  int usual_exit_code_ = -1;  // the program's own, of the first run without findings; -1: none yet
  std::set<std::string> varying_outputs_;
  std::set<std::size_t> varying_lines_;                // numbers, from 0
  std::string printed_again_;                          // by the run that is held against the first
  bool printed_varies_ = false;                        // the number of lines
  std::atomic<int> running_ = 0, interrupted_by_ = 0;  // a process, a signal
};

// For a program that somebody else starts, and that prints its report itself: our own environment says how it runs.
void put_into_environment(const run_request& request);

}  // namespace simt::cuda_source
