// SPDX-License-Identifier: Apache-2.0
// Variables in shared, device, constant and managed memory become references into memory of the simulated device.
//
// The types are never parsed: a typedef of the same declaration, or the declaration itself under another name, carries
// them. Only the declarators' names have to be found.
#include "translate.hpp"

namespace simt::cuda_source {
namespace {

bool is_kept_specifier(const token& t) {
  for (const char* w :
       {"static",   "extern",     "const",      "volatile",     "inline",      "constexpr", "constinit", "unsigned",
        "signed",   "int",        "float",      "double",       "char",        "short",     "long",      "bool",
        "typename", "__device__", "__shared__", "__constant__", "__managed__", "__host__"})
    if (t.is(w)) return true;
  return false;
}

struct variable_declaration {
  position first = 0, end = 0;  // end: the ;
  bool is_extern = false, is_static = false, is_inline = false, is_constexpr = false;
  std::vector<position> names;
  bool qualified = false;  // Class::name
};

bool ends_specifiers_before(const unit& u, position p) {
  const token& t = u.at(p);
  return t.is("{") && u.mate(p) != kNowhere;
}

// Finds the names that are declared between first and the ; of the declaration.
bool find_names(const unit& u, variable_declaration& d) {
  position candidate = kNowhere;
  bool in_initializer = false, after_class_key = false;
  for (position p = d.first;; p = u.next(p)) {
    const token& t = u.at(p);
    if (t.kind == token_kind::end || t.is("}") || t.is(")")) return false;
    const auto take = [&] {
      if (candidate != kNowhere && !in_initializer) {
        d.names.push_back(candidate);
        const position before = u.previous(candidate);
        d.qualified = d.qualified || (before != kNowhere && u.at(before).is("::") && before > d.first);
      }
      candidate = kNowhere;
    };
    if (t.is(";")) {
      take();
      d.end = p;
      return !d.names.empty();
    }
    if (t.is(",")) {
      take();
      in_initializer = false;
    } else if (t.is("=")) {
      take();
      in_initializer = true;
    } else if (t.is("{")) {
      if (after_class_key) {
        after_class_key = false;
      } else {
        take();
        in_initializer = true;
      }
      if (!ends_specifiers_before(u, p)) return false;
      p = u.mate(p);
    } else if (t.is("[")) {
      if (u.at(u.next(p)).is("[") || in_initializer) {
        if (u.mate(p) == kNowhere) return false;
        p = u.mate(p);
        continue;
      }
      take();
      if (u.mate(p) == kNowhere) return false;
      p = u.mate(p);
    } else if (t.is("(")) {
      if (u.mate(p) == kNowhere) return false;
      if (!in_initializer && name_of_pointer(u, p) != kNowhere) candidate = name_of_pointer(u, p);
      p = u.mate(p);
    } else if (t.is("<") && u.angle_end(p) != kNowhere) {
      p = u.angle_end(p);
      if (!in_initializer) candidate = kNowhere;
    } else if (t.is_name()) {
      if (t.is("extern")) d.is_extern = true;
      if (t.is("static")) d.is_static = true;
      if (t.is("inline")) d.is_inline = true;
      if (t.is("constexpr")) d.is_constexpr = true;
      if (t.is("struct") || t.is("union") || t.is("class") || t.is("enum")) after_class_key = true;
      if (t.is("__attribute__") || t.is("alignas")) {
        const position open = u.next(p);
        if (u.mate(open) == kNowhere) return false;
        p = u.mate(open);
      } else if (!in_initializer && !is_kept_specifier(t)) {
        candidate = p;
      }
    }
  }
}

// Takes `alignas(n)` and `__attribute__((aligned(n)))` out of the declaration and gives them back as text. A typedef
// may not have the first, and neither where n depends on a template's argument and the type does not: `extern
// __shared__ __align__(sizeof(T)) unsigned char bytes[];`.
std::string take_alignments(unit& u, const variable_declaration& d) {
  std::string taken;
  for (position p = d.first; p < d.end; p = u.next(p)) {
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

bool at_function_scope(const unit& u, position p) {
  // Any enclosing { that is a function's: a device function's, or one behind a parameter list.
  for (position q = u.previous(p); q != kNowhere; q = u.previous(q)) {
    const token& t = u.at(q);
    if (t.is("}") || t.is(")") || t.is("]")) {
      if (u.mate(q) != kNowhere) q = u.mate(q);
      continue;
    }
    if (!t.is("{")) continue;
    for (const device_function& f : u.functions)
      if (f.body == q) return true;
  }
  return false;
}

void shared_variable(unit& u, const variable_declaration& d) {
  const bool local = at_function_scope(u, d.first);
  const std::string alignment = take_alignments(u, d);
  for (position p = d.first; p < d.end; p = u.next(p))
    if (u.at(p).is("__shared__") || u.at(p).is("__device__") || u.at(p).is("static") || u.at(p).is("extern") ||
        u.at(p).is("inline"))
      u.replace(p, "");
  u.edits[d.first].before = "typedef " + u.edits[d.first].before;
  std::string after;
  for (const position name : d.names) {
    const std::string n(u.at(name).text), type = "simt_T_" + n, key = "simt_N_" + n;
    u.replace(name, type);
    std::string value;
    after += " struct " + key + " { static constexpr const char* name() { return \"" + n + "\"; } struct aligned { " +
             alignment + "char c; }; static constexpr unsigned align() { return alignof(" + type +
             ") > alignof(aligned) ? alignof(" + type + ") : alignof(aligned); } };";
    if (d.is_extern) {
      value = "::simt_cuda::dynamic_shared<" + key + ", " + type + ">()";
    } else {
      value = "::simt_cuda::shared_variable<" + key + ", " + type + ">()";
    }
    const std::string reference = "[[maybe_unused]] " + type + "& " + n + " = " + value + ";";
    if (local) {
      after += " " + reference;
    } else {
      u.outer_shared.push_back({n, reference});
    }
  }
  u.edits[d.end].after += after;
}

// Whether the declaration stands in a class: the bracket around it is that of `struct name : bases {`.
bool in_class(const unit& u, position p) {
  position open = u.previous(p);
  for (; open != kNowhere && !u.at(open).is("{"); open = u.previous(open))
    if ((u.at(open).is("}") || u.at(open).is(")") || u.at(open).is("]")) && u.mate(open) != kNowhere)
      open = u.mate(open);
  if (open == kNowhere) return false;
  for (position q = u.previous(open); q != kNowhere; q = u.previous(q)) {
    const token& t = u.at(q);
    if (t.is("struct") || t.is("class") || t.is("union")) return true;
    if (t.is(";") || t.is("}") || t.is("{") || t.is(")") || t.is("namespace") || t.is("enum")) return false;
  }
  return false;
}

// `static __device__ int x;` of a class is a reference, and `__device__ int C::x = 3;` gives it its memory.
void static_member(unit& u, const variable_declaration& d) {
  for (position p = d.first; p < d.end; p = u.next(p))
    if (u.at(p).is("static")) u.replace(p, "");
  u.edits[d.first].before = "typedef " + u.edits[d.first].before;
  std::string after;
  for (const position name : d.names) {
    const std::string n(u.at(name).text);
    u.replace(name, "simt_T_" + n);
    after += " static simt_T_" + n + "& " + n + ";";
  }
  u.edits[d.end].after += after;
}
bool member_definition(unit& u, const variable_declaration& d, const std::string& kind) {
  const position before = u.previous(d.first);
  if (d.names.size() != 1 || (before != kNowhere && u.at(before).is(">"))) return false;  // a member of a template
  position first = d.names[0];                                                            // of C::x
  while (true) {
    const position colons = u.previous(first);
    if (colons == kNowhere || !u.at(colons).is("::")) break;
    const position outer = u.previous(colons);
    if (outer == kNowhere || !u.at(outer).is_name()) return false;
    first = outer;
  }
  std::string n, image = "simt_I";
  for (position p = first; p <= d.names[0]; p = u.next(p)) {
    n += u.at(p).text;
    image += u.at(p).is("::") ? std::string("_") : "_" + std::string(u.at(p).text);
    if (p != d.names[0]) u.replace(p, "");
  }
  u.replace(d.names[0], image);
  u.edits[d.first].before = "static " + u.edits[d.first].before;
  u.edits[d.end].after += " decltype(" + image + ")& " + n +
                          " __attribute__((section(\"simt_refs\"))) = ::simt_cuda::device_variable(" + image + ", \"" +
                          n + "\", ::simt_cuda::variable_kind::" + kind + ");";
  return true;
}

// Where other specifiers may stand: alignas begins a declaration.
position behind_alignment(const unit& u, const variable_declaration& d) {
  position p = d.first;
  for (;; p = u.next(p)) {
    const token& t = u.at(p);
    if (t.is("alignas") && u.mate(u.next(p)) != kNowhere)
      p = u.mate(u.next(p));
    else if (!is_memory_space(t) && !t.is("inline") && !t.is("extern"))
      return p;
  }
}

void device_variable(unit& u, const variable_declaration& d, const std::string& kind) {
  for (position p = d.first; p < d.end; p = u.next(p)) {
    const token& t = u.at(p);
    if (is_memory_space(t) || t.is("inline") || t.is("extern")) u.replace(p, "");
  }
  if (d.is_constexpr) return;
  if (d.qualified && member_definition(u, d, kind)) return;
  if (!d.qualified && d.is_static && !d.is_inline && in_class(u, d.first)) {
    static_member(u, d);
    return;
  }
  if (d.qualified) {
    u.complain(d.first,
               "a __" + kind +
                   "__ variable that is a static member of a class template is not supported; make it a variable of a "
                   "namespace");
    return;
  }
  std::string after;
  if (d.is_extern) {
    u.edits[d.first].before = "typedef " + u.edits[d.first].before;
    for (const position name : d.names) {
      const std::string n(u.at(name).text);
      u.declared_extern.insert(n);
      u.replace(name, "simt_T_" + n);
      after += " extern simt_T_" + n + "& " + n + ";";
    }
  } else {
    if (!d.is_static) {
      const position at = behind_alignment(u, d);
      u.edits[at].before = "static " + u.edits[at].before;
    }
    for (const position name : d.names) {
      const std::string n(u.at(name).text), image = "simt_I_" + n;
      u.replace(name, image);
      const bool own = !d.is_inline && !u.linked && !u.declared_extern.contains(n);
      // What loads a module finds static variables by their names, too.
      after += std::string((d.is_static && !u.in_module) || own ? " static"
                           : d.is_inline                        ? " inline"
                                                                : "") +
               " decltype(" + image + ")& " + n +
               " __attribute__((section(\"simt_refs\"))) = ::simt_cuda::device_variable(" + image + ", \"" + n +
               "\", ::simt_cuda::variable_kind::" + kind + ");";
    }
  }
  u.edits[d.end].after += after;
}

}  // namespace

position name_of_pointer(const unit& u, position bracket) {
  if (u.mate(bracket) == kNowhere) return kNowhere;
  position p = u.next(bracket);
  if (!u.at(p).is("*")) return kNowhere;
  while (u.at(p).is("*") || u.at(p).is("const") || u.at(p).is("volatile") || u.at(p).is("__restrict__")) p = u.next(p);
  const position after = u.next(u.mate(bracket));
  const bool alone = u.next(p) == u.mate(bracket) || u.at(u.next(p)).is("[");
  return u.at(p).is_name() && alone && (u.at(after).is("(") || u.at(after).is("[")) ? p : kNowhere;
}

void translate_variables(unit& u) {
  for (position p = 0; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    if (!t.is_name() || !is_memory_space(t)) continue;
    if (const auto edit = u.edits.find(p); edit != u.edits.end() && edit->second.replacement) continue;  // a function's
    variable_declaration d;
    d.first = p;
    for (;;) {  // specifiers before the word
      const position q = u.previous(d.first);
      if (q == kNowhere) break;
      if (u.at(q).is(")")) {
        const position open = u.mate(q);
        const position word = open == kNowhere ? kNowhere : u.previous(open);
        if (word == kNowhere || !(u.at(word).is("alignas") || u.at(word).is("__attribute__"))) break;
        d.first = word;
      } else if (is_kept_specifier(u.at(q)) && !u.at(q).is("__host__")) {
        d.first = q;
      } else {
        break;
      }
    }
    std::string kind;
    bool shared = false;
    for (position q = d.first; is_kept_specifier(u.at(q)) || u.at(q).is("alignas"); q = u.next(q)) {
      if (u.at(q).is("alignas")) {
        q = u.mate(u.next(q)) == kNowhere ? q : u.mate(u.next(q));
        continue;
      }
      shared |= u.at(q).is("__shared__");
      if (u.at(q).is("__constant__")) kind = "constant";
      if (u.at(q).is("__managed__")) kind = "managed";
      if (u.at(q).is("__device__") && kind.empty()) kind = "device";
    }
    shared |= t.is("__shared__");
    if (kind.empty()) kind = t.is("__constant__") ? "constant" : t.is("__managed__") ? "managed" : "device";
    if (!find_names(u, d)) {  // no declaration of variables after all: the word means nothing here
      u.replace(p, "");
      u.lost_memory_word = true;
      continue;
    }
    // Of `extern "C" __constant__ int x[2] = {1, 2};`: the reference that stands for the variable has C++'s linkage.
    if (const position language = u.previous(d.first);
        language != kNowhere && u.at(language).kind == token_kind::text) {
      if (const position word = u.previous(language); word != kNowhere && u.at(word).is("extern")) {
        u.replace(word, "");
        u.replace(language, "");
      }
    }
    if (shared)
      shared_variable(u, d);
    else
      device_variable(u, d, kind);
    p = d.end;
  }
}

}  // namespace simt::cuda_source
