// SPDX-License-Identifier: Apache-2.0
// The runs of the host compiler that make a program of CUDA source: preprocessor, compiler, linker.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "process.hpp"
#include "tool_chain.hpp"

namespace simt::cuda_source {

struct build_request {
  std::vector<std::string> sources;
  std::vector<std::string> options;       // for compiling: -I, -D, -O, -std, ...
  std::vector<std::string> link_options;  // -l, -L, objects
  std::vector<std::string> objects;       // the files behind them: .o, .a, .so
  bool check = false;                     // the check variant
  bool all_are_cuda = false;              // -x cu: whatever their names end in
  bool profile = false;                   // of it, with markers for counters (sim/compile/markers.hpp)
  bool module = false;                    // no program: what cuModuleLoad takes (module_text.hpp)
  bool object = false;                    // no program: one source's object, for source_objects.hpp
  bool shared = false;                    // no program: a shared library
  bool linked = false;                    // nvcc's -rdc=true: device code of the sources is one
  bool relaxed_constexpr = false;         // device code may call constexpr functions
  bool for_debugger = false;              // the sim variant, to be stepped through: simrun debug
};

// What a source is, as nvcc tells it by its name: .cu has CUDA's language, .c is C; others are C++ of the host, which
// sees the runtime API where it includes it. C that includes CUDA's headers is compiled as C++, for those are.
enum class source_language : std::uint8_t { cuda, host, c, c_with_cuda };
// Whether -std asks for C++20 or newer; nvcc takes C++17 where nothing is said.
bool asks_for_cpp20(const build_request& r);

// By its name alone.
source_language language_of(const build_request& request, const std::string& source);

// What the tool chain's libraries are for this request, in the order of linking.
const std::vector<std::string>& libraries_of(const tool_chain& tools, const build_request& request);

// Those, and what is linked whole.
std::vector<std::string> all_libraries_of(const tool_chain& tools, const build_request& request);

// The compiler and the options that decide what code it makes; the user's are the last.
std::vector<std::string> compiler_words(const tool_chain& tools, const build_request& request);

// The user's macros as text of a header. They are seen by the user's files and not by ours: -D N=16 must not reach into
// those. Names that begin with _ configure headers and stay on the command line.
std::string macros_of(const build_request& request);

// `macros`: a file with macros_of(request), or empty. `host_pass`: as code of the host sees it, without __CUDA_ARCH__.
process_result run_preprocessor(const tool_chain& tools, const build_request& request, const std::string& source,
                                source_language language, const std::string& macros, bool host_pass);

// `from`: preprocessed and translated; messages name the user's files by its line markers. `headers`: what stands
// before it, as run_precompiler has made it; empty: `from` has it all. `part`: of the source, for the plugin
// (parts.hpp); empty: all of it.
process_result run_compiler(const tool_chain& tools, const build_request& request, const std::string& from,
                            const std::string& to, source_language language = source_language::cuda,
                            const std::string& headers = {}, const std::string& part = {});

// Those of words_after_preprocessing that matter to headers which are read ahead: neither warnings nor how much is
// optimised.
std::vector<std::string> words_of_headers(const tool_chain& tools, const build_request& request);
// clang only: `from`, preprocessed, as a file for run_compiler. `after`: such a file that it follows; empty: none.
process_result run_precompiler(const tool_chain& tools, const build_request& request, const std::string& from,
                               const std::string& to, const std::string& after = {});
// compiler_words without those that mean nothing for a preprocessed text: the user's macros and folders.
std::vector<std::string> words_after_preprocessing(const tool_chain& tools, const build_request& request);

// What a program that read these files is linked with: libraries of the host that do the work of NVIDIA's, where it
// included the headers of those.
std::vector<std::string> libraries_behind(const tool_chain& tools, const std::set<std::string>& files_read);

// `objects`: what is linked, libraries of the program's own choice with them.
// `exports`: a folder where the program offers the runtime to modules that it loads; empty: it loads none.
process_result run_linker(const tool_chain& tools, const build_request& request,
                          const std::vector<std::string>& objects, const std::string& to, const std::string& exports);

}  // namespace simt::cuda_source
