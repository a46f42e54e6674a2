// SPDX-License-Identifier: Apache-2.0
// Modules of the driver API: shared objects that the tool makes of CUDA source, and texts that name them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <frontends/cuda/module_format.hpp>
#include <frontends/cuda/headers/simt_cuda/module_kernels.hpp>
#include <frontends/cuda/headers/simt_cuda/driver_types.hpp>

struct CUmod_st {
  void* handle = nullptr;
  std::string object;
  bool loaded = false;
  std::map<std::string, std::unique_ptr<CUfunc_st>> functions;
};
struct CUfunc_st {
  CUmodule module;
  simt_cuda::kernel_calls calls;
  std::string name;
  int dynamic_bytes = 48 * 1024;
};

namespace simt_cuda {

// --- compiler_process.cpp
// Where the program's first source that includes cuda.h or nvrtc.h lies; empty: not known.
const std::string& source_folder();

struct compilation {
  int exit_code = -1;
  std::string messages;
  simt::cuda_source::module_file made;  // where the exit code is 0
};
// Has the tool make a module for this program's variant: `words` of a command without -ptx and -o, given in `folder`.
compilation compile_module(const std::vector<std::string>& words, const std::string& folder);

// --- module_files.cpp
std::string text_of(const std::string& file);  // empty: it cannot be read
struct found_object {
  CUresult result = CUDA_ERROR_INVALID_IMAGE;
  std::string object;  // the shared object
  std::string why;     // what is wrong, for the log and standard error
};
// `image`: what stands in memory. `asked`: the file it was read from; empty: nobody knows.
found_object object_of_image(const void* image);
// The file; or, where there is none that can be used, the source that lies beside and would have been compiled to it.
found_object object_of_file(const std::string& file);
// That source for a .ptx, .cubin or .fatbin file; empty: there is none.
std::string source_of(const std::string& file);

// --- modules.cpp
// Where the arguments of a launch lie: what the program lists, or in a buffer.
CUresult arguments_of(CUfunction f, void** parameters, void** extra, std::vector<void*>& pointers);
// The program itself, as the module of its own kernels.
CUmodule the_program();
void complain_of_module(const std::string& why);  // on standard error
// Why the object cannot be opened: it lacks a function, say. Empty: it can be.
std::string fault_of_object(const std::string& object);
// What a name expression means in the object: null where it means nothing.
struct named_thing {
  const void* address = nullptr;
  bool function = false;
};
std::optional<named_thing> find_expression(const std::string& object, const std::string& expression);

}  // namespace simt_cuda
