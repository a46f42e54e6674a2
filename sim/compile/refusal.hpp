// SPDX-License-Identifier: Apache-2.0
// Why a kernel is not made into loops, with the place in the source. Where a step is in doubt it refuses: a refused
// kernel runs on fibers, which can run everything.
#pragma once

#include <llvm/IR/Instruction.h>

#include <optional>
#include <string>

namespace simt::compile {

struct refusal {
  std::string why;
  bool needs_none = false;  // no thread waits: there is nothing to gain
};
using maybe_refused = std::optional<refusal>;

// `what` at the line of `at` that is the kernel's own: of the calls that were inlined, the innermost outside the
// headers of the API and the engine. No place is named where the code has no debug information.
refusal refuse(const std::string& what, const llvm::Instruction* at = nullptr);
// The function of our headers that the user's code called to get to `at`; empty where that is the user's own code.
std::string call_of_user(const llvm::Instruction& at);
refusal nothing_waits();

}  // namespace simt::compile
