// SPDX-License-Identifier: Apache-2.0
// Numbers and addresses that grow by the same from each lane of a warp to the next: `begin + threadIdx.x % 32`.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <optional>

#include "lane_dependence.hpp"

namespace simt::compile {

class lane_steps {
 public:
  lane_steps(const kernel_form& k, const lane_dependence& lanes)
      : lanes_(lanes), layout_(k.f.getParent()->getDataLayout()) {}

  // v grows by `step`, though its operands do not show it.
  void know(const llvm::Value* v, std::int64_t step) { known_[v] = step; }
  // By how much v grows; 0: it is the same for all lanes. Where v is extended to more bits, the narrow number does not
  // wrap from one lane to the next.
  std::optional<std::int64_t> of(const llvm::Value* v, int depth = 0) const;
  // v of the warp's first lane, which is the same for all: v has a step and, as far as it is not the same for all
  // itself, is computed of the lane's place.
  llvm::Value* of_first_lane(llvm::Value* v, llvm::IRBuilder<>& b) const;
  bool has_first_lane(const llvm::Value* v) const;
  // The thread's x or rank, that v is made of; null: of neither.
  llvm::Value* place_in(llvm::Value* v) const;

 private:
  std::optional<std::int64_t> of_instruction(const llvm::Instruction& i, int depth) const;
  std::optional<std::int64_t> of_address(const llvm::GetElementPtrInst& p, int depth) const;
  // Extended, it is what it was.
  bool does_not_wrap(const llvm::Value* v, bool is_signed) const;

  const lane_dependence& lanes_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::Value*, std::int64_t> known_;
};

}  // namespace simt::compile
