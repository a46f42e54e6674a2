// SPDX-License-Identifier: Apache-2.0
// Arrays of the host whose length is a variable and that have initial values: `auto n = 2; int a[n] = {1, 2};`. nvcc's
// host compiler takes them, clang does not. They are filled by a statement behind the declaration.
#include <string>

#include "translate.hpp"

namespace simt::cuda_source {
namespace {

// `p` is a name in front of `=` and a number: what stands before it declares it, and not as a constant.
bool declares_variable(const unit& u, position p) {
  if (!u.at(u.next(p)).is("=") || u.at(u.next(u.next(p))).kind != token_kind::number) return false;
  position q = u.previous(p);
  if (q == kNowhere || !u.at(q).is_name()) return false;
  for (; q != kNowhere && (u.at(q).is_name() || u.at(q).is("::")); q = u.previous(q))
    for (const char* word : {"const", "constexpr", "enum", "return", "else", "case", "goto"})
      if (u.at(q).is(word)) return false;
  return q != kNowhere && (u.at(q).is(";") || u.at(q).is("{") || u.at(q).is("}"));
}

// Whether a name in the brackets is a variable that the same braces, or those around them, declare before.
bool has_variable_length(const unit& u, position open) {
  for (position name = u.next(open); name < u.mate(open); name = u.next(name)) {
    if (!u.at(name).is_name()) continue;
    for (position q = u.previous(open); q != kNowhere; q = u.previous(q)) {
      if (u.at(q).is("}") && u.mate(q) != kNowhere) q = u.mate(q);  // what is declared in there is gone
      if (u.at(q).is_name() && u.at(q).text == u.at(name).text && declares_variable(u, q)) return true;
    }
  }
  return false;
}

}  // namespace

void fill_variable_arrays(unit& u) {
  for (position p = 0; p < u.tokens.size(); ++p) {
    const token& name = u.tokens[p];
    const position open = u.next(p);
    if (!name.is_name() || !u.at(open).is("[") || u.mate(open) == kNowhere) continue;
    const position equals = u.next(u.mate(open)), list = u.next(equals);
    const position before = u.previous(p);
    if (!u.at(equals).is("=") || !u.at(list).is("{") || u.mate(list) == kNowhere || before == kNowhere) continue;
    const position end = u.next(u.mate(list));
    const bool declares = u.at(before).is_name() && !u.at(before).is("else") && !u.at(before).is("do");
    if (!declares || !u.at(end).is(";") || !has_variable_length(u, open)) continue;
    const std::string array(name.text);
    u.replace(equals, "; ::simt_cuda::fill_elements(" + array + ", sizeof(" + array + ") / sizeof(*" + array + "), ");
    u.edits[u.mate(list)].after += ")";
  }
}

}  // namespace simt::cuda_source
