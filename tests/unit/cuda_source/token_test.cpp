// SPDX-License-Identifier: Apache-2.0
// Preprocessed text as tokens: what is one token, and where the user's file has it.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "frontends/cuda/translate/token.hpp"
#include "translated.hpp"

namespace {

using namespace simt::cuda_source;

std::vector<std::string> texts(const std::string& lines) {
  const std::string text = "# 1 \"user.cu\"\n" + lines + "\n";
  const token_list list = tokenize(text, "/own");
  std::vector<std::string> all;
  for (const token& t : list.tokens)
    if (t.kind != token_kind::end) all.emplace_back(t.text);
  return all;
}
using words = std::vector<std::string>;

}  // namespace

TEST_CASE("<<< is one token, > is always one of its own") {
  CHECK(texts("k<<<1, 2>>>(x);") == words{"k", "<<<", "1", ",", "2", ">", ">", ">", "(", "x", ")", ";"});
  CHECK(texts("a >>= b") == words{"a", ">", ">=", "b"});
  CHECK(texts("v<v<int>> x") == words{"v", "<", "v", "<", "int", ">", ">", "x"});
}

TEST_CASE("numbers and names") {
  CHECK(texts("1'000.5e-3f + 0x1p+4 + .5") == words{"1'000.5e-3f", "+", "0x1p+4", "+", ".5"});
  CHECK(texts("a1_$ b") == words{"a1_$", "b"});
}

TEST_CASE("strings and characters hide what is in them") {
  CHECK(texts(R"("<<< \" >>>" 'x' L"w" u8"u")") == words{R"("<<< \" >>>")", "'x'", "L\"w\"", "u8\"u\""});
  CHECK(texts("R\"(a\nb)\" c") == words{"R\"(a\nb)\"", "c"});
  CHECK(texts("R\"x()\")x\" c") == words{"R\"x()\")x\"", "c"});
}

TEST_CASE("tokens know their place, also behind a string of several lines and a marker") {
  const std::string text = "# 5 \"user.cu\"\na\nR\"(\n\n)\" b\n# 40 \"other.h\"\nc\n";
  const token_list list = tokenize(text, "/own");
  REQUIRE(list.tokens.size() == 5);
  CHECK(list.tokens[0].line == 5);
  CHECK(list.tokens[1].line == 6);
  CHECK(list.tokens[1].lines == 2);
  CHECK(list.tokens[2].line == 8);
  CHECK(list.tokens[3].line == 40);
  CHECK(list.files[static_cast<std::size_t>(list.tokens[3].file)] == "other.h");
}

TEST_CASE("newlines of a raw string that the text has twice count once") {
  const std::string text = "# 5 \"user.cu\"\nR\"(\n\n)\" b\n\n\n\nc\nR\"(\n)\";\n# 40 \"user.cu\"\nd\n\ne";
  const token_list list = tokenize(text, "/own", true);
  REQUIRE(list.tokens.size() == 8);
  CHECK(list.tokens[1].line == 7);   // b
  CHECK(list.tokens[2].line == 9);   // c: a line is free before it
  CHECK(list.tokens[3].line == 10);  // the second string
  CHECK(list.tokens[5].line == 40);  // d
  CHECK(list.tokens[6].line == 42);  // e
}

TEST_CASE("system headers are one opaque piece each, and names in our headers are known") {
  const std::string text =
      "# 1 \"user.cu\"\na\n# 1 \"/usr/x.h\" 1 3\nint f();\nint g();\n# 2 \"user.cu\" 2\nb\n"
      "# 1 \"/own/y.h\" 1 3\nint cudaFree();\n# 3 \"user.cu\" 2\nc\n";
  const token_list list = tokenize(text, "/own");
  std::vector<token_kind> kinds;
  for (const token& t : list.tokens) kinds.push_back(t.kind);
  constexpr token_kind kName = token_kind::identifier, kOpaque = token_kind::opaque;
  CHECK(kinds == std::vector<token_kind>{kName, kOpaque, kName, kOpaque, kName, token_kind::end});
  CHECK(list.known.count("cudaFree") == 1);
  CHECK(list.known.count("f") == 0);
}
