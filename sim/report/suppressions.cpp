// SPDX-License-Identifier: Apache-2.0
// Reading and applying suppressions; the format is in the header.
#include "suppressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace simt {
namespace {

constexpr std::array<std::string_view, 5> kKeys = {"rule", "object", "function", "file", "kernel"};

bool any_frame(const finding& f, std::string_view glob, std::string stack_frame::*frame_field,
               std::string access::*access_field) {
  return std::ranges::any_of(f.accesses, [&](const access& a) {
    return glob_matches(glob, a.*access_field) ||
           std::ranges::any_of(a.stack, [&](const stack_frame& s) { return glob_matches(glob, s.*frame_field); });
  });
}

bool holds(const finding& f, std::string_view key, std::string_view glob) {
  if (key == "rule") return glob_matches(glob, name(f.rule));
  if (key == "object") return glob_matches(glob, f.object);
  if (key == "kernel") return glob_matches(glob, f.kernel);
  if (key == "file") return any_frame(f, glob, &stack_frame::file, &access::file);
  return any_frame(f, glob, &stack_frame::function, &access::function);
}

// Empty when the word is right, else what is wrong with it.
std::string complaint(const std::string& word) {
  const auto colon = word.find(':');
  if (colon == std::string::npos || colon + 1 == word.size()) {
    return fmt::format("\"{}\" is no KEY:GLOB; write for example rule:race-global object:bins", word);
  }
  const std::string key = word.substr(0, colon);
  if (std::ranges::find(kKeys, key) == kKeys.end()) {
    return fmt::format("unknown key \"{}\"; the keys are {}", key, fmt::join(kKeys, ", "));
  }
  const std::string glob = word.substr(colon + 1);
  if (key == "rule") {
    bool some = false;
    for (int r = 0; r < rule_count; ++r) some = some || glob_matches(glob, name(static_cast<rule>(r)));
    if (!some) return fmt::format("no rule is called \"{}\"; `simrun explain` lists them", glob);
  }
  return {};
}

}  // namespace

bool glob_matches(std::string_view glob, std::string_view text) {
  std::size_t g = 0, t = 0, star = std::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t]) && glob[g] != '*') {
      ++g, ++t;
    } else if (g < glob.size() && glob[g] == '*') {
      star = g++;
      retry = t;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

std::string suppressions::parse(const std::vector<std::string>& lines, std::string_view file_name) {
  std::vector<entry> added;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string line = lines[i];
    if (i == 0 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // a byte order mark, as editors on Windows leave
    if (i == 0 && (line.starts_with("\xFF\xFE") || line.starts_with("\xFE\xFF")))
      return fmt::format("{} is UTF-16; save it as UTF-8", file_name);
    std::istringstream words(line.substr(0, line.find('#')));
    entry e;
    for (std::string word; words >> word;) {
      if (const std::string wrong = complaint(word); !wrong.empty())
        return fmt::format("{}:{}: {}", file_name, i + 1, wrong);
      const auto colon = word.find(':');
      e.emplace_back(word.substr(0, colon), word.substr(colon + 1));
    }
    if (!e.empty()) added.push_back(std::move(e));
  }
  entries_.insert(entries_.end(), added.begin(), added.end());
  return {};
}

bool suppressions::matches(const finding& f) const {
  return std::ranges::any_of(entries_, [&](const entry& e) {
    return std::ranges::all_of(e, [&](const auto& word) { return holds(f, word.first, word.second); });
  });
}

std::size_t suppressions::filter(std::vector<finding>& findings) const {
  return std::erase_if(findings, [this](const finding& f) { return matches(f); });
}

}  // namespace simt
