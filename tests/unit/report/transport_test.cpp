// SPDX-License-Identifier: Apache-2.0
// A report from process to process: nothing is lost, and bytes that are no report are refused.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "sample_reports.hpp"
#include "sim/report/json_report.hpp"
#include "sim/report/report_data.hpp"

using namespace simt;
using nlohmann::json;

namespace {

// Every field differs from its default, and from every other of its type where that can be.
run_report full_report() {
  run_report r = test::racy_report();
  r.backend = "other";
  r.dialect = dialect::cuda;
  r.check = {.races = true, .memory = false, .uninit = true, .barrier = false};
  r.schedule = "random";
  r.seed = std::numeric_limits<std::uint64_t>::max();
  r.result.status = result_status::mismatch;
  r.result.detail = "bins[0] is 1";
  r.result.outputs["x"] = {3, 0.1, {-0.5, 1e300, 3}, false};
  r.launches = {{"histogram<int, 2>", {1, 2, 3}, {4, 5, 6}, 7, 8.5}};
  r.error = "an error";
  r.notes = {"one", "two"};
  r.plot = {plot_data::form::heatmap, "title", {1, 2, 3}, 3, -1, 4};
  r.workers = 5;
  r.repeat = 6;
  r.kernel_ms = {1, 2, 3};
  r.with_copies_ms = {4, 5, 6};
  finding& f = r.findings[0];
  f.severity = severity::warning;
  f.facts = test::all_facts();
  f.space = memory_space::shared;
  simt::access& a = f.accesses[0];
  a.column = 17;
  a.stream = "7";
  a.kernel = "histogram_racy";
  a.work = work::async_copy;
  a.deed = deed::last_seen;
  a.stack = {{"tally", "kernels/hist.cpp", 40}, {"outer", "kernels/other.cpp", 50}};
  simt::access& b = f.accesses[1];
  b.agent = actor::stream;
  b.kind = access_kind::atomic;
  b.file.clear();
  b.line = 0;
  b.pc = 0x7fff12345678;
  b.block = b.thread = {};  // a stream has none
  f.accesses.push_back(test::side(access_kind::read, 3, kUnknownPosition, kUnknownPosition, ""));
  return r;
}

// In the order of the report, so that a failure names the field.
void check_same(const simt::access& a, const simt::access& b) {
  CHECK(a.kind == b.kind);
  CHECK(a.pc == b.pc);
  CHECK(a.file == b.file);
  CHECK(a.line == b.line);
  CHECK(a.column == b.column);
  CHECK(a.function == b.function);
  CHECK(a.path == b.path);
  CHECK(a.agent == b.agent);
  CHECK(a.work == b.work);
  CHECK(a.stream == b.stream);
  CHECK(a.kernel == b.kernel);
  CHECK(a.block == b.block);
  CHECK(a.thread == b.thread);
  CHECK(a.value == b.value);
  CHECK(a.deed == b.deed);
  REQUIRE(a.stack.size() == b.stack.size());
  for (std::size_t i = 0; i < a.stack.size(); ++i) {
    CHECK(a.stack[i].function == b.stack[i].function);
    CHECK(a.stack[i].file == b.stack[i].file);
    CHECK(a.stack[i].line == b.stack[i].line);
  }
}
void check_same(const finding& a, const finding& b) {
  CHECK(a.rule == b.rule);
  CHECK(a.severity == b.severity);
  CHECK(a.cause == b.cause);
  CHECK(a.facts == b.facts);
  CHECK(a.space == b.space);
  CHECK(a.object == b.object);
  CHECK(a.index == b.index);
  CHECK(a.type == b.type);
  CHECK(a.bytes == b.bytes);
  CHECK(a.count == b.count);
  CHECK(a.kernel == b.kernel);
  CHECK(a.replay == b.replay);
  REQUIRE(a.accesses.size() == b.accesses.size());
  for (std::size_t i = 0; i < a.accesses.size(); ++i) check_same(a.accesses[i], b.accesses[i]);
}
void check_same(const run_report& a, const run_report& b) {
  CHECK(a.program == b.program);
  CHECK(a.backend == b.backend);
  CHECK(a.dialect == b.dialect);
  CHECK(a.check == b.check);
  CHECK(a.schedule == b.schedule);
  CHECK(a.seed == b.seed);
  CHECK(a.verdict == b.verdict);
  CHECK(a.result.status == b.result.status);
  CHECK(a.result.detail == b.result.detail);
  CHECK(a.result.outputs == b.result.outputs);
  CHECK(a.error == b.error);
  CHECK(a.notes == b.notes);
  CHECK(a.plot == b.plot);
  CHECK(a.workers == b.workers);
  CHECK(a.repeat == b.repeat);
  CHECK(a.kernel_ms == b.kernel_ms);
  CHECK(a.with_copies_ms == b.with_copies_ms);
  CHECK(a.arguments == b.arguments);
  REQUIRE(a.launches.size() == b.launches.size());
  for (std::size_t i = 0; i < a.launches.size(); ++i) {
    CHECK(a.launches[i].kernel == b.launches[i].kernel);
    CHECK(a.launches[i].grid == b.launches[i].grid);
    CHECK(a.launches[i].block == b.launches[i].block);
    CHECK(a.launches[i].shared_bytes == b.launches[i].shared_bytes);
    CHECK(a.launches[i].milliseconds == b.launches[i].milliseconds);
  }
  REQUIRE(a.findings.size() == b.findings.size());
  for (std::size_t i = 0; i < a.findings.size(); ++i) check_same(a.findings[i], b.findings[i]);
}

}  // namespace

TEST_CASE("a report arrives as it was sent") {
  const run_report sent = full_report();
  check_same(sent, report_from_bytes(report_bytes(sent)));
  const run_report empty;
  check_same(empty, report_from_bytes(report_bytes(empty)));
}

TEST_CASE("the file holds what is sent, and sentences besides, but nothing of this machine or screen") {
  const run_report sent = full_report();
  json file = json::parse(json_report(sent)), data = json::from_cbor(report_bytes(sent));
  file.erase("version");
  for (json& f : file["findings"]) {
    for (const char* key : {"message", "why", "fix"}) CHECK(f.erase(key) == 1);
    for (json& a : f["accesses"]) a.erase("agent"), a.erase("state");
  }
  CHECK(data.erase("plot") == 1);
  for (json& f : data["findings"])
    for (json& a : f["accesses"]) CHECK(a.erase("path") == 1);
  CHECK(file == data);
}

TEST_CASE("a search's trail arrives, and one that is cut short is refused") {
  run_report r = full_report();
  const step_choice far{std::int64_t{1} << 40, ~std::uint64_t{0}, 3, step_kind::fence, 0x7fff12345678, 15,
                        0x8000000000000001};
  r.steps = {7, 8, 6, {9, 1000}, {{far, -1, {}, 2, "kernels/hist.cpp", 41}, {{}, 127, {far, {}}, 128, "", 0}}, true};
  const std::string bytes = report_bytes(r);
  CHECK(report_from_bytes(bytes).steps == r.steps);
  for (const char cut_away : {'\x01', '\x80'}) {  // no whole step; a number that goes on
    std::string wrong = bytes;
    const std::size_t at = wrong.find("kernels/hist.cpp", wrong.find("trail"));
    REQUIRE(at != std::string::npos);
    wrong[at - 1] = cut_away == '\x01' ? '\x7f' : '\xff';
    CHECK_THROWS_AS(report_from_bytes(wrong), report_error);
  }
}

TEST_CASE("every cause, deed and kind of work arrives") {
  run_report r;
  r.findings.emplace_back().accesses.emplace_back();
  for (int i = 0; i < cause_count; ++i) {
    r.findings[0].cause = static_cast<cause>(i);
    r.findings[0].rule = static_cast<rule>(i % rule_count);
    simt::access& a = r.findings[0].accesses[0];
    a.deed = static_cast<deed>(i % (static_cast<int>(deed::still_ran) + 1));
    a.work = static_cast<work>(i % (static_cast<int>(work::release) + 1));
    check_same(r, report_from_bytes(report_bytes(r)));
  }
}

TEST_CASE("bytes and numbers that no text can hold arrive") {
  run_report r = test::racy_report();
  r.findings = {test::awkward()};
  r.result.outputs["x"] = {
      1, std::numeric_limits<double>::quiet_NaN(), {std::numeric_limits<double>::infinity()}, true};
  const run_report back = report_from_bytes(report_bytes(r));
  check_same(r.findings[0], back.findings[0]);
  CHECK(std::isnan(back.result.outputs.at("x").sum));
  CHECK(std::isinf(back.result.outputs.at("x").head.at(0)));
}

TEST_CASE("what is no whole report is refused") {
  const std::string whole = report_bytes(full_report());
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK_THROWS_AS(report_from_bytes(std::string_view(whole).substr(0, size)), report_error);
  CHECK_THROWS_AS(report_from_bytes(whole + "x"), report_error);
  CHECK_THROWS_AS(report_from_bytes("Hello, world!\n"), report_error);
  const auto changed = [&](auto&& change) {
    json j = json::from_cbor(whole);
    change(j);
    std::string bytes;
    json::to_cbor(j, bytes);
    return bytes;
  };
  CHECK_NOTHROW(report_from_bytes(changed([](json&) {})));
  CHECK_THROWS_AS(report_from_bytes(changed([](json& j) { j["schema"] = "other/1"; })), report_error);
  CHECK_THROWS_AS(report_from_bytes(changed([](json& j) { j.erase("verdict"); })), report_error);
  CHECK_THROWS_AS(report_from_bytes(changed([](json& j) { j["verdict"] = "good"; })), report_error);
  CHECK_THROWS_AS(report_from_bytes(changed([](json& j) { j["check"] = json::array({"all sorts"}); })), report_error);
  CHECK_THROWS_AS(report_from_bytes(changed([](json& j) { j["findings"][0]["count"] = "many"; })), report_error);
}
