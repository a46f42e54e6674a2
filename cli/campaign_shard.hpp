// SPDX-License-Identifier: Apache-2.0
// A shard of a campaign: which one this process is, and the file that its results are in.
//
// The file has one JSON object a line. The first of each process says what the file is of, the others are one finished
// run each. A line is appended by one write to a file that is open for appending, so lines of two processes of the same
// shard do not mix. A process that is killed leaves at most a line without an end; whoever goes on ends it first, and
// readers skip what is no JSON. A run that stands there twice counts once.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "campaign_plan.hpp"

namespace simt::cli {

struct shard_place {
  int index = 1, count = 1;  // the index counts from 1
  std::string from;          // "" for a shard that nobody named; else what said so, for messages
  bool of_many = false;      // processes of one MPI world or job step run beside this one
  bool operator==(const shard_place&) const = default;
};

// "3/8". Nothing: it is no shard.
std::optional<shard_place> parse_shard(const std::string& text);

// The shard that the environment names: the rank in an MPI world (Open MPI, MPICH and its kin), or of a Slurm job step,
// and the index in a Slurm array; both together where both are there. Throws std::runtime_error where a variable holds
// what it never does.
shard_place shard_of_environment();

std::string shard_file(const std::string& folder, const campaign_plan& plan, const shard_place& shard);

// The jobs of the plan that are this shard's: of as many neighbours as there are shards it has one, drawn anew each
// time. Neighbours differ in their schedules, so with every n-th job a shard could have all the long ones.
std::vector<const campaign_job*> jobs_of(const campaign_plan& plan, const shard_place& shard);

// What a file has: its head, and results by the id of their job, each once.
struct shard_results {
  std::string plan, digest;
  int index = 0, count = 0;
  std::int64_t jobs = 0, all_jobs = 0;  // of the shard, of the plan
  std::map<std::string, nlohmann::ordered_json> results;
  std::int64_t repeated = 0, broken = 0;  // results that were there already; lines that are none
};
// Throws std::runtime_error where the file cannot be read or has no head.
shard_results read_shard(const std::string& path);

class shard_writer {
 public:
  // Makes the file and its folder, or goes on with what is there. Throws std::runtime_error.
  shard_writer(const std::string& path, const campaign_plan& plan, const shard_place& shard, std::int64_t jobs);
  ~shard_writer();
  shard_writer(const shard_writer&) = delete;
  shard_writer& operator=(const shard_writer&) = delete;
  // Throws std::runtime_error.
  void append(const nlohmann::ordered_json& result);

 private:
  void write_line(std::string line);
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace simt::cli
