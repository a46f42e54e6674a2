// SPDX-License-Identifier: Apache-2.0
// A module without an engine behind it, for tests of the tool: its programs return reports made up on the spot.
// Built once a variant (FAKE_VARIANT). What a run was asked for comes back in the report's notes.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "sim/report/verdict.hpp"
#include "simt/module.hpp"

#ifndef FAKE_ABI
#define FAKE_ABI simt::module_abi
#endif

namespace {

using namespace simt;

simt::access side(access_kind kind, int line, std::int64_t thread, std::string value) {
  simt::access a;
  a.kind = kind;
  a.file = "tests/unit/cli/fake_kernel.cpp";
  a.path = FAKE_SOURCE_DIR "/fake_kernel.cpp";
  a.line = line;
  a.function = "count_racy";
  a.thread = {thread, 0, 0};
  a.block = {thread / 2, 0, 0};
  a.value = std::move(value);
  return a;
}

finding race(int line, int other_line) {
  finding f;
  f.rule = rule::race_global;
  f.cause = cause::race_blocks;
  f.object = "bins";
  f.index = {3};
  f.type = "int";
  f.bytes = 4;
  f.count = 17;
  f.kernel = "count_racy";
  f.accesses = {side(access_kind::write, line, 5, "2"), side(access_kind::write, other_line, 1, "2")};
  return f;
}

class fake_module : public module {
 public:
  int abi() const override { return FAKE_ABI; }
  std::string variant() const override { return FAKE_VARIANT; }

  std::vector<program_info> programs() override {
    program_info clean, racy, wrong, warns, hangs;
    clean.name = "count";
    clean.summary = "Counts numbers into bins with atomics";
    clean.options = {{"samples", "numbers to count", program_option::type::integer, "1000", 1.0},
                     {"width", "of a bin", program_option::type::real, "0.5", 0.0},
                     {"fast", "take a short cut", program_option::type::flag, "", {}}};
    clean.kernels = {"count"};
    clean.geometry = "grid 64, block 64";
    clean.plots = true;
    racy = clean;
    racy.name = "count-racy";
    racy.summary = "The same with a plain increment";
    racy.expected.findings = {{"race-global", "bins", false}};
    racy.expected.result_may_vary = true;
    wrong.name = "wrong";
    wrong.summary = "Gives a wrong result";
    wrong.expected.result = result_status::mismatch;
    warns.name = "partial";
    warns.summary = "Leaves some of its output out";
    warns.expected.result = result_status::mismatch;
    warns.expected.findings = {{"unwritten-output", "x", true}};
    hangs.name = "endless";
    hangs.summary = "Never ends";
    hangs.expected.findings = {{"hang", "", false}};
    return {clean, racy, wrong, warns, hangs};
  }

  std::vector<device_summary> devices() override {
    if (!unavailable().empty()) return {};
    return {{"Fake GPU",
             std::strcmp(FAKE_VARIANT, "cuda") == 0 ? "cuda" : "simulated",
             0,
             {{"warp size", "32"}, {"threads per block", "1024"}}}};
  }

  std::string unavailable() override {
    return std::strcmp(FAKE_VARIANT, "cuda") == 0 && std::getenv("FAKE_HAS_GPU") == nullptr
               ? "no CUDA device answers: driver not loaded"
               : "";
  }

  void interrupt(int signal) override { interrupted_by_ = signal; }

  run_result run(const run_request& q) override {
    run_result out;
    run_report& r = out.report;
    r.program = q.program;
    r.backend = std::strcmp(FAKE_VARIANT, "cuda") == 0 ? "cuda" : "sim";
    r.schedule = q.schedule;
    r.seed = q.seed;
    r.orders = {q.order ? *q.order : recorded_order{q.schedule, q.seed, 1, {{"count_racy", 1, 2, "+1 0:1"}}}};
    r.orders.front().digest = digest_of(r.orders.front());
    if (q.order) r.notes.push_back("played back: " + q.order->launches.front().picks);
    r.workers = q.workers;
    if (!unavailable().empty()) {
      r.verdict = verdict::unavailable;
      r.error = unavailable();
      return out;
    }
    if (q.block && (*q.block)[0] * (*q.block)[1] * (*q.block)[2] > 1024) {
      r.verdict = verdict::error;
      r.error = "launch refused: a block of 32768 threads was asked for, the limit is 1024; choose a smaller --block";
      return out;
    }
    r.check = q.checks;
    launch_record launch{
        .kernel = "count", .grid = {64, 1, 1}, .block = {64, 1, 1}, .shared_bytes = 0, .milliseconds = 0.25};
    if (q.grid) launch.grid = {(*q.grid)[0], (*q.grid)[1], (*q.grid)[2]};
    r.launches = {launch};
    r.result.status = result_status::match;
    r.result.outputs["bins"] = {.count = 8, .sum = 1000, .head = {1, 2, 3, 4, 5, 6, 7, 8}, .integral = true};
    r.plot = {.kind = plot_data::form::bars,
              .title = "bins",
              .values = {1, 5, 9, 14, 9, 4, 2, 1},
              .columns = 0,
              .low = -4,
              .high = 4};
    const bool checked = r.check.any();
    const bool blind = std::getenv("FAKE_BLIND") != nullptr, noisy = std::getenv("FAKE_NOISY") != nullptr;
    if (((q.program == "count-racy" && !blind) || noisy) && checked) {
      r.findings = {race(7, 7), race(7, 7)};  // as for a read and a write of the same line
      r.findings[0].severity = severity::warning;
      if (q.schedule == "random" && q.seed % 2 == 1) r.findings.push_back(race(7, 6));
      if (q.workers != 1 && q.schedule == "natural") {  // workers race for blocks: another thread, another count
        r.findings[0].accesses[0].thread.x = 99;
        r.findings[0].count = ::getpid();
      }
    }
    if (q.program == "wrong" || q.program == "partial") {
      r.result.status = result_status::mismatch;
      r.result.detail = "bins[0] is 0, wanted 1; 7 of 8 differ";
    }
    if (q.program == "partial" && checked) {
      finding f;
      f.rule = rule::unwritten_output;
      f.severity = severity::warning;
      f.cause = cause::output_never_written;
      f.facts.count = 7;
      f.facts.size = 8;
      f.object = "x";
      r.findings = {f};
    }
    if (q.program == "endless") {
      r.verdict = verdict::crash;
      finding f;
      f.rule = rule::hang;
      f.cause = cause::fault_timeout;
      f.kernel = "count";
      f.accesses = {side(access_kind::read, 6, 0, "")};
      f.accesses[0].deed = deed::spins;
      r.findings = {f};
    }
    std::string asked = fmt::format("asked: workers {} seed {} schedule {}", q.workers, q.seed, q.schedule);
    for (const auto& [name, value] : q.options) asked += fmt::format(" {}={}", name, value);
    r.notes.insert(r.notes.begin(), asked);
    if (q.bench_repeat > 0) {
      r.repeat = q.bench_repeat;
      r.kernel_ms = {0.5, 0.75, 1.5};
      r.with_copies_ms = {2, 2.5, 3};
    }
    if (q.keep_outputs) {
      std::vector<std::int32_t> bins = {1, 2, 3, 4, 5, 6};
      if (q.program == "wrong" && r.backend == "cuda") bins[4] = 50;
      output_bytes raw{.type = "int32", .extents = {2, 3}, .bytes = std::vector<unsigned char>(24), .tolerance = 0};
      std::memcpy(raw.bytes.data(), bins.data(), 24);
      out.outputs_raw["bins"] = raw;
    }
    if (std::getenv("FAKE_WAITS") != nullptr) {
      std::ofstream(std::getenv("FAKE_WAITS")) << "runs";
      while (interrupted_by_ == 0) ::usleep(1000);
      r.interrupted_by = interrupted_by_;
    }
    r.verdict = verdict_of(r, false);
    return out;
  }

 private:
  std::atomic<int> interrupted_by_ = 0;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) simt::module* simt_module() {
  static fake_module instance;
  return &instance;
}
