// SPDX-License-Identifier: Apache-2.0
// A type's or function's name as the compiler spells it, for reports.
#pragma once

#include <cstdint>
#include <string_view>

namespace simt {

namespace detail {
template <class T>
constexpr std::string_view pretty_type() {
  return __PRETTY_FUNCTION__;
}
template <auto F>
constexpr std::string_view pretty_value() {
  return __PRETTY_FUNCTION__;
}
// The text between "X = " and the closing bracket or the next parameter.
constexpr std::string_view argument_of(std::string_view pretty, std::string_view key) {
  const auto at = pretty.find(key);
  if (at == std::string_view::npos) return pretty;
  pretty.remove_prefix(at + key.size());
  int depth = 0;
  for (std::size_t i = 0; i < pretty.size(); ++i) {
    const char c = pretty[i];
    if (c == '<' || c == '(' || c == '[') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c == ']' && depth-- == 0) return pretty.substr(0, i);
    if (c == ';' && depth == 0) return pretty.substr(0, i);
  }
  return pretty;
}
}  // namespace detail

// "float", "int", "my::type".
template <class T>
constexpr std::string_view type_name() {
  return detail::argument_of(detail::pretty_type<T>(), "T = ");
}

// "histogram" of template argument histogram or &histogram; namespaces and template arguments are kept.
template <auto F>
constexpr std::string_view function_name() {
  std::string_view name = detail::argument_of(detail::pretty_value<F>(), "F = ");
  if (!name.empty() && name.front() == '&') name.remove_prefix(1);
  return name;
}

}  // namespace simt
