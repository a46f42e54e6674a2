// SPDX-License-Identifier: Apache-2.0
// Looking up and laying out the knowledge about rules.
#include "explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "terminal_text.hpp"

namespace simt {
namespace {

const std::vector<rule_knowledge>& table() {
  static const std::vector<rule_knowledge> all = [] {
    std::vector<rule_knowledge> rows;
    for (const auto& part : {race_knowledge(), memory_knowledge(), barrier_knowledge(), trap_knowledge()}) {
      rows.insert(rows.end(), part.begin(), part.end());
    }
    std::ranges::sort(rows, {}, &rule_knowledge::rule);
    return rows;
  }();
  return all;
}

std::size_t text_width(const text_style& style) { return std::clamp<std::size_t>(style.width, 40, 100); }

// A line of code; where it is too wide, its comment stands above it.
std::string code_line(std::string_view line, std::size_t width, const text_style& style, tone t) {
  const std::size_t comment = line.find("//"), first = line.find_first_not_of(' ');
  if (columns(line) <= width || comment == std::string_view::npos) return "  " + paint(line, t, style.color) + "\n";
  const std::string margin = "  " + std::string(line.substr(0, first));
  std::string out;
  for (const std::string& part : wrap(line.substr(comment + 2), width > first + 3 ? width - first - 3 : 0))
    out += margin + paint("// " + part, t, style.color) + "\n";
  if (comment == first) return out;
  return out + "  " + paint(line.substr(0, line.find_last_not_of(' ', comment - 1) + 1), t, style.color) + "\n";
}

// Paragraphs wrapped; lines that start with a blank are code and stay as they are, but for comments.
std::string laid_out(std::string_view text, const text_style& style, tone code) {
  std::string out, paragraph;
  const std::size_t width = text_width(style) - 2;
  const auto flush = [&] {
    if (paragraph.empty()) return;
    for (const std::string& line : wrap(paragraph, width)) out += "  " + line + "\n";
    paragraph.clear();
  };
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty()) {
      flush();
      out += "\n";
    } else if (line.front() == ' ') {
      flush();
      out += code_line(line, width, style, code);
    } else {
      paragraph.append(paragraph.empty() ? "" : " ").append(line);
    }
  }
  flush();
  return out;
}

std::string indented(std::string_view code) {
  std::string out = "  ";
  for (const char c : code) out += c == '\n' ? "\n  " : std::string(1, c);
  return out;
}

}  // namespace

const rule_knowledge& knowledge_of(rule r) {
  const auto found = std::ranges::find(table(), r, &rule_knowledge::rule);
  if (found == table().end()) {
    fmt::print(stderr, "simt: no knowledge about rule {} ({} rules known)\n", static_cast<int>(r), table().size());
    std::abort();
  }
  return *found;
}

rule_texts texts_of(rule r, dialect words) {
  rule_knowledge k = knowledge_of(r);
  std::string meaning(k.meaning), text(k.text);
  if (words == dialect::cuda) {
    meaning = in_cuda(meaning), text = in_cuda(text);
    const auto all = cuda_knowledge();
    if (const auto own = std::ranges::find(all, r, &cuda_words::rule); own != all.end()) {
      if (!own->example.empty()) k.example = own->example;
      if (!own->fix.empty()) k.fix = own->fix;
    }
  }
  return {std::move(meaning), std::move(text), std::string(k.example), std::string(k.fix)};
}

std::string text_explanation(rule r, dialect words, const text_style& style) {
  const rule_texts k = texts_of(r, words);
  std::string out = paint(name(r), tone::error, style.color) + paint(":", tone::bold, style.color) +
                    hanging(k.meaning, {name(r).size() + 1, text_width(style)}, tone::bold, style.color);
  out += "\n\n" + laid_out(k.text, style, tone::plain);
  out += "\n" + paint("Example", tone::bold, style.color) + "\n\n" + laid_out(indented(k.example), style, tone::note);
  out += "\n" + paint("Fix", tone::bold, style.color) + "\n\n" + laid_out(k.fix, style, tone::good);
  return out;
}

std::string text_rule_list(const text_style& style) {
  std::string out;
  for (const rule_knowledge& k : table()) {
    out += paint(fmt::format("{:<25}", name(k.rule)), tone::bold, style.color);
    out += shortened(k.meaning, std::max<std::size_t>(style.width, 40) - 26) + "\n";
  }
  return out;
}

}  // namespace simt
