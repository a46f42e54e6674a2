// SPDX-License-Identifier: Apache-2.0
// Finding the line to show and the columns to underline.
#include "source_excerpt.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <utility>

#include "enclosing_loop.hpp"
#include "source_expression.hpp"
#include "terminal_text.hpp"

namespace simt {
namespace {

constexpr std::uintmax_t kLargestSource = 32U << 20U;  // a generated file beyond this is not worth the memory

std::vector<std::string> read_lines(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed) || std::filesystem::file_size(path, failed) > kLargestSource) {
    return {};
  }
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

// One place where the line names the object, subscripts included.
struct mention {
  std::size_t begin = 0, end = 0;
  bool subscripted = false;
  bool target = false;   // assigned, incremented or decremented, or its address is passed: cudaMalloc(&x, 4)
  bool member = false;   // only asked something: x.size()
  bool in_head = false;  // in front of a function's body: a parameter
};

std::vector<mention> mentions_of(std::string_view line, std::string_view object) {
  std::vector<mention> out;
  const std::size_t body = line.find("__global__") == std::string_view::npos ? 0 : line.find('{');
  for (auto at = line.find(object); at != std::string_view::npos; at = line.find(object, at + 1)) {
    const std::size_t name_end = at + object.size();
    const bool starts = at == 0 || !in_identifier(line[at - 1]);
    if (!starts || (name_end < line.size() && in_identifier(line[name_end]))) continue;
    const std::size_t end = after_subscripts(line, name_end);
    const bool address = at > 1 && line[at - 1] == '&' && (line[at - 2] == '(' || line[at - 2] == ' ');
    out.push_back({at, end, end > name_end, address || assigned(line, end), line.substr(name_end).starts_with('.'),
                   body != std::string_view::npos && at < body});
  }
  return out;
}

// The call in a line that copies, fills, allocates or frees for the host: its name and all that stands in its brackets.
// The compiler gives such a place a line and no column.
text_range call_of_memory(std::string_view line) {
  constexpr std::array<std::string_view, 6> kParts = {"emcpy", "emset", "alloc", "free", "Free", "copy"};
  for (std::size_t begin = 0, end = 0; begin < line.size(); begin = end + 1) {
    for (end = begin; end < line.size() && in_identifier(line[end]);) ++end;
    const std::string_view name = line.substr(begin, end - begin);
    const bool is_one = std::ranges::any_of(kParts, [&](std::string_view p) { return name.find(p) != name.npos; });
    if (!is_one || end >= line.size() || line[end] != '(') continue;
    const text_range call{begin, after_subscripts(line, end)};
    if (call.end > end) return call;
    return {begin, line.size()};  // it goes on in the next line
  }
  return {};
}

// How well a mention fits an access: subscripted before bare, the target for a write, another one for a read (whose
// target is read too in x[i] += 1), and never x.size() or a parameter while there is a choice.
int fitness(const mention& m, access_kind kind) {
  const bool wanted = kind == access_kind::read ? !m.target : m.target;
  return (m.member || m.in_head ? 0 : 4) + (m.subscripted ? 2 : 0) + (wanted ? 1 : 0);
}

constexpr int kLinesOfStatement = 4;  // a statement is followed so far for its end

// The name in it that has a subscript, else the first one.
std::string_view array_in(std::string_view text) {
  std::string_view first;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    for (end = begin; end < text.size() && in_identifier(text[end]);) ++end;
    const std::string_view name = text.substr(begin, end - begin);
    if (!name.empty() && end < text.size() && text[end] == '[') return name;
    if (first.empty()) first = name;
  }
  return first;
}

}  // namespace

const std::vector<std::string>& source_reader::lines_of(const access& a) {
  const std::string& path = a.path.empty() ? a.file : a.path;
  const auto known = files_.find(path);
  return known != files_.end() ? known->second : files_.emplace(path, read_lines(path)).first->second;
}

std::string_view source_reader::as_written(const access& a) {
  if ((a.path.empty() && a.file.empty()) || a.line < 1) return {};
  const std::vector<std::string>& lines = lines_of(a);
  const auto index = static_cast<std::size_t>(a.line - 1);
  return index < lines.size() ? std::string_view(lines[index]) : std::string_view();
}

std::string_view source_reader::surface_call_at(const access& a) {
  if (a.line < 1) return {};
  for (const source_word& w : statements_of(a).words)
    if (w.line == a.line && w.text.starts_with("surf") && (w.text.ends_with("read") || w.text.ends_with("write")))
      return w.text;
  return {};
}

const parsed_source& source_reader::statements_of(const access& a) {
  const std::vector<std::string>& lines = lines_of(a);
  const auto known = parsed_.find(&lines);
  return known != parsed_.end() ? known->second : parsed_.emplace(&lines, parse_statements(lines)).first->second;
}

text_position source_reader::position_of(const access& a) {
  return {a.line, has_own_column(a) ? std::max(a.column, 0) : 0};
}

barrier_place source_reader::place_between(const access& a, const access& b, barrier_of whose) {
  if (a.line < 1 || b.line < 1) return {};
  const auto in_row = [](const access& x) { return x.thread.y <= 0 && x.thread.z <= 0; };
  return find_barrier_place(varying_names_, statements_of(a), position_of(a), position_of(b), whose,
                            in_row(a) && in_row(b));
}

barrier_place source_reader::guard_around(const access& a, const access& other, barrier_of whose) {
  if (a.line < 1 || other.line < 1 || a.file != other.file) return {};
  return find_guard(varying_names_, statements_of(a), position_of(a), position_of(other), whose);
}

barrier_place source_reader::guard_of(const access& a, barrier_of whose) {
  return a.line < 1 ? barrier_place() : find_guard(varying_names_, statements_of(a), position_of(a), {}, whose);
}

int source_reader::branch_around(const access& a, const access& b) {
  const bool is_known = a.line > 0 && (b.line == 0 || a.file == b.file);
  return is_known ? enclosing_branch(statements_of(a), position_of(a), position_of(b)) : 0;
}

std::string source_reader::line(const access& a) { return printable(as_written(a)); }

column_range source_reader::columns_in_file(const access& a, std::string_view object) {
  std::string line(as_written(a));
  std::ranges::replace(line, '\t', ' ');
  return marked_columns(line, object, a);
}

bool source_reader::has_own_column(const access& a) {
  return static_cast<std::size_t>(std::max(a.column, 0)) <= as_written(a).size();
}

update_text source_reader::update_at(const access& a) {
  if (!has_own_column(a)) return {};
  const std::string_view line = as_written(a);
  update_text found = update_in(line, a.column);
  access next = a;
  for (int more = 0; more < kLinesOfStatement && !found.target.empty() && !found.is_whole; ++more) {
    ++next.line;
    continue_operand(found, as_written(next));
  }
  return found;
}

update_text source_reader::assignment_at(const access& a) {
  return has_own_column(a) ? assignment_in(as_written(a), a.column) : update_text();
}

char source_reader::compared_at(const access& read, const update_text& assignment) {
  const std::string line = without_blanks(without_comment(as_written(read)));
  const std::string target = without_blanks(assignment.target), value = without_blanks(assignment.operand);
  if (target.empty() || value.empty() || !assignment.is_whole) return 0;
  const auto has = [&](const std::string& text) { return line.find(text) != std::string::npos; };
  if (has(value + ">" + target) || has(target + "<" + value)) return '>';
  if (has(value + "<" + target) || has(target + ">" + value)) return '<';
  return 0;
}

std::string source_reader::expression_of(const access& a) {
  if (!has_own_column(a)) return {};
  const std::string_view line = as_written(a);
  const text_range r = accessed_at(line, a.column);
  return std::string(line.substr(r.begin, r.end - r.begin));
}

int source_reader::narrow_order(const access& from, const access& until) {
  const std::vector<std::string>& lines = lines_of(from);
  const int last = until.line > 0 ? std::min(until.line, static_cast<int>(lines.size())) : 0;
  for (int line = std::max(from.line, 1); line <= last; ++line) {
    const std::string_view text = without_comment(lines[static_cast<std::size_t>(line) - 1]);
    constexpr std::string_view kNarrow[] = {"fence_block", "_scope_block", "scope::block", "_block(&", ".cta."};
    if (std::ranges::any_of(kNarrow, [&](std::string_view n) { return text.find(n) != std::string_view::npos; }))
      return line;
  }
  return 0;
}

bool source_reader::reads_behind(const access& read, const access& update) {
  const std::string_view line = as_written(update);
  const std::size_t at = static_cast<std::size_t>(update.column) - 1;
  const std::size_t end = line.find(';', at);
  return end != std::string_view::npos && read.column > 0 && static_cast<std::size_t>(read.column) - 1 > end;
}

bool source_reader::is_in_statement(const access& read, const access& update) {
  if (reads_behind(read, update)) return false;
  if (read.column <= 0 || read.column >= update.column) return true;
  const auto from = static_cast<std::size_t>(read.column) - 1, to = static_cast<std::size_t>(update.column) - 1;
  return as_written(update).substr(from, to - from).find(';') == std::string_view::npos;
}

bool source_reader::takes_lock_at(const access& a) {
  const std::string_view line = as_written(a);
  constexpr std::string_view kSwaps[] = {"atomicCAS",   "atomicExch", "atomic_cas",
                                         "atomic_exch", "exchange",   "test_and_set"};
  return std::ranges::any_of(kSwaps, [&](std::string_view s) { return line.find(s) != std::string_view::npos; });
}

bool source_reader::sets_atomically_at(const access& a) {
  constexpr std::string_view kStores[] = {".store(", ">store(", "atomic_store(", "st.release", "st.relaxed"};
  const std::string_view line = as_written(a);
  return takes_lock_at(a) ||
         std::ranges::any_of(kStores, [&](std::string_view s) { return line.find(s) != std::string_view::npos; });
}

bool source_reader::waits_at(const access& a) {
  const parsed_source& source = statements_of(a);
  const text_position at = position_of(a);
  return std::ranges::any_of(statements_around(source, at), [&](const statement* s) {
    return s->kind == statement_kind::loop && holds(source, s->head, s->head_end, at);
  });
}

bool source_reader::reads_another_element(const access& a) {
  update_text update = update_at(a);
  if (update.target.empty()) update = assignment_at(a);
  const std::string_view name = array_in(update.target);
  if (name.empty()) return false;
  const std::string wanted = without_blanks(update.target);
  return std::ranges::any_of(mentions_of(update.operand, name), [&](const mention& m) {
    return m.subscripted &&
           wanted.find(without_blanks(update.operand.substr(m.begin, m.end - m.begin))) == std::string::npos;
  });
}

// An operator that divides, and its divisor.
static text_range division_at(std::string_view line, int column) {
  const std::size_t at = static_cast<std::size_t>(std::max(column, 1)) - 1;
  if (column < 1 || at >= line.size() || (line[at] != '/' && line[at] != '%')) return {};
  std::size_t end = line.find_first_not_of("= ", at + 1);
  if (end == std::string_view::npos) return {};
  while (end < line.size() && (in_identifier(line[end]) || line[end] == '.')) ++end;
  return {at, after_subscripts(line, end)};
}

// Of a call that accesses what its first argument points to, as atomicAdd(&x[i], 1) and __ldg(x + i) do: that argument,
// without the & in front. Everything else as it is.
static text_range passed_by_address(std::string_view line, text_range call) {
  const std::string_view text = line.substr(call.begin, call.end - std::min(call.begin, call.end));
  const bool accesses = text.starts_with("atomic") || text.starts_with("__ld") || text.starts_with("__st");
  const std::size_t open = text.find('(');
  if (!accesses || open == std::string_view::npos || !text.ends_with(')')) return call;
  std::size_t end = open + 1;
  for (int depth = 0; end + 1 < text.size() && (depth > 0 || text[end] != ','); ++end)
    depth += text[end] == '(' || text[end] == '[' ? 1 : text[end] == ')' || text[end] == ']' ? -1 : 0;
  const std::size_t begin = text.find_first_not_of(" &", open + 1);
  return begin == std::string_view::npos || begin >= end ? call : text_range{call.begin + begin, call.begin + end};
}

column_range marked_columns(std::string_view line, std::string_view object, const access& a) {
  const bool by_itself = a.work == work::host_code || a.work == work::callback;  // an access, not a call
  const bool by_call = a.agent != actor::thread && (!by_itself || a.deed == deed::failed || a.deed == deed::frees);
  if (a.deed != deed::frees) return marked_columns(line, object, a.kind, a.column, by_call);
  std::string code(line);  // an allocation may stand in the same line
  const auto frees = std::min(line.find("Free"), line.find("free"));
  if (frees < line.size()) std::fill_n(code.begin(), static_cast<std::ptrdiff_t>(frees), ' ');
  return marked_columns(code, object, a.kind, a.column, by_call);
}

column_range marked_columns(std::string_view line, std::string_view object, access_kind kind, int column,
                            bool by_call) {
  std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  std::size_t end = line.find("//", begin);
  if (end == std::string_view::npos || end == begin) end = line.size();
  const std::string_view code = line.substr(0, end);
  const text_range call = by_call ? call_of_memory(code) : text_range();
  const text_range accessed = call.end != 0 ? call : passed_by_address(code, accessed_at(code, column));
  const auto meets = [&](const mention& m) { return m.begin < accessed.end && accessed.begin < m.end; };
  text_range named;
  if (!object.empty()) {
    const std::vector<mention> mentions = mentions_of(code, object);
    const auto best =
        std::ranges::max_element(mentions, {}, [&](const mention& m) { return fitness(m, kind) + (meets(m) ? 8 : 0); });
    const bool is_met = best != mentions.end() && meets(*best);
    const bool dereferenced = is_met && line[accessed.begin] == '*';
    // Where the column tells what is accessed, a mention elsewhere in the line is another variable of that name.
    if (best != mentions.end() && (is_met || accessed.end == 0))
      named = dereferenced ? accessed : text_range{best->begin, best->end};
  }
  if (named.end == 0) named = accessed;  // the kernel's own name for it
  if (named.end == 0) named = division_at(code, column);
  if (named.end != 0) begin = named.begin, end = named.end;
  while (end > begin && line[end - 1] == ' ') --end;
  return {columns(line.substr(0, begin)), columns(line.substr(begin, end - begin))};
}

}  // namespace simt
