// SPDX-License-Identifier: Apache-2.0
// Code addresses of this process to source lines, with the frames that the compiler inlined there.
//
// Reads DWARF of the executable and of every loaded module (also those opened later) with elfutils. Without DWARF,
// function names come from the symbol tables; without those, a frame is called "module+0xoffset". Results are
// cached; all calls are thread-safe. Names of files are relative to a source root where they lie below one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "finding.hpp"

namespace simt {

struct symbolizer_options {
  // Directories that file names are shown relative to; the first that holds a file counts. Empty: the source root of
  // the build (SIMT_SOURCE_ROOT) and the working directory.
  std::vector<std::string> source_roots;
  // Frames of files below these directories are skipped when the user's line is looked for. Empty: backends/,
  // sim/ and cli/ below SIMT_SOURCE_ROOT. Directories of the compiler and installed <simt/...> headers are always
  // skipped.
  std::vector<std::string> engine_directories;
};

struct code_frame {
  std::string function;  // as in the source, without parameters: "matmul_tiled<16>"; "kernels.so+0x12a0" if unknown
  std::string file;      // relative to a source root where there is one; empty: unknown
  int line = 0;          // 0: unknown
  int column = 0;        // counts from 1; 0: unknown
  std::string path;      // absolute path of `file`
  bool engine = false;   // of our headers, the engine or the standard library
};

class symbolizer {
 public:
  explicit symbolizer(symbolizer_options options = {});
  ~symbolizer();
  symbolizer(const symbolizer&) = delete;
  symbolizer& operator=(const symbolizer&) = delete;

  // The frames at a return address (as __builtin_return_address(0) gives it: the line is that of the call before
  // it), innermost first; the last is the function itself, those before are inlined into it. Never empty. The
  // reference stays valid as long as the symbolizer.
  const std::vector<code_frame>& frames(std::uintptr_t return_address);

  // Sets file, line, function and path of an access from a.pc: the innermost frame that is not the engine's.
  // a.stack gets the user frames outside it: inlined ones, then those of `callers` (return addresses, innermost
  // first).
  void resolve(access& a, std::span<const std::uintptr_t> callers = {});

 private:
  struct state;
  std::unique_ptr<state> state_;
};

// A loaded file was compiled of a text that has a name and no file of that name: it lies in `file`.
void text_of_module(std::string loaded_file, std::string name, std::string file);

// How far behind the beginning of its loaded file an address is: the same in every process that runs the file.
std::uintptr_t offset_in_file(std::uintptr_t address);

}  // namespace simt
