// SPDX-License-Identifier: Apache-2.0
#include "parts.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <string_view>

namespace simt::cuda_source {
namespace {

constexpr int kFewestKernels = 4;  // with fewer, reading the source takes most of the time

int kernels_in(std::string_view text) {
  constexpr std::string_view kCall = "run_kernel(__PRETTY_FUNCTION__";  // one in each (translate/render.cpp)
  int found = 0;
  for (std::size_t at = text.find(kCall); at != std::string_view::npos; at = text.find(kCall, at + 1)) ++found;
  return found;
}

int processors() {
  cpu_set_t ours;
  return sched_getaffinity(0, sizeof ours, &ours) == 0 ? CPU_COUNT(&ours) : 1;
}

// All that run or could on this machine, the caller with them (proc_loadavg(5)).
int running_now() {
  std::ifstream file("/proc/loadavg");
  std::string average, running;
  for (int i = 0; i < 3; ++i) file >> average;
  file >> running;
  return file ? std::atoi(running.c_str()) : processors();
}

// Those that change what a compiler does with a source: none of its passes, or others, or messages of its own.
bool is_only_for_whole_sources(const std::string& option) {
  const auto begins = [&](std::string_view with) { return option.starts_with(with); };
  return option == "-O0" || begins("-flto") || begins("-Xclang") || begins("-mllvm") || begins("-fplugin") ||
         begins("-fpass-plugin") || begins("-save-temps") || begins("--coverage") || begins("-fprofile") ||
         begins("-ftest-coverage") || begins("-ftime") || (begins("-W") && !begins("-Wl,"));
}

std::string part(int number, const std::string& object) {
  std::string word = std::filesystem::absolute(object).parent_path().filename().string();
  word = word.substr(0, word.find('.')) + "_" + std::filesystem::path(object).stem().string();
  std::ranges::replace(word, '-', '_');
  return std::to_string(number) + " " + word;
}

}  // namespace

bool compiles_in_parts(const tool_chain& t, const build_request& r, const std::string& text, source_language language) {
  if (t.plugin.empty() || language != source_language::cuda) return false;
  if (r.object || r.shared || r.module || r.profile || r.for_debugger) return false;  // one object, or no such pass
  if (std::ranges::any_of(r.options, is_only_for_whole_sources) || kernels_in(text) < kFewestKernels) return false;
  if (const char* wanted = std::getenv("SIMT_COMPILE_PARTS"); wanted != nullptr && *wanted != '\0')
    return std::string_view(wanted) != "1";
  return static_cast<int>(r.sources.size()) < processors() && running_now() < processors();
}

std::string second_object(const std::string& object) { return object + ".second.o"; }

process_result run_compiler_in_parts(const tool_chain& t, const build_request& r, const std::string& from,
                                     const std::string& to, source_language language, const std::string& headers) {
  auto second = std::async(std::launch::async,
                           [&] { return run_compiler(t, r, from, second_object(to), language, headers, part(1, to)); });
  process_result done = run_compiler(t, r, from, to, language, headers, part(0, to));
  process_result other = second.get();
  if (done.exit_code == 0 && other.exit_code != 0) return other;
  return done;
}

}  // namespace simt::cuda_source
