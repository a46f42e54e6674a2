// SPDX-License-Identifier: Apache-2.0
// Values of a region's loops as linear functions of the loops' indices: the thread's x, y and z, and the turn of each
// loop that a thread runs. Addresses of this form are known for all threads before any of them runs.
//
// Invariant: a form is the value exactly, as a signed 64-bit number (a pointer: modulo 2^64), for each thread and turn
// for which the ranges hold that it relies on. A caller who uses a form for some threads only (`of_some`) says for whom
// they have to; all others are in `in_range`, and have to hold for all. Forms are computed in front of the region's
// loops.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include <optional>

namespace simt::compile {

inline constexpr unsigned kMostDimensions = 6;  // kLoopDimensions of sim/exec/loop_region.hpp: x, y, z, three loops

// base + sum of factor[d] * index d. Values are of 64 bits; a null factor is zero.
struct affine_form {
  llvm::Value* base = nullptr;
  llvm::Value* factor[kMostDimensions] = {};
  bool is_constant() const {
    for (const llvm::Value* f : factor)
      if (f != nullptr) return false;
    return true;
  }
};

// What the caller knows of the region.
struct affine_scope {
  llvm::Instruction* in_front;  // forms are computed before it
  const llvm::DominatorTree& dominators;
  const llvm::DataLayout& layout;
  using value_index = llvm::DenseMap<const llvm::Value*, unsigned>;
  using block_index = llvm::DenseMap<const llvm::BasicBlock*, unsigned>;
  value_index indices = value_index();                               // phis that are an index themselves
  block_index turns = block_index();                                 // headers of loops that threads run: which index
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> never_entered = {};  // blocks from which no value comes
  bool counts_lanes = false;  // index 0 goes from 0 to at most 31, over the lanes of a warp
  // Not 0: the threads of a row count as rows of 2^split, so that index 0 has the low bits of x, and index 1 the
  // others. Of y and z there is one.
  unsigned split = 0;
  using value_map = llvm::DenseMap<const llvm::Value*, llvm::Value*>;
  value_map known = value_map();  // what values of the loops are, in front
};

// A form that has to lie in [low, high].
struct range_condition {
  affine_form form;
  std::int64_t low, high;
};

class affine_forms {
 public:
  explicit affine_forms(affine_scope scope) : s_(std::move(scope)), b_(s_.in_front) {}
  // Of an integer of at most 64 bits, read with or without sign, or of a pointer; none: it is no such function.
  std::optional<affine_form> of(llvm::Value* v, bool is_signed = true);
  // The same, and adds to `needed` which of `ranges` it relies on.
  using range_numbers = llvm::SmallVector<unsigned, 4>;
  std::optional<affine_form> of_some(llvm::Value* v, range_numbers& needed, bool is_signed = true);
  // The value in front of the loops, if it is the same for all threads and turns and can be computed there.
  llvm::Value* invariant(llvm::Value* v);
  // Forms are those of `value` where `choice`, which is one of several values, is that one; until it is forgotten,
  // which the last chosen one is first.
  void choose(const llvm::Instruction& choice, llvm::Value& value);
  // The same where it is a number of this form, with and without sign.
  void choose(const llvm::Instruction& choice, const affine_form& is);
  void forget(const llvm::Instruction& choice);
  bool has_choices() const { return !without_choice_.empty(); }
  bool is_chosen(const llvm::Instruction& choice) const {
    return chosen_.count(&choice) != 0 || chosen_forms_.count(&choice) != 0;
  }
  llvm::Value* chosen(const llvm::Instruction& choice) const { return chosen_.lookup(&choice); }
  // What follows holds where v lies in [0, 2^(bits - 1)), so that it is the same with and without sign.
  void must_not_be_negative(const affine_form& f, unsigned bits);
  const std::vector<range_condition>& ranges() const { return ranges_; }
  // What the forms rely on that were asked for by `of`.
  std::vector<range_condition> in_range() const;
  bool is_for_all(unsigned range) const { return for_all_[range]; }
  // The same: numbers that have to be multiples of a power of two.
  struct multiple {
    llvm::Value* number;
    std::uint64_t of;
  };
  const std::vector<multiple>& multiples() const { return multiples_; }
  static constexpr unsigned kLanesOfWarp = 32;

 private:
  using maybe = std::optional<affine_form>;
  struct found_form {
    maybe form = {};
    range_numbers needs = {};
  };
  void begin_choice();
  maybe find(llvm::Value* v, bool is_signed = true);
  void rely_on(range_condition r);
  llvm::Value* in_64_bits(llvm::Value* v, bool is_signed);
  llvm::Value* sum(llvm::Value* a, llvm::Value* b, bool subtract);
  affine_form sum(const affine_form& a, const affine_form& b, bool subtract);
  affine_form scaled(const affine_form& a, llvm::Value* factor);
  affine_form checked(affine_form a, unsigned bits, bool is_signed);
  maybe of_instruction(llvm::Instruction& i, bool is_signed);
  maybe of_raised(llvm::Value* v, unsigned bits);
  maybe of_narrowed(llvm::Instruction& i);
  maybe of_warp(llvm::Instruction& i);
  affine_form of_index(unsigned dimension);
  maybe of_part(llvm::Instruction& i, bool is_signed);
  maybe of_phi(llvm::PHINode& phi, bool is_signed);
  maybe of_element(llvm::GetElementPtrInst& p);

  affine_scope s_;
  llvm::IRBuilder<> b_;
  using known_forms = llvm::DenseMap<std::pair<llvm::Value*, int>, found_form>;
  known_forms known_;
  llvm::DenseMap<const llvm::Instruction*, llvm::Value*> chosen_;
  llvm::DenseMap<const llvm::Instruction*, affine_form> chosen_forms_;
  std::vector<known_forms> without_choice_;  // what was known before each of them
  llvm::DenseMap<llvm::Value*, llvm::Value*> invariants_;
  std::vector<range_condition> ranges_;
  std::vector<bool> for_all_;  // of ranges_
  range_numbers needs_;        // of the form that is being found
  std::vector<multiple> multiples_;
  int depth_ = 0;
};

}  // namespace simt::compile
