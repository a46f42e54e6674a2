// SPDX-License-Identifier: Apache-2.0
// Suppressions: what a line hides, and what is said about a bad one.
#include "sim/report/suppressions.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include "sample_reports.hpp"

using namespace simt;

namespace {

bool hides(const std::string& line, const finding& f = test::race()) {
  suppressions s;
  REQUIRE(s.parse({line}, "file").empty());
  return s.matches(f);
}

}  // namespace

TEST_CASE("one word of each kind") {
  CHECK(hides("rule:race-global"));
  CHECK(hides("rule:race-*"));
  CHECK_FALSE(hides("rule:race-shared"));
  CHECK(hides("object:bins"));
  CHECK(hides("object:b??s"));
  CHECK_FALSE(hides("object:bin"));
  CHECK(hides("function:histogram_*"));
  CHECK_FALSE(hides("function:other"));
  CHECK(hides("file:kernels/*"));
  CHECK(hides("file:*hist.cpp"));
  CHECK_FALSE(hides("file:hist.cpp"));
  CHECK(hides("kernel:histogram_racy"));
}

TEST_CASE("a byte order mark is no part of the first word, and UTF-16 is said") {
  CHECK(hides("\xEF\xBB\xBFrule:race-global"));
  suppressions s;
  CHECK(s.parse({"\xEF\xBB\xBF# a comment", "rule:race-*\r"}, "file") == "");
  CHECK(s.parse({std::string("\xFF\xFEr\0u\0", 6)}, "file") == "file is UTF-16; save it as UTF-8");
}

TEST_CASE("all words of a line must hold; frames of stacks count") {
  CHECK(hides("rule:race-global object:bins   # known"));
  CHECK_FALSE(hides("rule:race-global object:other"));
  finding f = test::race();
  f.accesses[1].stack = {{"library_call", "third_party/lib.hpp", 3}};
  CHECK(hides("function:library_call", f));
  CHECK(hides("file:third_party/*", f));
}

TEST_CASE("comments and empty lines hide nothing") {
  suppressions s;
  CHECK(s.parse({"", "   ", "# rule:race-global", "\t# x"}, "file").empty());
  CHECK(s.empty());
}

TEST_CASE("a bad line is named and nothing of the file is used") {
  suppressions s;
  CHECK(s.parse({"rule:race-global", "", "rule:race-globl"}, "my.supp").starts_with("my.supp:3: no rule is called"));
  CHECK(s.empty());
  CHECK(s.parse({"race-global"}, "f").find("f:1: \"race-global\" is no KEY:GLOB") == 0);
  CHECK(s.parse({"line:7"}, "f").find("unknown key \"line\"") != std::string::npos);
  CHECK(s.parse({"object:"}, "f").find("is no KEY:GLOB") != std::string::npos);
}

TEST_CASE("filter removes and counts") {
  suppressions s;
  REQUIRE(s.parse({"object:bins"}, "f").empty());
  std::vector<finding> all(3, test::race());
  all[1].object = "other";
  CHECK(s.filter(all) == 2);
  REQUIRE(all.size() == 1);
  CHECK(all[0].object == "other");
}

TEST_CASE("globs") {
  CHECK(glob_matches("*", ""));
  CHECK(glob_matches("a*b*c", "a__b__b__c"));
  CHECK_FALSE(glob_matches("a*b*c", "a__b__c_"));
  CHECK(glob_matches("**", "x"));
  CHECK_FALSE(glob_matches("?", ""));
  CHECK(glob_matches("*a", "*a"));
}
