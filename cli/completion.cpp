// SPDX-License-Identifier: Apache-2.0
// simrun completion bash|zsh|fish|man: what shells complete, and the manual page, made of the table of verbs and of the
// options that the parsers have. cmake --install puts them in their places.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "command_line.hpp"
#include "run_options.hpp"
#include "sim/report/names.hpp"
#include "sim/report/tool_version.hpp"
#include "terminal.hpp"
#include "verb_options.hpp"
#include "verbs.hpp"

namespace simt::cli {
namespace {

struct shown_option {
  std::string name, letter, value, choices, text, group;  // value: "" for flags, "FILE"; choices: with blanks between
};

// A verb of the line, and its parser's options. cu: a line that names a .cu file.
struct verb_options {
  std::string_view name;
  void (*declare)(CLI::App& app);
};
template <verb_kind Verb>
void of_runs(CLI::App& app) {
  static run_options ignored;
  add_run_options(app, ignored, Verb);
}
template <plain_verb Verb>
void of_plain(CLI::App& app) {
  static run_options ignored;
  add_plain_options(app, ignored, Verb);
}
constexpr verb_options kVerbs[] = {
    {"run", of_runs<verb_kind::run>},           {"test", of_runs<verb_kind::test>},
    {"bench", of_runs<verb_kind::bench>},       {"compare", of_runs<verb_kind::compare>},
    {"profile", of_runs<verb_kind::profile>},   {"debug", of_runs<verb_kind::debug>},
    {"replay", of_runs<verb_kind::run>},        {"cu", of_runs<verb_kind::cuda_source>},
    {"list", of_plain<plain_verb::list>},       {"devices", of_plain<plain_verb::devices>},
    {"explain", of_plain<plain_verb::explain>}, {"completion", of_plain<plain_verb::completion>},
    {"campaign", declare_campaign_options},     {"merge", declare_merge_options}};

std::vector<shown_option> options_of(const verb_options& verb) {
  CLI::App app;
  verb.declare(app);
  std::vector<shown_option> out;
  for (const CLI::Option* o : app.get_options()) {
    if (o->get_group().empty() || o->get_lnames().empty()) continue;
    shown_option s{"--" + o->get_lnames().front(), "", "", "", o->get_description(), o->get_group()};
    if (!o->get_snames().empty()) s.letter = "-" + o->get_snames().front();
    if (o->get_type_size() != 0) {
      const std::string type = o->get_type_name();  // "NAME:natural lockstep": see one_of
      const auto colon = type.find(':');
      s.value = type.substr(0, colon);
      if (colon != std::string::npos) s.choices = type.substr(colon + 1);
    }
    if (s.name == "--check") s.choices = "races memory uninit barrier all";
    out.push_back(s);
  }
  return out;
}

constexpr std::string_view kShells = "bash zsh fish man";

// Every option once, from whichever verb has it.
std::vector<shown_option> all_options() {
  std::vector<shown_option> out;
  for (const verb_options& v : kVerbs)
    for (const shown_option& o : options_of(v))
      if (std::ranges::find(out, o.name, &shown_option::name) == out.end()) out.push_back(o);
  return out;
}

std::string joined(const auto& range, const auto& text) {
  std::string out;
  for (const auto& element : range) {
    const std::string part(text(element));
    if (!part.empty()) out += (out.empty() ? "" : " ") + part;
  }
  return out;
}

std::string verb_names() {
  return joined(verbs(), [](const verb& v) { return v.name; });
}

std::string rule_names() {
  std::string out;
  for (int i = 0; i < rule_count; ++i) out += (i == 0 ? "" : " ") + std::string(name(static_cast<rule>(i)));
  return out;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

// Which verb the line has, and the programs that an installed simrun knows (./simrun would build them first).
constexpr std::string_view kPrograms = "command simrun list 2>/dev/null | sed -n 's/^\\([a-z0-9-]*\\)  .*/\\1/p'";

std::string for_bash() {
  std::string values, options;
  for (const shown_option& o : all_options()) {
    if (!o.choices.empty())
      values += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n", o.name, o.choices);
    else if (o.value == "FILE" || o.value == "FOLDER")
      values += fmt::format("    {}) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n", o.name);
    else if (!o.value.empty())
      values += fmt::format("    {}) return ;;\n", o.name);
  }
  for (const verb_options& v : kVerbs)
    options += fmt::format("    {}) options='{}' ;;\n", v.name,
                           joined(options_of(v), [](const shown_option& o) { return o.name; }));
  return fmt::format(R"shell(# bash completion of simrun, made by `simrun completion bash`
_simrun() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} verb='' options='' w
  for w in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case $w in
    *.cu) verb=cu && break ;;
    {}) verb=$w && break ;;
    esac
  done
  case $before in
{}  esac
  case ${{verb:-run}} in
{}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [[ $verb == explain ]]; then
    COMPREPLY=($(compgen -W '{}' -- "$word"))
  elif [[ $verb == completion ]]; then
    COMPREPLY=($(compgen -W '{}' -- "$word"))
  elif [[ $verb == replay || $verb == cu || $verb == campaign || $verb == merge ]]; then
    COMPREPLY=($(compgen -f -- "$word"))
  else
    [[ -n $verb ]] || COMPREPLY=($(compgen -W '{}' -- "$word"))
    COMPREPLY+=($(compgen -W "$({})" -- "$word") $(compgen -d -S / -- "$word") $(compgen -f -X '!*.cu' -- "$word"))
  fi
}}
complete -F _simrun simrun ./simrun
)shell",
                     replaced(verb_names(), " ", " | "), values, options, rule_names(), kShells, verb_names(),
                     kPrograms);
}

// In single quotes of zsh's _arguments and of fish.
std::string quoted(std::string text, bool zsh) {
  text = replaced(text, "\\", "\\\\");
  if (zsh)
    for (const char* special : {"[", "]", ":"}) text = replaced(text, special, "\\" + std::string(special));
  return replaced(text, "'", zsh ? "'\\''" : "\\'");
}

std::string for_zsh() {
  std::string tables;
  for (const verb_options& v : kVerbs) {
    tables += fmt::format("  {}) options=(\n", v.name);
    for (const shown_option& o : options_of(v)) {
      tables += fmt::format("    '{}{}[{}]", o.name, o.value.empty() ? "" : "=", quoted(o.text, true));
      if (!o.value.empty())
        tables += fmt::format(":{}:{}", o.value,
                              !o.choices.empty()                         ? "(" + o.choices + ")"
                              : o.value == "FILE" || o.value == "FOLDER" ? "_files"
                                                                         : " ");
      tables += "'\n";
    }
    tables += "  ) ;;\n";
  }
  return fmt::format(R"shell(#compdef simrun
# zsh completion of simrun, made by `simrun completion zsh`
local verb='' w
local -a options words_here
for w in "${{(@)words[2,CURRENT-1]}}"; do
  case $w in
  *.cu) verb=cu; break ;;
  {}) verb=$w; break ;;
  esac
done
case ${{verb:-run}} in
{}  esac
case $verb in
  explain) words_here=({}) ;;
  completion) words_here=({}) ;;
  replay | cu | campaign | merge) ;;
  '') words_here=({} ${{(f)"$({})"}}) ;;
  *) words_here=(${{(f)"$({})"}}) ;;
esac
_arguments -S $options "*: : _alternative 'words:word:($words_here)' 'files:file:_files'"
)shell",
                     replaced(verb_names(), " ", " | "), tables, rule_names(), kShells, verb_names(), kPrograms,
                     kPrograms);
}

std::string for_fish() {
  std::string out = fmt::format(
      "# fish completion of simrun, made by `simrun completion fish`\n"
      "complete -c simrun -n __fish_is_first_token -a '{}'\n"
      "complete -c simrun -n 'not __fish_seen_subcommand_from explain replay campaign merge completion' -a \"({})\"\n"
      "complete -c simrun -f -n '__fish_seen_subcommand_from explain' -a '{}'\n"
      "complete -c simrun -f -n '__fish_seen_subcommand_from completion' -a '{}'\n",
      verb_names(), replaced(std::string(kPrograms), "\\", "\\\\"), rule_names(), kShells);
  for (const shown_option& o : all_options()) {
    // Named are the verbs that have it, or those that have not: a line without a verb runs a program.
    std::string with, without;
    bool of_runs = false;
    for (const verb_options& v : kVerbs) {
      const auto has = options_of(v);
      const bool found = std::ranges::find(has, o.name, &shown_option::name) != has.end();
      if (v.name == "run" || v.name == "cu")
        of_runs = of_runs || found;
      else
        (found ? with : without) += fmt::format(" {}", v.name);
    }
    out += "complete -c simrun";
    if (!of_runs)
      out += fmt::format(" -n '__fish_seen_subcommand_from{}'", with);
    else if (!without.empty())
      out += fmt::format(" -n 'not __fish_seen_subcommand_from{}'", without);
    out += " -l " + o.name.substr(2);
    if (!o.letter.empty()) out += " -s " + o.letter.substr(1);
    if (!o.choices.empty())
      out += fmt::format(" -x -a '{}'", o.choices);
    else if (!o.value.empty())
      out += o.value == "FILE" || o.value == "FOLDER" ? " -r" : " -x";
    out += fmt::format(" -d '{}'\n", quoted(o.text, false));
  }
  return out;
}

// For man: a dash is one, and no line begins with a request.
std::string roff(std::string_view text) {
  std::string out = replaced(std::string(text), "\\", "\\e");
  out = replaced(out, "-", "\\-");
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string manual() {
  std::string out = fmt::format(
      ".TH SIMRUN 1 \"\" \"simrun {}\"\n.SH NAME\nsimrun \\- run CUDA\\-style kernels on a CPU and find their defects\n"
      ".SH SYNOPSIS\n",
      roff(tool_version()));
  for (const verb& v : verbs()) out += roff(v.usage) + "\n.br\n";
  out += ".SH COMMANDS\n";
  for (const verb& v : verbs()) out += fmt::format(".TP\n.B {}\n{}\n", roff(v.usage), roff(v.summary));
  out += ".SH OPTIONS\n";
  std::vector<std::string> groups;
  const std::vector<shown_option> options = all_options();
  for (const shown_option& o : options)
    if (std::ranges::find(groups, o.group) == groups.end()) groups.push_back(o.group);
  for (const std::string& group : groups) {
    out += fmt::format(".SS \"{}\"\n", roff(group));
    for (const shown_option& o : options) {
      if (o.group != group) continue;
      out += fmt::format(".TP\n\\fB{}\\fR{}{}\n{}\n", roff(o.name),
                         o.letter.empty() ? "" : ", \\fB" + roff(o.letter) + "\\fR",
                         o.value.empty() ? "" : " \\fI" + roff(o.value) + "\\fR", roff(o.text));
    }
  }
  return out + R"(.SH "EXIT STATUS"
0 clean, 1 wrong result, 2 usage or launch error, 3 findings, 4 crash or hang in a kernel, 77 backend not available,
128 + N ended by signal N. A checked .cu program without findings ends with its own exit code.
.SH "SEE ALSO"
docs/cli.md and docs/cuda_source.md of the sources.
)";
}

}  // namespace

int verb_completion(const words& arguments) {
  const std::string usage =
      "Usage: simrun completion bash|zsh|fish|man\n\nWrites completion for the shell, or the manual page.\n";
  const plain_command command = parse_plain_command(arguments, plain_verb::completion, usage);
  if (command.exit_code >= 0) return command.exit_code;
  const std::string what = command.extra.size() == 1 ? command.extra.front() : "";
  if (what == "bash") return print(for_bash()), kExitClean;
  if (what == "zsh") return print(for_zsh()), kExitClean;
  if (what == "fish") return print(for_fish()), kExitClean;
  if (what == "man") return print(manual()), kExitClean;
  complain("completion takes one word: bash, zsh, fish or man");
  return kExitUsage;
}

}  // namespace simt::cli
