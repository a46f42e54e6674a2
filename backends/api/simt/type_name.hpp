// SPDX-License-Identifier: Apache-2.0
// A type's or function's name as the compiler spells it, for reports.
#pragma once

#include <array>
#include <cstddef>
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

// The name without "{anonymous}::" (g++), "(anonymous namespace)::" (clang), "<unnamed>::" and "_GLOBAL__N__...::"
// (nvcc, whose names hold a hash): they tell a reader of a report nothing. Writes to `to` unless null; gives the
// length.
constexpr std::size_t strip_anonymous(std::string_view name, char* to) {
  constexpr std::string_view noise[] = {"{anonymous}::", "(anonymous namespace)::", "<unnamed>::"};
  std::size_t n = 0;
  while (!name.empty()) {
    // By the first letter before all others: compilers take a name letter by letter here, for each type and kernel.
    const char first = name.front();
    bool skipped = false;
    if (first == '{' || first == '(' || first == '<')
      for (const std::string_view word : noise)
        if (name.substr(0, word.size()) == word) {
          name.remove_prefix(word.size());
          skipped = true;
        }
    constexpr std::string_view hashed = "_GLOBAL__N__";
    if (!skipped && first == '_' && name.substr(0, hashed.size()) == hashed)
      if (const auto end = name.find("::"); end != std::string_view::npos) {
        name.remove_prefix(end + 2);
        skipped = true;
      }
    if (skipped) continue;
    if (to != nullptr) to[n] = first;
    ++n;
    name.remove_prefix(1);
  }
  return n;
}
template <std::size_t N>
constexpr std::array<char, N + 1> stripped_text(std::string_view name) {
  std::array<char, N + 1> text{};
  strip_anonymous(name, text.data());
  return text;
}

template <class T>
struct type_text {
  static constexpr std::string_view full = argument_of(pretty_type<T>(), "T = ");
  static constexpr std::size_t size = strip_anonymous(full, nullptr);
  static constexpr auto text = stripped_text<size>(full);
};
constexpr std::string_view without_ampersand(std::string_view name) {
  if (!name.empty() && name.front() == '&') name.remove_prefix(1);
  return name;
}
template <auto F>
struct function_text {
  static constexpr std::string_view full = without_ampersand(argument_of(pretty_value<F>(), "F = "));
  static constexpr std::size_t size = strip_anonymous(full, nullptr);
  static constexpr auto text = stripped_text<size>(full);
};
}  // namespace detail

// "float", "int", "my::type".
template <class T>
constexpr std::string_view type_name() {
  using text = detail::type_text<T>;
  return std::string_view(text::text.data(), text::size);
}

// The same, with a zero behind it.
template <class T>
constexpr const char* zero_ended_type_name() {
  return detail::type_text<T>::text.data();
}

// "histogram" of template argument histogram or &histogram; named namespaces and template arguments are kept.
template <auto F>
constexpr std::string_view function_name() {
  using text = detail::function_text<F>;
  return std::string_view(text::text.data(), text::size);
}

}  // namespace simt
