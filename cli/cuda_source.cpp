// SPDX-License-Identifier: Apache-2.0
// simrun APP.cu: builds CUDA C++ source for the simulator (or takes it from the cache) and runs its main in a process of
// its own. That process is a `module` with one program here, so schedules, suppressions and reports are those of `run`.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "command_line.hpp"
#include "execution.hpp"
#include "report_files.hpp"
#include "sim/report/text_report.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

#if defined(SIMT_CUDA_SOURCE_FILES)
#include <cstring>

#include "backends/cuda_source/build/build.hpp"
#include "backends/cuda_source/build/process.hpp"
#include "backends/cuda_source/report_transport.hpp"
#endif

namespace simt::cli {

#if !defined(SIMT_CUDA_SOURCE_FILES)
int verb_cuda_source(const words&) {
  complain("this simrun was built without the simulator and cannot run CUDA C++ source files (.cu); configure with -DSIMT_BUILD_SIM=ON");
  return kExitUsage;
}
#else
namespace {

constexpr int kReportDescriptor = 9;

// A command line taken apart: sources, options for the compiler, options of the tool, arguments of the program.
struct source_command {
  cuda_source::build_request build;
  words tool, arguments;
  words as_typed;  // sources and compiler options, to say the command again
  std::string output, wrong;
};

bool has_old_standard(const std::string& w) {
  for (const char* s : {"03", "98", "11", "14", "17", "0x", "1y", "1z"})
    if (w == std::string("-std=c++") + s || w == std::string("-std=gnu++") + s) return true;
  return false;
}

// nvcc's own options that say nothing to a host compiler. Those in `with_value` take the next word too.
bool is_nvcc_option(const std::string& w, bool& takes_next) {
  takes_next = false;
  for (const char* o : {"-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code", "--gpu-code", "-ccbin", "--compiler-bindir", "-maxrregcount",
                        "--maxrregcount", "-Xptxas", "--ptxas-options", "-Xnvlink", "--nvlink-options", "-rdc", "--relocatable-device-code", "-cudart", "--cudart",
                        "-t", "--threads", "--diag-suppress", "-diag-suppress", "--resource-usage"}) {
    if (w == o) return takes_next = w != "--resource-usage", true;
    if (w.starts_with(std::string(o) + "=")) return true;
  }
  for (const char* o : {"-lineinfo", "--generate-line-info", "-G", "--device-debug", "-dc", "-use_fast_math", "--use_fast_math", "--extended-lambda",
                        "-extended-lambda", "--expt-extended-lambda", "-expt-extended-lambda", "--expt-relaxed-constexpr", "-expt-relaxed-constexpr", "-lcudart",
                        "-lcudart_static", "-lcuda", "-lcudadevrt", "-lcurand", "-restrict", "--restrict", "-res-usage", "-dlto", "-keep", "--keep"})
    if (w == o) return true;
  return w.starts_with("--fmad") || w.starts_with("-fmad") || w.starts_with("-ftz=") || w.starts_with("--ftz=") || w.starts_with("-prec-") ||
         w.starts_with("--prec-");
}

// Words that nvcc hands on to the host compiler: a list with commas between.
words of_list(const std::string& list) {
  words all;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    if (end > at) all.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

// The value of an option that is written `NAME VALUE` or `NAME=VALUE`; a word that is taken moves `w` on.
template <class Word>
const std::string* value_of(std::initializer_list<const char*> names, Word& w, bool more, std::string& store) {
  for (const char* const name : names) {
    if (*w == name && more) return &(store = *++w);
    const std::string begin = std::string(name) + "=";
    if (w->starts_with(begin)) return &(store = w->substr(begin.size()));
  }
  return nullptr;
}

source_command take_apart(const words& all) {
  source_command c;
  const auto end = std::ranges::find(all, "--");
  if (end != all.end()) c.arguments.assign(end + 1, all.end());
  for (auto w = all.begin(); w != end; ++w) {
    const bool more = w + 1 != end;
    bool takes_next = false;
    std::string value;
    const words::const_iterator typed = w;
    const auto type_again = [&] { c.as_typed.insert(c.as_typed.end(), typed, w + 1); };
    if (w->ends_with(".cu") && !w->starts_with('-')) {
      c.build.sources.push_back(*w);
      c.as_typed.push_back(*w);
    } else if (value_of({"--default-stream", "-default-stream"}, w, more, value) != nullptr) {
      if (value != "per-thread" && value != "legacy" && value != "null") c.wrong = "--default-stream takes legacy, null or per-thread, not '" + value + "'";
      if (value == "per-thread") c.build.options.emplace_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
      type_again();
    } else if (value_of({"-Xcompiler", "--compiler-options"}, w, more, value) != nullptr) {
      for (const std::string& option : of_list(value))
        (option.starts_with("-l") || option.starts_with("-L") || option == "-fopenmp" ? c.build.link_options : c.build.options).push_back(option);
      if (std::ranges::count(c.build.link_options, "-fopenmp") != 0) c.build.options.emplace_back("-fopenmp");
      type_again();
    } else if (value_of({"-Xlinker", "--linker-options"}, w, more, value) != nullptr) {
      for (const std::string& option : of_list(value)) c.build.link_options.push_back("-Wl," + option);
      type_again();
    } else if (value_of({"-std", "--std"}, w, more, value) != nullptr) {
      if (!has_old_standard("-std=" + value)) c.build.options.push_back("-std=" + value);  // our headers need C++20, which takes older code
      type_again();
    } else if (*w == "-x" && more && w[1] == "cu") {
      ++w;
    } else if (is_nvcc_option(*w, takes_next)) {
      if (takes_next && more) ++w;
    } else if ((*w == "-I" || *w == "-D" || *w == "-U" || *w == "-isystem" || *w == "-include") && more) {
      c.build.options.insert(c.build.options.end(), {*w, w[1]});
      c.as_typed.insert(c.as_typed.end(), {*w, w[1]});
      ++w;
    } else if ((*w == "-l" || *w == "-L") && more) {
      c.build.link_options.insert(c.build.link_options.end(), {*w, w[1]});
      c.as_typed.insert(c.as_typed.end(), {*w, w[1]});
      ++w;
    } else if (*w == "-o" && more) {
      c.output = *++w;
    } else if (w->starts_with("-I") || w->starts_with("-D") || w->starts_with("-U") || w->starts_with("-O") || w->starts_with("-W") ||
               w->starts_with("-f") || w->starts_with("-m") || *w == "-g" || *w == "-w" || *w == "-pthread") {
      c.as_typed.push_back(*w);
      c.build.options.push_back(*w);
    } else if (w->starts_with("-l") || w->starts_with("-L") || w->ends_with(".o") || w->ends_with(".a") || w->ends_with(".so")) {
      c.build.link_options.push_back(*w);
      c.as_typed.push_back(*w);
    } else if (w->ends_with(".cpp") || w->ends_with(".cc") || w->ends_with(".cxx") || w->ends_with(".c")) {
      c.build.sources.push_back(*w);
      c.as_typed.push_back(*w);
    } else {
      c.tool.push_back(*w);
    }
  }
  return c;
}

std::vector<std::string> environment_of(const run_request& r) {
  std::string checks;
  for (const auto& [on, name] : {std::pair{r.check_races, "races"}, {r.check_memory, "memory"}, {r.check_uninit, "uninit"}, {r.check_barrier, "barrier"}})
    if (on) checks += std::string(checks.empty() ? "" : ",") + name;
  std::vector<std::string> e = {
      "SIMT_REPORT_FD=" + std::to_string(kReportDescriptor),
      "SIMT_CHECK=" + (checks.empty() ? "none" : checks),
      "SIMT_SCHEDULE=" + r.schedule,
      "SIMT_SEED=" + std::to_string(r.seed),
      "SIMT_WORKERS=" + std::to_string(r.workers),
      "SIMT_TIMEOUT=" + fmt::format("{}", r.timeout_seconds),
      "SIMT_MAX_REPORTS=" + std::to_string(r.max_reports),
  };
  if (r.stack_bytes > 0) e.push_back("SIMT_STACK=" + std::to_string(r.stack_bytes));
  if (r.volatile_is_plain) e.emplace_back("SIMT_VOLATILE_IS_PLAIN=1");
  return e;
}

// The built program as a module: each run is a process. Only the first one's output is shown.
class program_process final : public module {
 public:
  program_process(std::string executable, words arguments, std::string variant)
      : executable_(std::move(executable)), arguments_(std::move(arguments)), variant_(std::move(variant)) {}
  int abi() const override { return module_abi; }
  std::string variant() const override { return variant_; }
  std::vector<program_info> programs() override { return {}; }
  std::vector<device_summary> devices() override { return {}; }
  std::string unavailable() override { return {}; }
  int program_exit_code() const { return exit_code_; }

  run_result run(const run_request& request) override {
    run_result result;
    run_report& r = result.report;
    std::vector<std::string> command = {executable_};
    command.insert(command.end(), arguments_.begin(), arguments_.end());
    const cuda_source::process_result done = cuda_source::run_program(command, environment_of(request), kReportDescriptor, runs_++ > 0);
    if (!done.output.empty()) {
      cuda_source::report_reader in(done.output);
      cuda_source::transport(in, r);
    } else if (done.signal != 0) {
      r.verdict = verdict::crash;
      r.error = fmt::format("the program was ended by a signal: {}", strsignal(done.signal));
    }
    r.program = request.program;
    r.backend = "sim";
    r.schedule = request.schedule;
    r.seed = request.seed;
    for (const auto& [on, name] : {std::pair{request.check_races, "races"}, {request.check_memory, "memory"}, {request.check_uninit, "uninit"}, {request.check_barrier, "barrier"}})
      if (on) r.check.emplace_back(name);
    if (runs_ == 1) exit_code_ = done.output.empty() ? done.exit_code : exit_of_program(done);
    return result;
  }

 private:
  // The process ends with the report's code when there is something to report; else with the program's own.
  static int exit_of_program(const cuda_source::process_result& p) { return p.exit_code; }
  std::string executable_;
  words arguments_;
  std::string variant_;
  int runs_ = 0, exit_code_ = 0;
};

int usage(const std::string& wrong) {
  complain(wrong + "; see `simrun --help`");
  return kExitUsage;
}

std::string tool_folder() {
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  return (self.parent_path() / "../lib/simt").lexically_normal().string();
}

void add_rest_of_command(std::string& text, const source_command& c) {
  const auto add = [&text](const std::string& w) { text += " " + shell_quoted(w); };
  for (auto w = c.as_typed.begin(); w != c.as_typed.end(); ++w)
    if (*w != c.build.sources.front()) add(*w);
  if (c.arguments.empty()) return;
  text += " --";
  std::ranges::for_each(c.arguments, add);
}

}  // namespace

int verb_cuda_source(const words& all) {
  if (std::find(all.begin(), std::ranges::find(all, "--"), "--module") != std::ranges::find(all, "--"))
    return usage("--module holds programs that are run by name; it does not go with .cu files");
  source_command c = take_apart(all);
  if (!c.wrong.empty()) return usage(c.wrong);
  run_options o;
  CLI::App app;
  add_run_options(app, o, verb_kind::run);
  app.allow_extras();
  words reversed(c.tool.rbegin(), c.tool.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& e) {
    return usage(e.what());
  }
  if (o.help) {
    print("simrun APP.cu [more.cu ...] [-I DIR] [-D NAME[=VALUE]] [-std=..] [-O..] [-l LIB] [-o FILE] [options] [-- arguments]\n\n"
          "Builds CUDA C++ source with the host compiler and runs it on the simulator; docs/cuda_source.md says what is covered.\n"
          "-o FILE only builds. Nothing else is printed than what the program prints, unless something is found.\n\n" +
          app.help());
    return kExitClean;
  }
  words extra = app.remaining();
  std::erase_if(extra, [](const std::string& w) { return w == "run"; });
  if (!extra.empty())
    return usage(fmt::format("'{}' is no option of simrun; arguments of the program come after --", extra.front()));
  o.program = c.build.sources.front();
  if (const std::string wrong = settle(o); !wrong.empty()) return usage(wrong);
  if (!o.grid.empty() || !o.block.empty() || o.shared >= 0 || o.plot)
    return usage("--grid, --block, --shared and --plot are for programs that are run by name; a .cu file says itself what it launches");
  if (o.backend == "cuda") {
    complain("a .cu file is built for the simulator only; for a GPU build it with nvcc");
    return kExitUnavailable;
  }
  report_files files;
  suppression_file suppressed;
  cuda_source::build_result built;
  try {
    if (const std::string wrong = files.open(o); !wrong.empty()) return usage(wrong);
    suppressed = read_suppressions(o.suppress);
    c.build.check = o.wants_check_variant();
    progress shown(o.quiet);
    shown.show(fmt::format("building {}", o.program));
    built = cuda_source::build(cuda_source::read_tool_chain(tool_folder()), c.build);
  } catch (const std::runtime_error& error) {
    complain(error.what());
    return kExitUsage;
  }
  if (!built.text.empty()) (void)!write(STDERR_FILENO, built.text.data(), built.text.size());
  if (built.executable.empty()) {
    complain(fmt::format("{} was not built", o.program));
    return kExitUsage;
  }
  if (!c.output.empty()) {
    std::error_code failed;
    std::filesystem::copy_file(built.executable, c.output, std::filesystem::copy_options::overwrite_existing, failed);
    if (!failed) return kExitClean;
    complain(fmt::format("cannot write {}: {}", c.output, failed.message()));
    return kExitUsage;
  }
  program_process program(built.executable, c.arguments, c.build.check ? "check" : "sim");
  execution done;
  {
    progress shown(true);
    done = execute(program, o, suppressed, shown);
  }
  run_report& r = done.report;
  for (finding& f : r.findings) add_rest_of_command(f.replay, c);
  for (auto w = c.as_typed.begin(); w != c.as_typed.end(); ++w)
    if (*w != o.program) r.arguments.push_back(*w);
  if (!c.arguments.empty()) {
    r.arguments.emplace_back("--");
    r.arguments.insert(r.arguments.end(), c.arguments.begin(), c.arguments.end());
  }
  const bool silent = !o.wants_checks() && r.findings.empty();
  if (!silent && r.verdict != verdict::error && r.verdict != verdict::unavailable) {
    text_style style = style_for(STDERR_FILENO, o.color);
    style.max_findings = o.max_reports > 0 ? o.max_reports : 20;
    style.strict = o.strict;
    const std::string text = o.quiet ? text_summary(r, style, done.suppressed) : text_report(r, style, done.suppressed);
    (void)!write(STDERR_FILENO, text.data(), text.size());
  }
  if (!r.error.empty()) complain(r.error);
  if (const std::string wrong = files.write(r, o.strict); !wrong.empty()) return usage(wrong);
  const int code = exit_code(r, o.strict);
  // What the tool found comes first; a clean run gives the program's own code, which one with findings has lost to them.
  return code != 0 ? code : done.suppressed == 0 ? program.program_exit_code() : 0;
}
#endif

}  // namespace simt::cli
