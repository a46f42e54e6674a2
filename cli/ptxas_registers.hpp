// SPDX-License-Identifier: Apache-2.0
// What NVIDIA's assembler gives each kernel: registers, and memory of its own on the stack. Asked of ptxas, through
// nvcc, where the CUDA Toolkit is installed (`simrun profile APP.cu --registers`).
#pragma once

#include <string>
#include <vector>

#include "sim/report/profile_data.hpp"

namespace simt::cli {

// Fills in registers, stack and what is spilled of the kernels that these CUDA C++ sources define; `options`: -I, -D,
// -std and so on. What is wrong, or nothing: no nvcc, or its messages. Kernels whose names ptxas does not show stay
// unknown.
std::string ask_ptxas(const std::vector<std::string>& sources, const std::vector<std::string>& options,
                      std::vector<profiled_kernel>& kernels);

// The output of `nvcc -Xptxas -v`, read.
struct ptxas_kernel {
  std::string name;  // as C++ writes it, without result and parameters
  std::int64_t registers = -1, stack = 0, spilled = 0;
  friend bool operator==(const ptxas_kernel&, const ptxas_kernel&) = default;
};
std::vector<ptxas_kernel> read_ptxas(const std::string& text);

}  // namespace simt::cli
