// SPDX-License-Identifier: Apache-2.0
// Functions of the standard library and of C that nvcc has for the host alone.
//
// Only names that are listed are told: what nvcc takes (the mathematics, std::move, memcpy, printf ...) is never one.
#pragma once

#include <llvm/IR/Function.h>

#include <optional>
#include <string>

namespace simt::compile {

struct host_function {
  std::string name;           // as a user writes it, without template arguments
  bool is_constexpr = false;  // nvcc takes it with --expt-relaxed-constexpr
  std::string_view instead;   // what a kernel does instead
};

// `relaxed`: device code may call constexpr functions, so what is one in any version of C++ is none of these.
std::optional<host_function> host_function_of_library(const llvm::Function& f, bool relaxed);

}  // namespace simt::compile
