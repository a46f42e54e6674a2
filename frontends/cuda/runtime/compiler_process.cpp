// SPDX-License-Identifier: Apache-2.0
// The tool that built this program, asked at run time for a module.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <frontends/cuda/headers/simt_cuda/run_time_compiler.hpp>
#include <simt/session.hpp>

#include "modules.hpp"

extern "C" char** environ;  // NOLINT(readability-redundant-declaration)

namespace simt_cuda {
namespace {

std::string& tool() {
  static std::string path;
  return path;
}
std::string& folder_of_source() {
  static std::string path;
  return path;
}

// A file that is removed with this object.
struct passing_file {
  passing_file() {
    const char* const folder = std::getenv("TMPDIR");
    name = std::string(folder != nullptr && *folder != 0 ? folder : "/tmp") + "/simt-module-XXXXXX";
    const int file = mkstemp(name.data());
    if (file < 0)
      name.clear();
    else
      close(file);
  }
  ~passing_file() {
    if (!name.empty()) unlink(name.c_str());
  }
  passing_file(const passing_file&) = delete;
  passing_file& operator=(const passing_file&) = delete;
  std::string name;
};

// Runs the tool; what it writes is collected in `messages`. Returns its exit code, or -1.
int run_tool(const std::vector<std::string>& words, const std::string& folder, std::string& messages) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawnattr_t attributes;  // the program may have blocked signals or ignore SIGPIPE
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  std::vector<char*> arguments;
  for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> variables;  // without the settings of this run
  for (char** v = environ; *v != nullptr; ++v)
    if (const std::string_view text = *v;
        !text.starts_with("SIMT_") || text.starts_with("SIMT_CACHE_DIR=") || text.starts_with("SIMT_KEEP_TRANSLATED="))
      variables.push_back(*v);
  variables.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawn(&child, words[0].c_str(), &actions, &attributes, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  if (failed != 0) {
    close(ends[0]);
    messages = words[0] + ": " + std::strerror(failed) + "\n";
    return -1;
  }
  char some[4096];
  for (ssize_t n; (n = read(ends[0], some, sizeof some)) != 0;) {
    if (n > 0) messages.append(some, static_cast<std::size_t>(n));
    if (n < 0 && errno != EINTR) break;
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

bool know_compiler(const char* path, const char* folder) {
  if (tool().empty()) {
    tool() = path;
    folder_of_source() = folder;
  }
  return true;
}
const std::string& source_folder() { return folder_of_source(); }

compilation compile_module(const std::vector<std::string>& words, const std::string& folder) {
  compilation c;
  if (tool().empty()) {
    c.messages = "simt: this program does not know simrun, which compiles modules\n";
    return c;
  }
  const passing_file to;
  if (to.name.empty()) {
    c.messages = "simt: no temporary file can be made (TMPDIR)\n";
    return c;
  }
  std::vector<std::string> all = {tool()};
  all.insert(all.end(), words.begin(), words.end());
  all.insert(all.end(), {"-ptx", "-o", to.name, "--quiet"});
  if (simt::backend::variant() == "check") all.insert(all.end(), {"--check", "all"});
  c.exit_code = run_tool(all, folder, c.messages);
  if (c.exit_code == 0 && !read_module(text_of(to.name).c_str(), c.made)) c.exit_code = -1;
  return c;
}

}  // namespace simt_cuda
