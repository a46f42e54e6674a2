// SPDX-License-Identifier: Apache-2.0
// Running the jobs of a shard, several at a time, each in a process of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "campaign_plan.hpp"

namespace simt::cli {

enum class jobs_end : std::uint8_t { all_done, budget_spent, interrupted };

struct jobs_outcome {
  jobs_end end = jobs_end::all_done;
  int signal = 0;  // that interrupted
};

// A job is a fork of this process, which must have no other threads and may have opened the modules of the jobs before.
// `done` gets the result of each as it stands in the shard's file (docs/schedules.md). Jobs that run when the budget
// (seconds; 0: none) is spent, or when INT, TERM or HUP comes, are ended and have no result.
jobs_outcome run_jobs(const std::vector<const campaign_job*>& jobs, int at_a_time, double budget,
                      const std::function<void(const nlohmann::ordered_json& result)>& done);

}  // namespace simt::cli
