// SPDX-License-Identifier: Apache-2.0
// JSON, SARIF, JUnit and HTML as data: contracts of docs/cli.md and of the formats.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "sample_reports.hpp"
#include "sim/report/gcc_report.hpp"
#include "sim/report/html_report.hpp"
#include "sim/report/json_report.hpp"
#include "sim/report/junit_report.hpp"
#include "sim/report/sarif_report.hpp"
#include "sim/report/text_report.hpp"
#include "sim/report/verdict.hpp"

using namespace simt;
using nlohmann::json;

TEST_CASE("the JSON report has what docs/cli.md promises") {
  const json j = json::parse(json_report(test::racy_report()));
  CHECK(j["schema"] == "simrun-report/1");
  CHECK(j["program"] == "hist-racy");
  CHECK(j["check"] == json::array({"races"}));
  CHECK(j["schedule"]["name"] == "natural");
  CHECK(j["verdict"] == "findings");
  CHECK(j["result"]["status"] == "match");
  CHECK(j["result"]["outputs"]["bins"]["count"] == 150);
  CHECK(j["result"]["outputs"]["bins"]["sum"].is_number_integer());
  CHECK(j["launches"][0]["grid"] == json::array({64, 1, 1}));
  const json& f = j["findings"][0];
  CHECK(f["rule"] == "race-global");
  CHECK(f["severity"] == "error");
  CHECK(f["space"] == "global");
  CHECK(f["index"] == json::array({75}));
  CHECK(f["count"] == 1023);
  REQUIRE(f["accesses"].size() == 2);
  CHECK(f["accesses"][0]["kind"] == "write");
  CHECK(f["accesses"][0]["line"] == 24);
  CHECK(f["accesses"][0]["block"] == json::array({1, 0, 0}));
  CHECK(f["accesses"][0]["thread"] == json::array({3, 0, 0}));
  CHECK(f["accesses"][0]["value"] == "12");
  CHECK(f["accesses"][0]["stack"].is_array());
  CHECK(f["replay"] == "simrun hist-racy --check races");
}

TEST_CASE("numbers and bytes that JSON cannot hold do no harm") {
  run_report r = test::racy_report();
  r.findings = {test::awkward()};
  r.result.outputs["x"] = {
      2, std::numeric_limits<double>::quiet_NaN(), {std::numeric_limits<double>::infinity(), -0.5}, false};
  const json j = json::parse(json_report(r));
  CHECK(j["result"]["outputs"]["x"]["sum"].is_null());
  CHECK(j["result"]["outputs"]["x"]["head"][1] == -0.5);
  CHECK(json::parse(sarif_report({r})).is_object());
}

TEST_CASE("a report can be replayed, and what cannot says why") {
  CHECK(replay_arguments(json_report(test::racy_report())) ==
        std::vector<std::string>{"hist-racy", "--check", "races"});
  CHECK_THROWS_AS(replay_arguments("no json"), replay_error);
  CHECK_THROWS_AS(replay_arguments("[]"), replay_error);
  CHECK_THROWS_AS(replay_arguments("{\"schema\": \"other/1\"}"), replay_error);
  CHECK_THROWS_AS(replay_arguments("{\"schema\": \"simrun-report/1\"}"), replay_error);
  CHECK_THROWS_AS(replay_arguments("{\"schema\": \"simrun-report/1\", \"request\": 7}"), replay_error);
  CHECK_THROWS_AS(replay_arguments("{\"schema\": \"simrun-report/1\", \"request\": {\"arguments\": [1]}}"),
                  replay_error);
}

TEST_CASE("the bench report") {
  run_report r;
  r.program = "saxpy";
  r.workers = 2;
  r.repeat = 5;
  r.kernel_ms = {1, 2, 3};
  const json j = json::parse(json_bench(r));
  CHECK(j["schema"] == "simrun-bench/1");
  CHECK(j["check"] == json::array());
  CHECK(j["workers"] == 2);
  CHECK(j["kernel_ms"]["median"] == 2);
  CHECK(j["with_copies_ms"]["max"] == 0);
}

TEST_CASE("what a rule means is told in the words of the program") {
  run_report r = test::racy_report();
  const auto help = [&] { return sarif_report({r}) + html_report({r}); };
  CHECK(help().find("SIMT_DEVICE") != std::string::npos);
  r.dialect = dialect::cuda;
  CHECK(help().find("SIMT_DEVICE") == std::string::npos);
  CHECK(help().find("__global__") != std::string::npos);
}

TEST_CASE("SARIF shows both threads as flows of one code flow") {
  const json j = json::parse(sarif_report({test::racy_report()}));
  CHECK(j["version"] == "2.1.0");
  const json& run = j["runs"][0];
  CHECK(run["tool"]["driver"]["rules"].size() == rule_count);
  const json& result = run["results"][0];
  CHECK(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"] == result["ruleId"]);
  CHECK(result["level"] == "error");
  CHECK(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "kernels/hist.cpp");
  CHECK(result["locations"][0]["physicalLocation"]["region"]["startLine"] == 24);
  REQUIRE(result["codeFlows"].size() == 1);
  CHECK(result["codeFlows"][0]["threadFlows"].size() == 2);
  CHECK(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 23);
  // A run without findings still has its (empty) results: "nothing found", not "not looked for".
  run_report clean;
  CHECK(json::parse(sarif_report({clean}))["runs"][0]["results"] == json::array());
}

TEST_CASE("columns of SARIF and of one line a finding are those of the file") {
  const std::string path = (std::filesystem::temp_directory_path() / fmt::format("columns-{}.cu", ::getpid())).string();
  std::ofstream(path) << "\t\tbins[b] += 1;  // \xC3\xA4\n";
  run_report r = test::racy_report();
  for (simt::access& a : r.findings[0].accesses) a.path = path, a.line = 1;
  const json region =
      json::parse(sarif_report({r}))["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
  CHECK(region == json{{"startLine", 1}, {"startColumn", 3}, {"endColumn", 10}});
  const std::string lines = gcc_report(r);
  CAPTURE(lines);
  CHECK(lines.find(path + ":1:3: error: ") == 0);
  CHECK(lines.find(" [race-global]\n") != std::string::npos);
  CHECK(std::ranges::count(lines, '\n') == static_cast<std::ptrdiff_t>(r.findings.size()));
  r.findings[0].part_of = 1;  // what has another one's cause is told as a compiler's remarks on an error
  CHECK(gcc_report(r).find(path + ":1:3: note: ") == 0);
  std::filesystem::remove(path);
}

TEST_CASE("JUnit escapes and counts") {
  run_report r = test::racy_report();
  r.findings.push_back(test::awkward());
  const std::string xml = junit_report("simrun", junit_cases(r, false));
  CHECK(xml.find("tests=\"3\" failures=\"2\"") != std::string::npos);
  CHECK(xml.find("<script>") == std::string::npos);
  CHECK(xml.find('\x1b') == std::string::npos);
  CHECK(xml.find("<system-out>") == std::string::npos);  // nothing was judged
  CHECK(escaped_markup("a<b>&\"'\x01\xff") == "a&lt;b&gt;&amp;&quot;&#39;??");
  CHECK(escaped_markup("\xC3\xA4 \xE2\x96\x88 \xF0\x9F\x98\x80 \xED\xA0\x80") ==
        "\xC3\xA4 \xE2\x96\x88 \xF0\x9F\x98\x80 ???");
}

TEST_CASE("what was judged stands in every form, be something found or not") {
  run_report r = test::racy_report();
  r.findings.clear();
  r.judged.checks = {.races = true};
  r.judged.not_checked = {.memory = true};
  r.judged.launches = 1, r.judged.accesses = 64;
  const std::string judged = "judged races in 1 launch and 64 accesses; not judged: memory (--check all)";
  CHECK(what_was_judged(r) == judged);
  CHECK(junit_report("simrun", junit_cases(r, false)).find("<system-out>" + judged + "</system-out>") !=
        std::string::npos);
  const json told = json::parse(sarif_report({r}))["runs"][0]["invocations"][0]["toolExecutionNotifications"];
  CHECK(told == json::array({{{"level", "note"}, {"message", {{"text", judged}}}}}));
}

TEST_CASE("HTML is one page that escapes what it shows") {
  run_report r = test::racy_report();
  r.findings.push_back(test::awkward());
  const std::string html = html_report({r});
  CHECK(html.find("<!DOCTYPE html>") == 0);
  CHECK(html.find("<script>") == std::string::npos);
  CHECK(html.find("http") == std::string::npos);
  CHECK(html.find("race-global") != std::string::npos);
}

TEST_CASE("HTML draws conflicts and accesses outside, and nothing else") {
  const auto drawings = [](const finding& f) {
    run_report r = test::racy_report();
    r.findings = {f};
    const std::string html = html_report({r});
    return html.find("<svg") == std::string::npos ? std::string() : html.substr(html.find("<svg"));
  };
  const std::string race = drawings(test::race());
  CHECK(race.find("writes 12, line 24") != std::string::npos);
  CHECK(race.find("reads 11, line 23") != std::string::npos);
  CHECK(race.find("class=\"touched\"") != std::string::npos);
  CHECK(race.find(">75<") != std::string::npos);
  CHECK(race.find("class=\"outside\"") == std::string::npos);
  finding leak = test::race();
  leak.rule = rule::leak;
  leak.cause = cause::leaked;
  CHECK(drawings(leak).empty());
  leak.rule = rule::out_of_bounds;
  leak.cause = cause::outside_behind;
  leak.facts.size = 400;
  leak.facts.distance = 8;
  const std::string outside = drawings(leak);  // elements 0 to 99 exist, and 102 was touched
  CHECK(outside.find(">102<") != std::string::npos);
  CHECK(outside.find(">99<") != std::string::npos);
  CHECK(outside.find(">101<") == std::string::npos);
  CHECK(outside.find("class=\"outside\"") != std::string::npos);
}

TEST_CASE("JSON keeps each finding of a group, and says which belong together") {
  run_report r = test::racy_report();
  CHECK(json_report(r).find("part_of") == std::string::npos);
  r.findings = {test::race(), test::race()};
  r.findings[0].members = {1};
  r.findings[1].part_of = 0;
  r.findings[0].debug = "simrun debug hist-racy --block 1,0,0 --thread 3,0,0";
  const std::string json = json_report(r);
  CHECK(json.find("\"part_of\": 0") != std::string::npos);
  CHECK(json.find("\"debug\": \"simrun debug hist-racy --block 1,0,0 --thread 3,0,0\"") != std::string::npos);
  CHECK(json.find("\"members\"") < json.find("\"part_of\""));
}

TEST_CASE("exit codes of docs/cli.md") {
  run_report r;
  CHECK(exit_code(r, false) == 0);
  r.result.status = result_status::mismatch;
  CHECK(exit_code(r, false) == 1);
  finding f;
  f.severity = severity::warning;
  r.findings = {f};
  CHECK(exit_code(r, false) == 1);
  CHECK(exit_code(r, true) == 3);
  r.findings[0].severity = severity::error;
  CHECK(exit_code(r, false) == 3);  // findings win over a wrong result
  r.verdict = verdict::crash;
  CHECK(exit_code(r, false) == 4);
  r.verdict = verdict::error;
  CHECK(exit_code(r, false) == 3);  // and over a launch that was refused
  r.findings.clear();
  CHECK(exit_code(r, false) == 2);
  r.verdict = verdict::unavailable;
  CHECK(exit_code(r, false) == 77);
}
