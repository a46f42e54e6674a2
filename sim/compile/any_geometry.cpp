// SPDX-License-Identifier: Apache-2.0
#include "any_geometry.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "loop_bodies.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr std::uint64_t kNarrow = 0xffffffff;

// v without what cuts it to 32 bits and widens it again.
Value* without_casts(Value* v) {
  for (Value* inner = nullptr;; v = inner)
    if (!match(v, m_Trunc(m_Value(inner))) && !match(v, m_ZExt(m_Value(inner))) && !match(v, m_SExt(m_Value(inner))) &&
        !match(v, m_And(m_Value(inner), m_SpecificInt(kNarrow))) &&
        !match(v, m_AShr(m_Shl(m_Value(inner), m_SpecificInt(32)), m_SpecificInt(32))))
      return v;
}
bool is_product(Value* v, const Value* p, const Value* q) {
  Value *left, *right;
  if (!match(without_casts(v), m_Mul(m_Value(left), m_Value(right)))) return false;
  left = without_casts(left), right = without_casts(right);
  return (left == p && right == q) || (left == q && right == p);
}

class finder {
 public:
  finder(const kernel_form& k, const turn_loop& t) : k_(k), t_(t), s_(*t.by_stride) {}

  bool run() const { return is_of_the_grid() && writes_in_loop_only() && is_used_for_nothing_else(); }

 private:
  Value* first() const { return s_.index->getIncomingValueForBlock(t_.preheader); }
  Argument* argument(unsigned which, unsigned axis) const { return k_.f.getArg(which + axis); }

  bool is_of_the_grid() const {
    Value* const width = argument(parameter::extent, 0);
    if (k_.extent[0] != width || !is_product(s_.step, width, argument(parameter::grid, 0))) return false;
    Value *left, *right;
    if (!match(without_casts(first()), m_Add(m_Value(left), m_Value(right)))) return false;
    if (without_casts(left) == k_.index[0]) std::swap(left, right);
    return without_casts(right) == k_.index[0] && is_product(left, argument(parameter::place, 0), width);
  }

  bool writes_in_loop_only() const {
    if (std::next(t_.header->phis().begin()) != t_.header->phis().end()) return false;  // it carries something
    for (Instruction& i : instructions(k_.f))
      if (!t_.loop->contains(&i) && (i.mayWriteToMemory() || isa<AllocaInst>(i))) return false;
    return true;
  }

  // What is made of geometry ends in the loop's index, in its step, or in the guard.
  bool is_used_for_nothing_else() const {
    SmallVector<Value*> todo;
    SmallPtrSet<Value*, 32> seen;
    for (unsigned a = 0; a < 3; ++a)
      for (const unsigned which : {parameter::thread, parameter::extent, parameter::place, parameter::grid})
        todo.push_back(argument(which, a));
    while (!todo.empty()) {
      Value* const v = todo.pop_back_val();
      if (!seen.insert(v).second) continue;
      for (User* u : v->users()) {
        if (u == s_.index || u == s_.index->getIncomingValueForBlock(t_.latch) || u == t_.entered) continue;
        auto* const i = dyn_cast<Instruction>(u);
        if (i == nullptr || !(isa<CastInst>(i) || isa<BinaryOperator>(i)) || i->isIntDivRem()) return false;
        todo.push_back(i);
      }
    }
    return true;
  }

  const kernel_form& k_;
  const turn_loop& t_;
  const stride& s_;
};

}  // namespace

bool takes_any_geometry(const kernel_form& k, const turn_loop& t) {
  return t.by_stride && t.entered != nullptr && finder(k, t).run();
}

}  // namespace simt::compile
