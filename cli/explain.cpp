// SPDX-License-Identifier: Apache-2.0
// simrun explain [RULE ...]: what a rule means, an example, how to fix it; without a rule, all of them.
#include "sim/report/explain.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "command_line.hpp"
#include "sim/report/explain_counters.hpp"
#include "sim/report/nearest_name.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace simt::cli {

int verb_explain(const words& arguments) {
  const text_style plain = style_for(STDOUT_FILENO, "auto");
  const std::string usage = "Usage: simrun explain [RULE|COUNTER ...] [--cuda]\n\n" + text_rule_list(plain) +
                            "\nCounters of simrun profile\n\n" + text_counter_list(plain);
  const plain_command command = parse_plain_command(arguments, plain_verb::explain, usage);
  if (command.exit_code >= 0) return command.exit_code;
  const words& rules = command.extra;
  const text_style style = style_for(STDOUT_FILENO, command.options.color);
  if (rules.empty()) {
    print("Usage: simrun explain [RULE|COUNTER ...] [--cuda]\n\n" + text_rule_list(style) +
          "\nCounters of simrun profile\n\n" + text_counter_list(style));
    return kExitClean;
  }
  std::vector<std::string> known;
  for (int i = 0; i < rule_count; ++i) known.emplace_back(name(static_cast<rule>(i)));
  for (const std::string& counted : counter_names()) known.push_back(counted);
  // "race shared" for race-shared.
  const std::string joined = fmt::format("{}", fmt::join(rules, "-"));
  if (rules.size() > 1 && rule_from_name(joined) && !rule_from_name(rules.front())) {
    complain(fmt::format("a rule's name is one word; did you mean {}?", joined));
    return kExitUsage;
  }
  std::string text;
  for (const std::string& word : rules) {
    if (const auto counted = counter_from_name(word)) {
      text += (text.empty() ? "" : "\n") + text_explanation(*counted, style);
      continue;
    }
    const auto found = rule_from_name(word);
    if (!found) {
      const std::string similar = suggestion(word, known);
      complain(
          fmt::format("there is no rule \"{}\"{} `simrun explain` lists them.", word, similar.empty() ? "." : similar));
      return kExitUsage;
    }
    text += (text.empty() ? "" : "\n") +
            text_explanation(*found, command.options.cuda_words ? dialect::cuda : dialect::api, style);
  }
  print(text);
  return kExitClean;
}

}  // namespace simt::cli
