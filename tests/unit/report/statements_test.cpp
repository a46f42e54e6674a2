// SPDX-License-Identifier: Apache-2.0
// Which text the preprocessor leaves out.
#include "sim/report/statements.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace simt;

namespace {

// The names in these lines that are there.
std::string there(const std::vector<std::string>& lines) {
  std::string out;
  for (const source_word& w : parse_statements(lines).words) out += w.text;
  return out;
}

}  // namespace

TEST_CASE("text that the file itself leaves out is not there") {
  CHECK(there({"#if 0", "a", "#else", "b", "#endif", "c"}) == "bc");
  CHECK(there({"#if 1  // now", "a", "#else", "b", "#endif"}) == "a");
  CHECK(there({"#define FAST 2", "#ifndef FAST", "a", "#else", "b", "#endif"}) == "b");
  CHECK(there({"#define FAST", "#if !defined(FAST)", "a", "#endif", "#if defined FAST", "b", "#endif"}) == "b");
  CHECK(there({"#define FAST", "#undef FAST", "#ifdef FAST", "a", "#endif", "b"}) == "b");
  CHECK(there({"#if 0", "#define FAST", "#ifdef FAST", "a", "#endif", "#endif", "#ifdef FAST", "b", "#endif"}) == "b");
  CHECK(there({"#if 0", "a", "#elif 1", "b", "#elif 1", "c", "#else", "d", "#endif"}) == "b");
}

TEST_CASE("where the file does not tell, both branches are there") {
  CHECK(there({"#ifdef FAST", "a", "#else", "b", "#endif"}) == "ab");
  CHECK(there({"#if N > 3", "a", "#elif 1", "b", "#else", "c", "#endif"}) == "abc");
  CHECK(there({"#if defined(FAST) && 0", "a", "#endif"}) == "a");
}
