// SPDX-License-Identifier: Apache-2.0
// The loop around a line, read from the text.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "lines_of.hpp"
#include "sim/report/enclosing_loop.hpp"

using simt::enclosing_branch;
using simt::enclosing_loop;
using simt::loop_lines;
using simt::parse_statements;

namespace {

loop_lines around(const std::string& text, int line, int other = 0) {
  const std::vector<std::string> lines = lines_of(text);
  return enclosing_loop(parse_statements(lines), {line}, {other == 0 ? line : other});
}

}  // namespace

TEST_CASE("a body in braces, without them, and on one line with its loop") {
  const loop_lines braced =
      around("void k() {\n  for (int d = 4; d; d /= 2) {\n    if (t < d)\n      s[t] += s[t + d];\n  }\n}", 4);
  CHECK(braced.head == 2);
  CHECK(braced.end == 5);
  const loop_lines bare = around(
      "void k() {\n  while (d /= 2)\n    if (t < d)\n      s[t] += s[t + d];\n    else\n      u();\n  f();\n}", 4);
  CHECK(bare.head == 2);
  CHECK(bare.begin == 3);
  CHECK(bare.end == 6);
  CHECK(around("void k() {\n  for (;;) s[t] += s[t + 1];\n}", 2).end == 2);
  CHECK(around("void k() {\n  do {\n    a();\n  } while (b());\n  c();\n}", 3).head == 2);
}

TEST_CASE("the innermost loop counts that has both lines") {
  const std::string text = "void k() {\n for (;;) {\n  a();\n  for (;;)\n   b();\n  c();\n }\n d();\n}";
  CHECK(around(text, 5).head == 4);
  CHECK(around(text, 3).head == 2);
  CHECK(around(text, 5, 6).head == 2);
  CHECK(around(text, 6, 5).head == 2);
  CHECK(around(text, 8).head == 0);
  CHECK(around(text, 5, 8).head == 0);
}

TEST_CASE("comments, literals, numbers and directives end nothing") {
  const std::string text =
      "#define LOOP for (;;) {\nvoid k() {\n for (int i = 0; i < 1'000; ++i) {  // }\n  p(\"}\", '}', '\\'');  /* }\n  "
      "} */\n"
      "#if X \\\n  }\n  a();\n#endif\n }\n b();\n}";
  CHECK(around(text, 8).head == 3);
  CHECK(around(text, 11).head == 0);
}

TEST_CASE("functions, lambdas and lists of values are no end of a statement too early") {
  const std::string text =
      "struct s { int x; } v;\nint f() { return 1; }\nvoid k() {\n for (auto x : {1, 2}) {\n  launch([&] { a(); }, "
      "2);\n"
      "  int y[] = {1, 2};\n  switch (x) {\n   case 1: b();\n  }\n  c();\n }\n}\nvoid l() {\n d();\n}";
  CHECK(around(text, 10).head == 4);
  CHECK(around(text, 8).head == 4);
  CHECK(around(text, 14).head == 0);
}

TEST_CASE("a loop behind a label counts, and so does one in a lambda") {
  const std::string text =
      "void k() {\n switch (x) {\n  case 1:\n   for (;;)\n    a();\n }\n each([&] {\n  for (;;) b();\n });\n}";
  CHECK(around(text, 5).head == 4);
  CHECK(around(text, 8).head == 8);
  CHECK(around("void k() {\n for (;;)\n  x = a ? b : c;\n}", 3).head == 2);
}

TEST_CASE("a body that synchronizes says so") {
  CHECK(around("void k() {\n for (;;) {\n  a();\n  __syncthreads();\n }\n}", 3).synchronizes);
  CHECK(!around("void k() {\n for (;;) {\n  a();\n }\n __syncthreads();\n}", 3).synchronizes);
  CHECK(!around("void k() {\n for (;;) {\n  a();\n  if (n > 32) __syncthreads();\n }\n}", 3).synchronizes);
  CHECK(!around("void k() {\n for (;;) {\n  a();\n  if (n > 32) { b(); __syncthreads(); }\n }\n}", 3).synchronizes);
  CHECK(around("void k() {\n for (;;) {\n  a();\n  if (n) w.sync(); else __syncthreads();\n }\n}", 3).synchronizes);
  CHECK(around("void k() {\n for (;;) {\n  a();\n  { __syncthreads(); }\n }\n}", 3).synchronizes);
}

TEST_CASE("a text that is no program does no harm") {
  CHECK(around("", 1).head == 0);
  CHECK(around("}}}}\n)))\nfor (", 3).head == 0);
  CHECK(around("for", 1).head == 0);
  CHECK(around("do", 1).head == 0);
  CHECK(around(std::string(100'000, '{') + "for (;;) x();", 1).head == 0);
}

TEST_CASE("the innermost if of which one branch has the line and not the other") {
  const auto branch = [](const std::string& text, int line, int other = 0) {
    const std::vector<std::string> lines = lines_of(text);
    return enclosing_branch(parse_statements(lines), {line}, {other});
  };
  const std::string text =
      "void k() {\n if (a) {\n  if (b)\n   sync();\n  else {\n   c();\n  }\n }\n if (d) return;\n sync();\n}";
  CHECK(branch(text, 4) == 3);
  CHECK(branch(text, 4, 6) == 3);
  CHECK(branch(text, 6, 4) == 3);
  CHECK(branch(text, 4, 4) == 0);
  CHECK(branch(text, 7, 10) == 3);
  CHECK(branch(text, 8, 10) == 2);
  CHECK(branch(text, 9, 10) == 9);
  CHECK(branch(text, 10, 9) == 0);
  CHECK(branch("if (a)", 1) == 0);
  CHECK(branch("for (;;)\n if (a) for (;;) {\n  b();\n }", 3) == 2);
}
