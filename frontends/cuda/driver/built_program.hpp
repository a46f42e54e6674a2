// SPDX-License-Identifier: Apache-2.0
// Executables that `simrun FILE.cu -o FILE` has made, told from other files by the mark of
// frontends/cuda/program_mark.hpp.
#pragma once

#include <optional>
#include <string>

namespace simt::cuda_source {

struct program_mark {
  std::string variant;      // "sim" or "check"
  bool is_current = false;  // this simrun, or one that speaks with programs as it does, has built it
};

// Nothing: the file is none of ours, or cannot be read.
std::optional<program_mark> mark_of(const std::string& file);

}  // namespace simt::cuda_source
