// SPDX-License-Identifier: Apache-2.0
// Reads a declaration of variables as C++'s grammar has it: specifiers, then declarators with their initialisers.
//
// Types are not known, but where they stand is: the first name that is no specifier is the type, and what follows is
// declared. Whatever cannot be read so is told as unread, never taken for something else.
#pragma once

#include <string>
#include <vector>

#include "unit.hpp"

namespace simt::cuda_source {

struct declarator {
  position first = kNowhere;      // of the declarator: `*` of `*p`
  position qualified = kNowhere;  // of its name: `C` of `C<int>::x`
  position name = kNowhere;       // `x`
  position open = kNowhere;       // of the parentheses behind the name that may hold parameters: `(` of `f(int)`
  bool is_reference = false, is_pointer = false, is_array = false, has_initializer = false;
  bool is_qualified() const { return qualified != name; }
};

struct variable_declaration {
  position templates = kNowhere;  // `template <..>` in front of it
  position first = kNowhere;      // behind that
  position type = kNowhere;       // the first word of the type; kNowhere: a constructor, say
  position end = kNowhere;        // the ;
  bool is_extern = false, is_static = false, is_inline = false, is_constexpr = false, is_const = false,
       defines_type = false;
  std::vector<declarator> declarators;
};

// `int`, `unsigned`, `auto` ...
bool is_built_in_type(const token& t);

// The `{` of the innermost braces around `p`, or kNowhere.
position brace_around(const unit& u, position p);

// Whether the braces around `p` are a class's.
bool is_in_class(const unit& u, position p);

// Where the declaration or statement begins that has `p` in it. `templates`: of the `template <..>` in front of it, if
// there is one. kNowhere: `p` stands in parentheses or in the arguments of a template.
position begin_of_declaration(const unit& u, position p, position* templates);

// Reads the specifiers that begin at `p`; gives the first word that is none.
position read_specifiers(const unit& u, position p, variable_declaration& d);

// Reads the declarator that begins at `p`, without its initialiser; gives what is behind it, kNowhere if it is none.
position read_declarator(const unit& u, position p, declarator& d);

// Reads the declaration that has `p` in it. False: it is none of variables.
bool read_declaration(const unit& u, position p, variable_declaration& d);

// Calls f(position, token) for each word of the declaration that is no part of a type's body, of an array's size, of a
// value.
template <class F>
void each_specifier(const unit& u, const variable_declaration& d, F f) {
  for (position p = d.first; p < d.end; p = u.next(p)) {
    const token& t = u.at(p);
    if ((t.is("(") || t.is("[") || t.is("{")) && u.mate(p) != kNowhere)
      p = u.mate(p);
    else if (t.is_name())
      f(p, t);
  }
}

// Behind `name<..>::name`, which may begin with `::`. `last`: the last name in it.
position behind_path(const unit& u, position p, position* last);

// The text from `first` to `end`, without the latter, as the user has it.
std::string text_between(const unit& u, position first, position end);

}  // namespace simt::cuda_source
