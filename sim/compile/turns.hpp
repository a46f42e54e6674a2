// SPDX-License-Identifier: Apache-2.0
// Loops that each thread runs, turned inside out: the loop over turns outside, the threads inside. Two kinds:
//
//   strides      for (i = first + tid; i < n; i += stride), the grid-stride loop: neighbours take neighbouring elements
//                in each turn, where one thread by itself would jump through memory
//   sums         loops of which all threads run the same turns and which carry a sum of floats, which must not be
//                reordered: threads side by side fill a vector
//
// Each turn becomes a region of its own, as if a barrier parted the turns (regions.hpp): any order of the threads
// between two barriers is one that CUDA allows. Threads that have done their last turn do nothing in later ones.
#pragma once

#include "apart_elements.hpp"
#include "regions.hpp"

namespace simt::compile {

struct turned_loops {
  // Null: there is nothing to turn. Otherwise a value of the entry block: the changed kernel may run where this is
  // true, for indices do not wrap then.
  llvm::Value* holds = nullptr;
  bool any_geometry = false;  // any_geometry.hpp
  apart_elements apart = {};  // then
};
// Changes k, whose barriers are known, and adds to them where turns begin.
turned_loops put_threads_inside(kernel_form& k);

}  // namespace simt::compile
