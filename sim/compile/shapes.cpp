// SPDX-License-Identifier: Apache-2.0
#include "shapes.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/Twine.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "blocks_beside.hpp"
#include "cut.hpp"
#include "engine_calls.hpp"
#include "narrow_blocks.hpp"
#include "watched_region.hpp"
#include "wide_blocks.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

// The usual ones, the most usual first.
constexpr block_shape kRows[] = {{256, 1, 1}, {128, 1, 1}, {512, 1, 1}, {1024, 1, 1}, {64, 1, 1}};
constexpr block_shape kSquares[] = {{16, 16, 1}, {32, 8, 1}, {32, 32, 1}, {8, 8, 1}};
constexpr block_shape kOfAnyAxis[] = {{16, 16, 1}, {256, 1, 1}, {8, 8, 8}, {32, 8, 1}, {128, 1, 1}};

// Each copy is optimised on its own: larger kernels get fewer, or none.
constexpr unsigned kSmall = 400, kMedium = 1500;
// So do all kernels of a module with many: what their copies may have together, and how large the kernels may be
// together to get any of shapes that no launch names.
constexpr unsigned kInstructionsOfCopies = 3000, kMostForGuesses = 1000;
constexpr int kMostWidths = 2;            // that are tried where a kernel is refused
constexpr std::size_t kMostOfItsOwn = 2;  // shapes in which a kernel itself is launched, whatever else the module has

bool asks_for(const Function& f, unsigned axis) { return !f.getArg(parameter::thread + axis)->use_empty(); }

// 0 where copies are not worth it: in watched code, what loops do is not what takes the time.
unsigned copies_at_most(const Function& f) {
  if (is_watched(f) || f.getInstructionCount() > kMedium) return 0;
  return f.getInstructionCount() <= kSmall ? std::size(kRows) : 1;
}

// For one shape: along an axis of one thread, each thread is the first.
void place_on_axes(Function& f, const block_shape& shape) {
  bool any = false;
  for (unsigned d = 0; d < 3; ++d) {
    if (shape[d] != 1 || !asks_for(f, d)) continue;
    Argument* const index = f.getArg(parameter::thread + d);
    index->replaceAllUsesWith(Constant::getNullValue(index->getType()));
    any = true;
  }
  if (!any) return;
  for (BasicBlock& bb : f) SimplifyInstructionsInBlock(&bb);
}

Function* copy_of(Function& f, const Twine& name) {
  ValueToValueMapTy map;
  Function* const copy = CloneFunction(&f, map);
  copy->setName(name);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setComdat(nullptr);
  return copy;
}

// Nobody can tell in which order its blocks run: they meet at no barrier, and their threads only load, store and
// compute, and wait for others of their block.
bool runs_blocks_in_any_order(Function& f) {
  return all_of(instructions(f), [](Instruction& i) {
    if (isa<LoadInst>(i) || isa<StoreInst>(i)) return !i.isAtomic() && !i.isVolatile();
    if (auto* whole = dyn_cast<MemIntrinsic>(&i)) return !whole->isVolatile();
    if (is_any_marker(&i)) return !is_marker(&i, marker::grid_barrier);
    return !i.mayReadOrWriteMemory() || isa<IntrinsicInst>(i);
  });
}

}  // namespace

namespace {

// The functions made of one kernel.
class maker {
 public:
  maker(const loop_source& s, const shape_choice& shapes, Function* one)
      : s_(s), shapes_(shapes), name_(s.thread->getName().str()) {
    if (one != nullptr) copies_.push_back({{0, 0, 0}, one});
  }

  shape_copies make() {
    joins joining = is_watched(*s_.thread) ? joins_neighbours(*s_.thread) : joins::no;
    Function* general = make_general_for_rows();
    const maybe_refused no = refused_;
    for (int tries = 0; general == nullptr && !no->needs_none && tries < kMostWidths; ++tries) {
      widest_ = narrow_blocks(*s_.thread, widest_);
      if (widest_ == 0) break;
      joining = joins::no;
      general = make_general_for_rows();
    }
    if (general == nullptr) {
      set_refused(s_, *no, order_without_loops(), copies_);
      return made_;
    }
    if (joining != joins::no)
      order_ = joining == joins::yes ? block_order::joined : block_order::joined_evenly;
    else if (order_ == block_order::as_numbered && runs_blocks_in_any_order(*s_.thread))
      order_ = block_order::any;
    if (otherwise_ != nullptr || has_waits(*s_.thread))
      for (const block_shape& extent : shapes_.for_kernel(s_))
        if (fits(extent)) add_copy(extent);
    // What runs in blocks of any shape is for launches of other modules.
    if (order_ != block_order::wide && shapes_.has_no_others(s_, copies_)) make_cheap(*general);
    if (widest_ < kWidestBlock && order_ == block_order::wide) order_ = block_order::any;
    const block_kind blocks{rows_, relies_on_grid_, widest_ < kWidestBlock ? widest_ : 0, no};
    set_loops(s_, *general, bytes_, copies_, blocks, order_);
    forget_source(s_);
    return made_;
  }

 private:
  // What is the same for a warp may be seen only where warps lie in rows: then the loops are for such blocks. Null:
  // refused_ says why not, for rows of any kind.
  Function* make_general_for_rows() {
    rows_ = row_kind::any;
    Function* general = make_general();
    if (general != nullptr || !has_warp_operations(*s_.thread)) return general;
    const maybe_refused no = refused_;
    for (const row_kind rows : {row_kind::whole_or_one, row_kind::whole})
      if (general == nullptr) {
        rows_ = rows;
        general = make_general();
      }
    refused_ = no;
    return general;
  }
  // For blocks of any shape. Null: refused_ says why not.
  Function* make_general() {
    Function* general = nullptr;
    if (!is_watched(*s_.thread)) {
      otherwise_ = copy_of(*s_.thread, name_ + ".otherwise");
      general = turned(nullptr, ".loops");
      if (general != nullptr && any_geometry_ && may_take_any_order(*s_.thread)) order_ = block_order::wide;
      if (general == nullptr)
        drop(otherwise_);
      else if (const cut_result plain = cut_without_turns(*otherwise_, rows_); !plain.refused)
        add(*otherwise_, plain), make_cheap(*otherwise_);
      else
        give_up_turns(general);
    }
    if (general != nullptr) return general;
    general = copy_of(*s_.thread, name_ + ".loops");
    const cut_result any = cut(*general, nullptr, rows_);
    refused_ = any.refused;
    if (any.refused) {
      drop(general);
      return nullptr;
    }
    add(*general, any);
    // More loops can be turned where warps lie in rows, as in most shapes, and where a rank is a sum of x and y.
    if (!is_watched(*s_.thread) &&
        (has_warp_operations(*s_.thread) || asks_for(*s_.thread, 1) || asks_for(*s_.thread, 2)))
      otherwise_ = general;
    return general;
  }
  // Hardly ever runs: only where an index might wrap, say. So it is not to take long to compile.
  static void make_cheap(Function& f) {
    DominatorTree dominators(f);
    LoopInfo loops(dominators);
    for (Loop* l : loops.getLoopsInPreorder()) addStringMetadataToLoop(l, "llvm.loop.vectorize.enable", 0);
    f.addFnAttr(Attribute::OptimizeForSize);
  }
  block_order order_without_loops() const {
    if (!may_take_any_order(*s_.thread)) return block_order::as_numbered;
    return asks_for_place_in_grid_only(*s_.thread) ? block_order::wide : block_order::any;
  }
  // What has been turned needs a form that is not, and there is none.
  void give_up_turns(Function*& general) {
    made_.functions.erase(find(made_.functions, general));
    drop(general);
    drop(otherwise_);
    order_ = block_order::as_numbered;
  }
  static bool has_warp_operations(Function& f) {
    return any_of(instructions(f), [](const Instruction& i) { return is_marker(&i, marker::warp); });
  }
  bool fits(const block_shape& extent) const {
    if (extent[0] > widest_) return false;
    if (rows_ == row_kind::any || extent[0] % 32 == 0) return true;
    return rows_ == row_kind::whole_or_one && extent[1] * extent[2] == 1;
  }
  void add(Function& f, const cut_result& result) {
    bytes_ = std::max(bytes_, result.bytes_per_thread);
    relies_on_grid_ |= result.relies_on_grid;
    made_.functions.push_back(&f);
    made_.functions.insert(made_.functions.end(), result.more.begin(), result.more.end());
  }
  static void drop(Function*& f) {
    f->eraseFromParent();
    f = nullptr;
  }
  // extent: null, or of the blocks that it is for.
  Function* copy_for(const block_shape* extent, const Twine& suffix) const {
    Function* const copy = copy_of(*s_.thread, Twine(name_) + suffix);
    if (extent != nullptr) place_on_axes(*copy, *extent);
    return copy;
  }
  // With loops turned inside out; null where there are none.
  Function* turned(const block_shape* extent, const Twine& suffix) {
    if (otherwise_ == nullptr) return nullptr;
    Function* f = copy_for(extent, suffix);
    const cut_result result = cut_with_turns(*f, extent != nullptr ? extent->data() : nullptr, rows_, *otherwise_);
    if (result.refused)
      drop(f);
    else
      add(*f, result);
    any_geometry_ = result.any_geometry;
    divides_ranks_ = result.divides_ranks;
    return f;
  }
  void add_copy(const block_shape& extent) {
    std::string suffix = ".loops." + std::to_string(extent[0]) + "x" + std::to_string(extent[1]);
    if (extent[2] > 1) suffix += "x" + std::to_string(extent[2]);
    divides_ranks_ = false;
    Function* copy = turned(&extent, suffix);
    if (copy == nullptr) {
      copy = copy_for(&extent, suffix);
      const cut_result one = cut(*copy, extent.data(), rows_);
      if (one.refused) return drop(copy);
      divides_ranks_ = one.divides_ranks;
      add(*copy, one);
    }
    copies_.push_back({{extent[0], extent[1], extent[2]}, copy});
    const bool is_small = s_.thread->getInstructionCount() <= kSmall;
    // Side by side, each block's ranks would be divided row by row.
    if (order_ == block_order::any && is_small && has_waits(*s_.thread) && !divides_ranks_) add_beside(extent, suffix);
  }
  void add_beside(const block_shape& extent, const std::string& suffix) {
    for (const bool turned : {true, false}) {
      if (turned && otherwise_ == nullptr) continue;
      Function* f = copy_for(&extent, suffix + ".beside");
      const auto whole = put_blocks_beside(*f, extent);
      if (!whole) return drop(f);
      const cut_result result =
          turned ? cut_with_turns(*f, whole->data(), rows_, *otherwise_) : cut(*f, whole->data(), rows_);
      if (result.refused) {
        drop(f);
        continue;
      }
      add(*f, result);
      copies_.back().beside = (*whole)[1], copies_.back().run_beside = f;
      return;
    }
  }

  const loop_source& s_;
  const shape_choice& shapes_;
  const std::string name_;
  row_kind rows_ = row_kind::any;
  std::int64_t widest_ = kWidestBlock;  // of the blocks that the loops are for
  maybe_refused refused_;
  Function* otherwise_ = nullptr;  // without turns, where others have them, or may have
  bool any_geometry_ = false;      // of the last that was turned
  bool divides_ranks_ = false;     // of the last copy for one shape
  block_order order_ = block_order::as_numbered;
  bool relies_on_grid_ = false;  // any of them
  std::uint64_t bytes_ = 0;
  std::vector<shape_copy> copies_;
  shape_copies made_;
};

}  // namespace

shape_choice::shape_choice(const Module& m, ArrayRef<loop_source> kernels)
    : launched_(find_launched_shapes(m, kernels)) {
  std::size_t instructions = 0;
  for (const loop_source& s : kernels)
    if (copies_at_most(*s.thread) > 0) instructions += s.thread->getInstructionCount();
  guesses_ = instructions == 0 || instructions > kMostForGuesses ? 0 : kInstructionsOfCopies / instructions;
}

// A kernel that asks for no y is launched in rows, one that does in squares, one that asks for z, as who asks for a
// thread's rank does, in any shape. Where its own launches are seen, and all others as well, no other shapes matter;
// else what is launched somewhere is taken first, the usual shapes before others.
SmallVector<block_shape> shape_choice::for_kernel(const loop_source& kernel) const {
  const Function& f = *kernel.thread;
  const bool any = asks_for(f, 2);
  const auto fits = [&](const block_shape& s) { return any || (s[2] == 1 && (s[1] > 1) == asks_for(f, 1)); };
  const auto launched = [&](const block_shape& s) { return is_contained(launched_.known, s); };
  const ArrayRef<block_shape> usual = any              ? ArrayRef<block_shape>(kOfAnyAxis)
                                      : asks_for(f, 1) ? ArrayRef<block_shape>(kSquares)
                                                       : ArrayRef<block_shape>(kRows);
  SmallVector<block_shape> chosen;
  const auto add = [&](const block_shape& s) {
    if (!is_contained(chosen, s)) chosen.push_back(s);
  };
  if (const auto own = launched_.of_kernel.find(kernel.body); own != launched_.of_kernel.end())
    for_each(make_filter_range(own->second, fits), add);
  const bool knows_its_own = !chosen.empty();
  if (!knows_its_own || !launched_.all_known) {
    for_each(make_filter_range(usual, launched), add);
    for_each(make_filter_range(launched_.known, fits), add);
  }
  chosen.resize(std::min(chosen.size(), std::max<std::size_t>(knows_its_own ? kMostOfItsOwn : 1, guesses_)));
  if (!launched_.all_known)
    for (const block_shape& s : usual)
      if (!launched(s) && chosen.size() < guesses_) chosen.push_back(s);
  chosen.resize(std::min<std::size_t>(chosen.size(), copies_at_most(f)));
  sort(chosen);
  return chosen;
}

bool shape_choice::has_no_others(const loop_source& kernel, ArrayRef<shape_copy> copies) const {
  const auto own = launched_.of_kernel.find(kernel.body);
  if (!launched_.all_known || own == launched_.of_kernel.end()) return false;
  return all_of(own->second, [&](const block_shape& s) {
    return any_of(
        copies, [&](const shape_copy& c) { return c.extent[0] == s[0] && c.extent[1] == s[1] && c.extent[2] == s[2]; });
  });
}

shape_copies make_loops(const loop_source& s, const shape_choice& shapes, Function* one) {
  return maker(s, shapes, one).make();
}

}  // namespace simt::compile
