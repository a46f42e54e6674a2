// SPDX-License-Identifier: Apache-2.0
// Fields of bits of a number: which row of 16 threads a thread is in (i / 16), and where in it (i % 16), however the
// compiler writes these.
#pragma once

#include <llvm/IR/Instruction.h>

#include <optional>

namespace simt::compile {

// The bits [from, to) of the number, moved up by `up`. of_sign: only where the number is not negative.
struct bit_field {
  llvm::Value* number;
  unsigned from, to, up;
  bool of_sign;
};
std::optional<bit_field> field_of(const llvm::Instruction& i);

}  // namespace simt::compile
