// SPDX-License-Identifier: Apache-2.0
// Names of functions as people write them, from those that linkers use. Of the host.
#pragma once

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace simt {

inline std::string demangled(const char* symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string out = status == 0 && text != nullptr ? text : symbol;
  std::free(text);
  return out;
}

// "void ns::f<int>(a, b) const" to "ns::f<int>": everything from the parameter list on and a return type go.
inline std::string without_parameters(std::string name) {
  for (const char* lambda_begins : {"::{lambda", "::$_"})  // g++'s, and clang's where the function has one definition
    if (const auto lambda = name.find(lambda_begins); lambda != std::string::npos)
      return "lambda in " + without_parameters(name.substr(0, lambda));
  if (name.starts_with("{lambda")) return name;
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

// _Z4k<..>: the two together. A name that is not mangled stays.
inline std::string name_of_symbol(const char* symbol) { return without_parameters(demangled(symbol)); }

}  // namespace simt
