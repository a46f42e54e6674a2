// SPDX-License-Identifier: Apache-2.0
// What differs between threads, and between those of a row (regions.hpp).
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

#include "engine_calls.hpp"
#include "regions.hpp"

namespace simt::compile {

using namespace llvm;

namespace {
std::unique_ptr<dependence> depends_on(const kernel_form& k, ArrayRef<Argument*> indices,
                                       dependence::phis skip_none = {}) {
  auto found = std::make_unique<dependence>(k.f, std::move(skip_none));
  for (Argument* a : indices) found->add(a);
  for (Instruction& i : instructions(k.f)) {
    bool source = isa<AllocaInst>(i) || isa<AtomicRMWInst>(i) || isa<AtomicCmpXchgInst>(i);
    // A plain load of one place gives all threads the same, or they race with who changes it.
    if (auto* load = dyn_cast<LoadInst>(&i)) source = !load->isSimple();
    if (auto* call = dyn_cast<CallBase>(&i)) source = !is_any_marker(call) && !call->doesNotAccessMemory();
    if (source || is_marker(&i, marker::rank) || is_marker(&i, marker::warp)) found->add(&i);
  }
  found->propagate();
  return found;
}
}  // namespace

bool brings_values_alone(const PHINode& phi) {
  for (unsigned n = 0; n < phi.getNumIncomingValues(); ++n)
    if (!isa<UndefValue>(phi.getIncomingValue(n)) && phi.getIncomingBlock(n)->getSingleSuccessor() == nullptr)
      return false;
  return true;
}

std::unique_ptr<dependence> find_varying(const kernel_form& k) { return depends_on(k, k.index); }

namespace {
// Nobody reads it in its own region, and whoever has a value comes to it alone: who has none can leave their place
// alone.
bool may_skip_none(const PHINode& phi, const region& home, const region_map& m) {
  if (phi.getParent() == home.head) return true;
  return all_of(phi.users(), [&](const User* u) { return m.of(u) != &home; }) && brings_values_alone(phi);
}
}  // namespace

std::unique_ptr<dependence> find_varying_in_row(const kernel_form& k, const region_map& m) {
  dependence::phis skip_none;
  for (const auto& r : m.regions)
    for (const BasicBlock* bb : r->blocks)
      for (const PHINode& phi : bb->phis())
        if (may_skip_none(phi, *r, m)) skip_none.insert(&phi);
  return depends_on(k, {k.index[0]}, std::move(skip_none));
}

}  // namespace simt::compile
