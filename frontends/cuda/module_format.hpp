// SPDX-License-Identifier: Apache-2.0
// Files of modules: lines of text that the tool writes and programs read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace simt::cuda_source {

struct module_file {
  std::string folder;                    // where the command was given
  std::vector<std::string> words;        // of the command, without -ptx and -o
  std::string sim_object, check_object;  // shared objects; empty: not built yet
};

inline constexpr std::string_view kModuleBegins = "// a module of simrun's, no code of a GPU: cuModuleLoad takes it\n";
inline constexpr std::string_view kModuleEnds = "// end of the module\n";

inline std::string write_module(const module_file& m) {
  std::string text(kModuleBegins);
  text += "// folder " + m.folder + "\n";
  for (const std::string& word : m.words) text += "// word " + word + "\n";
  if (!m.sim_object.empty()) text += "// sim " + m.sim_object + "\n";
  if (!m.check_object.empty()) text += "// check " + m.check_object + "\n";
  text += kModuleEnds;
  return text;
}

// False: it is no such text. It ends with its last line, whatever follows in memory.
inline bool read_module(const char* text, module_file& m) {
  for (std::size_t i = 0; i < kModuleBegins.size(); ++i)
    if (text[i] != kModuleBegins[i]) return false;
  const char* line = text + kModuleBegins.size();
  for (;;) {
    const char* end = line;
    while (*end != '\n' && *end != 0) ++end;
    if (*end == 0) return false;
    const std::string_view whole(line, static_cast<std::size_t>(end + 1 - line));
    if (whole == kModuleEnds) return true;
    const std::string_view said = whole.substr(0, whole.size() - 1);
    const auto take = [&](std::string_view key, auto&& to) {
      if (said.starts_with(key)) to(std::string(said.substr(key.size())));
    };
    take("// folder ", [&](std::string s) { m.folder = std::move(s); });
    take("// word ", [&](std::string s) { m.words.push_back(std::move(s)); });
    take("// sim ", [&](std::string s) { m.sim_object = std::move(s); });
    take("// check ", [&](std::string s) { m.check_object = std::move(s); });
    line = end + 1;
  }
}

}  // namespace simt::cuda_source
