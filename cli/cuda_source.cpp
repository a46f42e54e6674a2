// SPDX-License-Identifier: Apache-2.0
// simrun APP.cu: builds CUDA C++ source for the simulator (or takes it from the cache) and runs its main in a process
// of its own. frontends/cuda/driver does both; this file reads the line, calls and prints.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "command_line.hpp"
#include "execution.hpp"
#include "frontends/cuda/driver/build.hpp"
#include "frontends/cuda/driver/cache.hpp"
#include "frontends/cuda/driver/options.hpp"
#include "frontends/cuda/driver/program_process.hpp"
#include "report_files.hpp"
#include "sim/report/nearest_name.hpp"
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

void print_help(const CLI::App& app) {
  print(
      "simrun APP.cu [more.cu ...] [-I DIR] [-D NAME[=VALUE]] [-std=..] [-O..] [-l LIB] [-o FILE] [options] [-- "
      "arguments]\n\n"
      "Builds CUDA C++ source with the host compiler and runs it on the simulator; docs/cuda_source.md says what is "
      "covered.\n"
      "-o FILE only builds. Nothing else is printed than what the program prints, unless something is found.\n\n" +
      app.help());
}

std::string unknown_word(const std::string& word, const CLI::App& app) {
  std::vector<std::string> known = option_names(app);
  for (const cuda_source::nvcc_option& o : cuda_source::nvcc_options())
    for (const std::string_view name : {o.name, o.long_name})
      if (name.size() > 2) known.emplace_back(name);
  const std::string name = word.substr(0, word.find('='));
  const std::string similar = suggestion(name, known);
  const std::string what = word.starts_with('-') ? "unknown option " + name + (similar.empty() ? "." : similar)
                                                 : "'" + word + "' is neither a source file nor an option.";
  return what + " Arguments of the program come after --";
}

// The options of simrun among the words that the driver left. Returns what is wrong, or nothing.
std::string read_options(const words& left, CLI::App& app, run_options& o) {
  add_run_options(app, o, verb_kind::run);
  app.allow_extras();
  words reversed(left.rbegin(), left.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& e) {
    return e.what();
  }
  if (o.help) return {};
  words extra = app.remaining();
  std::erase(extra, "run");
  if (!extra.empty()) return unknown_word(extra.front(), app);
  if (std::string wrong = settle(o); !wrong.empty()) return wrong;
  if (!o.grid.empty() || !o.block.empty() || o.shared >= 0 || o.plot)
    return "--grid, --block, --shared and --plot are for programs that are run by name; a .cu file says itself what it "
           "launches";
  return {};
}

// Where the build or the package put the description of the tool chain.
std::string tool_folder() {
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  return (self.parent_path() / "../lib/simt").lexically_normal().string();
}

// Copies the executable to the file of -o: whole or not at all. Returns the exit code.
int place(const std::string& executable, const std::string& output) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::file_status there = fs::status(output, failed);
  if (fs::is_directory(there)) failed = std::make_error_code(std::errc::is_a_directory);
  // A device or a pipe takes what comes; the place of a file is taken by a file.
  const bool special = fs::exists(there) && !fs::is_regular_file(there);
  const std::string draft = special ? output : fmt::format("{}.{}.part", output, getpid());
  if (!fs::is_directory(there)) {
    failed.clear();
    fs::copy_file(executable, draft, fs::copy_options::overwrite_existing, failed);
    // As the compiler would have made it; in the cache it is for us alone.
    const mode_t mask = umask(0);
    umask(mask);
    if (!failed && !special) fs::permissions(draft, static_cast<fs::perms>(0777 & ~mask), failed);
    if (!failed && !special) fs::rename(draft, output, failed);
  }
  if (!failed) return kExitClean;
  std::error_code none;
  if (!special) fs::remove(draft, none);
  complain(fmt::format("cannot write {}: {}", output, failed.message()));
  return kExitUsage;
}

// For -MF: what the executable was made from, as a rule for make. Returns the exit code.
int write_dependencies(const cuda_source::source_command& c, const std::set<std::string>& files) {
  const auto escaped = [](const std::string& name) {
    std::string out;
    for (const char letter : name)
      out += letter == ' ' || letter == '#' ? std::string{'\\', letter} : letter == '$' ? "$$" : std::string{letter};
    return out;
  };
  std::string rule = escaped(c.output) + ":";
  for (const std::string& file : files)
    rule += " \\\n " + escaped(std::filesystem::absolute(file).lexically_normal().string());
  std::ofstream out(c.dependencies);
  out << rule << "\n";
  out.close();
  if (out) return kExitClean;
  complain(fmt::format("cannot write {}", c.dependencies));
  return kExitUsage;
}

// The words of the command that `run_options` does not know: other sources, options of the build, arguments. They are
// in the report and end each finding's replay command.
void add_rest_of_command(run_report& r, const cuda_source::source_command& c) {
  words rest = c.as_typed;
  std::erase(rest, c.build.sources.front());
  if (!c.arguments.empty()) rest.emplace_back("--");
  rest.insert(rest.end(), c.arguments.begin(), c.arguments.end());
  for (finding& f : r.findings)
    for (const std::string& word : rest) f.replay += " " + shell_quoted(word);
  r.arguments.insert(r.arguments.end(), rest.begin(), rest.end());
}

void write_to_standard_error(const std::string& text) { (void)!write(STDERR_FILENO, text.data(), text.size()); }

// What a program without findings and checks did is its own business; else the report.
void show(const run_report& r, const run_options& o, std::size_t suppressed) {
  const bool silent = !o.wants_checks() && r.findings.empty();
  if (!silent && r.verdict != verdict::error && r.verdict != verdict::unavailable) {
    text_style style = style_for(STDERR_FILENO, o.color);
    style.max_findings = o.max_reports > 0 ? o.max_reports : 20;
    style.strict = o.strict;
    write_to_standard_error(o.quiet ? text_summary(r, style, suppressed) : text_report(r, style, suppressed));
  }
  if (!r.error.empty()) complain(r.error);
}

}  // namespace

int verb_cuda_source(const words& all, const std::vector<recorded_order>& orders) {
  if (std::find(all.begin(), std::ranges::find(all, "--"), "--module") != std::ranges::find(all, "--"))
    return usage("--module holds programs that are run by name; it does not go with .cu files");
  cuda_source::source_command c = cuda_source::read_command_line(all);
  if (!c.wrong.empty()) return usage(c.wrong);
  run_options o;
  CLI::App app;
  if (const std::string wrong = read_options(c.for_tool, app, o); !wrong.empty()) return usage(wrong);
  if (o.help) {
    print_help(app);
    return kExitClean;
  }
  o.program = c.build.sources.front();
  o.orders = orders;
  if (o.backend == "cuda") {
    complain("a .cu file is built for the simulator only; for a GPU build it with nvcc");
    return kExitUnavailable;
  }

  report_files files;
  suppression_file suppressed;
  std::optional<cuda_source::program_cache> cache;
  cuda_source::build_result built;
  try {
    if (const std::string wrong = files.open(o); !wrong.empty()) return usage(wrong);
    suppressed = read_suppressions(o.suppress);
    c.build.check = o.wants_check_variant();
    progress shown(o.quiet);
    shown.show(fmt::format("building {}", o.program));
    const cuda_source::tool_chain tools = cuda_source::read_tool_chain(tool_folder());
    cache.emplace();
    if (!cache->remark().empty()) complain(cache->remark());
    built = cuda_source::build(tools, c.build, cache->folder());
  } catch (const std::runtime_error& error) {
    complain(error.what());
    return kExitUsage;
  }
  write_to_standard_error(built.text);
  if (built.executable.empty()) {
    complain(fmt::format("{} was not built", o.program));
    return kExitUsage;
  }
  if (!c.output.empty()) {
    if (c.wants_dependencies)
      if (const int code = write_dependencies(c, built.files_read); code != kExitClean) return code;
    return place(built.executable, c.output);
  }

  cuda_source::program_process program(built.executable, c.arguments, c.build.check ? "check" : "sim");
  progress none(true);  // the terminal is the program's
  execution done = execute(program, o, suppressed, none);
  run_report& r = done.report;
  add_rest_of_command(r, c);
  show(r, o, done.suppressed);
  if (const std::string wrong = files.write(r, o.strict); !wrong.empty()) return usage(wrong);
  // What the tool found comes first. A clean run ends with the program's own code; where findings were suppressed, that
  // code may be theirs and says nothing of the program.
  const int code = exit_code(r, o.strict);
  return code != 0 ? code : done.suppressed == 0 ? program.exit_code() : 0;
}

}  // namespace simt::cli
