// SPDX-License-Identifier: Apache-2.0
// Code of the host in a module with kernels: an int that overflows wraps. nvcc has the host compiler leave host code as
// it stands unless -O asks otherwise, and programs that compute references with overflowing products live by that.
#pragma once

#include <llvm/IR/Module.h>

#include <vector>

#include "loop_bodies.hpp"

namespace simt::compile {

// Before anything is optimised or inlined: lets signed arithmetic wrap in all functions that no thread body in
// `kernels` calls, by whatever way. Device code keeps the promise that indices do not overflow, which loops need. A
// module without kernels stays as it is. Returns whether anything changed.
bool let_host_code_wrap(llvm::Module& m, const std::vector<loop_source>& kernels);
// Afterwards: some kernel calls it.
bool is_of_device(const llvm::Function& f);

}  // namespace simt::compile
