// SPDX-License-Identifier: Apache-2.0
// Reports that the tests of renderers share: a race with two sides, a hang with many threads, and awkward data.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "sim/report/run_report.hpp"

namespace simt::test {

inline simt::access side(access_kind kind, int line, index3 block, index3 thread, std::string value) {
  simt::access a;
  a.kind = kind;
  a.file = "kernels/hist.cpp";
  a.path = "/nonexistent/kernels/hist.cpp";
  a.line = line;
  a.function = "histogram_racy";
  a.block = block;
  a.thread = thread;
  a.value = std::move(value);
  return a;
}

inline finding race() {
  finding f;
  f.rule = rule::race_global;
  f.cause = cause::race_blocks;
  f.object = "bins";
  f.index = {75};
  f.type = "int";
  f.bytes = 4;
  f.count = 1023;
  f.kernel = "histogram_racy";
  f.accesses = {side(access_kind::write, 24, {1, 0, 0}, {3, 0, 0}, "12"),
                side(access_kind::read, 23, {0, 0, 0}, {7, 0, 0}, "11")};
  f.replay = "simrun hist-racy --check races";
  return f;
}

// A value in every field, no two alike.
inline facts all_facts() {
  facts v;
  v.barriers = 2;
  v.loop_end = 14;
  v.count = 3;
  v.size = 4;
  v.distance = 5;
  v.offset = 6;
  v.alignment = 7;
  v.address = 0xfedcba9876543210;
  v.mask = 0xffffffff;
  v.lanes = 0x80000001;
  v.warp = 8;
  v.lane = 9;
  v.operation = warp_operation::reduction;
  v.later_scope = sync_scope::system;
  v.earlier_scope = sync_scope::cluster;
  v.position = {10, -11};
  v.extents = {12, 13};
  v.seconds = 0.25;
  v.type = "const float4";
  v.text = "what it said";
  v.kernels = {"one", "two"};
  v.more_kernels = true;
  v.cooperative = true;
  v.between_low = 17;
  v.between_high = 18;
  v.branch_line = 15;
  v.return_line = 16;
  v.reads_first = v.next_call = true;
  v.unlock_line = 19;
  v.place = {20, 21, 22, true, 0xff, true, 23, 24, 25, 26, true, true, true, true, 28, true, "a();", "b();", true, 27};
  v.copy = {30, 1, 31, true, 32};
  v.step = {29, 30, "base", "atomicAdd(&x, 1)", true, true, true};
  v.update_line = 31, v.other_updates = {{32, "y", "+=", "n", true}};
  v.flag = v.steps_of_lanes = true;
  v.lock = {33, 34, true, true, true, true, true, 35, "m", "=", "0", {36, 37}, true};
  return v;
}

inline run_report racy_report() {
  run_report r;
  r.program = "hist-racy";
  r.check.races = true;
  r.verdict = verdict::findings;
  r.result.status = result_status::match;
  r.result.outputs["bins"] = {150, 999937, {0, 0, 1, 2}, true};
  r.launches = {{"histogram_racy", {64, 1, 1}, {64, 1, 1}, 0, 0.25}};
  r.findings = {race()};
  r.arguments = {"hist-racy", "--check", "races"};
  return r;
}

// Everything too long, too many and not printable.
inline finding awkward() {
  finding f = race();
  f.rule = rule::deadlock;
  f.cause = cause::fault_exception;
  f.facts.text = std::string(400, 'm') + " " + std::string("\x1b[2J\x07 <b>&\"' \xff\xc3\x28", 18);
  for (int i = 0; i < 200; ++i) f.facts.text += " because";
  f.object = "]]><script>";
  f.accesses.clear();
  for (int i = 0; i < 300; ++i) {
    simt::access a = side(access_kind::atomic, 30 + i % 3, {i, 0, 0}, {0, 0, 0}, "");
    a.deed = deed::waits_at_block_barrier;
    for (int s = 0; s < 50; ++s)
      a.stack.push_back(
          {fmt::format("caller_{}<{}>", s, std::string(60, 't')), "kernels/very/long/path/of/a/file.cpp", s});
    f.accesses.push_back(a);
  }
  return f;
}

// A source file that lives as long as the object.
class source_file {
 public:
  explicit source_file(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / fmt::format("simt_source_{}.cpp", ::getpid())) {
    std::ofstream(path_) << text;
  }
  ~source_file() { std::filesystem::remove(path_); }
  source_file(const source_file&) = delete;
  source_file& operator=(const source_file&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace simt::test
