// SPDX-License-Identifier: Apache-2.0
// Variables in shared memory, and the functions within functions that use them.
#include "translate.hpp"
#include "variables.hpp"

namespace simt::cuda_source {
namespace {

// Takes `alignas(n)` and `__attribute__((aligned(n)))` out of the declaration and gives them back as text. A typedef
// may not have the first, and neither where n depends on a template's argument and the type does not: `extern
// __shared__ __align__(sizeof(T)) unsigned char bytes[];`.
std::string take_alignments(unit& u, const variable_declaration& d) {
  std::string taken;
  for (position p = d.first; p < d.end; p = u.next(p)) {
    if (u.at(p).is("{") && u.mate(p) != kNowhere) p = u.mate(p);  // of the type's own members
    const bool attribute = u.at(p).is("__attribute__");
    if (!attribute && !u.at(p).is("alignas")) continue;
    const position end = u.mate(u.next(p));
    if (end == kNowhere) continue;
    if (attribute && !u.at(u.next(u.next(u.next(p)))).is("aligned") &&
        !u.at(u.next(u.next(u.next(p)))).is("__aligned__"))
      continue;
    for (;; p = u.next(p)) {
      taken += std::string(u.at(p).text) + " ";
      u.replace(p, "");
      if (p == end) break;
    }
  }
  return taken;
}

// `[[maybe_unused]]` in front of the declaration: a typedef may not have it there.
void take_attributes(unit& u, const variable_declaration& d) {
  for (position p = d.first; u.at(p).is("[") && u.mate(p) != kNowhere; p = u.next(u.mate(p))) u.remove(p, u.mate(p));
}

// The name's last part of the namespace around `p`; empty: none, or one without a name.
std::string_view namespace_around(const unit& u, position p) {
  for (position q = brace_around(u, p); q != kNowhere; q = brace_around(u, q)) {
    const position name = u.previous(q);
    if (name != kNowhere && u.at(name).is_name() && !u.at(name).is("namespace")) return u.at(name).text;
  }
  return {};
}

// The body of the lambda whose captures begin at `p`, or kNowhere.
position body_of_lambda(const unit& u, position p) {
  const position before = u.previous(p);
  if (!u.at(p).is("[") || u.mate(p) == kNowhere || before == kNowhere) return kNowhere;
  const token& b = u.at(before);
  const bool follows_value = (b.is_name() && !b.is("return")) || b.is("]") || b.is(")") || b.is("[") ||
                             b.kind == token_kind::text || b.kind == token_kind::number;
  if (follows_value || u.at(u.next(p)).is("[")) return kNowhere;
  for (p = u.next(u.mate(p));; p = u.next(p)) {
    const token& t = u.at(p);
    if (t.is("{")) return u.mate(p) == kNowhere ? kNowhere : p;
    if (t.is("(") && u.mate(p) != kNowhere) {
      p = u.mate(p);
    } else if (t.is("<") && u.angle_end(p, true) != kNowhere) {
      p = u.angle_end(p, true);
    } else if (!t.is_name() && !t.is("->") && !t.is("::") && !t.is("*") && !t.is("&") && !t.is("<") && !t.is(">")) {
      return kNowhere;
    }
  }
}

}  // namespace

bool mentions(const unit& u, position first, position end, std::string_view name) {
  for (position p = first; p < end; p = u.next(p)) {
    if (!u.at(p).is_name() || u.at(p).text != name) continue;
    const position before = u.previous(p);
    if (before == kNowhere || !(u.at(before).is(".") || u.at(before).is("->") || u.at(before).is("::"))) return true;
  }
  return false;
}

bool declares(const unit& u, position open, std::string_view name) {
  const position end = u.mate(open);
  for (position p = u.next(open); p < end; p = u.next(p)) {
    const token& t = u.at(p);
    if ((t.is("{") || t.is("(")) && u.mate(p) != kNowhere) p = u.mate(p);
    if (!t.is_name() || t.text != name) continue;
    const position before = u.previous(p);
    const token &b = u.at(before), &after = u.at(u.next(p));
    const bool is_declared =
        after.is("=") || after.is(";") || after.is("[") || after.is(",") || after.is("{") || after.is("(");
    bool is_used = false;
    for (const char* word : {"return", "else", "do", "case", "goto", "throw", "new", "delete", "sizeof", "co_return"})
      is_used |= b.is(word);
    if (is_declared && b.is_name() && !is_used) return true;
    if ((b.is("*") || b.is("&") || b.is(">")) && (after.is("=") || after.is(";")) &&
        u.at(u.previous(before)).is_name()) {
      // `T* s =`: no product stands in front of an assignment.
      const position begin = u.previous(u.previous(before));
      if (u.at(begin).is(";") || u.at(begin).is("{") || u.at(begin).is("}")) return true;
    }
  }
  return false;
}

void declare_in_inner_functions(unit& u, position p, const std::string& name, const std::string& declaration) {
  for (p = u.next(p); u.at(p).kind != token_kind::end && !u.at(p).is("}"); p = u.next(p)) {
    for (position q = p, end = u.at(p).is("{") && u.mate(p) != kNowhere ? u.mate(p) : p; q <= end; q = u.next(q)) {
      position body = body_of_lambda(u, q);
      position head = q;
      if (body == kNowhere) {
        for (const device_function& f : u.functions)
          if (f.body == q && f.parameters != kNowhere && !f.name.empty()) {  // a member of a local class
            body = q;
            head = f.parameters;
          }
      }
      if (body != kNowhere && mentions(u, body, u.mate(body), name) && !mentions(u, head, body, name) &&
          !declares(u, body, name))
        u.edits[body].after = " " + declaration + u.edits[body].after;
      if (q == end) break;
    }
    if (u.at(p).is("{") && u.mate(p) != kNowhere) p = u.mate(p);
  }
}

void name_plain_types(unit& u, position p, const std::string& name) {
  int depth = 0;
  for (p = u.next(p); u.at(p).kind != token_kind::end && depth >= 0; p = u.next(p)) {
    depth += u.at(p).is("{") ? 1 : u.at(p).is("}") ? -1 : 0;
    const position open = u.next(p), inside = u.next(open), close = u.next(inside);
    if (!u.at(p).is("decltype") || !u.at(inside).is_name() || u.at(inside).text != name || u.mate(open) != close)
      continue;
    const device_function* const f = u.function_at(p);
    if (f != nullptr && f->parameters != kNowhere && mentions(u, f->parameters, f->body, name)) continue;
    u.edits[p].before = "::std::remove_reference_t<" + u.edits[p].before;
    u.edits[close].after += ">";
  }
}

void shared_variable(unit& u, const variable_declaration& d, bool local) {
  take_attributes(u, d);
  const std::string alignment = take_alignments(u, d);
  each_specifier(u, d, [&](position p, const token& t) {
    if (is_memory_space(t) || t.is("static") || t.is("extern") || t.is("inline")) u.replace(p, "");
  });
  u.edits[d.first].before = "typedef " + u.edits[d.first].before;
  std::string after;
  for (const declarator& v : d.declarators) {
    const std::string n(u.at(v.name).text), type = "simt_T_" + n, key = "simt_N_" + n;
    if (v.is_reference || v.has_initializer) {
      u.complain(v.name, "a __shared__ variable has no initial value; nvcc does not take one either");
      return;
    }
    u.replace(v.name, type);
    after += " struct " + key + " { static constexpr const char* name() { return \"" + n + "\"; } struct aligned { " +
             alignment + "char c; }; static constexpr unsigned align() { return alignof(" + type +
             ") > alignof(aligned) ? alignof(" + type + ") : alignof(aligned); } };";
    const std::string value = std::string("::simt_cuda::") + (d.is_extern ? "dynamic_shared<" : "shared_variable<") +
                              key + ", " + type + ">()";
    const std::string reference = "[[maybe_unused]] " + type + "& " + n + " = " + value + ";";
    if (local) {
      after += " " + reference;
      declare_in_inner_functions(u, d.end, n, reference);
      name_plain_types(u, v.name, n);
    } else {
      // Where the name is qualified, a function stands for the variable; elsewhere the body's own reference.
      after += " [[maybe_unused, gnu::always_inline]] inline " + (u.marks_spaces ? mark_of_space("any") + " " : "") +
               type + "& simt_V_" + n + "() { return " + value + "; }";
      u.outer_shared.push_back({n, reference, namespace_around(u, d.first)});
    }
  }
  u.edits[d.end].after += after;
}

}  // namespace simt::cuda_source
