// SPDX-License-Identifier: Apache-2.0
// Finding the line to show and the columns to underline.
#include "source_excerpt.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <tuple>
#include <utility>

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

bool in_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// One past the subscripts or arguments that follow at `at`: a[i][j], a(i, j).
std::size_t after_subscripts(std::string_view line, std::size_t at) {
  while (at < line.size() && (line[at] == '[' || line[at] == '(')) {
    int depth = 0;
    std::size_t i = at;
    for (; i < line.size(); ++i) {
      if (line[i] == '[' || line[i] == '(') ++depth;
      if ((line[i] == ']' || line[i] == ')') && --depth == 0) break;
    }
    if (i == line.size()) return at;
    at = i + 1;
  }
  return at;
}

// The operator that changes what stands before it, if `text` begins with one: =, +=, <<=, ++ and the like.
std::string_view changing_operator(std::string_view text) {
  for (const std::string_view o : {"<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--"})
    if (text.starts_with(o)) return o;
  return text.starts_with('=') && !text.starts_with("==") ? text.substr(0, 1) : std::string_view();
}

bool assigned(std::string_view line, std::size_t end) {
  const auto at = line.find_first_not_of(' ', end);
  return at != std::string_view::npos && !changing_operator(line.substr(at)).empty();
}

// One place where the line names the object, subscripts included.
struct mention {
  std::size_t begin = 0, end = 0;
  bool subscripted = false;
  bool target = false;  // assigned, incremented or decremented
  bool member = false;  // only asked something: x.size()
};

std::vector<mention> mentions_of(std::string_view line, std::string_view object) {
  std::vector<mention> out;
  for (auto at = line.find(object); at != std::string_view::npos; at = line.find(object, at + 1)) {
    const std::size_t name_end = at + object.size();
    const bool starts = at == 0 || !in_identifier(line[at - 1]);
    if (!starts || (name_end < line.size() && in_identifier(line[name_end]))) continue;
    const std::size_t end = after_subscripts(line, name_end);
    out.push_back({at, end, end > name_end, assigned(line, end), line.substr(name_end).starts_with('.')});
  }
  return out;
}

// How well a mention fits an access: subscripted before bare, the target for a write, another one for a read (whose
// target is read too in x[i] += 1), and never x.size() while there is a choice.
int fitness(const mention& m, access_kind kind) {
  const bool wanted = kind == access_kind::read ? !m.target : m.target;
  return (m.member ? 0 : 4) + (m.subscripted ? 2 : 0) + (wanted ? 1 : 0);
}

// The expression that the compiler's column (from 1; an operator or a bracket) belongs to: a name with its members and
// subscripts or arguments around it, or the target in front of an assignment. Empty: none.
std::pair<std::size_t, std::size_t> expression_at(std::string_view line, int column) {
  std::pair<std::size_t, std::size_t> best;
  if (column < 1) return best;
  const std::size_t at = static_cast<std::size_t>(column) - 1;
  for (std::size_t begin = 0; begin < line.size(); ++begin) {
    if (!in_identifier(line[begin]) || std::isdigit(static_cast<unsigned char>(line[begin])) != 0) continue;
    std::size_t end = begin;
    bool subscripted = false;
    for (bool more = true; more;) {
      while (end < line.size() && in_identifier(line[end])) ++end;
      const std::size_t after = after_subscripts(line, end);
      subscripted = subscripted || after != end;
      end = after;
      more = false;
      for (const std::string_view member : {".", "->"})
        if (line.substr(end).starts_with(member) && end + member.size() < line.size() &&
            in_identifier(line[end + member.size()])) {
          end += member.size();
          more = true;
        }
    }
    const bool holds = at >= begin && at < end;
    const bool target = assigned(line, end) && at >= end && at <= line.find_first_not_of(' ', end) + 2;
    // The innermost one: x[y[i]] holds y[i].
    if (subscripted && (holds || target) && (best.second == 0 || begin > best.first)) best = {begin, end};
    while (begin < line.size() && in_identifier(line[begin])) ++begin;
  }
  return best;
}

constexpr int kLinesOfStatement = 4;  // a statement is followed so far for its end

// What the operator at `at` changes: the s[i] of s[i] += x.
std::string_view target_before(std::string_view line, std::size_t at) {
  const std::size_t last = line.substr(0, at).find_last_not_of(' ');
  std::size_t begin = last == std::string_view::npos ? 0 : last + 1;
  const std::size_t end = begin;
  for (int depth = 0; begin > 0; --begin) {
    const char c = line[begin - 1];
    if (c == ']' || c == ')') {
      // What stands in front of a bracket that is a condition's or a cast's is not part of the target.
      if (depth == 0 && begin < end && in_identifier(line[begin])) break;
      ++depth;
    } else if (c == '[' || c == '(') {
      if (--depth < 0) break;
    } else if (depth == 0 && !in_identifier(c) && c != '.' && c != '>' && c != '-') {
      break;
    }
  }
  return line.substr(begin, end - begin);
}

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

std::string without_blanks(std::string_view text) {
  std::string out(text);
  std::erase_if(out, [](char c) { return c == ' ' || c == '\t'; });
  return out;
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

loop_lines source_reader::loop_around(const access& a, const access& b) {
  return a.line < 1 || b.line < 1 ? loop_lines() : enclosing_loop(lines_of(a), a.line, b.line);
}

int source_reader::branch_around(const access& a, const access& b) {
  const bool is_known = a.line > 0 && (b.line == 0 || a.file == b.file);
  return is_known ? enclosing_branch(lines_of(a), a.line, b.line) : 0;
}

std::string source_reader::line(const access& a) { return printable(as_written(a)); }

column_range source_reader::columns_in_file(const access& a, std::string_view object) {
  std::string line(as_written(a));
  std::ranges::replace(line, '\t', ' ');
  return marked_columns(line, object, a.kind, a.column);
}

bool source_reader::is_update_at(const access& a) {
  const std::string_view line = as_written(a);
  if (a.column < 1 || static_cast<std::size_t>(a.column) > line.size()) return false;
  return changing_operator(line.substr(static_cast<std::size_t>(a.column) - 1)).size() > 1;  // not a plain "="
}

bool source_reader::takes_lock_at(const access& a) {
  const std::string_view line = as_written(a);
  constexpr std::string_view kSwaps[] = {"atomicCAS",   "atomicExch", "atomic_cas",
                                         "atomic_exch", "exchange",   "test_and_set"};
  return std::ranges::any_of(kSwaps, [&](std::string_view s) { return line.find(s) != std::string_view::npos; });
}

bool source_reader::reads_another_element(const access& a) {
  const std::string_view line = as_written(a);
  const std::size_t at = static_cast<std::size_t>(a.column) - 1;
  const std::string_view changed = target_before(line, at);
  const std::string_view name = array_in(changed);
  if (name.empty()) return false;
  std::string operand(line.substr(at));
  access next = a;
  for (int more = 0; more < kLinesOfStatement && operand.find(';') == std::string::npos; ++more) {
    ++next.line;
    operand += as_written(next);
  }
  operand.resize(std::min(operand.find(';'), operand.size()));
  const std::string wanted = without_blanks(changed);
  return std::ranges::any_of(mentions_of(operand, name), [&](const mention& m) {
    return m.subscripted && wanted.find(without_blanks(operand.substr(m.begin, m.end - m.begin))) == std::string::npos;
  });
}

column_range marked_columns(std::string_view line, std::string_view object, access_kind kind, int column) {
  std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  std::size_t end = line.find("//", begin);
  if (end == std::string_view::npos || end == begin) end = line.size();
  std::pair<std::size_t, std::size_t> named;
  if (!object.empty()) {
    const std::vector<mention> mentions = mentions_of(line.substr(0, end), object);
    const auto fit = [&](const mention& m) {
      const std::size_t at = static_cast<std::size_t>(column) - 1;
      return fitness(m, kind) + (column > 0 && at >= m.begin && at < m.end ? 8 : 0);
    };
    const auto best = std::ranges::max_element(mentions, {}, fit);
    if (best != mentions.end()) named = {best->begin, best->end};
  }
  if (named.second == 0) named = expression_at(line.substr(0, end), column);  // the kernel's own name for it
  if (named.second != 0) std::tie(begin, end) = named;
  while (end > begin && line[end - 1] == ' ') --end;
  return {columns(line.substr(0, begin)), columns(line.substr(begin, end - begin))};
}

}  // namespace simt
