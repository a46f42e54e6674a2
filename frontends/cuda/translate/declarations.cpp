// SPDX-License-Identifier: Apache-2.0
#include "declarations.hpp"

#include "translate.hpp"

namespace simt::cuda_source {
namespace {

bool is_one_of(const token& t, std::initializer_list<const char*> words) {
  if (!t.is_name()) return false;
  for (const char* w : words)
    if (t.is(w)) return true;
  return false;
}
bool is_class_key(const token& t) { return is_one_of(t, {"struct", "class", "union", "enum"}); }
bool is_qualifier(const token& t) {
  return is_one_of(t, {"const", "volatile", "__restrict__", "__restrict", "__volatile__", "__const"});
}
bool is_attribute_word(const token& t) {
  return is_one_of(t, {"alignas", "__attribute__", "__attribute", "__declspec", "_Alignas"});
}
bool gives_type(const token& t) {
  return is_one_of(t, {"decltype", "typeof", "__typeof__", "__typeof", "__underlying_type"});
}
bool is_specifier(const token& t) {
  return is_qualifier(t) || is_memory_space(t) ||
         is_one_of(t, {"static", "extern", "inline", "__inline__", "__inline", "constexpr", "constinit", "thread_local",
                       "mutable", "register", "typename", "template", "__host__", "__global__", "__extension__"});
}

// Behind `[[..]]`, `alignas(..)` or `__attribute__((..))` at `p`, or `p` itself.
position behind_attribute(const unit& u, position p) {
  const token& t = u.at(p);
  if (t.is("[") && u.at(u.next(p)).is("[") && u.mate(p) != kNowhere) return u.next(u.mate(p));
  if (is_attribute_word(t) && u.at(u.next(p)).is("(") && u.mate(u.next(p)) != kNowhere)
    return u.next(u.mate(u.next(p)));
  return p;
}
position behind_attributes(const unit& u, position p) {
  for (position q = behind_attribute(u, p); q != p; q = behind_attribute(u, p)) p = q;
  return p;
}

// Behind `struct name : bases {..}`, `enum class E : char {..}` or `struct name`.
position behind_class(const unit& u, position p, bool* defines) {
  for (p = u.next(p); is_class_key(u.at(p)); p = u.next(p)) {
  }
  for (p = behind_attributes(u, p); is_memory_space(u.at(p)) || u.at(p).is("__host__"); p = behind_attributes(u, p))
    p = u.next(p);  // nvcc gives CUDA's words no meaning there
  if (u.at(p).is_name() || u.at(p).is("::")) p = behind_path(u, p, nullptr);
  position body = p;
  if (u.at(body).is("final")) body = u.next(body);
  if (u.at(body).is(":"))
    while (!u.at(body).is("{") && !u.at(body).is(";") && u.at(body).kind != token_kind::end) body = u.next(body);
  if (!u.at(body).is("{") || u.mate(body) == kNowhere) return p;
  if (defines != nullptr) *defines = true;
  return u.next(u.mate(body));
}

// Behind the value of `= ..`: the `,` or `;`.
position behind_value(const unit& u, position p) {
  for (;; p = u.next(p)) {
    const token& t = u.at(p);
    if (t.is(",") || t.is(";") || t.is("}") || t.is(")") || t.kind == token_kind::end) return p;
    if ((t.is("(") || t.is("[") || t.is("{")) && u.mate(p) != kNowhere) p = u.mate(p);
    if (!t.is("<") || !u.at(u.previous(p)).is_name()) continue;
    // Template arguments, where what follows them cannot follow a comparison.
    const position close = u.angle_end(p);
    if (close == kNowhere) continue;
    const token& behind = u.at(u.next(close));
    if (behind.is("(") || behind.is("{") || behind.is("::") || behind.is(",") || behind.is(";")) p = close;
  }
}

// What may stand in front of `{` of a class: the class's keyword, or kNowhere.
position class_key_before(const unit& u, position open) {
  for (position q = u.previous(open); q != kNowhere; q = u.previous(q)) {
    const token& t = u.at(q);
    if (is_class_key(t)) return q;
    if ((t.is(")") || t.is("]")) && u.mate(q) != kNowhere && is_attribute_word(u.at(u.previous(u.mate(q)))))
      q = u.mate(q);
    else if (t.is(">") && u.angle_begin(q) != kNowhere)
      q = u.angle_begin(q);
    else if (!t.is_name() && !t.is("::") && !t.is(":") && !t.is(",") && !t.is("]"))
      return kNowhere;
  }
  return kNowhere;
}

}  // namespace

bool is_built_in_type(const token& t) {
  return is_one_of(t, {"void", "bool", "char", "wchar_t", "char8_t", "char16_t", "char32_t", "short", "int", "long",
                       "signed", "unsigned", "float", "double", "auto", "__int128", "__float128", "_Float16"});
}

position brace_around(const unit& u, position p) {
  for (p = u.previous(p); p != kNowhere; p = u.previous(p)) {
    const token& t = u.at(p);
    if (t.is("{")) return p;
    if ((t.is("}") || t.is(")") || t.is("]")) && u.mate(p) != kNowhere) p = u.mate(p);
  }
  return kNowhere;
}

bool is_in_class(const unit& u, position p) {
  const position open = brace_around(u, p);
  return open != kNowhere && class_key_before(u, open) != kNowhere;
}

position behind_path(const unit& u, position p, position* last) {
  for (;;) {
    if (u.at(p).is("::")) p = u.next(p);
    if (u.at(p).is("template")) p = u.next(p);
    if (!u.at(p).is_name()) return p;
    if (last != nullptr) *last = p;
    p = u.next(p);
    if (u.at(p).is("<") && u.angle_end(p, true) != kNowhere) p = u.next(u.angle_end(p, true));
    if (!u.at(p).is("::") || !(u.at(u.next(p)).is_name())) return p;
  }
}

position begin_of_declaration(const unit& u, position p, position* templates) {
  position first = p;
  for (position q = u.previous(p); q != kNowhere; q = u.previous(q)) {
    const token& t = u.at(q);
    if (t.is("(") || t.is("<") || t.is(",") || t.is("=")) return kNowhere;
    if (t.is(";") || t.is("{") || t.is(":") || is_one_of(t, {"else", "do", "public", "private", "protected"})) break;
    if (t.is("}")) {
      const position key = u.mate(q) == kNowhere ? kNowhere : class_key_before(u, u.mate(q));
      // `struct a {..} __device__ x;`, and not `struct a {..}; __device__ int x;`, whose ; was met before.
      if (key == kNowhere) break;
      q = key;
    } else if (t.is(")")) {
      const position word = u.mate(q) == kNowhere ? kNowhere : u.previous(u.mate(q));
      if (word == kNowhere || !(is_attribute_word(u.at(word)) || gives_type(u.at(word)))) break;
      q = word;
    } else if (t.is("]")) {
      if (u.mate(q) == kNowhere) break;
      q = u.mate(q);
    } else if (t.is(">")) {
      const position open = u.angle_begin(q);
      if (open == kNowhere) break;
      q = u.previous(open);
      if (q == kNowhere) break;
      if (u.at(q).is("template")) {
        position outer = q;
        for (position before = u.previous(outer); before != kNowhere && u.at(before).is(">");) {
          const position begin = u.angle_begin(before);
          if (begin == kNowhere || !u.at(u.previous(begin)).is("template")) break;
          outer = u.previous(begin);
          before = u.previous(outer);
        }
        if (templates != nullptr) *templates = outer;
        return first;
      }
    }
    first = q;
  }
  return first;
}

position read_specifiers(const unit& u, position p, variable_declaration& d) {
  for (;;) {
    const token& t = u.at(p);
    if (const position behind = behind_attribute(u, p); behind != p) {
      p = behind;
      continue;
    }
    d.is_extern |= t.is("extern");
    d.is_static |= t.is("static");
    d.is_inline |= is_one_of(t, {"inline", "__inline__", "__inline"});
    d.is_constexpr |= t.is("constexpr");
    d.is_const |= t.is("const");
    if (is_specifier(t)) {
      p = u.next(p);
    } else if (t.kind == token_kind::text && d.is_extern && d.type == kNowhere) {  // extern "C"
      p = u.next(p);
    } else if (is_built_in_type(t)) {
      if (d.type == kNowhere) d.type = p;
      p = u.next(p);
    } else if (d.type != kNowhere) {
      return p;
    } else if (is_class_key(t)) {
      d.type = p;
      p = behind_class(u, p, &d.defines_type);
    } else if (gives_type(t) && u.at(u.next(p)).is("(") && u.mate(u.next(p)) != kNowhere) {
      d.type = p;
      p = u.next(u.mate(u.next(p)));
      if (u.at(p).is("::")) p = behind_path(u, p, nullptr);
    } else if (t.is_name() || (t.is("::") && u.at(u.next(p)).is_name())) {
      d.type = p;
      p = behind_path(u, p, nullptr);
    } else {
      return p;
    }
  }
}

position read_declarator(const unit& u, position p, declarator& d) {
  if (d.first == kNowhere) d.first = p;
  for (;;) {  // * & const C::*
    const token& t = u.at(p);
    if (const position behind = behind_attribute(u, p); behind != p) {
      p = behind;
    } else if (t.is("*")) {
      d.is_pointer = true;
      p = u.next(p);
    } else if (t.is("&") || t.is("&&")) {
      d.is_reference = true;
      p = u.next(p);
    } else if (is_qualifier(t) || is_memory_space(t) || t.is("__host__")) {
      p = u.next(p);
    } else if (t.is_name() || t.is("::")) {
      position last = kNowhere;
      const position behind = behind_path(u, p, &last);
      if (!u.at(behind).is("::") || !u.at(u.next(behind)).is("*")) {
        if (last == kNowhere || is_built_in_type(u.at(last)) || is_specifier(u.at(last))) return kNowhere;
        d.qualified = p;
        d.name = last;
        p = u.next(last);
        // The arguments of a specialisation: `pi<int>`.
        if (u.at(p).is("<") && behind != p) p = behind;
        break;
      }
      d.is_pointer = true;
      p = u.next(u.next(behind));
    } else if (t.is("(") && u.mate(p) != kNowhere) {
      const position close = u.mate(p);
      declarator inner;
      inner.first = d.first;
      if (read_declarator(u, u.next(p), inner) != close) return kNowhere;
      d.qualified = inner.qualified;
      d.name = inner.name;
      d.open = inner.open;
      d.is_array |= inner.is_array;
      d.is_reference = inner.is_reference || (d.is_reference && !inner.is_pointer);
      d.is_pointer |= inner.is_pointer;
      p = u.next(close);
      for (p = behind_attributes(u, p);; p = behind_attributes(u, p)) {
        if (!u.at(p).is("[") && !(u.at(p).is("(") && inner.is_pointer)) return p;
        if (u.mate(p) == kNowhere) return kNowhere;
        d.is_array |= u.at(p).is("[") && !inner.is_pointer && !inner.is_reference;
        p = u.next(u.mate(p));
        while (is_qualifier(u.at(p)) || u.at(p).is("noexcept")) p = u.next(p);
      }
    } else {
      return kNowhere;
    }
  }
  for (p = behind_attributes(u, p); u.at(p).is("["); p = behind_attributes(u, p)) {
    if (u.mate(p) == kNowhere) return kNowhere;
    d.is_array = true;
    p = u.next(u.mate(p));
  }
  if (u.at(p).is("(") && !d.is_array) {
    if (u.mate(p) == kNowhere) return kNowhere;
    d.open = p;
    p = behind_attributes(u, u.next(u.mate(p)));
  }
  return p;
}

bool read_declaration(const unit& u, position p, variable_declaration& d) {
  d.first = begin_of_declaration(u, p, &d.templates);
  if (d.first == kNowhere) return false;
  p = read_specifiers(u, d.first, d);
  if (d.type == kNowhere) return false;
  for (;;) {
    declarator one;
    p = read_declarator(u, p, one);
    if (p == kNowhere || one.name == kNowhere) return false;
    one.has_initializer = one.open != kNowhere;
    if (u.at(p).is("=")) {
      one.has_initializer = true;
      p = behind_value(u, u.next(p));
    } else if (u.at(p).is("{") && u.mate(p) != kNowhere) {
      one.has_initializer = true;
      p = u.next(u.mate(p));
    }
    d.declarators.push_back(one);
    if (u.at(p).is(";")) {
      d.end = p;
      return true;
    }
    if (!u.at(p).is(",")) return false;
    p = u.next(p);
  }
}

std::string text_between(const unit& u, position first, position end) {
  std::string text;
  for (position p = first; p < end; p = u.next(p)) {
    if (!text.empty() && (!u.at(p).space.empty() || u.at(p).line != u.at(u.previous(p)).line ||
                          (u.at(p).is_name() && u.at(u.previous(p)).is_name())))
      text += ' ';
    text += u.at(p).text;
  }
  return text;
}

}  // namespace simt::cuda_source
