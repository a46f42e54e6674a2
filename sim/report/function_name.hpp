// SPDX-License-Identifier: Apache-2.0
// Names of functions as people write them, from those that linkers use. Of the host.
#pragma once

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

namespace simt {

inline std::string demangled(const char* symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string out = status == 0 && text != nullptr ? text : symbol;
  std::free(text);
  return out;
}

// How a lambda is called: by g++, and by clang where the function around it has one definition.
inline std::size_t lambda_at(const std::string& name, std::size_t at) {
  return name.compare(at, 9, "::{lambda") == 0 ? name.find('}', at) + 1
         : name.compare(at, 4, "::$_") == 0    ? std::min(name.find_first_not_of("0123456789", at + 4), name.size())
                                               : 0;
}

// Lambdas among the arguments of a template: "each<main::{lambda(int)#1}>" to "each<main::lambda>".
inline std::string with_short_lambdas(std::string name) {
  for (std::size_t at = name.find("::"); at != std::string::npos; at = name.find("::", at + 2))
    if (const std::size_t end = lambda_at(name, at); end != 0) name.replace(at, end - at, "::lambda");
  return name;
}

// "void ns::f<int>(a, b) const" to "ns::f<int>": everything from the parameter list on and a return type go.
inline std::string without_parameters(std::string name) {
  int within = 0;  // arguments of templates and of functions
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<' || name[i] == '(') ++within;
    if ((name[i] == '>' || name[i] == ')') && within > 0) --within;
    if (within == 0 && lambda_at(name, i) != 0) return "lambda in " + without_parameters(name.substr(0, i));
  }
  if (name.starts_with("{lambda")) return name;
  name = with_short_lambdas(std::move(name));
  const auto call = name.find("operator()");
  int depth = 0;
  std::size_t first_blank_end = 0;
  for (std::size_t i = call == std::string::npos ? 0 : call + 10; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '<') ++depth;
    if (c == '>' && depth > 0) --depth;
    if (depth == 0 && c == '(' && name.compare(i, 21, "(anonymous namespace)") == 0) {
      i += 20;
      continue;
    }
    if (depth == 0 && c == ' ' && call == std::string::npos) first_blank_end = i + 1;
    if (depth == 0 && c == '(') {
      name.resize(i);
      break;
    }
  }
  return name.substr(std::min(first_blank_end, name.size()));
}

// "f" of "ns::f<int>(int)"
inline std::string_view plain_name(std::string_view name) {
  name = name.substr(0, name.find_first_of("<("));
  const auto scope = name.rfind("::");
  return scope == std::string_view::npos ? name : name.substr(scope + 2);
}

// _Z4k<..>: the two together. A name that is not mangled stays.
inline std::string name_of_symbol(const char* symbol) { return without_parameters(demangled(symbol)); }

}  // namespace simt
