// SPDX-License-Identifier: Apache-2.0
// Finds functions and lambdas for the device and takes away the words that only nvcc knows.
#include <set>
#include <string_view>
#include <unordered_map>

#include "declarations.hpp"
#include "translate.hpp"

namespace simt::cuda_source {
namespace {

bool is_execution_space(const token& t) { return t.is("__global__") || t.is("__device__") || t.is("__host__"); }
bool takes_parentheses(const token& t) {
  for (const char* w :
       {"__attribute__", "__attribute", "alignas", "__declspec", "decltype", "__typeof__", "typeof", "noexcept",
        "explicit", "requires", "__launch_bounds__", "__cluster_dims__", "__maxnreg__", "__align__"})
    if (t.is(w)) return true;
  return false;
}

// Words that only nvcc knows: they mean nothing here, or are another word for g++ and clang.
void remove_launch_words(unit& u) {
  for (position p = 0; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    if (!t.is_name()) continue;
    if (t.is("__launch_bounds__") || t.is("__cluster_dims__") || t.is("__maxnreg__") || t.is("__block_size__")) {
      const position open = u.next(p);
      if (u.at(open).is("(") && u.mate(open) != kNowhere) u.remove(p, u.mate(open));
    } else if (t.is("__grid_constant__") || t.is("__nv_pure__")) {
      u.replace(p, "");
    } else if (t.is("__noinline__")) {  // a macro of this name would break the standard library's headers
      u.replace(p, "__attribute__((noinline))");
    }
  }
}

// A kernel gives nothing back. Types with other names may be void.
void complain_of_result(unit& u, position from, position name) {
  for (position p = from; p != name && p != kNowhere; p = u.next(p))
    for (const char* type : {"int", "float", "double", "bool", "char", "unsigned", "long", "short"})
      if (u.at(p).is(type) && u.next(p) == name && u.at(name).is_name())
        return u.complain(p, "a __global__ function must have a void return type");
}

struct declaration {
  bool is_function = false;
  position parameters = kNowhere;
  position name = kNowhere;
};

// Whether the source declares a variable or a constant of that name before `p`.
bool is_value_before(const unit& u, position p, std::string_view name) {
  for (position q = u.previous(p); q != kNowhere; q = u.previous(q)) {
    if (!u.at(q).is_name() || u.at(q).text != name) continue;
    const position before = u.previous(q);
    const token& after = u.at(u.next(q));
    if (before == kNowhere) return false;
    const token& b = u.at(before);
    for (const char* word : {"using", "class", "struct", "union", "enum", "typename", "namespace"})
      if (b.is(word)) return false;
    if (after.is("=") && (b.is_name() || b.is("*") || b.is("{") || b.is(","))) return true;  // of an enum, too
    if ((b.is("{") || b.is(",")) && (after.is(",") || after.is("}"))) {
      for (position e = before; e != kNowhere && !u.at(e).is(";") && !u.at(e).is("("); e = u.previous(e))
        if (u.at(e).is("enum")) return true;
    }
    if (b.is_name() && (after.is(";") || after.is("[") || after.is("{"))) {
      position first = before;
      while (first != kNowhere && (u.at(first).is_name() || u.at(first).is("::"))) first = u.previous(first);
      return !u.at(u.next(first == kNowhere ? 0 : first)).is("typedef");
    }
  }
  return false;
}

// Whether what stands behind `p` uses the name as an object, and never calls it.
bool is_used_as_object(const unit& u, position p, std::string_view name) {
  bool is_object = false;
  for (p = u.next(p); u.at(p).kind != token_kind::end; p = u.next(p)) {
    if (!u.at(p).is_name() || u.at(p).text != name) continue;
    const token &b = u.at(u.previous(p)), &after = u.at(u.next(p));
    if (b.is(".") || b.is("->")) continue;
    if (after.is("(") || after.is("<")) return false;
    is_object |= after.is(".") || after.is("->") || after.is("[");
  }
  return is_object;
}

// `(A, n::B)`: names that may be types or values.
bool is_list_of_names(const unit& u, position open) {
  const position close = u.mate(open);
  for (position p = u.next(open); p != close; p = u.next(p)) {
    const token& t = u.at(p);
    if (t.is(",") || t.is("::")) continue;
    const token& before = u.at(u.previous(p));
    if (!t.is_name() || is_built_in_type(t) || !(before.is("(") || before.is(",") || before.is("::"))) return false;
  }
  return u.next(open) != close;
}

// Whether parentheses hold values and no parameters: `__device__ lock guard(1);`. A name is a value where the source
// declares a variable so, or where what follows it cannot follow a type; names of which the source says nothing are
// values where the variable is used as an object.
bool holds_values(const unit& u, position open) {
  const position close = u.mate(open);
  if (close == kNowhere || !(u.at(u.next(close)).is(";") || u.at(u.next(close)).is(","))) return false;
  for (position p = open; p != close;) {
    const position at = u.next(p);
    const token &first = u.at(at), &second = u.at(u.next(at));
    if (first.kind == token_kind::number || first.kind == token_kind::text || first.is("-") || first.is("&") ||
        first.is("!") || first.is("~") || first.is("+") || first.is("true") || first.is("false") ||
        first.is("nullptr") || first.is("sizeof"))
      return true;
    for (const char* operation : {"+", "-", "/", "%", "|", "^", "<<", ".", "->", "?", "==", "!=", "<=", ">="})
      if (first.is_name() && second.is(operation)) return true;
    position last = at;  // of a path: n::kRows
    const position behind = behind_path(u, at, &last);
    const token& after = u.at(behind);
    if (first.is_name() && (after.is(",") || after.is(")") || after.is("*") || after.is("(")) &&
        is_value_before(u, open, u.at(last).text))
      return true;
    for (p = at; p != close && !u.at(p).is(","); p = u.next(p)) {
      const token& t = u.at(p);
      if ((t.is("(") || t.is("[") || t.is("{")) && u.mate(p) != kNowhere) p = u.mate(p);
      if (t.is("<") && u.angle_end(p) != kNowhere) p = u.angle_end(p);
    }
  }
  const position name = u.previous(open);
  return is_list_of_names(u, open) && u.at(name).is_name() && !is_in_class(u, name) &&
         is_used_as_object(u, close, u.at(name).text);
}

// Parentheses may hold a declarator: `int (*p)(int)`, `float (x) = 2`, and `int (*f(int))(int)`, which is a function.
// `from`: where the type begins.
bool holds_declarator(const unit& u, position from, position open, declaration& d) {
  const position close = u.mate(open);
  declarator inside;
  if (close == kNowhere || read_declarator(u, u.next(open), inside) != close || inside.name == kNowhere) return false;
  const token &first = u.at(u.next(open)), &behind = u.at(u.next(close));
  const bool has_suffix = behind.is("(") || behind.is("[");
  if (inside.is_pointer || inside.is_reference || first.is("(")) {
    d.is_function = inside.open != kNowhere && has_suffix;
    if (d.is_function) {
      d.name = inside.name;
      d.parameters = inside.open;
    }
    return true;
  }
  // A name alone: of a constructor's parameter, unless only a type stands before it.
  variable_declaration type;
  const bool ends = behind.is("=") || behind.is(";") || behind.is("[") || behind.is(",");
  return ends && read_specifiers(u, from, type) == open && type.type != kNowhere &&
         (is_built_in_type(u.at(type.type)) || (u.previous(open) == type.type && !is_in_class(u, from)));
}

// Reads on from the word behind the execution space to the parameter list, or to what shows that this is no function.
declaration look_at(const unit& u, position p) {
  declaration d;
  const position from = p;
  for (;; p = u.next(p)) {
    const token& t = u.at(p);
    if (t.kind == token_kind::end) return d;
    if (takes_parentheses(t) || t.is("extern")) {
      const position open = u.next(p);
      if (u.at(open).is("(")) p = u.mate(open) == kNowhere ? open : u.mate(open);
      continue;
    }
    if (t.is("[") && u.at(u.next(p)).is("[")) {
      p = u.mate(p) == kNowhere ? p : u.mate(p);
      continue;
    }
    if (t.is("operator")) {
      d.name = p;
      position q = u.next(p);
      if (u.at(q).is("(") && u.at(u.next(q)).is(")")) q = u.next(u.next(q));
      while (!u.at(q).is("(") && u.at(q).kind != token_kind::end) q = u.next(q);
      d.is_function = true;
      d.parameters = q;
      return d;
    }
    if (t.is("(")) {
      if (holds_declarator(u, from, p, d)) return d;
      const position before = u.previous(p);
      const token& b = u.at(before);
      d.parameters = p;
      d.is_function = (b.is_name() || b.is(">")) && !holds_values(u, p);
      d.name = before;
      if (b.is(">")) {
        const position open = u.angle_begin(before);
        d.name = open == kNowhere ? before : u.previous(open);
      }
      return d;
    }
    if (t.is("<") && u.angle_end(p, true) != kNowhere) {
      p = u.angle_end(p, true);
      continue;
    }
    if (t.is("struct") || t.is("class") || t.is("union")) {
      const position q = u.next(p);
      if (u.at(q).is("{")) return d;
      continue;
    }
    if (t.is(";") || t.is("=") || t.is("[") || t.is("{") || t.is(",") || t.is(")")) return d;
  }
}

// After the parameter list: the { of the body, or kNowhere.
position body_of(const unit& u, position parameters) {
  position p = u.mate(parameters);
  if (p == kNowhere) return kNowhere;
  for (p = u.next(p);; p = u.next(p)) {
    const token& t = u.at(p);
    if (t.is("{")) return p;
    if (t.is(";") || t.is("=") || t.kind == token_kind::end) return kNowhere;
    if (t.is("(") || t.is("[")) {
      if (u.mate(p) == kNowhere) return kNowhere;
      p = u.mate(p);
    } else if (t.is(":")) {  // constructor: name(..) or name{..}, with commas between
      for (p = u.next(p);; p = u.next(p)) {
        if (u.at(p).is("<") && u.angle_end(p) != kNowhere) p = u.angle_end(p);
        if (u.at(p).is("(") || u.at(p).is("{")) {
          if (u.mate(p) == kNowhere) return kNowhere;
          p = u.next(u.mate(p));
          if (u.at(p).is("...")) p = u.next(p);
          if (!u.at(p).is(",")) break;
        }
        if (u.at(p).is(";") || u.at(p).kind == token_kind::end) return kNowhere;
      }
      return u.at(p).is("{") ? p : kNowhere;
    }
  }
}

// Where device code is not linked, a function for the device alone becomes static, as long as the source has not named
// it before: a declaration, of a friend say, would have given it the other linkage. Overloads follow the first.
class own_functions {
 public:
  explicit own_functions(const unit& u) : u_(u) {
    if (u.linked) return;
    for (position p = 0; p < u.tokens.size(); ++p)
      if (u.tokens[p].is_name()) first_.try_emplace(u.tokens[p].text, p);
  }
  // `from`: the word __device__ that begins the definition; `name`: the function's.
  bool take(position from, position name) {
    if (u_.linked || u_.at(name).is("operator") || u_.at(u_.previous(name)).is("::")) return false;
    for (position p = from; p != name; p = u_.next(p))
      if (chooses_linkage(u_.at(p))) return false;
    for (position p = u_.previous(from); p != kNowhere; p = u_.previous(p)) {
      const token& t = u_.at(p);
      if (t.is(";") || t.is("}")) break;
      if (t.is("{") && is_of_namespace(p)) break;
      if (!t.is_name() || chooses_linkage(t)) return false;  // of a class, a template; extern "C"
    }
    if (first_.at(u_.at(name).text) != name && !own_.contains(u_.at(name).text)) return false;
    own_.insert(u_.at(name).text);
    return at_namespace_scope(from);
  }

 private:
  static bool chooses_linkage(const token& t) {
    for (const char* w : {"static", "inline", "__inline", "__inline__", "constexpr", "extern", "friend", "virtual"})
      if (t.is(w)) return true;
    return false;
  }
  bool is_of_namespace(position open) const {
    for (position p = u_.previous(open); p != kNowhere; p = u_.previous(p)) {
      if (u_.at(p).is("namespace")) return true;
      if (!u_.at(p).is_name() && !u_.at(p).is("::")) return false;
    }
    return false;
  }
  bool at_namespace_scope(position p) const {
    for (p = brace_around(u_, p); p != kNowhere; p = brace_around(u_, p))
      if (!is_of_namespace(p)) return false;
    return true;
  }

  const unit& u_;
  std::unordered_map<std::string_view, position> first_;
  std::set<std::string_view> own_;
};

// Functions that are declared without a word of the execution space: where the definition has one, or the other way
// round, nvcc takes the function for both sides. A call that reads like a declaration does no harm.
std::set<std::string_view> declared_without_space(const unit& u) {
  std::set<std::string_view> names;
  for (position p = 0; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    const position open = u.next(p), before = u.previous(p);
    if (!t.is_name() || !u.at(open).is("(") || u.mate(open) == kNowhere || before == kNowhere) continue;
    position end = u.next(u.mate(open));
    while (u.at(end).is("const") || u.at(end).is("noexcept")) end = u.next(end);
    const token& b = u.at(before);
    if (!u.at(end).is(";") || !(b.is_name() || b.is("*") || b.is("&") || b.is(">")) || b.is("return")) continue;
    bool has_space = false;
    for (position q = before; q != kNowhere && !u.at(q).is(";") && !u.at(q).is("{") && !u.at(q).is("}");
         q = u.previous(q))
      has_space |= is_execution_space(u.at(q));
    if (!has_space) names.insert(t.text);
  }
  return names;
}

// Of a function that is not a lambda: who may call it (sim/compile/execution_spaces.cpp). "declared": a definition
// without the word makes it one for both.
const char* callers_of(const unit& u, const device_function& f, bool has_body, bool declared_plainly) {
  if (f.global) return "global";
  if (f.host || declared_plainly) return "any";
  if (u.host_sees_another) return "callable";
  return has_body ? "device" : "declared";
}

}  // namespace

std::string mark_of_space(std::string_view space) {
  return "__attribute__((annotate(\"simt." + std::string(space) + "\")))";
}

bool is_memory_space(const token& t) {
  return t.is("__shared__") || t.is("__constant__") || t.is("__managed__") || t.is("__device__");
}

void find_functions(unit& u) {
  remove_launch_words(u);
  own_functions own(u);
  const auto plain = u.marks_spaces ? declared_without_space(u) : std::set<std::string_view>();
  for (position p = 0; p < u.tokens.size(); ++p) {
    if (!u.tokens[p].is_name() || !is_execution_space(u.tokens[p])) continue;
    bool global = false, device = false, host = false, data = false;
    position last = p;
    // Other specifiers may stand between: `__host__ static inline __device__`.
    for (position q = p;; q = u.next(q)) {
      const token& t = u.at(q);
      global |= t.is("__global__");
      device |= t.is("__device__");
      host |= t.is("__host__");
      data |= t.is("__shared__") || t.is("__constant__") || t.is("__managed__");
      if (is_execution_space(t)) last = q;
      const bool more = is_execution_space(t) || is_memory_space(t) || t.is("static") || t.is("inline") ||
                        t.is("constexpr") || t.is("virtual") || t.is("extern") || t.is("const");
      if (!more) break;
    }
    if (data) continue;
    const position after = u.next(last);
    device_function f;
    f.global = global;
    f.host = host;
    bool known = false, make_own = false, has_body = false;
    const position before = u.previous(p);
    const bool lambda = before != kNowhere && u.at(before).is("]");
    if (lambda && (u.at(after).is("(") || u.at(after).is("{") || u.at(after).is("mutable") || u.at(after).is("->"))) {
      known = true;
      if (u.at(after).is("(")) f.parameters = after;
      position body = after;
      if (u.at(after).is("(")) body = body_of(u, after);
      while (body != kNowhere && !u.at(body).is("{") && u.at(body).kind != token_kind::end) body = u.next(body);
      if (body != kNowhere && u.mate(body) != kNowhere && (device || global)) {
        f.body = body;
        u.functions.push_back(f);
      }
    } else if (const declaration d = look_at(u, after); d.is_function) {
      known = true;
      f.name = std::string(u.at(d.name).text);
      f.parameters = d.parameters;
      const position body = body_of(u, d.parameters);
      has_body = body != kNowhere;
      if (global && has_body) complain_of_result(u, p, d.name);
      make_own = device && !global && !host && body != kNowhere && own.take(p, d.name);
      if (body != kNowhere && u.mate(body) != kNowhere && (device || global)) {
        f.body = body;
        u.functions.push_back(f);
      }
    }
    // A word before what was not recognised as a function stays, for it may declare a variable: translate_variables
    // takes it. __host__ declares none.
    for (position q = p; q <= last; ++q)
      if (u.tokens[q].is_name() && is_execution_space(u.tokens[q]) && (known || u.tokens[q].is("__host__")))
        u.replace(q, "");
    std::string words = make_own ? "static" : "";
    if (u.marks_spaces && known && !lambda && (device || global))
      words += (words.empty() ? "" : " ") + mark_of_space(callers_of(u, f, has_body, plain.contains(f.name)));
    if (!words.empty()) u.replace(p, words);
    p = last;
  }
}

void mark_functions_of_both(unit& u) {
  for (position p = 0; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    const position before = u.previous(p);
    if (t.is("constexpr") && t.is_name() && !(before != kNowhere && u.at(before).is("if"))) {
      const declaration d = look_at(u, u.next(p));
      if (d.is_function && body_of(u, d.parameters) != kNowhere) u.edits[p].after += " " + mark_of_space("constexpr");
    }
    if (t.is("default") && t.is_name() && before != kNowhere && u.at(before).is("=") && u.at(u.next(p)).is(";"))
      u.edits[before].before += mark_of_space("any") + " ";
  }
}

}  // namespace simt::cuda_source
