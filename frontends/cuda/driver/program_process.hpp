// SPDX-License-Identifier: Apache-2.0
// A built program as a module with one program in it: each run is a process of its own. So schedules, suppressions and
// reports of a CUDA source file are those of `simrun run`.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include <simt/module.hpp>

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

  // Of the first run: the report's where it has something to say, else the program's own.
  int exit_code() const { return exit_code_; }

 private:
  std::string executable_;
  std::vector<std::string> arguments_;
  std::string variant_;
  int runs_ = 0, exit_code_ = 0;
  std::atomic<int> running_ = 0, interrupted_by_ = 0;  // a process, a signal
};

// For a program that somebody else starts, and that prints its report itself: our own environment says how it runs.
void put_into_environment(const run_request& request);

}  // namespace simt::cuda_source
