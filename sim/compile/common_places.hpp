// SPDX-License-Identifier: Apache-2.0
// What a thread keeps in one variable over barriers is several values to the compiler: what it is before a loop, at the
// head of each turn, and behind the step that changes it. They have one array, unless one of them is written there
// while another is still needed. Else each turn would copy the array of one to that of the next, for all threads, also
// where few have changed anything.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include "regions.hpp"

namespace simt::compile {

class common_places {
 public:
  // lies_in_array: whether a value, of a region that no group has, is kept as an element for each thread.
  void find(const region_map& m, llvm::function_ref<bool(llvm::Value*)> lies_in_array);

  // Stands for all values that share an array with v; null: v has one of its own.
  llvm::Value* of(const llvm::Value* v) const { return leader_.lookup(v); }
  bool are_one(const llvm::Value* v, const llvm::Value* w) const { return of(v) != nullptr && of(v) == of(w); }

 private:
  llvm::DenseMap<const llvm::Value*, llvm::Value*> leader_;
};

}  // namespace simt::compile
