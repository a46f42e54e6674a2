// SPDX-License-Identifier: Apache-2.0
#include "baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "sim/report/names.hpp"

namespace simt::cli {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t kSides = 2;  // of a race; a hang lists threads, whose places differ from run to run

struct identity {
  std::string what, lines;
};

// `side(i)`: file, function and line of an access.
template <class F>
identity identity_of(std::string_view rule, const std::string& object, const std::string& kernel, std::size_t accesses,
                     F side) {
  std::vector<std::pair<std::string, std::string>> places;
  for (std::size_t i = 0; i < std::min(accesses, kSides); ++i) {
    const auto [file, function, line] = side(i);
    places.emplace_back(file + "|" + function, fmt::format("{:08}", line));
  }
  std::ranges::sort(places);  // which side comes first depends on the schedule
  identity out{fmt::format("{}|{}|{}", rule, object, kernel), {}};
  for (const auto& [place, line] : places) out.what += "|" + place, out.lines += "|" + line;
  return out;
}

identity identity_of(const finding& f) {
  return identity_of(name(f.rule), f.object, f.kernel, f.accesses.size(), [&](std::size_t i) {
    const access& a = f.accesses[i];
    return std::tuple(a.file, a.function, a.line);
  });
}

identity identity_of(const json& f) {
  const json& accesses = f.at("accesses");
  return identity_of(f.at("rule").get<std::string>(), f.value("object", ""), f.value("kernel", ""), accesses.size(),
                     [&](std::size_t i) {
                       const json& a = accesses.at(i);
                       return std::tuple(a.value("file", ""), a.value("function", ""), a.value("line", 0));
                     });
}

}  // namespace

baseline::baseline(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(fmt::format("--new-since: cannot read {}", path));
  try {
    const json report = json::parse(in, nullptr, false);
    if (report.is_discarded()) throw std::runtime_error("it is not JSON; `simrun PROGRAM --json FILE` writes a report");
    if (!report.is_object() || !report.contains("schema") || report["schema"] != "simrun-report/1")
      throw std::runtime_error("its schema is not simrun-report/1");
    if (report.value("errors_left_out", 0) + report.value("warnings_left_out", 0) != 0)
      throw std::runtime_error("it left findings out; write it with a larger --max-reports");
    if (report.contains("interrupted_by")) throw std::runtime_error("it is of a run that was interrupted");
    for (const json& f : report.at("findings")) {
      identity id = identity_of(f);
      lines_[id.what].push_back(id.lines);
    }
  } catch (const json::exception&) {  // its words are those of a library
    throw std::runtime_error(
        fmt::format("--new-since: {} cannot be compared with: its findings are not as --json writes them", path));
  } catch (const std::runtime_error& wrong) {
    throw std::runtime_error(fmt::format("--new-since: {} cannot be compared with: {}", path, wrong.what()));
  }
}

std::size_t baseline::filter(std::vector<finding>& findings) const {
  auto left = lines_;
  std::vector<bool> old(findings.size(), false);
  for (const bool same_lines : {true, false}) {
    for (std::size_t i = 0; i < findings.size(); ++i) {
      const identity id = identity_of(findings[i]);
      const auto alike = left.find(id.what);
      if (old[i] || alike == left.end() || alike->second.empty()) continue;
      const auto at = same_lines ? std::ranges::find(alike->second, id.lines) : alike->second.begin();
      if (at == alike->second.end()) continue;
      alike->second.erase(at);
      old[i] = true;
    }
  }
  std::size_t i = 0;
  return std::erase_if(findings, [&](const finding&) { return old[i++]; });
}

}  // namespace simt::cli
