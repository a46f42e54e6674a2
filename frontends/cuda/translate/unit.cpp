// SPDX-License-Identifier: Apache-2.0
#include "unit.hpp"

#include <algorithm>

namespace simt::cuda_source {

namespace {

// Formatters of C++ write k << < g, b >> > (a). No expression of C++ has << < or < <<, but the name of an operator.
void join_launch_brackets(std::vector<token>& tokens) {
  for (position p = 0; p + 1 < tokens.size(); ++p) {
    if (!(tokens[p].is("<<") || tokens[p].is("<")) || (p > 0 && tokens[p - 1].is("operator"))) continue;
    const bool joined = (tokens[p].is("<<") && tokens[p + 1].is("<")) || (tokens[p].is("<") && tokens[p + 1].is("<<"));
    const bool apart = p + 2 < tokens.size() && tokens[p].is("<") && tokens[p + 1].is("<") && tokens[p + 2].is("<");
    if (!joined && !apart) continue;
    tokens[p].text = "<<<";
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(p) + 1,
                 tokens.begin() + static_cast<std::ptrdiff_t>(p) + (joined ? 2 : 3));
  }
}

}  // namespace

unit::unit(token_list list)
    : files(std::move(list.files)), tokens(std::move(list.tokens)), known(std::move(list.known)) {
  join_launch_brackets(tokens);
  mates.assign(tokens.size(), kNowhere);
  std::vector<position> open;
  for (position p = 0; p < tokens.size(); ++p) {
    const token& t = tokens[p];
    if (t.kind != token_kind::punctuation || t.text.size() != 1) continue;
    const char c = t.text[0];
    if (c == '(' || c == '[' || c == '{') open.push_back(p);
    if (c != ')' && c != ']' && c != '}') continue;
    const char want = c == ')' ? '(' : c == ']' ? '[' : '{';
    // Unbalanced text is the compiler's to report: drop what does not fit and go on.
    auto it = std::find_if(open.rbegin(), open.rend(), [&](position q) { return tokens[q].text[0] == want; });
    if (it == open.rend()) continue;
    mates[p] = *it;
    mates[*it] = p;
    open.erase(std::next(it).base(), open.end());
  }
}

position unit::skip_opaque(position p) const {
  while (p + 1 < tokens.size() && (tokens[p].kind == token_kind::opaque || tokens[p].kind == token_kind::directive))
    ++p;
  return std::min(p, tokens.size() - 1);
}

position unit::previous(position p) const {
  while (p-- > 0)
    if (tokens[p].kind != token_kind::opaque && tokens[p].kind != token_kind::directive) return p;
  return kNowhere;
}

position unit::angle_end(position p, bool in_declaration) const {
  int depth = 0;
  for (position q = p; q < tokens.size(); q = next(q)) {
    const token& t = tokens[q];
    if (t.kind == token_kind::end) break;
    if (t.is("<")) ++depth;
    if (t.is(">") && --depth == 0) return q;
    if (t.is("(") || t.is("[") || t.is("{")) {
      if (mate(q) == kNowhere) break;
      q = mate(q);
    } else if (t.is(";") || t.is(")") || t.is("]") || t.is("}") || t.is("<<<") ||
               (!in_declaration && (t.is("&&") || t.is("||")))) {
      break;
    }
  }
  return kNowhere;
}

position unit::angle_begin(position p) const {
  int depth = 0;
  for (position q = p; q != kNowhere; q = previous(q)) {
    const token& t = tokens[q];
    if (t.is(">")) ++depth;
    if (t.is("<") && --depth == 0) return q;
    if (t.is(")") || t.is("]") || t.is("}")) {
      if (mate(q) == kNowhere) break;
      q = mate(q);
    } else if (t.is(";") || t.is("(") || t.is("[") || t.is("{")) {
      break;
    }
  }
  return kNowhere;
}

void unit::complain(position p, std::string text) {
  const token& t = at(p);
  messages.push_back({files[static_cast<std::size_t>(t.file)], t.line, std::move(text)});
}

const device_function* unit::function_at(position p) const {
  const device_function* found = nullptr;
  for (const device_function& f : functions)
    if (f.contains(p, mate(f.body)) && (found == nullptr || f.body > found->body)) found = &f;
  return found;
}

}  // namespace simt::cuda_source
