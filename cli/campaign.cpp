// SPDX-License-Identifier: Apache-2.0
// simrun campaign PLAN: the runs of a plan that are this process's share, results appended to a file of its own.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "campaign_jobs.hpp"
#include "campaign_shard.hpp"
#include "command_line.hpp"
#include "help_text.hpp"
#include "module_loader.hpp"
#include "output_file.hpp"
#include "sim/report/nearest_name.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace simt::cli {
namespace {

struct campaign_options {
  std::string plan, shard, output, budget;
  int jobs = 0, shards = 8, mpi = 0;
  bool slurm = false, help = false;
};

// "10m" in seconds; 0: it is no time.
double seconds_of(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const double scale = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  return error == std::errc() && number > 0 ? number * scale : 0;
}

void add_options(CLI::App& app, campaign_options& o) {
  app.set_help_flag();
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)->group("Campaigns");
  app.add_option("PLAN", o.plan)->group("");
  app.add_option("--shard", o.shard, "run the I-th of N equal parts; default: what MPI or Slurm says, else all")
      ->type_name("I/N");
  app.add_option("--output", o.output, "folder for results, one file a shard; default: the plan's name and .campaign")
      ->type_name("FOLDER");
  app.add_option("--budget", o.budget, "stop after so long, 90s, 10m or 2h; the same command goes on later")
      ->type_name("TIME");
  app.add_option("--jobs", o.jobs, "runs at a time; default: one a core, and one in an MPI world")->type_name("N");
  app.add_flag("--slurm", o.slurm, "write a job script for a Slurm array, one task a shard, and submit it");
  app.add_option("--shards", o.shards, "of --slurm: how many tasks [8]")->type_name("N");
  app.add_option("--mpi", o.mpi, "run it as `mpirun -n N simrun campaign PLAN`")->type_name("N");
  app.add_flag("--help,-h", o.help, "this text");
}

// Runs a program of the system; what is missing is said with its package. Returns the exit code.
int run_tool(const std::vector<std::string>& line, const std::string& package, const std::string& otherwise) {
  const pid_t process = ::fork();
  if (process == 0) {
    std::vector<char*> arguments;
    for (const std::string& w : line) arguments.push_back(const_cast<char*>(w.c_str()));
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  int status = 0;
  if (process < 0 || ::waitpid(process, &status, 0) < 0) return kExitUsage;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
    complain(fmt::format("{} is not installed; on Debian and Ubuntu it is in the package {}. {}", line[0], package,
                         otherwise));
    return kExitUsage;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : kExitUsage;
}

std::string own_path() {
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? "simrun" : self.string();
}

int submit(const campaign_options& o, const campaign_plan& plan, double budget) {
  std::error_code failed;
  std::filesystem::create_directories(o.output, failed);
  const std::string folder = std::filesystem::absolute(o.output).string();
  const std::string script = folder + "/" + plan.name + ".sbatch";
  std::string text =
      fmt::format("#!/bin/sh\n#SBATCH --job-name={}\n#SBATCH --array=1-{}\n#SBATCH --output={}/slurm-%A_%a.out\n",
                  plan.name, o.shards, folder);
  if (budget > 0) text += fmt::format("#SBATCH --time={}\n", static_cast<int>(budget / 60) + 5);  // minutes
  if (o.jobs > 0) text += fmt::format("#SBATCH --cpus-per-task={}\n", o.jobs);
  text += "# simrun takes its shard from SLURM_ARRAY_TASK_ID.\n";
  text +=
      fmt::format("exec {} campaign {} --output {} --jobs {}", shell_quoted(own_path()),
                  shell_quoted(std::filesystem::absolute(o.plan).string()), shell_quoted(folder), std::max(o.jobs, 1));
  if (budget > 0) text += " --budget " + o.budget;
  text += "\n";
  const std::string wrong = write_whole(script, 0777, [&](int to) { return write_all(to, text); });
  if (!wrong.empty()) {
    complain(wrong);
    return kExitUsage;
  }
  print(fmt::format("job script: {}\n", script));
  return run_tool({"sbatch", script}, "slurm-client",
                  fmt::format("The script can be submitted where it is: sbatch {}", script));
}

// A program or an option that does not exist is a mistake of the plan, so it is said with its line. The modules stay
// open for the children. Returns what is wrong, or nothing.
std::string check_jobs(const std::string& path, const std::vector<const campaign_job*>& jobs) {
  constexpr int kTried = 20;  // of the runs of one table: combinations of options differ in values only
  std::map<int, int> tried;
  for (const campaign_job* job : jobs) {
    if (names_cuda_source(job->words)) {
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(job->words[0], ignored))
        return fmt::format("{}:{}: there is no file {}", path, job->line, job->words[0]);
      continue;
    }
    if (names_built_program(job->words)) continue;
    if (++tried[job->line] > kTried) continue;
    if (const parsed_command c = parse_program_command(job->words, verb_kind::run); c.exit_code >= 0)
      return fmt::format("{}:{}: a run of this table cannot start: simrun {}", path, job->line,
                         fmt::join(job->words, " "));
  }
  return {};
}

// Results that other shards have by now: for the line that shows progress.
std::int64_t done_elsewhere(const std::string& folder, const campaign_plan& plan, const shard_place& shard) {
  std::int64_t done = 0;
  for (int i = 1; i <= shard.count; ++i) {
    if (i == shard.index) continue;
    try {
      shard_place other = shard;
      other.index = i;
      done += static_cast<std::int64_t>(read_shard(shard_file(folder, plan, other)).results.size());
    } catch (const std::runtime_error&) {
      continue;  // it has not begun
    }
  }
  return done;
}

struct tally {
  std::int64_t ran = 0, findings = 0, mismatches = 0, crashes = 0, failed = 0;
  void add(const nlohmann::ordered_json& result) {
    ++ran;
    const int code = result.value("exit", kExitUsage);
    if (code == kExitFindings)
      ++findings;
    else if (code == kExitMismatch)
      ++mismatches;
    else if (code == kExitCrash || code < 0)
      ++crashes;
    else if (code != kExitClean)
      ++failed;
  }
  int exit_code() const {
    return crashes > 0      ? kExitCrash
           : findings > 0   ? kExitFindings
           : mismatches > 0 ? kExitMismatch
           : failed > 0     ? kExitUsage
                            : kExitClean;
  }
};

int run_shard(const campaign_options& o, const campaign_plan& plan, const shard_place& shard, double budget) {
  const std::vector<const campaign_job*> mine = jobs_of(plan, shard);
  if (const std::string wrong = check_jobs(o.plan, mine); !wrong.empty()) {
    complain(wrong);
    return kExitUsage;
  }
  const std::string file = shard_file(o.output, plan, shard);
  shard_writer writer(file, plan, shard, static_cast<std::int64_t>(mine.size()));
  const shard_results before = read_shard(file);
  tally all;
  for (const auto& [id, result] : before.results) all.add(result);
  std::vector<const campaign_job*> left;
  for (const campaign_job* job : mine)
    if (!before.results.contains(job->id)) left.push_back(job);
  int at_a_time = o.jobs;
  if (at_a_time <= 0)
    at_a_time = shard.of_many ? 1 : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  progress shown(false);
  std::int64_t others = 0;
  auto asked = std::chrono::steady_clock::time_point{};
  const jobs_outcome outcome = run_jobs(left, at_a_time, budget, [&](const nlohmann::ordered_json& result) {
    writer.append(result);
    all.add(result);
    if (const auto now = std::chrono::steady_clock::now(); shard.count > 1 && now - asked > std::chrono::seconds(2)) {
      others = done_elsewhere(o.output, plan, shard);
      asked = now;
    }
    shown.show(fmt::format("campaign {}: {} of {} runs of shard {}/{}, {} of {} in all", plan.name, all.ran,
                           mine.size(), shard.index, shard.count, all.ran + others, plan.jobs.size()));
  });
  shown.clear();
  print(
      fmt::format("campaign {}, shard {} of {}: {} of {} runs done{}; {} with findings, {} with a wrong result, {} "
                  "crashed, {} could not run\nresults: {}\n",
                  plan.name, shard.index, shard.count, all.ran, mine.size(),
                  before.results.empty() ? "" : fmt::format(" ({} before)", before.results.size()), all.findings,
                  all.mismatches, all.crashes, all.failed, file));
  if (outcome.end == jobs_end::budget_spent) print("the budget is spent; the same command goes on\n");
  if (outcome.end == jobs_end::interrupted) {
    complain("interrupted; the same command goes on where it was");
    return kExitOfSignal + outcome.signal;
  }
  // mpirun ends the other ranks where one ends with another code.
  return shard.of_many ? kExitClean : all.exit_code();
}

}  // namespace

void declare_campaign_options(CLI::App& app) {
  static campaign_options ignored;
  add_options(app, ignored);
}

int verb_campaign(const words& arguments) {
  campaign_options o;
  CLI::App app;
  add_options(app, o);
  if (std::string wrong = parse_tool_options(app, arguments); !wrong.empty()) {
    const words names = option_names(app);
    for (const std::string& w : arguments)
      if (w.starts_with("--") && std::ranges::find(names, w.substr(0, w.find('='))) == names.end())
        wrong = fmt::format("unknown option {}{}", w, suggestion(w.substr(0, w.find('=')), names));
    complain(wrong);
    return kExitUsage;
  }
  if (o.help) {
    const text_style style = style_for(STDOUT_FILENO, "auto");
    print(laid_out("Usage: simrun campaign PLAN [options]\n\nRuns what a plan asks for (docs/schedules.md).\n", style) +
          option_table(app, style));
    return kExitClean;
  }
  const auto wrong_usage = [](const std::string& what) {
    complain(what);
    return kExitUsage;
  };
  if (o.plan.empty())
    return wrong_usage("campaign needs a plan. Usage: simrun campaign PLAN [--shard I/N] [--budget 10m]");
  const double budget = o.budget.empty() ? 0 : seconds_of(o.budget);
  if (!o.budget.empty() && budget <= 0)
    return wrong_usage("--budget takes a time such as 90s, 10m or 2h, not " + o.budget);
  if (o.jobs < 0 || o.shards < 1 || o.mpi < 0) return wrong_usage("--jobs, --shards and --mpi take a number from 1 on");
  try {
    const campaign_plan plan = read_plan(o.plan);
    if (o.output.empty()) o.output = plan.name + ".campaign";
    if (o.slurm) return submit(o, plan, budget);
    if (o.mpi > 0) {
      words line = {"mpirun", "-n", std::to_string(o.mpi), own_path(), "campaign", o.plan, "--output", o.output};
      if (!o.budget.empty()) line.insert(line.end(), {"--budget", o.budget});
      if (o.jobs > 0) line.insert(line.end(), {"--jobs", std::to_string(o.jobs)});
      return run_tool(line, "openmpi-bin", "Without it, `--shard I/N` cuts the plan by hand.");
    }
    shard_place shard = shard_of_environment();
    if (!o.shard.empty()) {
      const auto named = parse_shard(o.shard);
      if (!named) return wrong_usage(fmt::format("--shard takes I/N with I from 1 to N, not {}", o.shard));
      const bool of_many = shard.of_many;
      shard = *named;
      shard.of_many = of_many;
    }
    return run_shard(o, plan, shard, budget);
  } catch (const std::runtime_error& error) {
    return wrong_usage(error.what());
  }
}

}  // namespace simt::cli
