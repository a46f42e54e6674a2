// SPDX-License-Identifier: Apache-2.0
// The object files that `simrun -c` makes. Each is an ELF object without symbols, whose sections hold its source
// compiled twice: for plain and for checked runs. Whoever links a program takes the one that it needs, so one `make`
// serves both. Archives of such objects and
// shared libraries made of them are read as well. Other linkers find nothing in the objects.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "process.hpp"
#include "tool_chain.hpp"

namespace simt::cuda_source {

struct source_object {
  std::string plain, checked;  // whole ELF objects
  std::set<std::string>
      includes;         // the simulator's own headers that it read: they decide what a program is linked with
  std::string made_by;  // maker_stamp() of the simrun that made it
};

// This simrun, as objects name it: what another one made may not fit its runtime.
std::string maker_stamp();

// What `file` holds, an object, an archive or a shared library; nothing where none of it was made by `simrun -c`.
std::vector<source_object> source_objects_in(const std::string& file);

// Whether that is anything. Of a file that is an object or a shared library only its table of sections is read.
bool holds_source_objects(const std::string& file);

// Makes `to`, a part of a shared library: its section holds what those of `files` hold that were made by `simrun -c`,
// so that programs of either kind can be linked with the library. `scratch`: as below.
process_result write_source_archive(const tool_chain& tools, const std::vector<std::string>& files,
                                    const std::string& scratch, const std::string& to);

// An archive that names its members' files instead of holding them (ar T): nothing is read of it.
bool is_thin_archive(const std::string& file);

// Makes `to`, what stands for device code that nvcc has linked: an object without anything that is linked, for device
// code is linked with the program. `scratch`: as below.
process_result write_linked_device_code(const tool_chain& tools, const std::string& scratch, const std::string& to);

// Makes `to` of two files that the compiler has written. `scratch`: a file for the text that the assembler reads.
process_result write_source_object(const tool_chain& tools, const std::string& plain, const std::string& checked,
                                   const std::set<std::string>& files_read, const std::string& scratch,
                                   const std::string& to);

}  // namespace simt::cuda_source
