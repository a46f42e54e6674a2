// SPDX-License-Identifier: Apache-2.0
// Several neighbouring accesses of code that is counted become one.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace simt::compile {

constexpr std::uint64_t kWidestMember = 16;

struct member {
  llvm::Instruction* made;
  std::int64_t at;  // behind the base
  std::uint64_t size, align;
};
using members = llvm::SmallVector<member>;

bool is_of_thread(const llvm::Value* at);  // in a variable of the thread's own
// A simple access of a number at a known distance from its base; `size` 0: it is none.
member member_of(llvm::Instruction& i, llvm::Value*& base);
// What nvcc knows of an address's alignment where the array is one in shared memory: it begins at a multiple of 16
// bytes.
std::uint64_t alignment_in_shared(const llvm::Value* at, const llvm::DataLayout& layout);
// `all`, in the order of their places and without gaps, become one access of `bytes`: a load where the first of them
// was, a store where the last was.
llvm::Instruction* join(llvm::ArrayRef<member> all, std::uint64_t bytes);
const member& earliest(llvm::ArrayRef<member> all);  // in the program
// Loads alone, by one of `bytes` in front of `where`; they stay, without a use.
llvm::LoadInst* load_at(const member& where, llvm::ArrayRef<member> all, std::uint64_t bytes);
// It touches no memory but the thread's own variables.
bool is_quiet(const llvm::Instruction& i);

}  // namespace simt::compile
