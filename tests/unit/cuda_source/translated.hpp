// SPDX-License-Identifier: Apache-2.0
// Translates a few lines as if the preprocessor had read them from user.cu, after a header of ours with some names.
#pragma once

#include <ostream>
#include <string>

#include "frontends/cuda/translate/translate.hpp"

inline std::string preprocessed(const std::string& lines, const std::string& header = "") {
  return "# 1 \"/own/names.h\" 3\n" + header + "\n# 1 \"user.cu\"\n" + lines + "\n";
}

inline simt::cuda_source::translation translated(const std::string& lines, const std::string& header = "",
                                                 const std::string& host_lines = "") {
  return simt::cuda_source::translate(preprocessed(lines, header), "/own",
                                      host_lines.empty() ? "" : preprocessed(host_lines, header));
}

// The translated text behind the header; white space as one blank, line markers left out.
inline std::string text_of(const simt::cuda_source::translation& t) {
  std::string text;
  std::size_t at = t.text.rfind("# 1 \"user.cu\"");
  if (at == std::string::npos) return {};
  bool blank = false;
  for (at = t.text.find('\n', at) + 1; at < t.text.size();) {
    const std::size_t end = std::min(t.text.find('\n', at), t.text.size());
    const std::string line = t.text.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("# ")) continue;
    for (const char c : line + " ") {
      const bool space = c == ' ' || c == '\t';
      if (!space && blank && !text.empty()) text += ' ';
      blank = space || (blank && space);
      if (!space) text += c;
    }
  }
  return text;
}

inline std::string translation_of(const std::string& lines, const std::string& header = "") {
  return text_of(translated(lines, header));
}

// "LINE: MESSAGE" of the only message, or everything that was said.
inline std::string complaint_about(const std::string& lines, const std::string& header = "") {
  std::string all;
  for (const simt::cuda_source::message& m : translated(lines, header).messages)
    all += (all.empty() ? "" : "\n") + std::to_string(m.line) + ": " + m.text;
  return all;
}

// Compares equal to any text that has the part in it; a failed check prints both.
struct contains {
  std::string part;
  explicit contains(std::string p) : part(std::move(p)) {}
  friend bool operator==(const std::string& text, const contains& c) { return text.find(c.part) != std::string::npos; }
  friend std::ostream& operator<<(std::ostream& out, const contains& c) { return out << "..." << c.part << "..."; }
};
