// SPDX-License-Identifier: Apache-2.0
// Where a barrier may stand between two places, read from the text.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "sim/report/barrier_place.hpp"

using simt::barrier_of;
using simt::barrier_place;
using simt::parse_statements;

namespace {

std::vector<std::string> as_lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

barrier_place place(const std::string& text, int a, int b, barrier_of whose = barrier_of::block) {
  const std::vector<std::string> lines = as_lines(text);
  simt::known_varying_names names;
  return find_barrier_place(names, parse_statements(lines), {a}, {b}, whose, true);
}

barrier_place guard(const std::string& text, int at, int other) {
  const std::vector<std::string> lines = as_lines(text);
  simt::known_varying_names names;
  return find_guard(names, parse_statements(lines), {at}, {other}, barrier_of::block);
}

}  // namespace

TEST_CASE("between the statements of the block around both, not within them") {
  const std::string text =
      "__global__ void k() {\n int t = threadIdx.x;\n s[t] = 1;\n if (t < 5) {\n  f();\n  a[t] = s[4 - t];\n }\n}";
  const barrier_place p = place(text, 3, 6);
  CHECK(p.after == 3);
  CHECK(p.before == 4);
  CHECK(p.guard == 0);
  CHECK(place(text, 6, 3) == p);
}

TEST_CASE("what varies: names computed from the thread's index, by any way") {
  const auto guarded = [](const std::string& before, const std::string& condition,
                          barrier_of whose = barrier_of::block) {
    return place("__global__ void k(int n) {\n " + before + "\n if (" + condition + ") {\n  a();\n  b();\n }\n}", 4, 5,
                 whose)
        .guard;
  };
  CHECK(guarded("", "threadIdx.x < n") == 3);
  CHECK(guarded("", "n > 3") == 0);
  CHECK(guarded("int t = threadIdx.x; int u = 2 * t;", "u < n") == 3);
  CHECK(guarded("int u = 0; if (threadIdx.x == 0) u = 1;", "u") == 3);
  CHECK(guarded("int u = 0; if (n == 0) u = 1;", "u") == 0);
  CHECK(guarded("__shared__ int u; if (threadIdx.x == 0) u = 1;", "u") == 0);
  CHECK(guarded("int u = s[threadIdx.x];", "u") == 3);
  CHECK(guarded("int u = s[0];", "u") == 0);
  CHECK(guarded("s[threadIdx.x] = 3;", "s[0]") == 0);
  CHECK(guarded("s[n] = threadIdx.x;", "n > 3") == 0);
  CHECK(guarded("int u = 0, v = 0; for (int j = 0; j < 9; ++j) { u = v; v = threadIdx.x; }", "u > 3") == 3);
  CHECK(guarded("auto [x, y] = t.grid<2>();", "y < n") == 3);
  CHECK(guarded("int u = atomicAdd(p, 1);", "u == 0") == 3);
  CHECK(guarded("int u = __syncthreads_or(threadIdx.x);", "u") == 0);
  CHECK(guarded("const auto lane = t.lane();", "lane == 0") == 3);
  CHECK(guarded("", "blockIdx.x == 0") == 0);
  CHECK(guarded("", "blockIdx.x == 0", barrier_of::grid) == 3);
  CHECK(place("#define TID threadIdx.x\n__global__ void k() {\n if (TID < 5) {\n  a();\n  b();\n }\n}", 4, 5).guard ==
        3);
}

TEST_CASE("loops of which all threads make the same turns, and others") {
  const std::string even =
      "__global__ void k() {\n for (int d = 4; d; d /= 2) {\n  a();\n  if (threadIdx.x < d) {\n   b();\n  }\n }\n}";
  const barrier_place p = place(even, 3, 5);
  CHECK(p.turn == 2);
  CHECK(p.turn_begin == 2);
  CHECK(p.turn_end == 7);
  CHECK(p.turn_behind == 6);
  CHECK(p.after == 3);
  CHECK(p.before == 4);
  CHECK(p.guard == 0);
  const barrier_place within = place(even, 5, 5);
  CHECK(within.guard == 4);
  CHECK(within.turn == 2);
  const barrier_place odd =
      place("__global__ void k() {\n for (int i = threadIdx.x; i < n; i += 32) {\n  a();\n  b();\n }\n}", 3, 4);
  CHECK(odd.guard == 2);
  CHECK(odd.guard_is_loop);
  CHECK(odd.in_loop);
  CHECK(odd.turn == 0);
  // The loop around the one that varies.
  const barrier_place outer = place(
      "__global__ void k() {\n for (int p = 0; p < n; ++p) {\n  for (int r = p + threadIdx.x; r < n; r += 32)\n   "
      "a();\n }\n}",
      4, 4);
  CHECK(outer.turn == 2);
  CHECK(outer.turn_end == 5);
  CHECK(outer.guard == 3);
}

TEST_CASE("a branch that lanes of one warp take") {
  const auto lanes = [](const std::string& condition, barrier_of whose = barrier_of::warp_or_block) {
    const barrier_place p = place("__global__ void k() {\n int t = threadIdx.x, warp = threadIdx.x / 32;\n if (" +
                                      condition + ") {\n  for (int d = 16; d; d /= 2) {\n   a();\n   b();\n  }\n }\n}",
                                  5, 6, whose);
    CHECK((p.lanes != 0) == (p.guard == 0));
    if (p.lanes != 0) CHECK(p.turn == 4);
    return p.lanes;
  };
  CHECK(lanes("t < 32") == 0xffffffff);
  CHECK(lanes("threadIdx.x < 16") == 0xffff);
  CHECK(lanes("t < 64") == 0);
  CHECK(lanes("t < warpSize") == 0xffffffff);
  CHECK(lanes("warp == 0") == 0xffffffff);
  CHECK(lanes("t > 16") == 0);
  CHECK(lanes("t < 32", barrier_of::block) == 0);
}

TEST_CASE("threads that leave on the way to the barrier") {
  CHECK(place("__global__ void k() {\n if (threadIdx.x > n) return;\n a();\n b();\n}", 3, 4).leave == 2);
  CHECK(place("__global__ void k() {\n if (n == 0) return;\n a();\n b();\n}", 3, 4).leave == 0);
  CHECK(place("__global__ void k() {\n a();\n b();\n if (threadIdx.x > n) return;\n}", 2, 3).leave == 0);
  CHECK(place("__global__ void k() {\n for (;;) {\n  if (threadIdx.x > n) continue;\n  a();\n  b();\n }\n}", 4, 5)
            .leave == 3);
  CHECK(place("__global__ void k() {\n for (;;)\n  if (threadIdx.x > n) break;\n a();\n b();\n}", 4, 5).leave == 0);
}

TEST_CASE("what keeps threads from a barrier") {
  CHECK(guard("__global__ void k() {\n if (threadIdx.x < 5) cg::this_grid().sync();\n f();\n}", 2, 3).guard == 2);
  CHECK(guard("void k() {\n if (threadIdx.x < 5)\n  cg::f();\n else\n  sync();\n f();\n}", 5, 6).guard == 2);
  CHECK(guard("void k() {\n if (threadIdx.x < 50) {\n  if (threadIdx.x < 5)\n   sync();\n  f();\n }\n}", 4, 5).guard ==
        3);
  CHECK(
      guard("__global__ void k() {\n if (threadIdx.x < 5)\n  x = a ? b : c;\n else\n  sync();\n f();\n}", 5, 6).guard ==
      2);
  CHECK(guard("__global__ void k() {\n if (threadIdx.x < 5)\n  sync();\n}", 3, 4).guard == 2);
  CHECK(guard("__global__ void k() {\n if (n < 5)\n  sync();\n}", 3, 4).guard == 0);
  const barrier_place loop = guard("__global__ void k() {\n for (int i = 0; i < threadIdx.x; ++i)\n  sync();\n}", 3, 4);
  CHECK(loop.guard == 2);
  CHECK(loop.guard_is_loop);
  CHECK(guard("__global__ void k() {\n for (;;) {\n  if (threadIdx.x < i) break;\n  sync();\n }\n}", 4, 6).leave == 3);
}

TEST_CASE("functions and lambdas have names of their own, and a text that is no program does no harm") {
  CHECK(place("int f(int i) {\n if (i) {\n  a();\n  b();\n }\n}\nint g() {\n int i = threadIdx.x;\n}", 3, 4).guard ==
        0);
  CHECK(place("int f(int i) {\n a();\n}\nint g() {\n b();\n}", 2, 5) == barrier_place());
  CHECK(place("", 1, 2) == barrier_place());
  CHECK(place("}}}\n)))\nfor (", 1, 3) == barrier_place());
}

TEST_CASE("statements of one line, bodies without braces, the condition of do, and the two branches of an if") {
  const barrier_place line = place("void k() { s[t] = 1; x = s[0]; }", 1, 1);
  CHECK(line.after == 0);  // without columns nobody knows which
  const std::vector<std::string> one = {"void k() { s[t] = 1; x = s[0]; }"};
  simt::known_varying_names names;
  const barrier_place parts =
      find_barrier_place(names, parse_statements(one), {1, 17}, {1, 26}, barrier_of::block, true);
  CHECK(parts.upper == "s[t] = 1;");
  CHECK(parts.lower == "x = s[0];");
  CHECK(place("void k() {\n for (;;)\n  if (x) y();\n}", 3, 3).turn_is_bare);
  CHECK(!place("void k() {\n for (;;) {\n  if (x) y();\n }\n}", 3, 3).turn_is_bare);
  CHECK(place("void k() {\n do {\n  s = 0;\n } while (s);\n}", 3, 4).turn_ends_in_head);
  CHECK(!place("void k() {\n for (; s;) {\n  s = 0;\n }\n}", 2, 3).turn_ends_in_head);
  CHECK(!place("void k() {\n do {\n  s = 0;\n  s = 1;\n } while (s);\n}", 3, 4).turn_ends_in_head);
  const std::string roles = "void k() {\n if (threadIdx.x < 9)\n  a();\n else\n  b();\n}";
  CHECK(place(roles, 3, 5).in_two_branches);
  CHECK(!place("void k() {\n if (threadIdx.x < 9) {\n  a();\n  b();\n }\n}", 3, 4).in_two_branches);
}
