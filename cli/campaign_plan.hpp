// SPDX-License-Identifier: Apache-2.0
// The plan of a campaign: a TOML file (docs/schedules.md) that becomes a list of runs, the same list on every machine.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace simt::cli {

struct campaign_job {
  // Of its words, with files as the plan names them: the same run has the same name in every shard, wherever that has
  // the plan.
  std::string id;
  std::string program;             // as the plan names it
  std::vector<std::string> words;  // of the command line, behind "simrun"
  int line = 0;                    // of the plan
};

struct campaign_plan {
  std::string name;
  std::string digest;  // of all jobs: tells results of one plan from those of another
  std::vector<campaign_job> jobs;
};

// What is wrong with a plan, with its file and line: "plan.toml:7: there is no key \"progam\"; did you mean program?"
struct plan_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Reads it. Programs and their options are not looked up. Throws plan_error.
campaign_plan read_plan(const std::string& path);

// 16 hexadecimal digits, of words in their order.
std::string name_of_words(const std::vector<std::string>& words);

}  // namespace simt::cli
