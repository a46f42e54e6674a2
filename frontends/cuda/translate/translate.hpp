// SPDX-License-Identifier: Apache-2.0
// CUDA C++ (preprocessed) to C++ that a host compiler takes, for the headers in frontends/cuda/headers.
//
//   kernel<<<g, b>>>(a)          (::simt_cuda::configure(g, b), kernel(a))
//   __global__ void k(..) {..}   void k(..) { ::simt_cuda::run_kernel(name, [=](threadIdx, blockIdx, ..) mutable {..});
//   }
//   __shared__ float t[4];       typedef float T[4]; T& t = ::simt_cuda::shared_variable<name, T>();
//   __device__ int x = 3;        static int image = 3; int& x = ::simt_cuda::device_variable(image, "x", ..);
//
// Every token keeps its file, line and column, so diagnostics, debug information and findings name the user's source.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "unit.hpp"

namespace simt::cuda_source {

struct translation {
  std::string text;  // preprocessed C++ with line markers
  // What cannot be translated. The text is empty then; where all are about names alone, it is there for the compiler to
  // say what else is wrong.
  std::vector<message> messages;
  bool has_names_of_std = false;  // names of the program that may collide with std's: see rename_names_of_std
};

// The text of a file of the user's; empty: it cannot be had.
using file_reader = std::function<std::string(const std::string& path)>;

struct translation_options {
  bool module = false;               // its kernels are called by what loads it
  bool newer_words = false;          // the program asked for C++20: its words are keywords
  bool rename_names_of_std = false;  // for a text that does not compile without
  bool linked = true;                // see unit::linked
  bool mark_spaces = false;          // see unit::marks_spaces
  bool relaxed_constexpr = false;    // device code may call constexpr functions
  bool in_c = false;                 // a source in C that is compiled as C++
  bool newlines_again = false;       // see tokenize
  file_reader text_of;               // where it is given, what the compiler reads keeps the columns of the user's lines
};

// `preprocessed`: output of the preprocessor with our headers. `own_headers`: their folder.
// `host_pass`: the same preprocessed without __CUDA_ARCH__, or empty if the source never mentions it.
translation translate(std::string_view preprocessed, std::string_view own_headers, std::string_view host_pass = {},
                      const translation_options& options = {});

// For sources that do not ask for C++20: members of allocators, aggregates, vectors of types that come later.
void give_back_what_cpp20_took(std::string& preprocessed, std::string_view own_headers);

// The passes, in the order of their use.
void place_columns(unit& u, const file_reader& text_of);
void rename_words_of_cpp(unit& u);     // in a source in C: identifiers that are keywords of C++
void read_words_of_gnu(unit& u);       // other spellings of the same words
void rename_newer_words(unit& u);      // identifiers that C++20 made keywords
void write_older_names(unit& u);       // texture<..> and surface<..>, where the program has none of its own
bool has_names_of_std(const unit& u);  // the program's own `count` beside `using namespace std;`
void rename_names_of_std(unit& u);     // gives them other names
void find_functions(unit& u);          // __global__, __device__, __host__: fills functions, removes the words
void mark_functions_of_both(unit& u);  // constexpr functions and defaulted ones, which device code may call
void translate_variables(unit& u);     // __shared__, __device__, __constant__, __managed__ variables
void name_host_shadows(unit& u);       // cudaMemcpy(x, ..), k<<<..>>>(x) with a variable of the device
void fill_variable_arrays(unit& u);    // int a[n] = {..}
void translate_launches(unit& u);      // <<< >>>
void translate_bodies(unit& u);        // kernels, built-in variables, device heap, loops on volatile
void translate_ptx(unit& u);     // asm(..) in device functions; after the passes that replace tokens inside operands
void register_kernels(unit& u);  // of a module, at the end of each kernel's definition
void name_allocations(unit& u);  // cudaMalloc(&x, ..)
void mark_ignored_results(unit& u);  // cudaMemcpy(..); as a statement
void find_unsupported(unit& u);      // inline PTX, textures, unknown calls
void translate_c_source(unit& u);    // in a source in C: linkage, pointers to void; after all passes that edit calls
std::string render(const unit& u);

// An attribute of a function or lambda, which only clang takes: "global", "device", or "any" for both sides.
std::string mark_of_space(std::string_view space);

// CUDA's memory space specifiers: __shared__, __constant__, __managed__, __device__.
bool is_memory_space(const token& t);

}  // namespace simt::cuda_source
