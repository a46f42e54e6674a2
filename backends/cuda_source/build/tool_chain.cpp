// SPDX-License-Identifier: Apache-2.0
#include "tool_chain.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace simt::cuda_source {

tool_chain read_tool_chain(const std::string& folder) {
  const std::filesystem::path file = std::filesystem::path(folder) / "cuda_source.txt";
  std::ifstream in(file);
  if (!in)
    throw std::runtime_error("CUDA source files cannot be built: " + file.string() +
                             " is missing; this copy of simrun was built without the simulator (SIMT_BUILD_SIM)");
  tool_chain t;
  for (std::string line; std::getline(in, line);) {
    const std::size_t space = line.find(' ');
    if (space == std::string::npos) continue;
    const std::string key = line.substr(0, space);
    std::string value = line.substr(space + 1);
    if (value.starts_with(".")) value = (file.parent_path() / value).lexically_normal().string();
    if (key == "compiler") t.compiler = value;
    if (key == "headers") t.headers = value;
    if (key == "include") t.includes.push_back(value);
    if (key == "flag") t.flags.push_back(value);
    if (key == "sim_flag") t.sim_flags.push_back(value);
    if (key == "check_flag") t.check_flags.push_back(value);
    if (key == "sim_library") t.sim_libraries.push_back(value);
    if (key == "check_library") t.check_libraries.push_back(value);
    if (key == "check_runtime") t.check_runtime = value;
    if (key == "library") t.libraries.push_back(value);
  }
  return t;
}

}  // namespace simt::cuda_source
