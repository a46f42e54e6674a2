// SPDX-License-Identifier: Apache-2.0
// A command line in nvcc's form: which words are sources, what the compiler and the linker get, what is left for
// simrun. The options of nvcc and of host compilers that are known stand in one table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "build.hpp"

namespace simt::cuda_source {

enum class option_value : std::uint8_t {
  none,      // -lineinfo
  separate,  // -arch sm_90, -arch=sm_90
  attached,  // -O3; the value may be empty
  either,    // -I dir, -Idir
};

enum class option_use : std::uint8_t {
  compile,         // given to the compiler as it stands
  link,            // given to the linker as it stands
  ignore,          // means nothing on the simulator
  refuse,          // asks for what simrun does not make
  default_stream,  // a macro of our headers
  to_compiler,     // a list of words for the compiler, or for the linker where they are its
  to_linker,       // a list of words for the linker
  standard,        // of the language: at least C++20 here
  linked,          // whether device code of several sources is one
  relaxed,         // constexpr functions are for the device, too
  language,        // of the sources: always CUDA C++ here
  library,         // given to the linker, but NVIDIA's own
  output,          // where the executable goes
  module,          // no executable but a module of the driver API
  object,          // no executable but an object file of each source
  archive,         // no executable but an archive of such files
  device_link,     // no executable but an object file that takes part in the link
  dependencies,    // a rule for make: what the executable was built from
  shared,          // no executable but a shared library
  target,          // of that rule
};

struct nvcc_option {
  std::string_view name, long_name;  // long_name: empty where there is none
  option_value value;
  option_use use;
  std::string_view what;  // what it asks for; of one that is refused: what to do instead
};

std::span<const nvcc_option> nvcc_options();

struct source_command {
  build_request build;
  std::vector<std::string> for_tool;   // words that are in no row of the table: simrun's own options
  std::vector<std::string> arguments;  // of the program: behind --
  std::vector<std::string> as_typed;   // sources, and options that shape the build: to say the command again
  std::string output;                  // of -o; empty: the program is run
  std::string module_kind;             // of -ptx, -cubin, -fatbin: the word; empty: an executable
  bool wants_objects = false;          // -c, -dc
  bool wants_archive = false;          // -lib
  bool wants_device_link = false;      // -dlink
  bool wants_dependencies = false;
  std::string dependencies;  // the file that the rule for make goes to; empty for -c: beside the object
  std::string target;        // of that rule; empty: the file that is built
  std::string wrong;         // what cannot be done; empty: nothing
};

// What the command is about: its first source, or else its first object file.
const std::string& subject_of(const source_command& command);
// Where the object file of a source goes.
std::string object_file_of(const source_command& command, const std::string& source);

source_command read_command_line(const std::vector<std::string>& words);

}  // namespace simt::cuda_source
