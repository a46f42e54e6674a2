// SPDX-License-Identifier: Apache-2.0
// toml++ reads the file and knows every key's line; here stand the keys and what is made of them.
#include "campaign_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>
#include <toml++/toml.h>

#include "sim/report/nearest_name.hpp"

namespace simt::cli {
namespace {

using words = std::vector<std::string>;

// Made when they are asked for: all that starts as simrun would make globals, and few read a plan.
words plan_keys() { return {"name", "check", "timeout", "workers", "module", "arguments", "schedules", "run"}; }
words run_keys() {
  return {"program", "options", "grid", "block", "check", "timeout", "workers", "module", "arguments", "schedules"};
}
words schedule_kinds() { return {"natural", "lockstep", "reverse", "random", "pct", "explore"}; }
constexpr std::string_view kUnit = "unit=";  // of explore and pct
constexpr std::int64_t kMostJobs = 1'000'000;

class reader {
 public:
  explicit reader(std::string path) : path_(std::move(path)) {}

  [[noreturn]] void refuse(const toml::source_region& where, const std::string& what) const {
    throw plan_error(fmt::format("{}:{}: {}", path_, where.begin.line, what));
  }

  void check_keys(const toml::table& t, const words& known, const std::string& of) const {
    for (const auto& [key, value] : t) {
      const std::string name(key.str());
      if (std::ranges::find(known, name) != known.end()) continue;
      const std::string similar = suggestion(name, known);
      refuse(key.source(),
             fmt::format("there is no key \"{}\" in {}{}", name, of,
                         similar.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : similar));
    }
  }

  // A number, a truth value or a text, as a word of the command line.
  std::string word(const toml::node& n) const {
    if (const auto* s = n.as_string()) return s->get();
    if (const auto* i = n.as_integer()) return fmt::format("{}", i->get());
    if (const auto* f = n.as_floating_point()) return fmt::format("{}", f->get());
    if (const auto* b = n.as_boolean()) return b->get() ? "true" : "false";
    refuse(n.source(), "this must be a text, a number, true or false");
  }

  // One word, or a list of them.
  words list(const toml::node& n) const {
    const auto* all = n.as_array();
    if (all == nullptr) return {word(n)};
    words out;
    for (const toml::node& each : *all) out.push_back(word(each));
    if (out.empty()) refuse(n.source(), "this list is empty");
    return out;
  }

  // What each of the schedules adds to a command line; `random 1-20` is twenty.
  std::vector<words> schedules(const toml::node& n) const {
    const toml::array* const all = n.as_array();
    std::vector<words> out;
    if (all == nullptr) {
      add_schedule(n, out);
    } else {
      for (const toml::node& each : *all) add_schedule(each, out);
    }
    if (out.empty()) refuse(n.source(), "this list is empty");
    return out;
  }

 private:
  static words split(const std::string& text) {
    words out;
    std::string one;
    for (const char c : text + " ") {
      if (c != ' ') {
        one += c;
      } else if (!one.empty()) {
        out.push_back(std::exchange(one, {}));
      }
    }
    return out;
  }

  static bool read_number(std::string_view text, std::int64_t& n) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    return error == std::errc() && end == text.data() + text.size() && n >= 0;
  }

  void add_schedule(const toml::node& n, std::vector<words>& out) const {
    const words parts = split(word(n));
    const std::string kind = parts.empty() ? "" : parts.front();
    if (const words kinds = schedule_kinds(); std::ranges::find(kinds, kind) == kinds.end()) {
      const std::string similar = suggestion(kind, kinds);
      refuse(n.source(),
             fmt::format("there is no schedule \"{}\"{}", kind,
                         similar.empty() ? fmt::format("; there are {}", fmt::join(kinds, ", ")) : similar));
    }
    if (kind == "random") return add_random(n, parts, out);
    if (kind == "pct") return add_pct(n, parts, out);
    if (kind == "explore") {
      std::string bound;
      words unit;
      for (std::size_t i = 1; i < parts.size(); ++i) {
        if (parts[i].starts_with(kUnit))
          unit = {"--unit", parts[i].substr(kUnit.size())};
        else
          bound += (bound.empty() ? "" : ",") + parts[i];
      }
      out.push_back({"--explore=" + (bound.empty() ? "bound=2" : bound)});
      out.back().insert(out.back().end(), unit.begin(), unit.end());
      return;
    }
    if (parts.size() > 1) refuse(n.source(), fmt::format("the schedule {} takes nothing behind its name", kind));
    out.push_back({"--schedule", kind});
  }

  void add_random(const toml::node& n, const words& parts, std::vector<words>& out) const {
    std::int64_t first = 0, last = 0;
    if (parts.size() == 2) {
      const std::string_view range = parts[1];
      const std::size_t dash = range.find('-');
      const bool good = read_number(range.substr(0, dash), first) &&
                        read_number(dash == std::string_view::npos ? range : range.substr(dash + 1), last);
      if (!good || last < first || last - first >= kMostJobs)
        refuse(n.source(), fmt::format("\"{}\" is no seed and no range of seeds: random 7, random 1-20", range));
    } else if (parts.size() > 2) {
      refuse(n.source(), "random takes one seed or one range of seeds: random 1-20");
    }
    for (; first <= last; ++first) out.push_back({"--schedule", "random", "--seed", std::to_string(first)});
  }

  void add_pct(const toml::node& n, const words& parts, std::vector<words>& out) const {
    words all = {"--schedule", "pct"};
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const std::size_t equals = parts[i].find('=');
      const std::string key = parts[i].substr(0, equals);
      const std::string value = equals == std::string::npos ? "" : parts[i].substr(equals + 1);
      std::int64_t number = 0;
      if (parts[i].starts_with(kUnit)) {
        all.insert(all.end(), {"--unit", value});
        continue;
      }
      const words known = {"depth", "runs", "seed", "unit"};
      if (std::ranges::find(known, key) == known.end() || !read_number(value, number)) {
        const std::string similar = suggestion(key, known);
        refuse(n.source(), fmt::format("pct takes depth=D, runs=N, seed=N and unit=NAME, not \"{}\"{}", parts[i],
                                       key.empty() || similar == "; did you mean " + key + "?" ? "" : similar));
      }
      all.insert(all.end(), {key == "runs" ? "--schedules" : "--" + key, value});
    }
    out.push_back(std::move(all));
  }

  std::string path_;
};

// The settings that a plan has for all runs, and a run for itself.
struct settings {
  words check, timeout, workers = {"1"}, module, arguments;
  std::string named_module;  // in the plan
  std::vector<words> schedules = {{}};

  void read(const toml::table& t, const reader& r, const std::filesystem::path& folder) {
    const auto take = [&](const char* key, words& to) {
      if (const toml::node* n = t.get(key)) to = r.list(*n);
    };
    take("check", check), take("timeout", timeout), take("workers", workers), take("arguments", arguments);
    if (const toml::node* n = t.get("module")) {
      named_module = r.word(*n);
      module = {(folder / named_module).string()};
    }
    if (const toml::node* n = t.get("schedules")) schedules = r.schedules(*n);
  }
};

// All ways to take one value of each option.
std::vector<words> combinations(const std::vector<std::pair<std::string, words>>& options) {
  std::vector<words> out = {{}};
  for (const auto& [name, values] : options) {
    std::vector<words> longer;
    for (const words& begun : out) {
      for (const std::string& value : values) {
        words next = begun;
        if (value == "true")
          next.push_back(name);
        else if (value != "false")
          next.insert(next.end(), {name, value});
        longer.push_back(std::move(next));
      }
    }
    out = std::move(longer);
    if (static_cast<std::int64_t>(out.size()) > kMostJobs) break;
  }
  return out;
}

void add_runs(campaign_plan& plan, const toml::table& t, settings s, const reader& r,
              const std::filesystem::path& folder) {
  r.check_keys(t, run_keys(), "[[run]]");
  s.read(t, r, folder);
  const toml::node* const program = t.get("program");
  if (program == nullptr) r.refuse(t.source(), "this [[run]] names no program");
  std::vector<std::pair<std::string, words>> options;
  if (const toml::node* n = t.get("options")) {
    if (!n->is_table()) r.refuse(n->source(), "options is a table: options = { n = [100, 1000] }");
    for (const auto& [key, value] : *n->as_table()) options.emplace_back("--" + std::string(key.str()), r.list(value));
  }
  for (const char* key : {"grid", "block"})
    if (const toml::node* n = t.get(key)) options.emplace_back(std::string("--") + key, r.list(*n));
  for (const std::string& one : r.list(*program)) {
    for (const words& combination : combinations(options)) {
      for (const words& schedule : s.schedules) {
        campaign_job job;
        job.line = static_cast<int>(t.source().begin.line);
        words& w = job.words;
        w.push_back(one.ends_with(".cu") ? (folder / one).string() : one);
        w.insert(w.end(), combination.begin(), combination.end());
        if (!s.check.empty()) w.insert(w.end(), {"--check", fmt::format("{}", fmt::join(s.check, ","))});
        w.insert(w.end(), schedule.begin(), schedule.end());
        if (!s.timeout.empty()) w.insert(w.end(), {"--timeout", s.timeout.front()});
        w.insert(w.end(), {"--workers", s.workers.front()});
        if (!s.module.empty()) w.insert(w.end(), {"--module", s.module.front()});
        w.insert(w.end(), s.arguments.begin(), s.arguments.end());
        job.program = one;
        words named = w;
        named.front() = one;
        if (!s.module.empty()) named[w.size() - s.arguments.size() - 1] = s.named_module;
        job.id = name_of_words(named);
        plan.jobs.push_back(std::move(job));
        if (static_cast<std::int64_t>(plan.jobs.size()) > kMostJobs)
          r.refuse(t.source(), fmt::format("more than {} runs", kMostJobs));
      }
    }
  }
}

}  // namespace

std::string name_of_words(const words& all) {  // FNV-1a
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const std::string& w : all) {
    for (const char c : w) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    sum = (sum ^ 0xff) * 0x100000001b3;
  }
  return fmt::format("{:016x}", sum);
}

campaign_plan read_plan(const std::string& path) {
  const reader r(path);
  toml::table all;
  try {
    if (!std::filesystem::is_regular_file(path)) throw plan_error(fmt::format("cannot read the plan {}", path));
    all = toml::parse_file(path);
  } catch (const toml::parse_error& e) {
    throw plan_error(fmt::format("{}:{}: {}", path, e.source().begin.line, e.description()));
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  r.check_keys(all, plan_keys(), "the plan");
  campaign_plan plan;
  plan.name = std::filesystem::path(path).stem().string();
  if (const toml::node* n = all.get("name")) plan.name = r.word(*n);
  if (plan.name.empty() || plan.name.find('/') != std::string::npos)
    r.refuse(all.source(), "the name of a plan is that of a folder");
  settings common;
  common.read(all, r, folder);
  const toml::node* const runs = all.get("run");
  if (runs == nullptr || !runs->is_array_of_tables())
    throw plan_error(fmt::format("{}: the plan has no [[run]]; docs/schedules.md has an example", path));
  for (const toml::node& run : *runs->as_array()) add_runs(plan, *run.as_table(), common, r, folder);
  std::set<std::string> known;  // what two tables ask for runs once
  std::erase_if(plan.jobs, [&](const campaign_job& j) { return !known.insert(j.id).second; });
  words ids;
  for (const campaign_job& j : plan.jobs) ids.push_back(j.id);
  plan.digest = name_of_words(ids);
  return plan;
}

}  // namespace simt::cli
