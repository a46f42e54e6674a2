// SPDX-License-Identifier: Apache-2.0
#include "tool_chain.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>

namespace simt::cuda_source {
namespace {

struct text_key {
  std::string_view name;
  std::string tool_chain::*value;
};
struct list_key {
  std::string_view name;
  std::vector<std::string> tool_chain::*values;
};
constexpr text_key kTexts[] = {{"compiler", &tool_chain::compiler},
                               {"headers", &tool_chain::headers},
                               {"plugin", &tool_chain::plugin},
                               {"raw_strings", &tool_chain::raw_strings},
                               {"check_runtime", &tool_chain::check_runtime}};
constexpr list_key kLists[] = {
    {"include", &tool_chain::includes},          {"flag", &tool_chain::flags},
    {"sim_flag", &tool_chain::sim_flags},        {"check_flag", &tool_chain::check_flags},
    {"sim_library", &tool_chain::sim_libraries}, {"check_library", &tool_chain::check_libraries},
    {"library", &tool_chain::libraries}};

}  // namespace

tool_chain read_tool_chain(const std::string& folder) {
  const std::filesystem::path file = std::filesystem::path(folder) / "cuda_tool_chain.txt";
  std::ifstream in(file);
  if (!in)
    throw std::runtime_error("CUDA source files cannot be built: " + file.string() +
                             " is missing; this copy of simrun was built without the simulator (SIMT_BUILD_SIM)");
  tool_chain t;
  for (std::string line; std::getline(in, line);) {
    const std::size_t space = line.find(' ');
    if (space == std::string::npos) continue;
    const std::string_view key = std::string_view(line).substr(0, space);
    std::string value = line.substr(space + 1);
    if (value.starts_with(".")) value = (file.parent_path() / value).lexically_normal().string();
    for (const text_key& k : kTexts)
      if (k.name == key) t.*k.value = value;
    for (const list_key& k : kLists)
      if (k.name == key) (t.*k.values).push_back(value);
  }
  // Compilers say nothing of a folder of headers that is not there, and every name in it would seem to be unknown.
  if (!std::filesystem::exists(t.headers))
    throw std::runtime_error("CUDA source files cannot be built: " + t.headers +
                             " is missing; the tree that simrun was built from was moved or removed: build it again");
  return t;
}

}  // namespace simt::cuda_source
