// SPDX-License-Identifier: Apache-2.0
// The longest common subsequence of the words of two lines, where words that follow each other in both count more.
#include "line_alignment.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace simt::cuda_source {
namespace {

struct word {
  std::string_view text;
  std::size_t line, begin;
};

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0; }

// The position behind a literal that begins at `at` with a quotation mark.
std::size_t end_of_literal(std::string_view line, std::size_t at) {
  const char quote = line[at];
  for (++at; at < line.size() && line[at] != quote; ++at)
    if (line[at] == '\\') ++at;
  return std::min(at + 1, line.size());
}

// Names, numbers and literals; of everything else each character is a word. No comments.
void add_words(std::vector<word>& to, std::string_view line, std::size_t number) {
  for (std::size_t at = 0; at < line.size();) {
    const std::string_view rest = line.substr(at);
    std::size_t end = at + 1;
    if (rest.starts_with("//")) return;
    if (rest.starts_with("/*")) {
      const std::size_t close = rest.find("*/", 2);
      if (close == std::string_view::npos) return;
      at += close + 2;
      continue;
    }
    if (std::isspace(static_cast<unsigned char>(line[at])) != 0) {
      ++at;
      continue;
    }
    if (line[at] == '"' || line[at] == '\'')
      end = end_of_literal(line, at);
    else if (is_letter(line[at]))
      while (end < line.size() && is_letter(line[end])) ++end;
    to.push_back({line.substr(at, end - at), number, at});
    at = end;
  }
}

constexpr std::size_t kMostPairs = 8U << 20U;  // beyond it a table is not worth its memory
constexpr int kNone = -1;

// For each word of `a` the word of `b` that it is, or kNone.
std::vector<int> alignment(const std::vector<word>& a, const std::vector<word>& b) {
  std::vector<int> of(a.size(), kNone);
  const std::size_t width = b.size() + 1;
  if ((a.size() + 1) * width > kMostPairs) return of;
  std::vector<std::int32_t> best((a.size() + 1) * width, 0), ending(best);  // ending: with this pair
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j < width; ++j) {
      const std::size_t here = i * width + j, before = here - width - 1;
      best[here] = std::max(best[here - width], best[here - 1]);
      if (a[i - 1].text != b[j - 1].text) continue;
      ending[here] = 2 + std::max(best[before], ending[before] > 0 ? ending[before] + 1 : 0);
      best[here] = std::max(best[here], ending[here]);
    }
  bool follows = false;  // the pair behind was chosen because this one is before it
  for (std::size_t i = a.size(), j = b.size(); i > 0 && j > 0;) {
    const std::size_t here = i * width + j, before = here - width - 1;
    if (ending[here] > 0 && (follows || ending[here] == best[here])) {
      of[i - 1] = static_cast<int>(j - 1);
      follows = ending[before] > 0 && ending[before] + 3 == ending[here];
      --i, --j;
    } else if (best[here - width] >= best[here - 1]) {
      --i;
    } else {
      --j;
    }
  }
  return of;
}

// The words that stand at the same column in both, as most do in what is translated; none: all are kNone.
std::vector<int> at_same_columns(const std::vector<word>& a, const std::vector<word>& b) {
  std::vector<int> of(a.size(), kNone);
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].begin == b[j].begin && a[i].text == b[j].text) of[i] = static_cast<int>(j);
    a[i].begin <= b[j].begin ? ++i : ++j;
  }
  return of;
}

bool leaves_bracket_open(const std::vector<word>& line) {
  int open = 0;
  for (const word& w : line) open += w.text == "(" ? 1 : w.text == ")" ? -1 : 0;
  return open > 0;
}

// The word of `a` that holds the column or is the last before it.
std::size_t word_at(const std::vector<word>& a, std::size_t column) {
  std::size_t at = 0;
  while (at + 1 < a.size() && a[at + 1].begin <= column) ++at;
  return at;
}

// The kernel of a launch stands behind its configuration in what the compiler read. The word of `b` with this text that
// is nearest to `near` and is nothing of `a`; b.size() where there is none.
std::size_t moved_word(const word& w, const std::vector<word>& b, const std::vector<int>& of, std::size_t near) {
  std::size_t best = b.size(), least = b.size();
  for (std::size_t j = 0; is_letter(w.text.front()) && j < b.size(); ++j) {
    const std::size_t distance = j > near ? j - near : near - j;
    if (b[j].text != w.text || distance >= least) continue;
    if (std::find(of.begin(), of.end(), static_cast<int>(j)) != of.end()) continue;
    best = j, least = distance;
  }
  return best;
}

// What may be a macro of the user's: a name that is no word of CUDA's such as __shared__.
bool names_macro(const word& w) { return is_letter(w.text.front()) && !w.text.starts_with("__"); }

source_column in_word(const word& w, std::size_t offset) {
  const std::size_t inside = std::min(offset, w.text.size());
  return {w.line, w.begin + inside, w.text.size() - inside, false};
}

}  // namespace

source_column column_as_written(std::string_view read, std::size_t column,
                                const std::vector<std::string_view>& written) {
  std::vector<word> a, b;
  add_words(a, read, 0);
  if (!written.empty()) add_words(b, written.front(), 0);
  if (a.empty() || b.empty()) return {0, 0, 0, true};
  const std::size_t at = word_at(a, column), offset = column - std::min(column, a[at].begin);
  std::vector<int> of = at_same_columns(a, b);
  if (std::ranges::all_of(of, [](int j) { return j == kNone; })) of = alignment(a, b);
  if (of[at] == kNone && is_letter(a[at].text.front()) && leaves_bracket_open(b)) {
    std::vector<word> more = b;
    for (std::size_t i = 1; i < written.size() && leaves_bracket_open(more); ++i) add_words(more, written[i], i);
    if (const std::vector<int> wider = alignment(a, more); wider[at] != kNone)
      return in_word(more[static_cast<std::size_t>(wider[at])], offset);
  }
  if (of[at] != kNone) return in_word(b[static_cast<std::size_t>(of[at])], offset);
  int before = kNone, behind = static_cast<int>(b.size());
  for (std::size_t i = 0; i < at; ++i)
    if (of[i] != kNone) before = of[i];
  for (std::size_t i = a.size(); i-- > at;)
    if (of[i] != kNone) behind = of[i];
  const std::size_t next = std::min(static_cast<std::size_t>(before + 1), b.size() - 1);
  if (const std::size_t moved = moved_word(a[at], b, of, next); moved < b.size()) return in_word(b[moved], offset);
  if (std::any_of(b.begin() + before + 1, b.begin() + behind, names_macro)) return in_word(b[next], 0);
  // Behind the arguments of a macro: its name is the last one before them that is gone.
  for (std::size_t j = next; j-- > 0;)
    if (names_macro(b[j]) && std::find(of.begin(), of.end(), static_cast<int>(j)) == of.end()) return in_word(b[j], 0);
  source_column place = in_word(b[next], 0);
  place.is_ours = true;
  return place;
}

std::map<std::size_t, std::size_t> columns_of_words(std::string_view read, std::string_view written) {
  std::vector<word> a, b;
  add_words(a, read, 0);
  add_words(b, written, 0);
  std::vector<int> of(a.size(), kNone);
  if (std::ranges::equal(a, b, {}, &word::text, &word::text))
    for (std::size_t i = 0; i < a.size(); ++i) of[i] = static_cast<int>(i);
  else
    of = alignment(a, b);
  std::map<std::size_t, std::size_t> columns;
  std::size_t next = 0;  // the word of `b` behind the last that was found
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (of[i] != kNone) next = static_cast<std::size_t>(of[i]) + 1;
    const bool of_macro = of[i] == kNone && next < b.size() && names_macro(b[next]) &&
                          std::ranges::find(of, static_cast<int>(next)) == of.end();
    if (of[i] != kNone || of_macro) columns[a[i].begin] = b[of_macro ? next : static_cast<std::size_t>(of[i])].begin;
  }
  return columns;
}

}  // namespace simt::cuda_source
