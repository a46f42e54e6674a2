// SPDX-License-Identifier: Apache-2.0
// simrun explain [RULE]: what a rule means, an example, how to fix it; without a rule, all of them.
#include "sim/report/explain.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "command_line.hpp"
#include "nearest_name.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace simt::cli {

int verb_explain(const words& arguments) {
  CLI::App app;
  app.set_help_flag();
  std::string color = "auto";
  bool help = false;
  app.add_option("--color", color)->check(CLI::IsMember({"auto", "always", "never"}));
  app.add_flag("--help,-h", help);
  words rules;
  int code = kExitClean;
  if (!parse_plain_command(app, arguments, rules, code)) return code;
  const text_style style = style_for(STDOUT_FILENO, color);
  if (help || rules.empty()) {
    print("Usage: simrun explain RULE\n\n" + text_rule_list(style));
    return kExitClean;
  }
  std::vector<std::string> known;
  for (int i = 0; i < rule_count; ++i) known.emplace_back(name(static_cast<rule>(i)));
  std::string text;
  for (const std::string& word : rules) {
    const auto found = rule_from_name(word);
    if (!found) {
      const std::string similar = suggestion(word, known);
      complain(fmt::format("there is no rule \"{}\"{} `simrun explain` lists them.", word, similar.empty() ? "." : similar));
      return kExitUsage;
    }
    text += (text.empty() ? "" : "\n") + text_explanation(*found, style);
  }
  print(text);
  return kExitClean;
}

}  // namespace simt::cli
