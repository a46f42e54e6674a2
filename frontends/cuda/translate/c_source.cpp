// SPDX-License-Identifier: Apache-2.0
// A source in C that includes CUDA's headers. Those are C++ here, so it is compiled as C++, with what C means by it:
// its functions and variables have C's linkage, a pointer to void becomes any other, and C++'s words are names.
#include <algorithm>
#include <array>
#include <string>

#include "translate.hpp"

namespace simt::cuda_source {
namespace {

constexpr std::array kNamesInC = {
    "and",       "and_eq",   "bitand",   "bitor",    "catch",    "class",  "compl",   "concept",
    "constexpr", "decltype", "delete",   "explicit", "export",   "friend", "mutable", "namespace",
    "new",       "noexcept", "not",      "not_eq",   "operator", "or",     "or_eq",   "private",
    "protected", "public",   "requires", "template", "this",     "throw",  "try",     "typeid",
    "typename",  "using",    "virtual",  "xor",      "xor_eq",
};
constexpr std::array kAllocate = {"malloc", "calloc", "realloc", "aligned_alloc", "alloca"};

template <std::size_t N>
bool is_any_of(const token& t, const std::array<const char*, N>& words) {
  return std::ranges::any_of(words, [&](const char* w) { return t.is(w); });
}

// Headers for both languages have parts in C++, where these words are what they are there.
bool is_of_c_file(const unit& u, const token& t) { return u.files[static_cast<std::size_t>(t.file)].ends_with(".c"); }

}  // namespace

void rename_words_of_cpp(unit& u) {
  for (position p = 0; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    if (!t.is_name()) continue;
    if (t.is("restrict"))
      u.rename(p, "__restrict__");
    else if (is_of_c_file(u, t) && is_any_of(t, kNamesInC))
      u.rename(p, std::string(t.text) + "_in_c");
  }
}

namespace {

// The end of a value that is no more than names, members, calls and elements: the token behind it. kNowhere: it is
// more.
position end_of_plain_value(const unit& u, position first) {
  const token& t = u.at(first);
  if (!t.is_name() || t.is("__null") || t.is("sizeof")) return kNowhere;
  for (position p = u.next(first);; p = u.next(p)) {
    if (u.at(p).is(";") || u.at(p).is(",")) return p;
    if ((u.at(p).is("(") || u.at(p).is("[")) && u.mate(p) != kNowhere) {
      p = u.mate(p);
    } else if (u.at(p).is(".") || u.at(p).is("->")) {
      p = u.next(p);
      if (!u.at(p).is_name()) return kNowhere;
    } else {
      return kNowhere;
    }
  }
}

void wrap(unit& u, position first, position last) {
  u.edits[first].before = "::simt_cuda::value_in_c(" + u.edits[first].before;
  u.edits[last].after += ")";
}

// Where C converts a pointer to void: what is allocated, assigned, initialised, returned.
void convert_pointers(unit& u) {
  int parentheses = 0;
  for (position p = 0; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    if (t.kind == token_kind::opaque || t.kind == token_kind::directive) continue;
    if (t.is("(")) ++parentheses;
    if (t.is(")")) --parentheses;
    const position behind = u.next(p);
    if (is_any_of(t, kAllocate) && u.at(behind).is("(") && u.mate(behind) != kNowhere) {
      const position before = u.previous(p);
      const bool is_declared = before != kNowhere && (u.at(before).is_name() || u.at(before).is("*")) &&
                               !u.at(before).is("return") && !u.at(before).is("else");
      if (!is_declared) wrap(u, p, u.mate(behind));
      continue;
    }
    if (!(t.is("=") && parentheses == 0) && !t.is("return")) continue;
    if (is_any_of(u.at(behind), kAllocate)) continue;
    const position end = end_of_plain_value(u, behind);
    if (end != kNowhere && u.function_at(p) == nullptr) wrap(u, behind, u.previous(end));
  }
}

// All text of the program's own that stands outside of functions, in pieces between the headers.
void give_linkage_of_c(unit& u) {
  position first = kNowhere, last = kNowhere;
  const auto close = [&] {
    if (first == kNowhere) return;
    u.edits[first].before = "extern \"C\" { " + u.edits[first].before;
    u.edits[last].after += " }";
    first = kNowhere;
  };
  int depth = 0;
  for (position p = 0; p + 1 < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    if (t.kind == token_kind::directive) continue;
    if (t.kind == token_kind::opaque) {
      if (depth == 0) close();
      continue;
    }
    if (t.is("{") || t.is("(")) ++depth;
    if (t.is("}") || t.is(")")) --depth;
    if (first == kNowhere) first = p;
    last = p;
  }
  close();
}

}  // namespace

void translate_c_source(unit& u) {
  convert_pointers(u);
  give_linkage_of_c(u);
}

}  // namespace simt::cuda_source
