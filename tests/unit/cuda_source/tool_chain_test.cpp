// SPDX-License-Identifier: Apache-2.0
// The description of the tool chain that the build leaves for simrun.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "frontends/cuda/driver/tool_chain.hpp"
#include "scratch_folder.hpp"

namespace {

using namespace simt::cuda_source;
using words = std::vector<std::string>;

std::string refusal(const std::filesystem::path& folder) {
  try {
    read_tool_chain(folder.string());
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("every key is read, and paths that begin with a dot are relative to the file") {
  const scratch_folder folder;
  std::filesystem::create_directories(folder.path / "headers");
  std::ofstream(folder.path / "cuda_tool_chain.txt")
      << "compiler /usr/bin/c++\nheaders ./headers\ninclude /a b\nflag -f1\nflag -f2\nsim_flag -s\ncheck_flag -c\n"
         "sim_library ./../x.a\ncheck_runtime /r.a\ncheck_library /c.a\nlibrary -ldw\nunknown key\n";
  const tool_chain t = read_tool_chain(folder.path.string());
  CHECK(t.compiler == "/usr/bin/c++");
  CHECK(t.headers == (folder.path / "headers").string());
  CHECK(t.includes == words{"/a b"});
  CHECK(t.flags == words{"-f1", "-f2"});
  CHECK(t.sim_flags == words{"-s"});
  CHECK(t.check_flags == words{"-c"});
  CHECK(t.sim_libraries == words{(folder.path.parent_path() / "x.a").string()});
  CHECK(t.check_runtime == "/r.a");
  CHECK(t.check_libraries == words{"/c.a"});
  CHECK(t.libraries == words{"-ldw"});
}

TEST_CASE("a description or headers that are missing are named, with what to do") {
  const scratch_folder folder;
  CHECK(refusal(folder.path).find("cuda_tool_chain.txt is missing") != std::string::npos);
  std::ofstream(folder.path / "cuda_tool_chain.txt") << "compiler c++\nheaders /nowhere/headers\n";
  CHECK(refusal(folder.path).find("/nowhere/headers is missing") != std::string::npos);
}
