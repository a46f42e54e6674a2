// SPDX-License-Identifier: Apache-2.0
#include "shapes.hpp"

#include <llvm/ADT/Twine.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "cut.hpp"
#include "watched_region.hpp"

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

shape_copies make_loops(const loop_source& s) {
  shape_copies made;
  std::vector<shape_copy> copies;
  const std::string name = s.thread->getName().str();
  std::uint64_t bytes = 0;
  Function* const general = copy_of(*s.thread, name + ".loops");
  const cut_result any = cut(*general, nullptr);
  if (any.refused) {
    general->eraseFromParent();
    set_refused(s, *any.refused);
    return made;
  }
  bytes = any.bytes_per_thread;
  made.functions.push_back(general);
  made.functions.insert(made.functions.end(), any.more.begin(), any.more.end());
  for (const shape& extent : shapes_for(*s.thread)) {
    Function* const copy = copy_of(*s.thread, name + ".loops." + Twine(extent[0]) + "x" + Twine(extent[1]));
    const cut_result one = cut(*copy, extent.data());
    if (one.refused) {
      copy->eraseFromParent();
      continue;
    }
    bytes = std::max(bytes, one.bytes_per_thread);
    copies.push_back({{extent[0], extent[1], extent[2]}, copy});
    made.functions.push_back(copy);
  }
  set_loops(s, *general, bytes, copies);
  forget_source(s);
  return made;
}

}  // namespace simt::compile
