// SPDX-License-Identifier: Apache-2.0
#include "one_step_places.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "combining.hpp"
#include "parting_lines.hpp"
#include "source_expression.hpp"

namespace simt {
namespace {

bool has_in_head(const parsed_source& source, const statement& s, text_position at) {
  return is_conditional(s) && holds(source, s.head, s.head_end, at);
}

// "base" of int base = *counter;
std::string result_of(std::string_view line, int column) {
  const text_range read = accessed_at(line, column);
  if (read.end == 0) return {};
  const auto sign = line.substr(0, read.begin).find_last_not_of(" \t");
  const auto behind = line.find_first_not_of(" \t", read.end);
  if (sign == std::string_view::npos || behind == std::string_view::npos || line[sign] != '=') return {};
  if (line[behind] != ';' && line[behind] != ',') return {};
  const update_text kept = assignment_in(line, static_cast<int>(sign) + 1);
  return std::ranges::all_of(kept.target, in_identifier) ? kept.target : std::string();
}

bool names(const parsed_source& source, const statement& s, std::string_view name) {
  for (std::size_t i = s.head; i < s.head_end && !name.empty(); ++i)
    if (source.words[i].text == name) return true;
  return false;
}

bool is_between(const source_word& w, text_position a, text_position b) {
  return std::tie(a.line, a.column) < std::tie(w.line, w.column) &&
         std::tie(w.line, w.column) < std::tie(b.line, b.column);
}

// Whether those who read are those who write: no branch is around one of them alone, but on what was read, and no
// barrier between them.
bool done_by_the_same(const parsed_source& source, text_position read, text_position write, std::string_view result) {
  const std::vector<const statement*> to_read = statements_around(source, read),
                                      to_write = statements_around(source, write);
  const auto [r, w] = std::ranges::mismatch(to_read, to_write);
  const bool read_is_asked = std::all_of(
      r, to_read.end(), [&](const statement* s) { return !is_conditional(*s) || has_in_head(source, *s, read); });
  const bool write_is_free = std::all_of(
      w, to_write.end(), [&](const statement* s) { return !is_conditional(*s) || names(source, *s, result); });
  const bool apart = std::ranges::any_of(source.words, [&](const source_word& word) {
    return is_between(word, read, write) && word.text.find("sync") != std::string_view::npos;
  });
  return read_is_asked && write_is_free && !apart;
}

const statement* condition_at(const parsed_source& source, text_position at) {
  const std::vector<const statement*> around = statements_around(source, at);
  const auto found = std::ranges::find_if(around, [&](const statement* s) { return has_in_head(source, *s, at); });
  return found == around.end() ? nullptr : *found;
}

// Whether the branch holds more than one statement.
bool does_more(const statement& branch) {
  if (branch.parts.size() != 1) return true;
  const statement& body = branch.parts.front();
  return body.kind == statement_kind::block ? body.parts.size() > 1 : body.kind != statement_kind::other;
}

void name_operation(facts& v, const update_text& update, std::string_view held) {
  v.target = update.target;
  v.update = update.operation;
  v.operand = update.is_whole ? update.operand : std::string();
  if (update.operation != "=") return;
  v.update.clear();
  if (!update.is_whole) return;
  combination how = combined(update.operand, update.target);
  if (how.operation.empty()) how = combined(update.operand, held);
  if (!how.operation.empty()) {
    v.update = how.operation;
    v.operand = how.operand;
  } else if (update.operand.find(held) == std::string::npos) {
    v.update = "=";
  }
}

// The compiler tells a read in front of a write of the same word at the write's place: nx[i] = *head; *head = i;
access where_it_stands(source_reader& sources, const access& read, const access& write) {
  access found = read;
  if (read.line != write.line || read.column != write.column || read.column == 0) return found;
  const update_text to = sources.assignment_at(write);
  if (to.target.empty() || to.operand.find(to.target) != std::string::npos) return found;
  const std::string_view line = sources.as_written(write);
  const auto end = line.substr(0, static_cast<std::size_t>(write.column) - 1).rfind(';');
  if (end == std::string_view::npos) return found;
  const std::string_view before = line.substr(0, end);
  for (auto at = before.rfind(to.target); at != std::string_view::npos && at > 0;
       at = before.rfind(to.target, at - 1)) {
    const std::size_t behind = before.find_first_not_of(' ', at + to.target.size());
    const bool is_whole = !in_identifier(before[at - 1]) &&
                          (at + to.target.size() == before.size() || !in_identifier(before[at + to.target.size()]));
    if (!is_whole || (behind != std::string_view::npos && before[behind] == '=')) continue;
    found.column = static_cast<int>(at) + 1;
    return found;
  }
  return found;
}

}  // namespace

void find_one_step(source_reader& sources, finding& f, const access& told_read, const access& write) {
  if (told_read.kind != access_kind::read || write.kind == access_kind::read || !of_one_function(told_read, write))
    return;
  const access read = where_it_stands(sources, told_read, write);
  const std::string_view written_line = sources.as_written(write);
  const text_position from = sources.position_of(read), to = sources.position_of(write);
  if (from.column == 0 || to.column == 0) return;
  const bool in_operand = from.line == to.line && from.column >= to.column &&
                          !sources.assignment_at(write).target.empty() && !sources.reads_behind(read, write) &&
                          !sources.reads_another_element(write);
  if (!in_operand && std::tie(from.line, from.column) >= std::tie(to.line, to.column)) return;
  const bool by_atomic = write.kind == access_kind::atomic;
  const atomic_text call = by_atomic ? atomic_in(written_line, to.column) : atomic_text();
  const std::string held = sources.expression_of(read);
  // The compiler may give the read of x = x + n the column of the operator; the operand says whether it is of x.
  if (from.column == to.column && combined(sources.assignment_at(write).operand, held).operation.empty()) return;
  if (held.empty() || !names_same_word(held, by_atomic ? call.target : sources.expression_of(write))) return;
  const parsed_source& source = sources.statements_of(read);
  one_step step{read.line, write.line, result_of(sources.as_written(read), from.column), call.call};
  const statement* const condition = condition_at(source, from);
  if (!done_by_the_same(source, from, to, step.result)) return;
  if (by_atomic && (step.result.empty() || condition != nullptr)) return;
  step.two_statements = !in_operand && condition == nullptr;
  step.is_test = condition != nullptr && !in_operand;
  step.does_more = condition != nullptr && condition->kind == statement_kind::branch &&
                   holds(source, condition->first, condition->end, to) && does_more(*condition);
  facts& v = f.facts;
  v.step = step;
  if (by_atomic) return;
  update_text update = sources.update_at(write);
  if (update.target.empty()) update = sources.assignment_at(write);
  if (!update.target.empty()) name_operation(v, update, step.result.empty() ? held : step.result);
}

bool is_flag(source_reader& sources, finding& f, const access& read, const access& write) {
  if (read.kind != access_kind::read || write.kind != access_kind::write || !of_one_function(read, write)) return false;
  const text_position at = sources.position_of(read);
  const update_text given = sources.assignment_at(write);
  if (at.column == 0 || !given.is_whole || !is_constant(given.operand)) return false;
  if (!names_same_word(given.target, sources.expression_of(read))) return false;
  const statement* const condition = condition_at(sources.statements_of(read), at);
  if (condition == nullptr || condition->kind != statement_kind::branch) return false;
  f.facts.target = given.target;
  f.facts.operand = given.operand;
  return true;
}

bool is_set_atomically(source_reader& sources, finding& f, const access& read, const access& set) {
  if (read.kind != access_kind::read || set.kind != access_kind::atomic || !sources.sets_atomically_at(set))
    return false;
  const text_position at = sources.position_of(read);
  const std::string word = sources.expression_of(read);
  if (at.column == 0 || word.empty() || condition_at(sources.statements_of(read), at) == nullptr) return false;
  f.facts.target = word;
  return true;
}

}  // namespace simt
