// SPDX-License-Identifier: Apache-2.0
#include "joined_members.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "one_access.hpp"
#include "sim/report/source_column.hpp"
#include "whole_copies.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

using copied = std::pair<Value*, const DILocation*>;  // the base, and the place in the source

// Where neighbours of the same place in the source may be one instruction, they have the same number.
void set_column_window(Instruction& i, unsigned number, bool apart_in_shared) {
  const DILocation* const at = i.getDebugLoc().get();
  i.setDebugLoc(DILocation::get(i.getContext(), at->getLine(),
                                column_in_window(at->getColumn(), number, apart_in_shared), at->getScope(),
                                at->getInlinedAt(), at->isImplicitCode()));
}

// How many of `all`, from the first on, are one access without gaps, as wide as may be; 0: no two are. Members of
// unlike sizes never are.
std::size_t joinable(ArrayRef<member> all, std::int64_t window, std::uint64_t widest) {
  std::size_t found = 0;
  std::uint64_t bytes = 0;
  const auto from = static_cast<std::uint64_t>(all.front().at - window);
  const auto is_next = [&](const member& m) {
    return m.size == all.front().size && m.at == all.front().at + static_cast<std::int64_t>(bytes);
  };
  for (std::size_t i = 0; i < all.size() && is_next(all[i]); ++i) {
    bytes += all[i].size;
    if (i > 0 && isPowerOf2_64(bytes) && bytes <= widest && from % bytes == 0) found = i + 1;
  }
  return found;
}

void join_copied(Value* base, members& all) {
  stable_sort(all, [](const member& a, const member& b) { return a.at < b.at; });
  unsigned number = 0;
  const DataLayout& layout = all.front().made->getModule()->getDataLayout();
  const bool apart_in_shared = alignment_in_shared(base, layout) <= all.front().align;
  for (std::size_t i = 0; i < all.size();) {
    const std::int64_t window = all[i].at;
    const std::uint64_t widest = std::min(kWidestMember, std::max(all[i].align, all[i].size));
    std::size_t end = i;
    while (end < all.size() &&
           all[end].at + static_cast<std::int64_t>(all[end].size) <= window + static_cast<std::int64_t>(widest))
      ++end;
    while (i < end) {
      const ArrayRef<member> left(all.data() + i, end - i);
      const std::size_t together = joinable(left, window, widest), next = i + std::max<std::size_t>(together, 1);
      const bool unlike = next < end && all[next].size != all[i].size;
      Instruction* made = all[i].made;
      const bool writes = isa<StoreInst>(made);
      if (together > 0) {
        std::uint64_t bytes = 0;
        for (const member& m : left.take_front(together)) bytes += m.size;
        made = join(left.take_front(together), bytes);
      }
      if (number > 0) set_column_window(*made, number, apart_in_shared);
      i = next;
      if (writes || unlike) ++number;  // stores with gaps between them are stores of their own
    }
    ++number;
  }
}

void join_loads(BasicBlock& bb) {
  MapVector<copied, members> open;
  const auto join_open = [&] {
    for (auto& [from, all] : open)
      if (all.size() > 1) join_copied(from.first, all);
    open.clear();
  };
  for (Instruction& i : make_early_inc_range(bb)) {
    Value* base = nullptr;
    if (const member m = isa<LoadInst>(i) ? member_of(i, base) : member{}; m.size > 0)
      open[{base, i.getDebugLoc().get()}].push_back(m);
    else if (i.mayWriteToMemory() && !is_quiet(i))
      join_open();
  }
  join_open();
}

void join_stores(BasicBlock& bb) {
  copied to;
  members open;
  const auto join_open = [&] {
    if (open.size() > 1) join_copied(to.first, open);
    open.clear();
  };
  for (Instruction& i : make_early_inc_range(bb)) {
    Value* base = nullptr;
    const member m = isa<StoreInst>(i) ? member_of(i, base) : member{};
    const copied now{base, m.size > 0 ? i.getDebugLoc().get() : nullptr};
    const bool again = any_of(open, [&](const member& o) {  // it is stored twice
      return m.at < o.at + static_cast<std::int64_t>(o.size) && o.at < m.at + static_cast<std::int64_t>(m.size);
    });
    if (m.size > 0 ? now != to || again : !is_quiet(i)) join_open();
    if (m.size == 0) continue;
    to = now;
    open.push_back(m);
  }
  join_open();
}

}  // namespace

void join_members(Function& f) {
  take_apart_copies(f);
  for (BasicBlock& bb : f) {
    join_loads(bb);
    join_stores(bb);
  }
}

}  // namespace simt::compile
