// SPDX-License-Identifier: Apache-2.0
// The verbs of simrun, one file each. Each takes the words after the verb and returns the exit code of docs/cli.md.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/report/recorded_order.hpp"

namespace simt::cli {

using words = std::vector<std::string>;

// Orders of an earlier run, one for each schedule, and the file that they are from: played back instead of the
// schedules.
struct replayed_orders {
  std::vector<recorded_order> orders{};
  std::string file{};
};
int verb_run(const words& arguments, const replayed_orders& replayed = {});
int verb_list(const words& arguments);
int verb_test(const words& arguments);
int verb_bench(const words& arguments);
int verb_compare(const words& arguments);
int verb_profile(const words& arguments);
int verb_replay(const words& arguments);
int verb_explain(const words& arguments);
int verb_completion(const words& arguments);
int verb_debug(const words& arguments);
int verb_devices(const words& arguments);
// All words of a line that names a CUDA C++ source file. `profile`: behind `simrun profile`.
int verb_cuda_source(const words& arguments, const replayed_orders& replayed = {}, bool profile = false);
// All words of a line that names an executable made by `simrun FILE.cu -o`.
int verb_built_program(const words& arguments, const replayed_orders& replayed = {});
int verb_campaign(const words& arguments);
int verb_merge(const words& arguments);
// Do these arguments of simrun name a .cu file to run, or object files of some?
bool names_cuda_source(const words& arguments);
// Do they name object files that `simrun -c` made?
bool names_source_objects(const words& arguments);
// Do they name a program that was built from sources?
bool names_built_program(const words& arguments);
// Runs whatever the line names: a source, a program that was built from one, or a program of a module.
int run_line(const words& arguments, const replayed_orders& replayed = {});

struct verb {
  std::string_view name;  // its word on the command line; empty: a file name stands in its place
  std::string_view usage, summary;
  int (*call)(const words& arguments);
};
// In the order of `simrun --help`.
std::span<const verb> verbs();

}  // namespace simt::cli
