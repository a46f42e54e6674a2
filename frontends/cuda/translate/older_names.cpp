// SPDX-License-Identifier: Apache-2.0
// Names that CUDA gave up and programs have since taken for things of their own: `texture<..>` and `surface<..>`. They
// are ours where the program declares nothing of that name.
#include <string>
#include <string_view>

#include "translate.hpp"

namespace simt::cuda_source {
namespace {

bool introduces(const token& t) {
  for (const char* w : {"class", "struct", "union", "enum", "using", "concept", "namespace", "typename"})
    if (t.is(w)) return true;
  return false;
}

// `class texture`, `using texture =`, a function, variable or parameter of that name; or a name within something.
bool is_of_program(const unit& u, position p) {
  const position before = u.previous(p);
  const position after = u.next(p);
  if (before != kNowhere && introduces(u.at(before))) return true;
  return !u.at(after).is("<") || (before != kNowhere && u.at(before).is("::"));
}

// A member of something is none.
bool names(const unit& u, position p, std::string_view name) {
  if (!u.tokens[p].is_name() || u.tokens[p].text != name) return false;
  const position before = u.previous(p);
  return before == kNowhere || !(u.at(before).is(".") || u.at(before).is("->"));
}

void write_older_name(unit& u, std::string_view name) {
  bool wanted = false;
  for (position p = 0; p < u.tokens.size(); ++p) {
    if (!names(u, p, name)) continue;
    if (is_of_program(u, p)) return;
    wanted = wanted || u.angle_end(u.next(p), true) != kNowhere;
  }
  if (!wanted) return;
  for (position p = 0; p < u.tokens.size(); ++p)
    if (names(u, p, name)) u.rename(p, "::simt_cuda::" + std::string(name));
}

}  // namespace

void write_older_names(unit& u) {
  write_older_name(u, "texture");
  write_older_name(u, "surface");
}

}  // namespace simt::cuda_source
