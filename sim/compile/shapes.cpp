// SPDX-License-Identifier: Apache-2.0
#include "shapes.hpp"

#include <llvm/ADT/Twine.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "cut.hpp"
#include "engine_calls.hpp"
#include "watched_region.hpp"
#include "wide_blocks.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

using shape = std::array<std::int64_t, 3>;
constexpr shape kRows[] = {{64, 1, 1}, {128, 1, 1}, {256, 1, 1}, {512, 1, 1}, {1024, 1, 1}};
constexpr shape kSquares[] = {{8, 8, 1}, {16, 16, 1}, {32, 8, 1}, {32, 32, 1}};

// Each copy is optimised on its own: larger kernels get fewer, or none.
constexpr unsigned kSmall = 400, kMedium = 1500;

// The shapes that are worth a copy: a kernel that asks for no y is launched in rows, one that does in squares.
SmallVector<shape> shapes_for(const Function& f) {
  const auto uses = [&](unsigned d) { return !f.getArg(parameter::thread + d)->use_empty(); };
  SmallVector<shape> found;
  if (is_watched(f)) return found;  // what they do is not what takes the time
  if (uses(2) || f.getInstructionCount() > kMedium) return found;
  const ArrayRef<shape> all = uses(1) ? ArrayRef<shape>(kSquares) : ArrayRef<shape>(kRows);
  if (f.getInstructionCount() <= kSmall)
    found.append(all.begin(), all.end());
  else
    found.push_back(uses(1) ? shape{16, 16, 1} : shape{256, 1, 1});
  return found;
}

Function* copy_of(Function& f, const Twine& name) {
  ValueToValueMapTy map;
  Function* const copy = CloneFunction(&f, map);
  copy->setName(name);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setComdat(nullptr);
  return copy;
}

}  // namespace

namespace {

// The functions made of one kernel.
class maker {
 public:
  explicit maker(const loop_source& s) : s_(s), name_(s.thread->getName().str()) {}

  shape_copies make() {
    Function* general = make_general();
    maybe_refused no = refused_;
    // What is the same for a warp may be seen only where warps lie in rows: then the loops are for such blocks.
    if (general == nullptr && has_warp_operations(*s_.thread))
      for (const row_kind rows : {row_kind::whole_or_one, row_kind::whole})
        if (general == nullptr) {
          rows_ = rows;
          general = make_general();
        }
    if (general == nullptr) {
      set_refused(s_, *no, order_without_loops());
      return made_;
    }
    for (const shape& extent : shapes_for(*s_.thread))
      if (fits(extent)) add_copy(extent);
    set_loops(s_, *general, bytes_, copies_, rows_, order_);
    forget_source(s_);
    return made_;
  }

 private:
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
        add(*otherwise_, plain);
      else
        give_up_turns(general);
    }
    if (general != nullptr) return general;
    general = copy_of(*s_.thread, name_ + ".loops");
    const cut_result any = cut(*general, nullptr, rows_);
    refused_ = any.refused;
    if (any.refused)
      drop(general);
    else
      add(*general, any);
    return general;
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
  bool fits(const shape& extent) const {
    if (rows_ == row_kind::any || extent[0] % 32 == 0) return true;
    return rows_ == row_kind::whole_or_one && extent[1] * extent[2] == 1;
  }
  void add(Function& f, const cut_result& result) {
    bytes_ = std::max(bytes_, result.bytes_per_thread);
    made_.functions.push_back(&f);
    made_.functions.insert(made_.functions.end(), result.more.begin(), result.more.end());
  }
  static void drop(Function*& f) {
    f->eraseFromParent();
    f = nullptr;
  }
  // With loops turned inside out; null where there are none.
  Function* turned(const std::int64_t* extent, const Twine& suffix) {
    if (otherwise_ == nullptr) return nullptr;
    Function* f = copy_of(*s_.thread, Twine(name_) + suffix);
    const cut_result result = cut_with_turns(*f, extent, rows_, *otherwise_);
    if (result.refused)
      drop(f);
    else
      add(*f, result);
    any_geometry_ = result.any_geometry;
    return f;
  }
  void add_copy(const shape& extent) {
    const std::string suffix = ".loops." + std::to_string(extent[0]) + "x" + std::to_string(extent[1]);
    Function* copy = turned(extent.data(), suffix);
    if (copy == nullptr) {
      copy = copy_of(*s_.thread, name_ + suffix);
      const cut_result one = cut(*copy, extent.data(), rows_);
      if (one.refused) return drop(copy);
      add(*copy, one);
    }
    copies_.push_back({{extent[0], extent[1], extent[2]}, copy});
  }

  const loop_source& s_;
  const std::string name_;
  row_kind rows_ = row_kind::any;
  maybe_refused refused_;
  Function* otherwise_ = nullptr;  // without turns, where others have them
  bool any_geometry_ = false;      // of the last that was turned
  block_order order_ = block_order::as_numbered;
  std::uint64_t bytes_ = 0;
  std::vector<shape_copy> copies_;
  shape_copies made_;
};

}  // namespace

shape_copies make_loops(const loop_source& s) { return maker(s).make(); }

}  // namespace simt::compile
