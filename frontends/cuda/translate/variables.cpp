// SPDX-License-Identifier: Apache-2.0
// Variables in shared, device, constant and managed memory become references into memory of the simulated device.
//
// The types are never parsed: a typedef of the same declaration, or the declaration itself under another name, carries
// them. A word of CUDA's that declares a variable is never dropped: what cannot be read is refused with its line, for
// the variable would silently be the host's. It is dropped where nvcc gives it no meaning, too (parameters, members
// that are not static, variables of host functions), and where the variable is a constant.
#include "declarations.hpp"
#include "translate.hpp"
#include "variables.hpp"

namespace simt::cuda_source {
namespace {

constexpr const char* kSection = " __attribute__((section(\"simt_refs\")))";

// What the braces around a declaration are.
enum class scope { file, in_class, device_function, host_function };

scope scope_of(const unit& u, position p) {
  for (position q = brace_around(u, p); q != kNowhere; q = brace_around(u, q)) {
    for (const device_function& f : u.functions)
      if (f.body == q) return scope::device_function;
    // In front of the bracket: `)` of a function, of a loop or a lambda; a word of a block; else a class or a
    // namespace.
    for (position w = u.previous(q); w != kNowhere; w = u.previous(w)) {
      const token& b = u.at(w);
      if (b.is("struct") || b.is("class") || b.is("union")) return scope::in_class;
      if (b.is("namespace") || b.is("extern")) break;
      if (b.is(")") || b.is(";") || b.is("{") || b.is("}") || b.is("else") || b.is("do") || b.is("try") || b.is("]")) {
        // A block or a function: the device's if one around it is.
        return u.function_at(p) != nullptr ? scope::device_function : scope::host_function;
      }
    }
  }
  return scope::file;
}

std::string name_of(const unit& u, const declarator& v) { return std::string(u.at(v.name).text); }

// `template <class T, int... N>`: "T, N..."; empty where a parameter has no name.
std::string arguments_of(const unit& u, position open) {
  const position close = u.angle_end(open, true);
  std::string all;
  position name = kNowhere;
  bool pack = false, in_default = false;
  for (position p = u.next(open);; p = u.next(p)) {
    const token& t = u.at(p);
    if (p == close || t.is(",")) {
      if (name == kNowhere) return {};
      all += (all.empty() ? "" : ", ") + std::string(u.at(name).text) + (pack ? "..." : "");
      name = kNowhere;
      pack = in_default = false;
      if (p == close) return all;
    } else if (t.is("=")) {
      in_default = true;
    } else if (t.is("...")) {
      pack = true;
    } else if (t.is("<") && u.angle_end(p, true) != kNowhere) {
      p = u.angle_end(p, true);
    } else if ((t.is("(") || t.is("[") || t.is("{")) && u.mate(p) != kNowhere) {
      p = u.mate(p);
    } else if (!in_default) {
      const bool is_word = t.is("class") || t.is("typename") || t.is("int") || t.is("unsigned") || t.is("bool") ||
                           t.is("char") || t.is("long") || t.is("short") || t.is("auto") || t.is("const");
      name = t.is_name() && !is_word ? p : kNowhere;
    }
  }
}

// `static __device__ int x;` of a class is a reference, and `__device__ int C::x = 3;` gives it its memory.
void static_member(unit& u, const variable_declaration& d) {
  each_specifier(u, d, [&](position p, const token& t) {
    if (t.is("static")) u.replace(p, "");
  });
  u.edits[d.first].before = "typedef " + u.edits[d.first].before;
  std::string after;
  for (const declarator& v : d.declarators) {
    const std::string n = name_of(u, v);
    u.replace(v.name, "simt_T_" + n);
    after += " static simt_T_" + n + "& " + n + ";";
  }
  u.edits[d.end].after += after;
}

void member_definition(unit& u, const variable_declaration& d, const std::string& kind) {
  std::string after;
  for (const declarator& v : d.declarators) {
    std::string n, image = "simt_I";
    for (position p = v.qualified; p <= v.name; p = u.next(p)) {
      n += u.at(p).text;
      image += u.at(p).is("::") ? std::string("_") : "_" + std::string(u.at(p).text);
      if (p != v.name) u.replace(p, "");
    }
    u.replace(v.name, image);
    after += " decltype(" + image + ")& " + n + kSection + " = ::simt_cuda::device_variable(" + image + ", \"" + n +
             "\", ::simt_cuda::variable_kind::" + kind + ");";
  }
  u.edits[d.first].before = "static " + u.edits[d.first].before;
  u.edits[d.end].after += after;
}

// `template <class T> __device__ T x = T(3);`
void variable_template(unit& u, const variable_declaration& d, const std::string& kind) {
  const position open = u.next(d.templates);
  if (u.at(u.next(open)).is(">") || u.at(u.next(d.declarators[0].name)).is("<")) {  // a specialisation
    u.replace(d.declarators[0].name, "simt_I_" + name_of(u, d.declarators[0]));
    return;
  }
  const std::string arguments = arguments_of(u, open), n = name_of(u, d.declarators[0]);
  if (arguments.empty() || d.declarators.size() != 1) {
    u.complain(d.first,
               "a template of __" + kind + "__ variables whose parameters have no names is not supported; name them");
    return;
  }
  const std::string image = "simt_I_" + n + "<" + arguments + ">", storage = d.is_inline ? "inline " : "static ";
  if (!d.is_static) u.edits[d.first].before = storage + u.edits[d.first].before;
  u.replace(d.declarators[0].name, "simt_I_" + n);
  // A type that is no reference before T is known: clang would take a reference for one that is never written, and
  // refuse it the section of those that are.
  const std::string type = "::std::add_lvalue_reference_t<decltype(" + image + ")>";
  u.edits[d.end].after += " " + text_between(u, d.templates, d.first) + " " + storage + type + " " + n + kSection +
                          " = ::simt_cuda::device_variable(" + image + ", \"" + n +
                          "\", ::simt_cuda::variable_kind::" + kind + ");";
}

// Within a function of the device: one for all threads, as a static variable is. Its first value has to be a constant,
// for memory is given to it before main. In a function for both sides, each side has its own.
void static_variable(unit& u, const variable_declaration& d, const std::string& kind, bool for_both) {
  bool has_value = false;
  for (const declarator& v : d.declarators) has_value |= v.has_initializer;
  each_specifier(u, d, [&](position p, const token& t) {
    if (t.is("constinit")) u.replace(p, "");
  });
  u.edits[d.first].before =
      std::string(has_value ? "constinit " : "") + (d.is_static ? "" : "static ") + u.edits[d.first].before;
  std::string after;
  for (const declarator& v : d.declarators) {
    const std::string n = name_of(u, v), image = "simt_I_" + n, key = "simt_N_" + n, type = "decltype(" + image + ")";
    u.replace(v.name, image);
    after += " struct " + key + " { static const char* name() { return \"" + n + "\"; } static " + type +
             "& image() { return " + image + "; } };";
    const std::string place =
        "::simt_cuda::static_variable<" + key + ", " + type + ", ::simt_cuda::variable_kind::" + kind + ">()";
    const std::string reference = "[[maybe_unused]] " + type + "& " + n + " = " +
                                  (for_both ? "::simt_cuda::on_device() ? " + place + " : " + image : place) + ";";
    after += " " + reference;
    declare_in_inner_functions(u, d.end, n, reference);
    name_plain_types(u, v.name, n);
  }
  u.edits[d.end].after += after;
}

// Where other specifiers may stand: alignas begins a declaration.
position behind_alignment(const unit& u, const variable_declaration& d) {
  position p = d.first;
  for (;; p = u.next(p)) {
    const token& t = u.at(p);
    if (t.is("alignas") && u.mate(u.next(p)) != kNowhere)
      p = u.mate(u.next(p));
    else if (t.is("[") && u.mate(p) != kNowhere)
      p = u.mate(p);
    else if (!is_memory_space(t) && !t.is("inline") && !t.is("extern"))
      return p;
  }
}

// `__device__ int a = 1, *b = &a;`: the images of the declaration come before the references to the device's memory, so
// what an initial value says of an earlier variable is asked for at once.
void place_earlier_names(unit& u, const variable_declaration& d, const std::string& kind) {
  for (std::size_t i = 1; i < d.declarators.size(); ++i) {
    const position end = i + 1 < d.declarators.size() ? d.declarators[i + 1].first : d.end;
    for (position p = u.next(d.declarators[i].name); p < end; p = u.next(p))
      for (std::size_t k = 0; k < i; ++k) {
        const token& before = u.at(u.previous(p));
        if (!u.at(p).is_name() || u.at(p).text != u.at(d.declarators[k].name).text || before.is(".") ||
            before.is("->") || before.is("::"))
          continue;
        const std::string n = name_of(u, d.declarators[k]);
        u.replace(p, "::simt_cuda::device_variable(simt_I_" + n + ", \"" + n +
                         "\", ::simt_cuda::variable_kind::" + kind + ")");
      }
  }
}

// Whether the host may use the shadow of a pointer as a variable of its own: no device code of the source names the
// pointer, or a call gives the device its value, too (`cudaMemcpyToSymbol(rows, &rows, ..)`).
bool is_pointer_of_host(const unit& u, std::string_view name) {
  bool device_names_it = false;
  for (position p = 0; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    if (!t.is_name()) continue;
    if (t.text == name && mentions(u, p, u.next(p), name)) {
      const device_function* const f = u.function_at(p);
      const bool own =
          f != nullptr &&
          ((f->parameters != kNowhere && mentions(u, u.next(f->parameters), u.mate(f->parameters), name)) ||
           declares(u, f->body, name));
      device_names_it |= f != nullptr && !own;
    }
    const position open = u.next(p);
    if ((t.text.find("ToSymbol") == std::string_view::npos && !t.is("cudaGetSymbolAddress")) || !u.at(open).is("(") ||
        u.mate(open) == kNowhere || u.function_at(p) != nullptr)
      continue;
    if (mentions(u, u.next(open), u.mate(open), name)) return true;
  }
  return !device_names_it;
}

// At the scope of a file or a namespace.
void device_variable(unit& u, const variable_declaration& d, const std::string& kind) {
  std::string after;
  if (kind != "managed")
    for (const declarator& v : d.declarators)
      if (v.is_array || !v.is_pointer)
        u.shadowed[name_of(u, v)] = v.is_array ? shadow_kind::array : shadow_kind::object;
  if (d.is_extern) {
    u.edits[d.first].before = "typedef " + u.edits[d.first].before;
    for (const declarator& v : d.declarators) {
      const std::string n = name_of(u, v);
      u.declared_extern.insert(n);
      u.replace(v.name, "simt_T_" + n);
      after += " extern simt_T_" + n + "& " + n + ";";
    }
  } else {
    if (!d.is_static) {
      const position at = behind_alignment(u, d);
      u.edits[at].before = "static " + u.edits[at].before;
    }
    place_earlier_names(u, d, kind);
    for (const declarator& v : d.declarators) {
      if (v.is_reference) {  // `__device__ int& r = x;` stands for the device's x
        u.edits[v.name].after += kSection;
        continue;
      }
      const std::string n = name_of(u, v), image = "simt_I_" + n;
      u.replace(v.name, image);
      name_plain_types(u, v.name, n);
      const bool own = !d.is_inline && !u.linked && !u.declared_extern.contains(n);
      // What loads a module finds static variables by their names, too.
      after += std::string((d.is_static && !u.in_module) || own ? " static"
                           : d.is_inline                        ? " inline"
                                                                : "") +
               " decltype(" + image + ")& " + n + kSection + " = ::simt_cuda::device_variable(" + image + ", \"" + n +
               "\", ::simt_cuda::variable_kind::" +
               (kind == "device" && v.is_pointer && is_pointer_of_host(u, n) ? "pointer_of_host" : kind) + ");";
    }
  }
  u.edits[d.end].after += after;
}

// `__device__ const int kRows = 4;` may be the size of an array or a template's argument, so it stays what it is;
// kernels read constants of the host. Its memory of the device is for those who ask for the symbol. One without a value
// is of a class that has its own, often a function object, which constant expressions call.
bool is_constant(const variable_declaration& d, const std::string& kind) {
  bool all = d.is_const && !d.is_extern;
  for (const declarator& v : d.declarators)
    all &=
        (v.has_initializer || kind == "device") && !v.is_pointer && !v.is_reference && !v.is_array && !v.is_qualified();
  return all;
}
void named_constant(unit& u, const variable_declaration& d, const std::string& kind) {
  for (const declarator& v : d.declarators) {
    const std::string n = name_of(u, v);
    u.edits[d.end].after += " [[maybe_unused]] static decltype(" + n + ")& simt_R_" + n + kSection +
                            " = ::simt_cuda::device_variable(" + n + ", \"" + n +
                            "\", ::simt_cuda::variable_kind::" + kind + ");";
  }
}

// Removes CUDA's words from the declaration, and those that say nothing more once it is rewritten.
void remove_words(unit& u, const variable_declaration& d, bool linkage_too) {
  each_specifier(u, d, [&](position p, const token& t) {
    if (is_memory_space(t) || (linkage_too && (t.is("inline") || t.is("extern")))) u.replace(p, "");
  });
}

std::string kind_of(const unit& u, const variable_declaration& d) {
  std::string kind = "device";
  each_specifier(u, d, [&](position, const token& t) {
    if (t.is("__shared__") || t.is("__constant__") || t.is("__managed__")) kind = t.text.substr(2, t.text.size() - 4);
  });
  return kind;
}

// Of `extern "C" __constant__ int x[2] = {1, 2};`: the reference that stands for the variable has C++'s linkage.
void take_language(unit& u, variable_declaration& d) {
  if (!u.at(d.first).is("extern") || u.at(u.next(d.first)).kind != token_kind::text) return;
  u.replace(d.first, "");
  u.replace(u.next(d.first), "");
  d.first = u.next(u.next(d.first));
  d.is_extern = false;
}

// Whether nvcc, too, gives the word no meaning where the declaration could not be read: in front of a type alone, of a
// member or of a typedef.
bool means_nothing(const unit& u, position p, scope where) {
  if (where == scope::in_class || where == scope::host_function) return true;
  variable_declaration d;
  d.first = begin_of_declaration(u, p, nullptr);
  if (d.first == kNowhere) return true;  // in parentheses: a parameter, a cast
  const token& first = u.at(d.first);
  if (first.is("typedef") || first.is("using") || first.is("friend") || first.is("asm")) return true;
  const position behind = read_specifiers(u, d.first, d);
  return u.at(behind).is(";") ||
         (d.type != kNowhere && (u.at(d.type).is("struct") || u.at(d.type).is("class")) && u.at(behind).is("{"));
}

void translate_variable(unit& u, variable_declaration& d, scope where) {
  const std::string kind = kind_of(u, d);
  const bool member = where == scope::in_class;
  if ((member && !d.is_static) || (where == scope::host_function && !d.is_extern) || d.is_constexpr)
    return remove_words(u, d, false);
  if (kind == "shared") {
    if (member)
      u.complain(d.first, "a __shared__ static member of a class is not supported, nor does nvcc take it");
    else
      shared_variable(u, d, where == scope::device_function);
    return;
  }
  const bool qualified = d.declarators[0].is_qualified();
  const bool of_template = d.templates != kNowhere && where != scope::device_function;
  if ((member && (d.is_inline || of_template)) ||
      (qualified && (of_template || u.at(u.next(d.declarators[0].qualified)).is("<")))) {
    u.complain(d.first, "a __" + kind +
                            "__ variable that is an inline static member, or one of a class template, is not "
                            "supported; make it a variable of a namespace");
    return;
  }
  if (member && d.is_const && d.declarators[0].has_initializer) return remove_words(u, d, false);
  if (where == scope::device_function && !d.is_extern) {
    remove_words(u, d, true);
    const device_function* const f = u.function_at(d.first);
    return static_variable(u, d, kind, f != nullptr && f->host);
  }
  take_language(u, d);
  remove_words(u, d, true);
  if (member)
    static_member(u, d);
  else if (qualified)
    member_definition(u, d, kind);
  else if (of_template)
    variable_template(u, d, kind);
  else if (is_constant(d, kind))
    named_constant(u, d, kind);
  else
    device_variable(u, d, kind);
}

// `static int calls = 2;` in a function of the device is as if __device__ stood there. A constant may stay with the
// host's: kernels read those, too.
void translate_plain_static(unit& u, position p) {
  const device_function* const f = u.function_at(p);
  variable_declaration d;
  if (f == nullptr || scope_of(u, p) != scope::device_function || !read_declaration(u, p, d)) return;
  bool has_space = d.is_constexpr, is_fixed = d.is_const;
  each_specifier(u, d, [&](position, const token& t) { has_space |= is_memory_space(t); });
  for (const declarator& v : d.declarators) {
    is_fixed &= !v.is_pointer;
    has_space |= v.is_reference;
  }
  if (!has_space && !is_fixed) static_variable(u, d, "device", f->host);
}

}  // namespace

void translate_variables(unit& u) {
  for (position p = 0; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    if (t.is("static") && t.is_name()) translate_plain_static(u, p);
    if (!t.is_name() || !is_memory_space(t)) continue;
    if (const auto edit = u.edits.find(p); edit != u.edits.end() && edit->second.replacement) continue;  // a function's
    const scope where = scope_of(u, p);
    if (variable_declaration d; read_declaration(u, p, d)) {
      translate_variable(u, d, where);
    } else if (means_nothing(u, p, where)) {
      u.replace(p, "");
      u.lost_memory_word = true;
    } else {
      u.complain(p, "this declaration with " + std::string(t.text) +
                        " is not understood; write one variable a declaration, with " + std::string(t.text) +
                        " in front of its type");
    }
  }
}

}  // namespace simt::cuda_source
