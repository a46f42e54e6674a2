// SPDX-License-Identifier: Apache-2.0
// simrun merge FILE...: what the shards of a campaign found, each finding once, and what has not run.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "campaign_shard.hpp"
#include "command_line.hpp"
#include "help_text.hpp"
#include "one_of.hpp"
#include "output_file.hpp"
#include "schedule_runs.hpp"
#include "sim/report/counted.hpp"
#include "sim/report/html_report.hpp"
#include "sim/report/json_report.hpp"
#include "sim/report/tool_version.hpp"
#include "sim/report/junit_report.hpp"
#include "sim/report/nearest_name.hpp"
#include "sim/report/report_data.hpp"
#include "sim/report/sarif_report.hpp"
#include "sim/report/text_report.hpp"
#include "sim/report/verdict.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace simt::cli {
namespace {

using json = nlohmann::ordered_json;

struct missing_shard {
  int index = 0;
  std::int64_t ran = 0, jobs = 0;
};

struct merged_campaign {
  std::string plan, digest;
  int shards = 0;
  std::int64_t ran = 0, all = 0, repeated = 0, broken = 0;
  std::vector<missing_shard> missing;
  std::map<std::string, run_report> programs;  // findings of all runs of each
  std::map<std::string, std::int64_t> runs;    // of each program
  std::map<std::string, std::map<std::string, int>> verdicts;
  std::map<std::string, std::int64_t> seen_in;  // by program and finding: runs that have it
  std::vector<std::string> failed;              // runs without a report
};

std::int64_t jobs_of_shard(std::int64_t all, int index, int count) { return (all - index) / count + 1; }

void add_result(merged_campaign& m, const json& result) {
  const std::vector<std::string> line = result.value("words", std::vector<std::string>{});
  const std::string program = result.value("program", line.empty() ? "" : line.front());
  ++m.runs[program];
  ++m.ran;
  const auto report = result.find("report");
  if (report == result.end()) {
    ++m.verdicts[program]["failed"];
    m.failed.push_back(fmt::format("simrun {}: {}", fmt::join(line, " "), result.value("said", "")));
    return;
  }
  run_report r = report_from_json(report->dump());
  ++m.verdicts[program][std::string(name(r.verdict))];
  for (const finding& f : r.findings) ++m.seen_in[program + "|" + finding_key(f)];
  const auto [at, is_new] = m.programs.try_emplace(program);
  if (is_new) {
    at->second = std::move(r);
    return;
  }
  run_report& into = at->second;
  merge_findings(into.findings, r.findings, true);
  into.judged.launches += r.judged.launches;
  into.judged.accesses += r.judged.accesses;
  into.judged.excused_volatile += r.judged.excused_volatile;
  if (r.result.status == result_status::mismatch && into.result.status != result_status::mismatch)
    into.result = r.result;
  if (is_final(r.verdict) && !is_final(into.verdict)) take_end(r, into);
}

merged_campaign merge_files(const words& files) {
  merged_campaign m;
  std::map<std::string, json> results;  // each job once, whoever ran it
  std::map<int, std::int64_t> by_shard;
  for (const std::string& file : files) {
    shard_results s = read_shard(file);
    if (m.digest.empty()) m.plan = s.plan, m.digest = s.digest, m.shards = s.count, m.all = s.all_jobs;
    if (s.digest != m.digest)
      throw std::runtime_error(
          fmt::format("{} is of another plan than {}, or of another version of it", file, files[0]));
    if (s.count != m.shards)
      throw std::runtime_error(
          fmt::format("{} is of {} shards, {} of {}: merge one cut of the plan", file, s.count, files[0], m.shards));
    m.repeated += s.repeated, m.broken += s.broken;
    by_shard.try_emplace(s.index, 0);
    for (auto& [id, result] : s.results)
      if (results.emplace(id, std::move(result)).second)
        ++by_shard[s.index];
      else
        ++m.repeated;
  }
  for (const auto& [id, result] : results) add_result(m, result);
  for (int i = 1; i <= m.shards; ++i) {
    const std::int64_t jobs = m.all >= i ? jobs_of_shard(m.all, i, m.shards) : 0;
    const std::int64_t ran = by_shard.contains(i) ? by_shard[i] : 0;
    if (ran < jobs) m.missing.push_back({i, ran, jobs});
  }
  for (auto& [program, r] : m.programs) {
    r.program = program;
    r.arguments = {program};
    r.notes = {fmt::format("campaign {}: findings of {} runs", m.plan, m.runs[program])};
    r.verdict = verdict_of(r, false);
  }
  return m;
}

std::string text_of(const merged_campaign& m, const text_style& style) {
  std::string out = fmt::format("campaign {}: {} of {} runs, {}\n", m.plan, m.ran, m.all, counted(m.shards, "shard"));
  for (const auto& [program, runs] : m.runs) {
    std::string verdicts;
    for (const auto& [verdict, count] : m.verdicts.at(program))
      verdicts += fmt::format("{}{} {}", verdicts.empty() ? "" : ", ", count, verdict);
    out += fmt::format("  {}: {}, {}\n", program, counted(runs, "run"), verdicts);
  }
  for (const auto& [program, r] : m.programs) {
    for (const finding& f : r.findings) {
      const std::int64_t seen = m.seen_in.at(program + "|" + finding_key(f));
      out += fmt::format("\n{}, in {} of {} runs\n", program, seen, m.runs.at(program));
      out += text_finding(f, r.dialect, style);
    }
  }
  for (const std::string& f : m.failed) out += "\nno report: " + f + "\n";
  if (m.repeated > 0) out += fmt::format("\n{} results stand there more than once; each counts once\n", m.repeated);
  if (m.broken > 0)
    out += fmt::format("{} lines are torn (a process was killed): those runs count by their repetition\n", m.broken);
  for (const missing_shard& s : m.missing)
    out += fmt::format("missing: shard {} of {}, {}\n", s.index, m.shards,
                       s.ran == 0 ? fmt::format("none of its {} runs", s.jobs)
                                  : fmt::format("{} of its {} runs", s.jobs - s.ran, s.jobs));
  return out;
}

json json_of(const merged_campaign& m) {
  json missing = json::array(), programs = json::array(), findings = json::array();
  for (const missing_shard& s : m.missing) missing.push_back({{"shard", s.index}, {"ran", s.ran}, {"of", s.jobs}});
  for (const auto& [program, runs] : m.runs)
    programs.push_back({{"program", program}, {"runs", runs}, {"verdicts", m.verdicts.at(program)}});
  for (const auto& [program, r] : m.programs) {
    const json report = json::parse(json_report(r));
    for (std::size_t i = 0; i < r.findings.size(); ++i) {
      json f = {{"program", program}, {"runs", m.seen_in.at(program + "|" + finding_key(r.findings[i]))}};
      f.update(report["findings"][i]);
      findings.push_back(std::move(f));
    }
  }
  return {{"schema", "simrun-campaign/1"},
          {"version", tool_version()},
          {"plan", m.plan},
          {"digest", m.digest},
          {"shards", m.shards},
          {"runs", m.ran},
          {"of", m.all},
          {"missing", missing},
          {"programs", programs},
          {"findings", findings},
          {"failed", m.failed}};
}

int exit_code_of(const merged_campaign& m) {
  int worst = m.missing.empty() && m.failed.empty() ? kExitClean : kExitUsage;
  for (const auto& [program, r] : m.programs) {
    const int code = exit_code(r, false);
    const auto weight = [](int c) {
      return c == kExitCrash ? 4 : c == kExitFindings ? 3 : c == kExitMismatch ? 2 : c != 0;
    };
    if (weight(code) > weight(worst)) worst = code;
  }
  return worst;
}

}  // namespace

namespace {
struct merge_options {
  std::string json, sarif, junit, html, color = "auto";
  bool help = false;
};

void add_merge_options(CLI::App& app, merge_options& o) {
  app.set_help_flag();
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)->group("Output");
  app.add_option("--json", o.json, "the whole as JSON, simrun-campaign/1")->type_name("FILE");
  app.add_option("--sarif", o.sarif, "findings as SARIF 2.1.0, one run a program")->type_name("FILE");
  app.add_option("--junit", o.junit, "programs as JUnit XML")->type_name("FILE");
  app.add_option("--html", o.html, "one HTML page")->type_name("FILE");
  app.add_option("--color", o.color, "colours in the output")
      ->type_name("WHEN")
      ->check(one_of({"auto", "always", "never"}));
  app.add_flag("--help,-h", o.help, "how it is called");
}
}  // namespace

void declare_merge_options(CLI::App& app) {
  static merge_options ignored;
  add_merge_options(app, ignored);
}

int verb_merge(const words& arguments) {
  merge_options o;
  CLI::App app;
  app.allow_extras();
  add_merge_options(app, o);
  std::string wrong = parse_tool_options(app, arguments);
  const words files = app.remaining();
  for (const std::string& f : files)
    if (f.starts_with("--") && wrong.empty())
      wrong = fmt::format("unknown option {}{}", f, suggestion(f, option_names(app)));
  if (o.help) {
    const text_style style = style_for(STDOUT_FILENO, o.color);
    print(laid_out("Usage: simrun merge FILE... [options]\n\nFILE are the results of a campaign's shards.\n", style) +
          option_table(app, style));
    return kExitClean;
  }
  if (wrong.empty() && files.empty())
    wrong = "merge needs the files of a campaign's shards. Usage: simrun merge FILE...";
  output_file outputs[4];
  const std::pair<const char*, std::string*> named[4] = {
      {"--json", &o.json}, {"--sarif", &o.sarif}, {"--junit", &o.junit}, {"--html", &o.html}};
  for (int i = 0; i < 4 && wrong.empty(); ++i) wrong = outputs[i].open(named[i].first, *named[i].second);
  if (!wrong.empty()) {
    complain(wrong);
    return kExitUsage;
  }
  try {
    const merged_campaign m = merge_files(files);
    std::vector<run_report> reports;
    std::vector<junit_case> cases;
    for (const auto& [program, r] : m.programs) {
      reports.push_back(r);
      for (junit_case& c : junit_cases(r, false)) cases.push_back(std::move(c));
    }
    print(text_of(m, style_for(STDOUT_FILENO, o.color)));
    const auto put = [&](output_file& file, const auto& text) {
      if (file.is_open() && wrong.empty()) wrong = file.write(text());
    };
    put(outputs[0], [&] { return json_of(m).dump(2, ' ', false, json::error_handler_t::replace) + "\n"; });
    put(outputs[1], [&] { return sarif_report(reports); });
    put(outputs[2], [&] { return junit_report("simrun", cases); });
    put(outputs[3], [&] { return html_report(reports); });
    if (!wrong.empty()) throw std::runtime_error(wrong);
    return exit_code_of(m);
  } catch (const std::runtime_error& error) {
    complain(error.what());
    return kExitUsage;
  }
}

}  // namespace simt::cli
