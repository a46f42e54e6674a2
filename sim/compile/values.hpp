// SPDX-License-Identifier: Apache-2.0
// Values that are made in one region and used in another.
//
//   known at entry   used as they are
//   front            uniform, and computed of such values alone: once a block, in front of the region's loop
//   uniform          by every thread, the same: left in a slot, which becomes a register again
//   of a warp        within a group, the same for the lanes of the running warp: once a warp in front of the region's
//                    loop, computed of the first thread's index where that is possible, else left in a slot by the
//                    lanes
//   cheap            a small function of the thread's index and of uniform values: computed anew where it is used
//   of a row         without groups, the same for the threads of a row: in an element of the array for each row
//   of lanes         made and used within a group only: in an array of 32 elements, which one warp after the other has
//   other            in an array with an element for each thread
//
// A value that comes into a region by a phi at its head is left in an incoming place by whoever comes there. Where that
// could be filled again before all uses of the value, the head copies it to a place of its own. What comes there from
// another region, and is not needed beside it, lies in the same place (common_places.hpp).
//
// Everything is decided (analyse) before anything is rewritten: cost and operands are read from the code as it was.
#pragma once

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/ValueHandle.h>

#include <vector>

#include "common_places.hpp"
#include "loop_nest.hpp"
#include "regions.hpp"

namespace simt::compile {

// How a value lies in an array.
llvm::Type* type_in_memory_of(llvm::Type* t);

class value_places {
 public:
  value_places(kernel_form& k, region_map& m, llvm::DenseMap<region*, loop_nest>& nests);

  void analyse();
  // Moves what is front, fills the places, and gives every use the value that its region has of it.
  void rewrite();
  // `v` in the loop of r, or in front of it where it is the same for all threads.
  llvm::Value* inside(llvm::Value* v, region* r);
  // The same in front of its loop; `v` is the same for all threads.
  llvm::Value* in_front(llvm::Value* v, region* r);
  // The same behind the loop of r: what a tail branches by. Of a warp's tail: `v` is the same for its lanes.
  llvm::Value* behind(llvm::Value* v, region* r, llvm::BasicBlock* tail);
  // A one-word place that becomes a register.
  llvm::AllocaInst* new_slot(llvm::Type* type, const llvm::Twine& name);

  // A place in which v, the same for the lanes of a warp, lies behind the loop of r.
  llvm::AllocaInst* left_for_warp(llvm::Value* v, region* r);
  // `i` reads what is there in front of the loop of its region: the same for all lanes, and may be read once a warp.
  void read_once_a_warp(llvm::LoadInst& i);

  // An element for each lane, which the warps have one after the other.
  llvm::Value* new_lanes(llvm::Type* element, const llvm::Twine& name);
  // What the first lane that is there has in `lanes`.
  static llvm::LoadInst* of_first_there(llvm::Type* type, llvm::Value* lanes, const region& r, llvm::IRBuilder<>& b);

  // Once all is rewritten: slots become registers.
  void promote_slots();
  std::uint64_t bytes_per_thread() const { return bytes_; }
  const llvm::DenseSet<const llvm::Value*>& stack_shared_by_threads() const { return local_arrays_; }

 private:
  bool is_uniform(const llvm::Value* v) const { return !m_.varying->has(v); }
  bool is_head_phi(const llvm::Value* v) const;
  // The same for all threads of a row that have it, who keep it in the place of the row's first thread. So it is read
  // in front of the loop over x, and what is made of it there is known to be no data of each thread.
  bool is_of_row(const llvm::Value* v) const;
  // Kept in a slot from one region of a group to the next.
  bool is_of_warp(llvm::Value* v) const;
  // `v`, the same for the lanes of a warp, can be had in front of the loop of r; of_first_thread then makes it, of what
  // the warp's first thread has.
  bool has_of_first_thread(llvm::Value* v, region* r, int depth = 0);
  llvm::Value* of_first_thread(llvm::Value* v, region* r);
  bool is_alike_in_front(llvm::Value* v, region* r) {
    return r->in != nullptr && m_.alike_in_warp.count(v) != 0 && has_of_first_thread(v, r);
  }
  bool leaves_region(llvm::Instruction& i) const;
  // Made in a group, and used there only.
  bool stays_in_group(llvm::Instruction& i) const;
  bool is_front(llvm::Value* v);
  bool divides_in_watched_code(const llvm::Instruction& i) const;
  int cost(llvm::Value* v);
  void analyse_private_array(llvm::AllocaInst* a);
  bool may_share_place(llvm::PHINode& phi, region* home);
  bool is_read_by_each_warp(const llvm::PHINode& phi) const;
  // In front of all that a warp or block runs of r and what it is a group with.
  llvm::BasicBlock* before_all(region* r);
  // Behind the loop over warps of the group that r is the last region of.
  llvm::Value* behind_group(llvm::Value* v, region* r);

  llvm::Value* new_array(llvm::Type* element, llvm::Align align, const llvm::Twine& name);
  // For `v`, or for all that shares its array.
  llvm::Value* new_array_for(llvm::Value* v, const llvm::Twine& name);
  // Where in its array a thread has v.
  llvm::Value* place_of(llvm::Value* v, const loop_nest& n) const;
  static void store_element(llvm::Value* v, llvm::Value* array, llvm::Value* place, llvm::IRBuilder<>& b);
  static llvm::Value* load_element(llvm::Type* type, llvm::Value* array, llvm::Value* place, llvm::IRBuilder<>& b);
  llvm::Value* slot_of(llvm::Value* v);
  llvm::Value* array_of(llvm::Value* v);
  void make_incoming_places();
  void rewrite_votes();
  void fill_places_of_warps();
  void leave_by_lanes(llvm::Value* v, llvm::Value* slot, region* r, llvm::BasicBlock* behind, llvm::IRBuilder<>& b);
  void fill(llvm::PHINode& phi, llvm::Value* v, llvm::BasicBlock* from);
  void replace_uses(llvm::Instruction& i, region* r);

  kernel_form& k_;
  region_map& m_;
  llvm::DenseMap<region*, loop_nest>& nests_;
  const llvm::DataLayout& layout_;
  llvm::MapVector<llvm::Instruction*, region*> home_;  // of all instructions of regions, as they were
  llvm::DenseMap<llvm::Value*, bool> front_;
  llvm::DenseMap<llvm::Value*, int> cost_;
  using operands_of = llvm::DenseMap<llvm::Value*, llvm::SmallVector<llvm::Value*, 4>>;
  operands_of cheap_;     // and its operands
  operands_of computed_;  // in kernels with groups: what can be computed anew, whatever that costs
  llvm::DenseMap<llvm::Value*, llvm::Value*> incoming_;  // of head phis: slot or array
  llvm::DenseMap<llvm::Value*, llvm::Value*> slots_, arrays_;
  llvm::DenseMap<std::pair<region*, llvm::Value*>, llvm::Value*> in_front_, inside_, of_first_;
  llvm::DenseSet<const llvm::Value*> local_arrays_;
  llvm::DenseSet<const llvm::Value*> of_lanes_;
  llvm::DenseSet<const llvm::Value*> own_place_;  // head phis that are copied from their incoming place
  common_places common_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> common_arrays_;
  llvm::SmallVector<llvm::AllocaInst*> made_slots_;
  llvm::DenseSet<const llvm::Value*> read_once_;
  struct left_value {
    llvm::TrackingVH<llvm::Value> value;
    region* by;
    llvm::BasicBlock* behind;
    llvm::AllocaInst* slot;
  };
  std::vector<left_value> left_for_warps_;
  std::uint64_t bytes_ = 0;
  llvm::Value* threads_ = nullptr;  // of the block, rounded up
};

}  // namespace simt::compile
