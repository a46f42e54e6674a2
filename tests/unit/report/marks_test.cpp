// SPDX-License-Identifier: Apache-2.0
// What is underlined where a line has two places, or a call of the host.
#include <doctest/doctest.h>

#include "sample_reports.hpp"
#include "sim/report/source_excerpt.hpp"
#include "sim/report/text_report.hpp"

using namespace simt;
using simt::test::source_file;

TEST_CASE("two places of one line are marked apart, and who has no place stands under the one before") {
  const source_file source("__global__ void k(int* a) { a[threadIdx.x] = a[threadIdx.x + 1]; }\n");
  finding f = test::race();
  f.object = "a";
  for (auto& a : f.accesses) a.path = source.path(), a.line = 1, a.column = 0, a.stack.clear();
  const std::string text = text_finding(f, dialect::cuda, {.width = 80});
  CHECK(text.find("| ^^^^^^^^^^^^^^   ------------------\n") == std::string::npos);  // indentation is kept
  CHECK(text.find("^^^^^^^^^^^^^^   ------------------\n") != std::string::npos);
  CHECK(text.find("| ^ thread (3,0,0) of block (1,0,0) writes") != std::string::npos);
  CHECK(text.find("| - thread (7,0,0) of block (0,0,0) read") != std::string::npos);
  f.accesses[1].kind = access_kind::write;
  CHECK(text_finding(f, dialect::cuda, {.width = 80}).find("---") == std::string::npos);  // the same place
  f.accesses[1] = {};
  f.accesses[1].function = "k", f.accesses[1].block = {0, 0, 0}, f.accesses[1].thread = kUnknownPosition;
  f.accesses[1].deed = deed::exited;
  const std::string left = text_finding(f, dialect::cuda, {.width = 80});
  CHECK(left.find("somewhere") == std::string::npos);
  CHECK(left.find("| a thread of block (0,0,0): has left the kernel") != std::string::npos);
}

TEST_CASE("a call that copies is where its memory is named, whatever else the line says") {
  simt::access copy;
  copy.agent = actor::stream, copy.work = work::copy_to_host;
  const std::string_view line = "k<<<1, 64>>>(a); n += a != b; cudaMemcpyAsync(h, a, 256, kind, t); f(a);";
  CHECK(marked_columns(line, "a", copy).begin == line.find("a, 256"));
  CHECK(marked_columns(line, "elsewhere", copy).begin == line.find("cudaMemcpyAsync"));
  copy.agent = actor::thread, copy.work = work::kernel;
  CHECK(marked_columns(line, "a", copy).begin == line.find("a);"));
}
