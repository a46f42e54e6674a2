// SPDX-License-Identifier: Apache-2.0
// What a host function means by the name of a __device__ or __constant__ variable: not the device's memory, but the
// shadow that nvcc gives each such variable on the host. cudaMemcpy(table, ..) and kernel<<<..>>>(table) get the
// shadow's address, and what they do with it is as wrong here as on a GPU.
//
// Only whole arguments are looked at that are such a name, its address or an element's address, behind casts: there
// nothing but the shadow can be meant. The runtime knows the shadow of an address (::simt_cuda::shadow_of). Variables
// that are pointers are left out: the host sets and reads their shadows in too many ways to be told by words.
#include <algorithm>

#include "translate.hpp"
#include "variables.hpp"

namespace simt::cuda_source {
namespace {

struct copying_call {
  const char* name;
  int first, second;  // arguments that are addresses; -1: none
};
constexpr copying_call kCopyingCalls[] = {
    {"cudaMemcpy", 0, 1},  {"cudaMemcpyAsync", 0, 1},  {"cudaMemcpy2D", 0, 2},  {"cudaMemcpy2DAsync", 0, 2},
    {"cudaMemset", 0, -1}, {"cudaMemsetAsync", 0, -1}, {"cudaMemset2D", 0, -1},
};

using range = std::pair<position, position>;  // first, end

std::vector<range> ranges_of_arguments(const unit& u, position open) {
  std::vector<range> all;
  const position close = u.mate(open);
  position first = u.next(open);
  for (position p = first; p <= close; p = u.next(p)) {
    const token& t = u.at(p);
    if ((t.is("(") || t.is("[") || t.is("{")) && u.mate(p) != kNowhere)
      p = u.mate(p);
    else if (t.is("<") && u.angle_end(p) != kNowhere)
      p = u.angle_end(p);
    else if (t.is(",") || p == close) {
      if (p != first) all.emplace_back(first, p);
      first = u.next(p);
    }
  }
  return all;
}

// Behind casts and parentheses around all of [p, end): what is cast.
range behind_casts(const unit& u, position p, position end) {
  for (;;) {
    if (u.at(p).is("(") && u.mate(p) != kNowhere && u.mate(p) < end) {
      const position behind = u.next(u.mate(p));
      if (behind == end)
        end = u.mate(p), p = u.next(p);
      else if (u.at(behind).is_name() || u.at(behind).is("&") || u.at(behind).is("("))
        p = behind;
      else
        return {p, end};
      continue;
    }
    const bool is_cast = u.at(p).is("static_cast") || u.at(p).is("reinterpret_cast") || u.at(p).is("const_cast");
    const position angle = u.next(p);
    const position close = is_cast && u.at(angle).is("<") ? u.angle_end(angle) : kNowhere;
    if (close == kNowhere || !u.at(u.next(close)).is("(")) return {p, end};
    const position open = u.next(close);
    if (u.mate(open) == kNowhere || u.next(u.mate(open)) != end) return {p, end};
    end = u.mate(open);
    p = u.next(open);
  }
}

// The name that a whole argument is the address of; kNowhere: it is something else.
position named_variable(const unit& u, range argument) {
  auto [p, end] = behind_casts(u, argument.first, argument.second);
  const bool is_address = u.at(p).is("&");
  if (is_address) p = u.next(p);
  position name = u.at(p).is("::") ? u.next(p) : p;
  if (!u.at(name).is_name()) return kNowhere;
  while (u.at(u.next(name)).is("::") && u.at(u.next(u.next(name))).is_name()) name = u.next(u.next(name));
  const auto found = u.shadowed.find(std::string(u.at(name).text));
  if (found == u.shadowed.end()) return kNowhere;
  const bool is_array = found->second == shadow_kind::array;
  position behind = u.next(name);
  const bool has_element = u.at(behind).is("[");
  while (u.at(behind).is("[") && u.mate(behind) != kNowhere) behind = u.next(u.mate(behind));
  if (behind == end) return is_address || (is_array && !has_element) ? name : kNowhere;
  return is_array && !is_address && !has_element && u.at(behind).is("+") ? name : kNowhere;  // table + offset
}

bool is_word_of_statement(const token& t) {
  return t.is("return") || t.is("sizeof") || t.is("case") || t.is("else") || t.is("throw") || t.is("delete");
}

// `float *a, *x, y;`: whether the name at `p` is declared behind a comma.
bool is_further_declarator(const unit& u, position p) {
  position q = u.previous(p);
  while (u.at(q).is("*") || u.at(q).is("&")) q = u.previous(q);
  if (!u.at(q).is(",")) return false;
  position first = q;
  for (position b = u.previous(q); b != kNowhere; b = u.previous(b)) {
    const token& t = u.at(b);
    if (t.is(";") || t.is("{") || t.is("}")) break;
    if (t.is("(")) {  // a call's arguments, but for the head of a loop
      if (!u.at(u.previous(b)).is("for")) return false;
      break;
    }
    if ((t.is(")") || t.is("]")) && u.mate(b) != kNowhere) b = u.mate(b);
    first = b;
  }
  const token& second = u.at(u.next(first));
  return u.at(first).is_name() && !is_word_of_statement(u.at(first)) &&
         (second.is_name() || second.is("*") || second.is("&") || second.is("<") || second.is("::"));
}

// Whether the function around `p` may have declared the name for itself, there or before.
bool is_own_name(const unit& u, position p, std::string_view name) {
  position outer = p;
  for (position q = brace_around(u, p); q != kNowhere; q = brace_around(u, q)) {
    const position before = u.previous(q);
    if (before != kNowhere && u.at(before).is(")") && u.mate(before) != kNowhere) outer = u.mate(before);
  }
  for (position q = outer; q <= p; q = u.next(q)) {
    if (!u.at(q).is_name() || u.at(q).text != name) continue;
    const position before = u.previous(q);
    const token& b = u.at(before);
    if (b.is(".") || b.is("->")) continue;
    const token& bb = u.at(u.previous(before));
    const bool behind_name =
        (b.is("*") || b.is("&") || b.is(">")) && (bb.is_name() || bb.is("*")) && !is_word_of_statement(bb);
    if ((b.is_name() && !is_word_of_statement(b)) || behind_name || b.is("]") || is_further_declarator(u, q))
      return true;
  }
  return false;
}

void take_shadow(unit& u, range argument) {
  const position name = named_variable(u, argument);
  if (name == kNowhere) return;
  if (!u.at(u.previous(name)).is("::") && is_own_name(u, name, u.at(name).text)) return;
  edit& first = u.edits[argument.first];
  first.before = "::simt_cuda::shadow_of(" + first.before;
  u.edits[u.previous(argument.second)].after += ")";
}

}  // namespace

void name_host_shadows(unit& u) {
  // A member of the same name may be meant wherever its class is not seen.
  for (position p = 0; p < u.tokens.size() && !u.shadowed.empty(); ++p)
    if (u.tokens[p].is_name() && u.shadowed.contains(std::string(u.tokens[p].text)) && is_in_class(u, p))
      u.shadowed.erase(std::string(u.tokens[p].text));
  if (u.shadowed.empty()) return;
  for (const auto& [first, launch] : u.launches)
    if (u.function_at(first) == nullptr && u.mate(launch.arguments) != kNowhere)
      for (const range& argument : ranges_of_arguments(u, launch.arguments)) take_shadow(u, argument);
  for (position p = 0; p < u.tokens.size(); ++p) {
    if (!u.tokens[p].is_name()) continue;
    const auto call =
        std::ranges::find_if(kCopyingCalls, [&](const copying_call& c) { return u.tokens[p].is(c.name); });
    const position open = u.next(p);
    if (call == std::end(kCopyingCalls) || !u.at(open).is("(") || u.mate(open) == kNowhere ||
        u.function_at(p) != nullptr)
      continue;
    const std::vector<range> all = ranges_of_arguments(u, open);
    for (const int i : {call->first, call->second})
      if (i >= 0 && i < static_cast<int>(all.size())) take_shadow(u, all[static_cast<std::size_t>(i)]);
  }
}

}  // namespace simt::cuda_source
