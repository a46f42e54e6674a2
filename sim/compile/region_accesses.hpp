// SPDX-License-Identifier: Apache-2.0
// The accesses of a region as linear functions (affine.hpp), with the conditions under which they are made: what the
// runtime is told before the region's loops run (sim/instrument/loop_region.hpp).
#pragma once

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

#include "affine.hpp"
#include "loop_nest.hpp"
#include "regions.hpp"
#include "sim/instrument/loop_region.hpp"

namespace simt::compile {

// Of the thread's own: its arrays, values kept from barrier to barrier, the kernel's parameters; or hidden already.
// `f`: the function of loops.
bool is_private_access(const llvm::Function& f, const llvm::Instruction& i);
bool is_private_pointer(const llvm::Function& f, const llvm::Value* at);
// A copy of a structure that can be listed in pieces.
bool is_copy_in_pieces(const llvm::Instruction& i);
// In the blocks of unwatched loops, copies stand for the calls about asynchronous ones: data move at once, and the
// runtime knows of what is under way (sim/instrument/row_copies.hpp).
void copy_at_once(llvm::ArrayRef<llvm::BasicBlock*> blocks);
// What the runtime may hear of: an access of memory that others may see, a call.
bool is_announced(const llvm::Instruction& i);
// A place for what the pass adds: the kernel's first line.
llvm::DebugLoc place_in_function(const llvm::Function& f);

struct listed_access {
  llvm::Instruction* instruction;
  llvm::Constant* site;  // pointer to where its code address is noted
  unsigned size;         // 0: a copy, which reads, too; or a marker
  bool write;
};

class read_only_arrays;

class region_accesses {
 public:
  // blocks: all of the loops around the region. in: the group that it is in, or null.
  region_accesses(kernel_form& k, loop_nest& n, const group* in, llvm::ArrayRef<llvm::BasicBlock*> blocks,
                  const llvm::DominatorTree& dominators, const llvm::LoopInfo& loops,
                  const read_only_arrays& read_only);
  // Emits the question in front of the loops: whether they may run unwatched. Null: it cannot be asked.
  llvm::Value* ask();
  const std::vector<listed_access>& accesses() const { return listed_; }
  // Accesses that are not listed, for which the unwatched loops may run all the same: they announce them one by one.
  llvm::ArrayRef<llvm::Instruction*> lone() const { return lone_; }
  // Calls that report what a thread is about to do outside of its own variables, which the unwatched loops make, too.
  llvm::ArrayRef<llvm::Instruction*> reports() const { return reports_; }
  // Blocks that no thread comes to where the runtime has let the loops run unwatched.
  llvm::ArrayRef<llvm::BasicBlock*> never_entered() const { return unlisted_.getArrayRef(); }
  // Some of the lone ones are made by each thread, or in a loop.
  bool makes_lone_always() const { return makes_lone_always_; }
  // Some of them are made by asynchronous copies: the unwatched loops have copies in place of the calls.
  bool copies_later() const { return !copy_steps_.empty(); }

 private:
  using form = std::optional<affine_form>;
  // A range that a form relies on (affine_forms::ranges), and the condition under which it has to hold: nobody asks
  // what the form says of other threads.
  struct needed_range {
    unsigned range;
    int when;
  };
  using needed_ranges = llvm::SmallVector<needed_range>;
  static constexpr int kAlways = -1, kUnknown = -2;

  bool announces_nothing(const llvm::Loop& l) const;
  bool find_turns();
  bool goes_by_data(const llvm::BasicBlock* bb) const;
  bool count_turns();
  bool count_by_step(const llvm::Loop& l, simt::sim::loop_turns& t);
  unsigned find_split() const;
  bool find_unlisted();
  bool list_accesses();
  struct option {
    llvm::Value* value;  // null: the form is known
    int when;
    affine_form form = {};
  };
  struct way {
    affine_form address;
    int when;
  };
  llvm::Instruction* choice_in(llvm::Value* v, unsigned depth);
  llvm::SmallVector<option, 4> options_of(llvm::Instruction& choice);
  form form_under(int condition, llvm::Value* v, bool is_signed, needed_ranges& needed);
  bool ways_of(llvm::Value* v, int condition, llvm::SmallVectorImpl<way>& all);
  void ask_for_ranges();
  bool list_marker(llvm::CallInst& marker, int known);
  llvm::SmallVector<llvm::BasicBlock*> blocks_in_order() const;
  bool list_access(llvm::Instruction& i, llvm::ArrayRef<way> ways);
  bool list_copy(llvm::MemCpyInst& copy, int known);
  // region_issues.cpp
  bool list_copy_call(llvm::CallInst& call, int known);
  bool list_issue(llvm::CallInst& issue, int known);
  bool list_wait(llvm::CallInst& wait, int known);
  bool list_promise(llvm::CallInst& promise, int known);
  bool ways_of_copy(llvm::Value* at, int known, way& one);
  // A part of a structure that an instruction accesses: where it lies behind a pointer, and a power of two of which its
  // address is a multiple.
  struct piece {
    const llvm::Instruction* by;
    const llvm::Value* structure;
    std::int64_t offset;
    std::uint64_t align;
  };
  static piece piece_at(const llvm::Instruction& i, const llvm::Value* at, std::uint64_t behind, std::uint64_t align);
  std::size_t next_piece(std::size_t k, std::uint64_t behind) const;
  void join_pieces();
  void describe(const piece& p, const way& w, std::uint64_t size, bool write);
  bool is_listable(llvm::Instruction& i) const;
  bool may_be_lone(llvm::Instruction& i) const;
  bool writes_what_lone_ones_update() const;
  void add_lone(llvm::Instruction& i, int condition);
  bool is_report(const llvm::Instruction& i) const;
  bool is_written_anyway(const llvm::Instruction& i);
  bool is_safe_division(llvm::Instruction& i);
  int when(llvm::BasicBlock* bb);
  int when_new(llvm::BasicBlock* bb);
  int when_by_ways(llvm::BasicBlock* bb);
  int when_on_edge(llvm::BasicBlock* from, const llvm::BasicBlock* to);
  int goes_to(int before, llvm::Instruction& end, const llvm::BasicBlock* to);
  bool may_hold_for(int condition, bool all) const;
  int holds_under(int before, llvm::Value* condition, bool is);
  int holds(llvm::Value* condition, bool is);
  int compare(llvm::ICmpInst& c, bool is);
  int has_no_bits(llvm::Value* v, llvm::Value* mask, bool is);
  int holds_by_choice(llvm::ICmpInst& c, bool is);
  llvm::Value* bit_of(const llvm::Instruction& i) const;
  llvm::SmallVector<option, 4> options_of_bit(llvm::BinaryOperator& i);
  void choose(const llvm::Instruction& choice, const option& o);
  int is_below(llvm::Value* v, const llvm::APInt& power, bool is);
  int compare_of_bits(llvm::ICmpInst& c, bool is);
  int has_sign(llvm::Value* v, bool is);
  int add(simt::sim::loop_test test, int a, int b, const affine_form* left = nullptr,
          const affine_form* right = nullptr);
  int both(int a, int b);
  int unknown();
  bool is_uncertain(int condition) const {
    return condition == kUnknown || (condition >= 0 && uncertain_[static_cast<std::size_t>(condition)]);
  }
  int place(llvm::Value* v);
  simt::sim::loop_form places(const affine_form& f);
  unsigned turns_around(const llvm::BasicBlock* bb) const;
  llvm::Constant* words(llvm::ArrayRef<std::uint32_t> w, const char* name);

  kernel_form& k_;
  loop_nest& n_;
  const group* in_;
  llvm::ArrayRef<llvm::BasicBlock*> blocks_;
  const llvm::DominatorTree& dominators_;
  const llvm::LoopInfo& loops_;
  const read_only_arrays& read_only_;
  const bool counted_;
  bool copies_later_ = false;  // it has calls about asynchronous copies
  std::vector<simt::sim::loop_copy_step> copy_steps_;
  const llvm::Value* promised_to_ =
      nullptr;  // whose type promises the alignment declared_; null: no such promise is open
  int declared_ = 0;
  llvm::PostDominatorTree post_dominators_;
  llvm::Loop* row_;                                            // over x: what a thread does
  llvm::SmallVector<llvm::Loop*> turn_loops_, loops_by_data_;  // in any order; the second without those within them
  llvm::SmallVector<llvm::Loop*> loops_apart_;                 // that announce nothing
  std::vector<simt::sim::loop_turns> turns_;
  unsigned split_ = 0;  // affine_scope::split
  std::optional<affine_forms> forms_;
  llvm::DenseMap<const llvm::BasicBlock*, int> when_;
  llvm::SmallSetVector<llvm::BasicBlock*, 8> unlisted_;
  std::vector<simt::sim::loop_condition> conditions_;
  std::vector<simt::sim::loop_access> described_;
  std::vector<piece> pieces_;  // of described_
  std::vector<std::int32_t> never_, always_;
  needed_ranges needed_, needed_of_access_;  // of the list; of the access that is looked at
  int under_ = kAlways;                      // of what is asked, nobody looks at the answer for other threads
  unsigned chosen_for_comparison_ = 0;
  int unknown_ = -1;             // the condition of which nothing is known, once it is there
  std::vector<bool> uncertain_;  // of conditions: it depends on that one
  std::vector<listed_access> listed_;
  std::vector<llvm::Instruction*> lone_, reports_;
  bool makes_lone_always_ = false;
  std::vector<llvm::Value*> numbers_;
  llvm::DenseMap<llvm::Value*, int> number_places_;
  llvm::Value *first_ = nullptr, *end_ = nullptr;
  std::optional<warp_in_front> warp_;
};

}  // namespace simt::compile
