// SPDX-License-Identifier: Apache-2.0
// One translation unit while it is translated: tokens, matching brackets, the edits made so far, and what was found.
//
// Passes read tokens and add edits; only render() makes text of them. Positions are indices into `tokens`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "token.hpp"

namespace simt::cuda_source {

using position = std::size_t;
inline constexpr position kNowhere = static_cast<position>(-1);

struct edit {
  std::string before, after;
  std::optional<std::string> replacement;
};

// kernel<T><<<config>>>(arguments)
struct launch_expression {
  position first;      // of the kernel expression
  position open;       // <<<
  position close;      // first > of >>>
  position arguments;  // (
};

// A function or lambda with a body that device threads run.
struct device_function {
  bool global = false, host = false;
  std::string name;                // empty: a lambda
  position parameters = kNowhere;  // ( ; kNowhere: a lambda without
  position body = 0;               // {
  bool contains(position p, position end) const { return p > body && p < end; }
};

// A shared variable that is declared outside functions.
struct outer_shared_variable {
  std::string name;
  std::string declaration;      // that a body needs which uses it
  std::string_view name_space;  // around it, without those around that; empty: none, or one without a name
};

struct message {
  std::string file;
  int line = 0;
  std::string text;
  bool of_name = false;  // it is about a name alone: the rest of the text means what it says
};

// What a variable is of which the host has a shadow.
enum class shadow_kind : std::uint8_t { object, array };

class unit {
 public:
  explicit unit(token_list list);

  const token& at(position p) const { return tokens[p < tokens.size() ? p : tokens.size() - 1]; }
  position next(position p) const { return skip_opaque(p + 1); }
  position previous(position p) const;
  // The closing bracket of an opening one, and the other way round; kNowhere when there is none.
  position mate(position p) const { return p < mates.size() ? mates[p] : kNowhere; }
  // The `>` that ends the template arguments opened at `p`, or kNowhere if `<` there is less-than.
  // In a declaration, `&&` and `||` may stand in them; elsewhere they show that `<` compares.
  position angle_end(position p, bool in_declaration = false) const;
  position angle_begin(position p) const;

  void replace(position p, std::string text) { edits[p].replacement = std::move(text); }
  void remove(position first, position last) {  // both included
    for (position p = first; p <= last; ++p)
      if (tokens[p].kind != token_kind::opaque) replace(p, "");
  }
  // Gives an identifier another text, for all passes to come.
  void rename(position p, const std::string& text) { tokens[p].text = *renamed_.insert(text).first; }
  void complain(position p, std::string text);
  const device_function* function_at(position p) const;  // the innermost

  std::vector<std::string> files;
  std::vector<token> tokens;
  std::unordered_set<std::string_view> known;
  std::vector<position> mates;
  std::map<position, edit> edits;
  std::map<position, launch_expression> launches;  // by first
  std::vector<device_function> functions;
  std::vector<message> messages;
  std::vector<outer_shared_variable> outer_shared;
  std::set<std::string> declared_extern;        // device variables, so far
  std::map<std::string, shadow_kind> shadowed;  // device variables of a file or namespace, but for pointers
  // Variables and functions for the device are seen by other sources (nvcc's -rdc=true), or there are none. Else each
  // source has its own, as with nvcc, and their names may be those of others.
  bool linked = true;
  // Who compiles the text reads from notes which functions are the device's (sim/compile/execution_spaces.hpp).
  bool marks_spaces = false;
  bool host_sees_another = false;  // host functions may call other functions in the pass for the host
  bool lost_memory_word = false;   // one was left out where it means nothing: what it stood at may be the host's
  bool in_module = false;          // what loads it finds kernels and variables by their names

 private:
  position skip_opaque(position p) const;

  std::set<std::string> renamed_;
};

}  // namespace simt::cuda_source
