// SPDX-License-Identifier: Apache-2.0
// The line of source that an access came from, and which part of it to point at.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "barrier_place.hpp"
#include "finding.hpp"
#include "source_expression.hpp"
#include "statements.hpp"

namespace simt {

// A range of columns of a line, counted from 0 in code points.
struct column_range {
  std::size_t begin = 0, length = 0;
};

// Reads lines of source files, each file once. A file that is gone or too large gives no lines.
class source_reader {
 public:
  // The line as it may be shown (tabs expanded, no control characters); empty where it cannot be had.
  std::string line(const access& a);
  // What marked_columns() says of the line as it is in the file, for editors; length 0 where it cannot be had.
  column_range columns_in_file(const access& a, std::string_view object);
  // Whether the column is one of the line as its author wrote it: not one of a text that was changed since, or made.
  bool has_own_column(const access& a);
  // The update whose operator stands at the access's column: x += 1, ++x, not x = 1.
  update_text update_at(const access& a);
  // The assignment whose = stands there.
  update_text assignment_at(const access& a);
  // What the access names at its column, as the kernel writes it: "bins[b]"; empty: not known.
  std::string expression_of(const access& a);
  // The first line between the two that names a scope of a block, as __threadfence_block() does; 0: none.
  int narrow_order(const access& from, const access& until);
  // Of an update or assignment: does its operand name what it changes with another subscript, as s[i] += s[i + 1] does?
  bool reads_another_element(const access& a);
  // Of an update and a read on its line: does the read stand behind the update's operand?
  bool reads_behind(const access& read, const access& update);
  // Whether both stand in one statement of their line.
  bool is_in_statement(const access& read, const access& update);
  // Of an assignment x = n: how the condition at the read's place compares n with x: '>' or '<'; 0: it does not.
  char compared_at(const access& read, const update_text& assignment);
  // Whether the line exchanges, or compares and swaps, as a loop that takes a lock does.
  bool takes_lock_at(const access& a);
  // Whether the line does that, or stores by an atomic operation, as who sets a flag does.
  bool sets_atomically_at(const access& a);
  // The line's call that reads or writes a surface: "surf2Dwrite"; empty: there is none.
  std::string_view surface_call_at(const access& a);
  // Whether the head of a loop has the place.
  bool waits_at(const access& a);
  // The line as it is in the file; empty where it cannot be had.
  std::string_view as_written(const access& a);
  const parsed_source& statements_of(const access& a);
  text_position position_of(const access& a);
  // Where a barrier may stand between two accesses of one function.
  barrier_place place_between(const access& a, const access& b, barrier_of whose);
  // What keeps threads that are at `other` from the barrier at `a`.
  barrier_place guard_around(const access& a, const access& other, barrier_of whose);
  // What keeps threads from `a`.
  barrier_place guard_of(const access& a, barrier_of whose);
  // The line of the innermost if around `a` and not around `b`; 0: there is none, or they are in different files.
  int branch_around(const access& a, const access& b);

 private:
  const std::vector<std::string>& lines_of(const access& a);
  std::map<std::string, std::vector<std::string>> files_;
  std::map<const std::vector<std::string>*, parsed_source> parsed_;
  known_varying_names varying_names_;
};

// What to underline: the object with its subscript where the line names it (for a write the one that is assigned),
// else the expression at the column, else everything but indentation and a comment at the end.
// by_call: a call of the host makes the access, so the place is in that call's brackets.
column_range marked_columns(std::string_view line, std::string_view object, access_kind kind, int column = 0,
                            bool by_call = false);
column_range marked_columns(std::string_view line, std::string_view object, const access& a);

}  // namespace simt
