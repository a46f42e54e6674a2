// SPDX-License-Identifier: Apache-2.0
// simrun APP.cu: builds CUDA C++ source for the simulator (or takes it from the cache) and runs its main in a process
// of its own. frontends/cuda/driver does both; this file reads the line, calls and prints.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <optional>

#include "build_cuda.hpp"
#include "built_files.hpp"
#include "command_line.hpp"
#include "compiler_text.hpp"
#include "debug.hpp"
#include "execution.hpp"
#include "frontends/cuda/driver/build.hpp"
#include "frontends/cuda/driver/built_program.hpp"
#include "frontends/cuda/driver/cache.hpp"
#include "frontends/cuda/driver/options.hpp"
#include "frontends/cuda/driver/process.hpp"
#include "frontends/cuda/driver/program_process.hpp"
#include "frontends/cuda/driver/source_objects.hpp"
#include "help_text.hpp"
#include "interruption.hpp"
#include "output_file.hpp"
#include "profile.hpp"
#include "ptxas_registers.hpp"
#include "report_files.hpp"
#include "sim/report/gcc_report.hpp"
#include "sim/report/nearest_name.hpp"
#include "sim/report/terminal_text.hpp"
#include "sim/report/text_report.hpp"
#include "sim/report/verdict.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace simt::cli {
namespace {

int usage(const std::string& wrong) {
  complain(wrong + (wrong.ends_with('.') ? " See `simrun --help`." : "; see `simrun --help`"));
  return kExitUsage;
}

// nvcc's options, by what becomes of them.
std::string compiler_options(const text_style& style) {
  std::string taken, ignored;
  for (const cuda_source::nvcc_option& o : cuda_source::nvcc_options()) {
    if (o.use == cuda_source::option_use::refuse) continue;
    std::string& list = o.use == cuda_source::option_use::ignore ? ignored : taken;
    list += (list.empty() ? "" : " ") + std::string(o.name);
  }
  std::string out = "\n" + paint("Options of nvcc", tone::note, style.color) + "\n";
  for (const std::string& line : wrap("taken: " + taken, style.width - 2)) out += "  " + line + "\n";
  for (const std::string& line : wrap("without a meaning here: " + ignored, style.width - 2)) out += "  " + line + "\n";
  return out;
}

int unavailable_on_gpu() {
  complain("a .cu file is built for the simulator only; for a GPU build it with nvcc");
  return kExitUnavailable;
}

void print_help(const CLI::App& app, const text_style& style) {
  print(laid_out(
            "simrun APP.cu [more.cu ...] [-I DIR] [-D NAME[=VALUE]] [-std=..] [-O..] [-l LIB] [-o FILE] [options] [-- "
            "arguments]\n\n"
            "Builds CUDA C++ source with the host compiler and runs it on the simulator; docs/cuda_source.md says what "
            "is "
            "covered.\n"
            "-o FILE only builds. Nothing else is printed than what the program prints, unless something is found.\n",
            style) +
        compiler_options(style) + option_table(app, style));
}

std::string unknown_word(const std::string& word, const CLI::App& app) {
  std::vector<std::string> known = option_names(app);
  for (const cuda_source::nvcc_option& o : cuda_source::nvcc_options())
    for (const std::string_view name : {o.name, o.long_name})
      if (name.size() > 2) known.emplace_back(name);
  const std::string name = word.substr(0, word.find('='));
  for (const char* other : {"--grid", "--block", "--shared", "--plot", "--module"})
    if (name == other) return name + " is for programs that are run by name; a .cu file says itself what it launches";
  const bool is_option = word.starts_with('-');
  if (!is_option) {
    known.clear();
    for (const verb& v : verbs())
      if (!v.name.empty()) known.emplace_back(v.name);
  }
  const std::string similar = is_option ? similar_option(name, known) : suggestion(word, known);
  return (is_option ? "unknown option " + name : "'" + word + "' is neither a source file nor an option") +
         (similar.empty() ? "." : similar) + " Arguments of the program come after --";
}

// The options of simrun among the words that the driver left. Returns what is wrong, or nothing.
std::string read_options(const words& left, CLI::App& app, run_options& o, verb_kind verb = verb_kind::cuda_source) {
  add_run_options(app, o, verb);
  if (o.profile) add_profile_options(app, o);
  app.allow_extras();
  if (std::string wrong = parse_tool_options(app, left); !wrong.empty()) return wrong;
  if (o.help) return {};
  words extra = app.remaining();
  std::erase(extra, verb == verb_kind::cuda_source ? "run" : "debug");
  if (!extra.empty()) return unknown_word(extra.front(), app);
  if (std::string wrong = settle(o); !wrong.empty()) return wrong;
  return {};
}

// The words of the command that `run_options` does not know: other sources, options of the build, arguments. They are
// in the report and end each finding's replay command.
void add_rest_of_command(run_report& r, const cuda_source::source_command& c, bool replayed_by_file) {
  words rest = c.as_typed;
  std::erase(rest, subject_of(c));
  if (!c.arguments.empty()) rest.emplace_back("--");
  rest.insert(rest.end(), c.arguments.begin(), c.arguments.end());
  for (finding& f : r.findings)
    for (const std::string& word : rest) {
      if (!replayed_by_file) f.replay += " " + shell_quoted(word);
      if (!f.debug.empty()) f.debug += " " + shell_quoted(word);
    }
  if (c.build.sources.empty())  // gdb gets a program that is built for it
    for (finding& f : r.findings) f.debug.clear();
  r.arguments.insert(r.arguments.end(), rest.begin(), rest.end());
}

// What a program without findings and checks did is its own business; else the report.
void show(const run_report& r, const run_options& o, const silenced_findings& silenced) {
  const bool silent = !o.wants_checks() && !o.explain_execution && r.findings.empty();
  const bool whole = !o.quiet && o.format != "gcc";
  if (!silent && (was_run(r.verdict) || !r.findings.empty())) {
    text_style style = style_for(STDERR_FILENO, o.color);
    style.max_findings = o.max_reports > 0 ? o.max_reports : 20;
    style.strict = o.strict;
    style.executions = o.explain_execution;
    print_to_stderr(o.format == "gcc" ? gcc_report(r) + text_summary(r, style, silenced, r.findings.size())
                    : o.quiet         ? text_summary(r, style, silenced)
                                      : text_report(r, style, silenced));
    if (whole) return;  // it says the error, too
  }
  if (!r.error.empty()) complain(r.error);
  if (!silent && !was_run(r.verdict) && r.findings.empty() && !what_was_judged(r).empty())
    print_to_stderr(text_summary(r, style_for(STDERR_FILENO, o.color), silenced));
}

// Runs it, shows what it did and writes the files that were asked for. Returns the exit code.
int run_executable(const cuda_source::source_command& c, const std::string& executable, const run_options& o,
                   const suppression_file& suppressed, report_files& files, profile_output& counted) {
  cuda_source::program_process program(executable, c.arguments, c.build.check ? "check" : "sim");
  progress none(true);  // the terminal is the program's
  std::optional<interruption> interrupted;
  if (c.build.check) interrupted.emplace([&](int signal) { program.interrupt(signal); });
  execution done = execute(program, o, suppressed, none);
  run_report& r = done.report;
  if (o.by_steps()) {
    if (r.judged.launches > 0 && o.orders.empty()) r.notes.push_back(program.compared());
    for (run_report* each : {&r, &done.to_record}) each->result.outputs.clear();  // they are not programs' outputs
  }
  add_rest_of_command(r, c, o.by_steps());
  add_rest_of_command(done.to_record, c, o.by_steps());
  show(r, o, {done.suppressed, done.known});
  if (o.registers)
    if (const std::string wrong = ask_ptxas(c.build.sources, c.build.options, r.profile); !wrong.empty())
      complain(wrong);
  const std::string unwritten =
      o.profile ? counted.write(r, o, STDERR_FILENO) : files.write(r, done.to_record, o.strict);
  if (!unwritten.empty()) complain(unwritten);
  // What the tool found comes first. A clean run ends with the program's own code; where findings were suppressed, that
  // code may be theirs and says nothing of the program.
  const int code = exit_code(r, o.strict);
  if (code == kExitClean && !unwritten.empty()) return kExitUsage;
  return code != 0 ? code : done.suppressed + done.known == 0 ? program.exit_code() : 0;
}

}  // namespace

int debug_cuda_source(const words& all) {
  cuda_source::source_command c = cuda_source::read_command_line(all);
  if (!c.wrong.empty()) return usage(c.wrong);
  run_options o;
  CLI::App app;
  if (const std::string wrong = read_options(c.for_tool, app, o, verb_kind::debug_source); !wrong.empty())
    return usage(wrong);
  if (o.help) {
    print(verb_help(app, verb_kind::debug_source, style_for(STDOUT_FILENO, o.color)));
    return kExitClean;
  }
  o.program = subject_of(c);
  c.build.for_debugger = true;
  std::optional<cuda_source::program_cache> cache;
  cuda_source::build_result built;
  if (const int code = build_program(c, o, cache, built); code >= 0) return code;
  settle_for_debugger(o);
  cuda_source::put_into_environment(make_request(o, {}));
  words program = {built.executable};
  program.insert(program.end(), c.arguments.begin(), c.arguments.end());
  return start_debugger(o, program);
}

int verb_cuda_source(const words& all, const replayed_orders& replayed, bool profile) {
  if (std::find(all.begin(), std::ranges::find(all, "--"), "--module") != std::ranges::find(all, "--"))
    return usage("--module holds programs that are run by name; it does not go with .cu files");
  cuda_source::source_command c = cuda_source::read_command_line(all);
  if (!c.wrong.empty()) return usage(c.wrong);
  run_options o;
  o.profile = profile;
  CLI::App app;
  if (const std::string wrong = read_options(c.for_tool, app, o); !wrong.empty()) return usage(wrong);
  if (o.help) {
    print_help(app, style_for(STDOUT_FILENO, o.color));
    return kExitClean;
  }
  o.program = subject_of(c);
  o.orders = replayed.orders;
  o.replayed = replayed.file;
  if (o.backend == "cuda" && profile) return profile_on_gpu("./app");  // built with nvcc
  if (o.backend == "cuda") return unavailable_on_gpu();

  if (c.wants_objects) {
    if (profile) return usage("profile runs a program, and -c makes none");
    if (const std::string wrong = written_over({{"-o", c.output}, {"-MF", c.dependencies}}, c.build.sources);
        !wrong.empty())
      return usage(wrong);
    return make_objects(std::move(c), o);
  }
  if (c.wants_archive || c.wants_device_link) {
    if (profile) return usage("profile runs a program, and -lib and -dlink make none");
    words read = c.build.sources;
    read.insert(read.end(), c.build.objects.begin(), c.build.objects.end());
    if (const std::string wrong = written_over({{"-o", c.output}}, read, "an input"); !wrong.empty())
      return usage(wrong);
    return c.wants_archive ? make_archive(std::move(c), o) : link_device_code(c);
  }

  std::vector<named_file> written = report_paths(o);
  written.insert(written.end(), {{"-o", c.output}, {"-MF", c.dependencies}});
  if (const std::string wrong = written_over(written, c.build.sources.empty() ? c.build.objects : c.build.sources);
      !wrong.empty())
    return usage(wrong);
  report_files files;
  profile_output counted;
  suppression_file suppressed;
  std::optional<cuda_source::program_cache> cache;
  cuda_source::build_result built;
  try {
    if (const std::string wrong = profile ? counted.open(o) : files.open(o); !wrong.empty()) return usage(wrong);
    suppressed = read_suppressions(o);
    c.build.profile = profile;
  } catch (const std::runtime_error& error) {
    complain(error.what());
    return kExitUsage;
  }
  c.build.check = o.wants_check_variant();
  if (c.build.shared)
    return profile ? usage("profile runs a program, and -shared makes none") : make_shared_library(std::move(c), o);
  if (const int code = build_program(c, o, cache, built); code >= 0) return code;
  if (!c.output.empty()) {
    if (c.wants_dependencies)
      if (const int code = write_dependencies(c, built.files_read); code != kExitClean) return code;
    return c.build.module ? write_module_file(c, built.executable) : place(built.executable, c.output);
  }

  return run_executable(c, built.executable, o, suppressed, files, counted);
}

bool names_source_objects(const words& all) {
  const auto is_named_so = [](const std::string& word) {
    return !word.starts_with('-') && (word.ends_with(".o") || word.ends_with(".a"));
  };
  const std::size_t bare = first_bare_word(all);
  // The build says that there is no such file.
  if (bare < all.size() && is_named_so(all[bare]) && !std::filesystem::exists(all[bare])) return true;
  words files = cuda_source::read_command_line(all).build.objects;  // -l may name one
  std::copy_if(all.begin(), std::ranges::find(all, "--"), std::back_inserter(files), is_named_so);
  return std::ranges::any_of(files, [](const std::string& f) { return cuda_source::holds_source_objects(f); });
}

bool names_built_program(const words& all) {
  const std::size_t bare = first_bare_word(all);
  return bare < all.size() && cuda_source::mark_of(all[bare]).has_value();
}

int verb_built_program(const words& all, const replayed_orders& replayed) {
  const std::size_t bare = first_bare_word(all);
  const std::string executable = all[bare];
  const cuda_source::program_mark mark = cuda_source::mark_of(executable).value();
  if (!mark.is_current)
    return usage(fmt::format("{} was built by another version of simrun; build it again", executable));
  cuda_source::source_command c;
  c.build.objects = c.as_typed = {executable};
  c.build.check = mark.variant == "check";
  const auto end = std::ranges::find(all, "--");
  if (end != all.end()) c.arguments.assign(end + 1, all.end());
  c.for_tool.assign(all.begin(), end);
  c.for_tool.erase(c.for_tool.begin() + static_cast<std::ptrdiff_t>(bare));
  run_options o;
  CLI::App app;
  if (const std::string wrong = read_options(c.for_tool, app, o); !wrong.empty()) return usage(wrong);
  if (o.help) {
    print_help(app, style_for(STDOUT_FILENO, o.color));
    return kExitClean;
  }
  if (o.backend == "cuda") return unavailable_on_gpu();
  if (c.build.check && !o.wants_check_variant()) turn_on("all", o.checks);  // as it does when it is run by hand
  if (o.wants_check_variant() && !c.build.check)
    return usage(fmt::format("{} was built without checks: build it with --check all", executable));
  if (const std::string wrong = written_over(report_paths(o), {executable}, "the program"); !wrong.empty())
    return usage(wrong);
  o.program = executable;
  o.orders = replayed.orders;
  o.replayed = replayed.file;
  report_files files;
  suppression_file suppressed;
  try {
    if (const std::string wrong = files.open(o); !wrong.empty()) return usage(wrong);
    suppressed = read_suppressions(o);
  } catch (const std::runtime_error& error) {
    complain(error.what());
    return kExitUsage;
  }
  profile_output none;
  return run_executable(c, std::filesystem::absolute(executable), o, suppressed, files, none);
}

}  // namespace simt::cli
