// SPDX-License-Identifier: Apache-2.0
// What the loops of a hang wait for, by the text.
#include "sim/report/awaited.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace simt;

namespace {

// Of threads that spin at a column of line 3 of a kernel, in a loop: the cause, and behind a blank the counter.
std::string awaited_by(const std::string& loop, const std::string& elsewhere, int more = 0, int column = 10) {
  const auto path = std::filesystem::temp_directory_path() / ("awaited." + std::to_string(getpid()) + ".cu");
  std::ofstream(path) << "__global__ void k(int* p, int n) {\n  " << elsewhere << "\n  " << loop << "\n}\n";
  finding hang;
  hang.rule = rule::hang;
  hang.cause = cause::fault_hang;
  simt::access a;
  a.file = path.string(), a.function = "k", a.deed = deed::spins;
  a.line = 3, a.column = column;
  hang.accesses.push_back(a);
  if (more != 0) a.line = more, hang.accesses.push_back(a);
  source_reader sources;
  name_what_is_awaited(sources, hang);
  std::filesystem::remove(path);
  const std::string target = hang.facts.target.empty() ? "" : " " + hang.facts.target;
  if (hang.cause == cause::fault_hang_object) return "object " + hang.facts.target + " " + hang.facts.operand;
  return (hang.cause == cause::fault_hang_count   ? "count"
          : hang.cause == cause::fault_hang_locks ? "locks"
                                                  : "something") +
         target;
}

}  // namespace

TEST_CASE("a hang waits for a count, for locks, or for something else") {
  const std::string counts = "atomicAdd(&came, 1);";
  CHECK(awaited_by("while (atomicAdd(&came, 0) < n) ;", counts) == "count came");
  CHECK(awaited_by("while (*(volatile int*)&came < n) ;", counts) == "count came");
  CHECK(awaited_by("while (atomicCAS(&came, n, n) != n) ;", counts) == "count came");  // a way to read
  CHECK(awaited_by("while (came.load() < n) ;", "came.fetch_add(1);") == "count came");
  CHECK(awaited_by("while (p[1] < n) ;", "atomicInc(&p[1], n);") == "count p");
  CHECK(awaited_by("while (atomicAdd(&other, 0) < n) ;", counts) == "something");
  CHECK(awaited_by("while (atomicAdd(&came, 0) < n) ;", "") == "something");  // what reads does not count
  CHECK(awaited_by("while (atomicAdd(&came, 1) < n) ;", "") == "something");  // nor who waits by counting
  CHECK(awaited_by("while (*p == 0) ;", counts) == "something");
  CHECK(awaited_by("while (*stop == 0) ;", "if (atomicAdd(stop, 0) == 0) return;") == "something");
  CHECK(awaited_by("while (stop.load() == 0) ;", "stop.fetch_add(0u);") == "something");
  CHECK(awaited_by("while (atomicCAS(&came, 0, 1) != 0) ;", "atomicSub(&came, 1);") == "locks");
  CHECK(awaited_by("while (atomicExch(&came, 1) != 0) ;", counts) == "locks");
  CHECK(awaited_by("full.arrive_and_wait();", "init(&full, n + 1);") == "object full n + 1");
  CHECK(awaited_by("full->wait(token);", "init(&other, n);") == "object full ");
  CHECK(awaited_by("full.arrive_and_wait();\nwhile (*p == 0) ;", "init(&full, n);", 4) == "something");
  // Giving way in the body.
  CHECK(awaited_by("while (atomicAdd(&came, 0) < n) { __nanosleep(50); }", counts, 0, 37) == "count came");
  CHECK(awaited_by("while (atomicAdd(&came, 0) < n) __nanosleep(50);", counts, 0, 35) == "count came");
  CHECK(awaited_by("do { __nanosleep(50); } while (atomicAdd(&came, 0) < n);", counts, 0, 8) == "count came");
  CHECK(awaited_by("while (atomicCAS(p, 0, 1) != 0)\n__nanosleep(50);", counts, 4, 3) == "locks");
  CHECK(awaited_by("while (atomicAdd(&came, 0) < n) ;", counts, 2) == "something");  // another thread spins elsewhere
}
