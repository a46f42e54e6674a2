// SPDX-License-Identifier: Apache-2.0
// What C++17 has and C++20 took away, given back to sources that do not ask for C++20: in the preprocessed text, whose
// lines and columns stay as they are (what is left out becomes spaces; what is added stands in the standard library).
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "translate.hpp"

namespace simt::cuda_source {
namespace {

void blank(std::string& text, std::size_t first, std::size_t end) {
  for (std::size_t i = first; i < end; ++i)
    if (text[i] != '\n') text[i] = ' ';
}

// clang asks early whether a class's destructor may run while the program is compiled, so in C++20 a class that holds a
// vector needs the elements' type whole where C++17 did not (nor does g++ in either).
void destroy_vectors_as_before(std::string& text) {
  constexpr std::string_view kWord = "constexpr";
  for (const std::string_view destructor : {"~vector() noexcept", "~_Vector_base() noexcept"})
    for (std::size_t at = text.find(destructor); at != std::string::npos; at = text.find(destructor, at + 1)) {
      const std::size_t before = at == 0 ? std::string::npos : text.find_last_not_of(" \n", at - 1);
      if (before == std::string::npos || before + 1 < kWord.size()) continue;
      const std::size_t word = before + 1 - kWord.size();
      if (text.compare(word, kWord.size(), kWord) == 0) blank(text, word, before + 1);
    }
}

// Members of std::allocator that containers of the program's own use.
void give_allocators_their_members(std::string& text) {
  constexpr std::string_view kClass = "class allocator : public __allocator_base<_Tp>";
  const std::size_t at = text.find(kClass);
  const std::size_t open = at == std::string::npos ? at : text.find_first_not_of(" \n", at + kClass.size());
  if (open == std::string::npos || text[open] != '{') return;
  text.insert(open + 1,
              " public: typedef _Tp* pointer; typedef const _Tp* const_pointer; typedef _Tp& reference;"
              " typedef const _Tp& const_reference;"
              " template <typename _Up> struct rebind { typedef allocator<_Up> other; };"
              " template <typename _Up, typename... _Args> void construct(_Up* __p, _Args&&... __args)"
              " { ::new ((void*)__p) _Up(static_cast<_Args&&>(__args)...); }"
              " template <typename _Up> void destroy(_Up* __p) { __p->~_Up(); }"
              " _Tp* address(_Tp& __x) const noexcept { return __builtin_addressof(__x); }"
              " const _Tp* address(const _Tp& __x) const noexcept { return __builtin_addressof(__x); }"
              " std::size_t max_size() const noexcept { return std::size_t(-1) / 2 / sizeof(_Tp); }");
}

using declared = std::pair<position, position>;

bool precedes_constructor(const token& t) {
  for (const char* w : {"constexpr", "inline", "__host__", "__device__", "__forceinline__", "__inline__"})
    if (t.is(w)) return true;
  return false;
}

// The { of the class that `p`, struct or class, begins to define.
position class_body(const unit& u, position p, position& name) {
  position q = u.next(p);
  while (u.at(q).is("__align__") || u.at(q).is("alignas") || u.at(q).is("__attribute__")) {
    const position close = u.mate(u.next(q));
    if (close == kNowhere) return kNowhere;
    q = u.next(close);
  }
  if (!u.at(q).is_name()) return kNowhere;
  name = q;
  q = u.next(q);
  if (u.at(q).is("final")) q = u.next(q);
  if (!u.at(q).is("{") && !u.at(q).is(":")) return kNowhere;
  for (int steps = 0; steps < 100 && q < u.tokens.size(); ++steps, q = u.next(q)) {
    if (u.at(q).is("{")) return q;
    if (u.at(q).is(";") || u.at(q).is("(") || u.at(q).is(")")) break;
  }
  return kNowhere;
}

// What no aggregate has, and no destructor: a class with deleted constructors and a destructor guards something.
bool is_for_values(const unit& u, position open) {
  position keyword = open;
  while (!u.at(keyword).is("struct") && !u.at(keyword).is("class")) keyword = u.previous(keyword);
  if (u.at(keyword).is("class") && !u.at(u.next(open)).is("public")) return false;
  for (position p = u.next(open); p < u.mate(open); p = u.next(p)) {
    if (u.at(p).is("{") && u.mate(p) != kNowhere) p = u.mate(p);
    for (const char* w : {"private", "protected", "virtual", "~"})
      if (u.at(p).is(w)) return false;
  }
  return true;
}

// The constructors of a class, where all of them are = default or, of a class for values, = delete: none otherwise.
std::vector<declared> constructors_without_body(const unit& u, position name, position open) {
  std::vector<declared> found;
  bool values = false;
  const position end = u.mate(open);
  if (end == kNowhere) return {};
  for (position p = u.next(open); p < end; p = u.next(p)) {
    if ((u.at(p).is("{") || u.at(p).is("(") || u.at(p).is("[")) && u.mate(p) != kNowhere) {
      p = u.mate(p);
      continue;
    }
    if (!u.at(p).is_name() || u.at(p).text != u.at(name).text || !u.at(u.next(p)).is("(")) continue;
    position first = p;
    while (precedes_constructor(u.at(u.previous(first)))) first = u.previous(first);
    const token& before = u.at(u.previous(first));
    if (before.is("~")) continue;
    const position close = u.mate(u.next(p));
    if (close == kNowhere) return {};
    position behind = u.next(close);
    if (u.at(behind).is("noexcept")) behind = u.next(behind);
    const position word = u.next(behind), last = u.next(word);
    const bool begins = before.is("{") || before.is("}") || before.is(";") || before.is(":");
    if (!begins || !u.at(behind).is("=") || !u.at(last).is(";")) return {};
    if (u.at(word).is("delete"))
      values = true;
    else if (!u.at(word).is("default"))
      return {};
    found.emplace_back(first, last);
    p = last;
  }
  if (values && !is_for_values(u, open)) return {};
  return found;
}

// A class whose constructors are all defaulted or deleted is an aggregate in C++17 and none in C++20. Without them it
// is one in both. What deleted ones forbid is not missed: nvcc took the program.
void keep_aggregates(std::string& text, std::string_view own_headers) {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  {
    const unit u(tokenize(text, own_headers, false));
    for (position p = 0; p < u.tokens.size(); ++p) {
      position name = kNowhere;
      if (!u.tokens[p].is("struct") && !u.tokens[p].is("class")) continue;
      const position open = class_body(u, p, name);
      if (open == kNowhere) continue;
      for (const auto& [first, last] : constructors_without_body(u, name, open)) {
        const char* const from = u.at(first).text.data();
        const char* const to = u.at(last).text.data() + 1;
        if (from < text.data() || to > text.data() + text.size() || from > to) continue;
        places.emplace_back(from - text.data(), to - text.data());
      }
    }
  }
  for (const auto& [first, end] : places) blank(text, first, end);
}

}  // namespace

void give_back_what_cpp20_took(std::string& preprocessed, std::string_view own_headers) {
  keep_aggregates(preprocessed, own_headers);
  destroy_vectors_as_before(preprocessed);
  give_allocators_their_members(preprocessed);
}

}  // namespace simt::cuda_source
