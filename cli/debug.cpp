// SPDX-License-Identifier: Apache-2.0
// simrun debug PROGRAM|APP.cu --block X --thread X: gdb, stopped in the kernel in that thread. The program runs on
// fibers and one worker, compiled without optimisation; gdb/simt_gdb.py says how it stops. This process becomes gdb.
#include "debug.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "command_line.hpp"
#include "run_options.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace simt::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScript = "simt_gdb.py";
constexpr std::int64_t kStackForDebugging = 1 << 20;  // nothing is inlined, so frames are many and large

std::string position_text(const std::string& text) {
  std::string ignored;
  const auto p = parse_position(text.empty() ? "0" : text, "", ignored);
  return p ? fmt::format("{},{},{}", (*p)[0], (*p)[1], (*p)[2]) : "0,0,0";
}

std::string find_script() {
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  return (self.parent_path() / "../lib/simt" / kScript).lexically_normal().string();
}

}  // namespace

void settle_for_debugger(run_options& o) {
  o.execution = "fibers";
  o.workers = 1;
  if (o.stack == 0) o.stack = kStackForDebugging;
}

int start_debugger(const run_options& o, const std::vector<std::string>& program) {
  const char* const named = std::getenv("SIMT_GDB");
  const std::string gdb = named != nullptr && *named != '\0' ? named : "gdb";
  const std::string script = find_script();
  if (std::error_code failed; !fs::is_regular_file(script, failed)) {
    complain(fmt::format("debug: {} is missing; build or install simrun again", script));
    return kExitUsage;
  }
  ::setenv("SIMT_DEBUG_THREAD", fmt::format("{}:{}", position_text(o.stop_block), position_text(o.stop_thread)).c_str(),
           1);
  if (o.stop_kernel.empty())
    ::unsetenv("SIMT_DEBUG_KERNEL");
  else
    ::setenv("SIMT_DEBUG_KERNEL", o.stop_kernel.c_str(), 1);
  std::vector<std::string> words = {gdb, "-q", "-x", script};
  if (o.batch) {
    words.emplace_back("-batch");
    ::setenv("SIMT_DEBUG_BATCH", "1", 1);
  }
  words.insert(words.end(), {"-ex", "simt start"});
  for (const std::string& command : o.gdb_commands) words.insert(words.end(), {"-ex", command});
  words.emplace_back("--args");
  words.insert(words.end(), program.begin(), program.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(gdb.c_str(), arguments.data());
  if (errno == ENOENT)
    complain(
        fmt::format("debug needs {}, which is not installed. On Debian and Ubuntu: sudo apt-get install gdb", gdb));
  else
    complain(fmt::format("debug: {} cannot be started: {}", gdb, std::strerror(errno)));
  return kExitUsage;
}

int verb_debug(const words& arguments) {
  if (names_cuda_source(arguments)) return debug_cuda_source(arguments);
  parsed_command command = parse_program_command(arguments, verb_kind::debug);
  if (command.exit_code >= 0) return command.exit_code;
  run_options& o = command.options;
  settle_for_debugger(o);
  std::error_code failed;
  words program = {fs::read_symlink("/proc/self/exe", failed).string(), "run"};
  const words options = command_words(o);
  program.insert(program.end(), options.begin(), options.end());
  program.emplace_back("--for-debugger");
  return start_debugger(o, program);
}

}  // namespace simt::cli
