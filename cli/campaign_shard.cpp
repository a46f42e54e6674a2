// SPDX-License-Identifier: Apache-2.0
#include "campaign_shard.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace simt::cli {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* kSchema = "simrun-shard/1";

bool read_number(std::string_view text, int& n) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc() && end == text.data() + text.size();
}

std::optional<int> number_of(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr || *text == 0) return {};
  int n = 0;
  if (!read_number(text, n) || n < 0)
    throw std::runtime_error(fmt::format("{} is \"{}\", not a number", variable, text));
  return n;
}

struct ranks {
  const char *rank, *size;
};
// Open MPI; PMI of MPICH, Intel MPI and of Slurm's plugin; MVAPICH; a job step of Slurm.
constexpr ranks kRanks[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                            {"PMI_RANK", "PMI_SIZE"},
                            {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
                            {"SLURM_PROCID", "SLURM_NTASKS"}};

// The same on every machine, for each number another order.
void shuffle(std::vector<std::size_t>& all, std::uint64_t number) {
  for (std::size_t left = all.size(); left > 1; --left) {
    number = (number + left) * 0x9e3779b97f4a7c15ULL;
    number ^= number >> 29;
    std::swap(all[left - 1], all[(number >> 32) % left]);
  }
}

}  // namespace

std::optional<shard_place> parse_shard(const std::string& text) {
  shard_place out;
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos || !read_number(std::string_view(text).substr(0, slash), out.index) ||
      !read_number(std::string_view(text).substr(slash + 1), out.count) || out.index < 1 || out.count < out.index)
    return {};
  out.from = "--shard";
  return out;
}

shard_place shard_of_environment() {
  shard_place out;
  int rank = 0, size = 1;
  for (const ranks& r : kRanks) {
    const auto mine = number_of(r.rank), all = number_of(r.size);
    if (!mine || !all || *all <= 1) continue;
    if (*mine >= *all) throw std::runtime_error(fmt::format("{} is {}, with {} {}", r.rank, *mine, r.size, *all));
    rank = *mine, size = *all;
    out.from = r.rank;
    out.of_many = true;
    break;
  }
  int place = 0, places = 1;
  if (const auto task = number_of("SLURM_ARRAY_TASK_ID")) {
    const int first = number_of("SLURM_ARRAY_TASK_MIN").value_or(1);
    const int step = std::max(number_of("SLURM_ARRAY_TASK_STEP").value_or(1), 1);
    const auto last = number_of("SLURM_ARRAY_TASK_MAX");
    places = last ? (*last - first) / step + 1 : number_of("SLURM_ARRAY_TASK_COUNT").value_or(1);
    place = (*task - first) / step;
    if (place < 0 || place >= places)
      throw std::runtime_error(
          fmt::format("SLURM_ARRAY_TASK_ID is {}, outside {} tasks from {} on", *task, places, first));
    out.from += (out.from.empty() ? "" : " and ") + std::string("SLURM_ARRAY_TASK_ID");
  }
  out.index = place * size + rank + 1;
  out.count = places * size;
  return out;
}

std::string shard_file(const std::string& folder, const campaign_plan& plan, const shard_place& shard) {
  return (std::filesystem::path(folder) /
          fmt::format("{}-{}.shard-{}-of-{}.jsonl", plan.name, plan.digest.substr(0, 8), shard.index, shard.count))
      .string();
}

std::vector<const campaign_job*> jobs_of(const campaign_plan& plan, const shard_place& shard) {
  const auto count = static_cast<std::size_t>(shard.count);
  std::vector<const campaign_job*> out;
  std::vector<std::size_t> turn(count);
  for (std::size_t first = 0; first < plan.jobs.size(); first += count) {
    std::iota(turn.begin(), turn.end(), std::size_t{0});
    if (plan.jobs.size() - first >= count) shuffle(turn, first / count);  // of the rest the first shards have one each
    const std::size_t at = first + turn[static_cast<std::size_t>(shard.index - 1)];
    if (at < plan.jobs.size()) out.push_back(&plan.jobs[at]);
  }
  return out;
}

shard_results read_shard(const std::string& path) {
  std::ifstream in(path);
  if (!in || std::filesystem::is_directory(path)) throw std::runtime_error(fmt::format("cannot read {}", path));
  shard_results out;
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    json entry = json::parse(line, nullptr, false);
    if (!entry.is_object()) {
      ++out.broken;
    } else if (entry.contains("schema")) {
      if (entry["schema"] != kSchema)
        throw std::runtime_error(fmt::format("{} holds {}, not the results of a shard", path, entry["schema"].dump()));
      const std::string digest = entry.value("digest", "");
      if (!out.digest.empty() && digest != out.digest)
        throw std::runtime_error(fmt::format("{} holds results of two plans", path));
      out.digest = digest;
      out.plan = entry.value("plan", "");
      out.index = entry.value("shard", 0);
      out.count = entry.value("shards", 0);
      out.jobs = entry.value("jobs", std::int64_t{0});
      out.all_jobs = entry.value("all_jobs", std::int64_t{0});
    } else if (entry.contains("job") && entry["job"].is_string()) {
      const std::string id = entry["job"];
      if (!out.results.emplace(id, std::move(entry)).second) ++out.repeated;
    } else {
      ++out.broken;
    }
  }
  if (out.digest.empty() || out.count < 1)
    throw std::runtime_error(fmt::format("{} is no file of a shard: it does not say which one", path));
  return out;
}

shard_writer::shard_writer(const std::string& path, const campaign_plan& plan, const shard_place& shard,
                           std::int64_t jobs)
    : path_(path) {
  std::error_code failed;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), failed);
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw std::runtime_error(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  char last = '\n';
  const bool torn = end > 0 && ::pread(descriptor_, &last, 1, end - 1) == 1 && last != '\n';
  const json head = {{"schema", kSchema},           {"plan", plan.name},     {"digest", plan.digest},
                     {"shard", shard.index},        {"shards", shard.count}, {"jobs", jobs},
                     {"all_jobs", plan.jobs.size()}};
  write_line((torn ? "\n" : "") + head.dump());
}

shard_writer::~shard_writer() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void shard_writer::append(const json& result) {
  write_line(result.dump(-1, ' ', false, json::error_handler_t::replace));
}

void shard_writer::write_line(std::string line) {
  line += '\n';
  ssize_t written = 0;
  do written = ::write(descriptor_, line.data(), line.size());
  while (written < 0 && errno == EINTR);
  if (written == static_cast<ssize_t>(line.size())) return;
  throw std::runtime_error(fmt::format("cannot write {}: {}", path_, written < 0 ? std::strerror(errno) : "no room"));
}

}  // namespace simt::cli
