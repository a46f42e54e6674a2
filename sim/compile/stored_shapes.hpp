// SPDX-License-Identifier: Apache-2.0
// The shape of a launch's blocks, where the launch reads it from memory: a structure of its caller, what a lambda has
// captured, a member.
//
// A shape is only looked for, never relied on: what a copy of the loops is made for is asked again at each launch. So
// it is enough to look at what constants the functions leave that call the launching one or note its address, the last
// ones first.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>

#include <array>
#include <cstdint>

namespace simt::compile {

using block_shape = std::array<std::int64_t, 3>;  // threads in x, y and z

// Where a shape lies: three numbers of so many bytes, from `offset` behind `at`.
struct shape_place {
  const llvm::Value* at;
  std::int64_t offset;
  unsigned bytes;
};
struct stored_shapes {
  llvm::SmallVector<block_shape> found;
  bool all_known = false;  // of all who make the launch
};
// What may lie there when `launch` is made.
stored_shapes find_stored_shapes(const llvm::CallBase& launch, const shape_place& place);

}  // namespace simt::compile
