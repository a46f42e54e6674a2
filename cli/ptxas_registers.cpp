// SPDX-License-Identifier: Apache-2.0
#include "ptxas_registers.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <regex>
#include <sstream>

#include "frontends/cuda/driver/process.hpp"
#include "sim/report/function_name.hpp"

namespace simt::cli {

namespace {

// As the simulated device: compute capability 9.0.
constexpr const char* kArchitecture = "-arch=sm_90";

std::string find_nvcc() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(std::string(path != nullptr ? path : "") + ":/usr/local/cuda/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string file = folder + "/nvcc";
    if (!folder.empty() && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

// sum<256u, (bool)1> and sum<256U, true> are sum<256, 1>: numbers and truth values as every compiler writes them.
std::string plain_name(std::string name) {
  static const std::regex suffix(R"(\b(\d+)[uU]?[lL]*\b)"), cast(R"(\((?:bool|unsigned int|int|char|long)\))"),
      yes(R"(\btrue\b)"), no(R"(\bfalse\b)");
  name = std::regex_replace(name, cast, "");
  name = std::regex_replace(name, suffix, "$1");
  name = std::regex_replace(name, yes, "1");
  return std::regex_replace(name, no, "0");
}

}  // namespace

std::vector<ptxas_kernel> read_ptxas(const std::string& text) {
  static const std::regex entry(R"(Compiling entry function '([^']+)')"), used(R"(Used (\d+) registers)"),
      properties(R"(Function properties for (\S+))"), stack(R"((\d+) bytes stack frame, (\d+) bytes spill stores)");
  std::vector<ptxas_kernel> all;
  std::istringstream lines(text);
  std::string symbol;
  bool of_entry = false;  // not of a function that the kernel calls
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, found, entry)) {
      symbol = found[1];
      all.push_back({plain_name(name_of_symbol(symbol.c_str())), -1, 0, 0});
    } else if (all.empty()) {
      continue;
    } else if (std::regex_search(line, found, properties)) {
      of_entry = found[1] == symbol;
    } else if (of_entry && std::regex_search(line, found, stack)) {
      all.back().stack = std::stoll(found[1]);
      all.back().spilled = std::stoll(found[2]);
    } else if (std::regex_search(line, found, used)) {
      all.back().registers = std::stoll(found[1]);
    }
  }
  return all;
}

std::string ask_ptxas(const std::vector<std::string>& sources, const std::vector<std::string>& options,
                      std::vector<profiled_kernel>& kernels) {
  const std::string nvcc = find_nvcc();
  if (nvcc.empty()) return "--registers: there is no nvcc on PATH or in /usr/local/cuda/bin; registers stay unknown";
  std::string wrong;
  for (const std::string& source : sources) {
    if (!source.ends_with(".cu")) continue;
    std::vector<std::string> words = {nvcc, kArchitecture, "-cubin", "-Xptxas", "-v", "-o", "/dev/null"};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back(source);
    const cuda_source::process_result done = cuda_source::run_process(words);
    if (done.exit_code != 0) {
      wrong += fmt::format("--registers: nvcc does not compile {}; registers stay unknown\n{}", source,
                           done.errors + done.output);
      continue;
    }
    for (const ptxas_kernel& k : read_ptxas(done.errors + done.output))
      for (profiled_kernel& to : kernels)
        if (plain_name(to.kernel) == k.name) to.registers = k.registers, to.stack = k.stack, to.spilled = k.spilled;
  }
  return wrong;
}

}  // namespace simt::cli
