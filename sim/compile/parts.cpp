// SPDX-License-Identifier: Apache-2.0
#include "parts.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>

#include <algorithm>
#include <cstdlib>

namespace simt::compile {

using namespace llvm;

namespace {

// How often a kernel's thread is compiled, about: for blocks of any shape, with and without turns, and for some shapes.
constexpr std::size_t kCopiesOfThread = 5;

using globals = DenseSet<const GlobalValue*>;

// Code of one kernel that nothing else of the module calls.
struct kernel_code {
  loop_source source;
  SmallVector<GlobalValue*> all;
  std::size_t weight = 0;
};

const Function* user_function(const User* u) {
  const auto* i = dyn_cast<Instruction>(u);
  return i != nullptr ? i->getFunction() : nullptr;
}

kernel_code code_of(const loop_source& s, globals& taken) {
  kernel_code code{s, {}, 0};
  const auto add = [&](GlobalValue* g) {
    if (!g->isDeclaration() && taken.insert(g).second) code.all.push_back(g);
  };
  add(s.thread), add(s.body);
  for (User* u : s.body->users())  // the call that launches it names what runs it on fibers, too
    if (auto* call = dyn_cast<CallBase>(u))
      for (const Use& o : call->args())
        if (auto* f = dyn_cast<Function>(o.get())) add(f);
  const auto is_in = [&](const Function* f) { return f != nullptr && is_contained(code.all, f); };
  for (std::size_t at = 0; at < code.all.size(); ++at) {
    auto* caller = dyn_cast<Function>(code.all[at]);
    if (caller == nullptr) continue;
    for (Instruction& i : instructions(*caller))
      for (const Use& o : i.operands())
        if (auto* f = dyn_cast<Function>(o.get()); f != nullptr && (f->hasLocalLinkage() || f->hasLinkOnceLinkage()))
          if (all_of(f->users(), [&](const User* u) { return is_in(user_function(u)); })) add(f);
  }
  for (const GlobalValue* g : code.all)
    if (const auto* f = dyn_cast<Function>(g))
      code.weight += f->getInstructionCount() * (f == s.thread ? kCopiesOfThread : 1);
  return code;
}

class divider {
 public:
  divider(Module& m, ArrayRef<loop_source> sources) : m_(m) {
    if (!m.aliases().empty() || !m.ifuncs().empty() || has_addresses_of_blocks()) return;  // all is of part 0
    globals taken;
    std::vector<kernel_code> kernels;
    for (const loop_source& s : sources) kernels.push_back(code_of(s, taken));
    std::size_t weight[2] = {0, 0};
    for (const Function& f : m)
      if (taken.count(&f) == 0) weight[0] += f.getInstructionCount();
    stable_sort(kernels, [](const kernel_code& a, const kernel_code& b) { return a.weight > b.weight; });
    for (const kernel_code& k : kernels) {
      const bool second = weight[1] < weight[0];
      weight[second] += k.weight;
      if (second) second_.insert(k.all.begin(), k.all.end());
    }
  }

  [[nodiscard]] bool is_in(const loop_source& s, unsigned part) const { return is_second(*s.thread) == (part == 1); }

  void name_across(StringRef word) {
    find_needed();
    SmallVector<GlobalValue*> shared;
    for (GlobalValue& g : m_.global_values())
      if (g.hasLocalLinkage() && !g.isDeclaration() && !is_copied(g) && needed_[!is_second(g)].count(&g) != 0)
        shared.push_back(&g);
    for (GlobalValue* g : shared) {
      g->setName(g->getName() + ".of." + word);
      g->setLinkage(GlobalValue::ExternalLinkage);
      g->setVisibility(GlobalValue::HiddenVisibility);
      g->setDSOLocal(true);
      if (auto* object = dyn_cast<GlobalObject>(g)) object->setComdat(nullptr);
    }
  }

  void keep(unsigned part) {
    SmallVector<GlobalObject*> others;
    for (GlobalObject& g : m_.global_objects()) {
      if (g.isDeclaration()) continue;
      const bool stays = is_copied(g) ? part == 0 || needed_[1].count(&g) != 0 : is_second(g) == (part == 1);
      if (!stays)
        others.push_back(&g);
      else if (is_second(g) && g.hasLinkOnceLinkage())  // the other part needs it, whether this one does or not
        g.setLinkage(g.hasLinkOnceODRLinkage() ? GlobalValue::WeakODRLinkage : GlobalValue::WeakAnyLinkage);
    }
    if (part == 1) m_.setModuleInlineAsm("");
    for (GlobalObject* g : others) declare(*g);
    for (GlobalObject* g : others) {
      g->removeDeadConstantUsers();
      if (g->use_empty()) g->eraseFromParent();
    }
  }

 private:
  [[nodiscard]] bool is_second(const GlobalValue& g) const { return second_.count(&g) != 0; }
  [[nodiscard]] bool has_addresses_of_blocks() const {
    return any_of(m_,
                  [](const Function& f) { return any_of(f, [](const BasicBlock& b) { return b.hasAddressTaken(); }); });
  }
  // Of it each part that needs it has its own: the linker takes one, or nobody can tell them apart.
  [[nodiscard]] bool is_copied(const GlobalValue& g) const {
    if (is_second(g)) return false;
    if (g.hasLinkOnceLinkage() || g.hasWeakLinkage() || g.hasAvailableExternallyLinkage()) return true;
    const auto* v = dyn_cast<GlobalVariable>(&g);
    return v != nullptr && v->isConstant() && v->hasLocalLinkage() && v->hasGlobalUnnamedAddr();
  }
  static bool is_for_compiler(const GlobalObject& g) { return g.getSection() == "llvm.metadata"; }

  void find_needed() {
    for (const GlobalObject& g : m_.global_objects())
      if (!g.isDeclaration() && !is_copied(g) && !is_for_compiler(g)) look_into(g, needed_[is_second(g)]);
    for (const GlobalObject& g : m_.global_objects())  // part 0 keeps all that is copied
      if (is_copied(g)) look_into(g, needed_[0]);
  }
  void look_into(const GlobalObject& g, globals& needed) const {
    SmallVector<const Value*> open;
    if (const auto* v = dyn_cast<GlobalVariable>(&g)) {
      if (v->hasInitializer()) open.push_back(v->getInitializer());
    } else {
      const auto& f = cast<Function>(g);
      for (const Use& o : f.operands()) open.push_back(o.get());
      for (const Instruction& i : instructions(f))
        for (const Use& o : i.operands())
          if (isa<Constant>(o.get())) open.push_back(o.get());
    }
    DenseSet<const Value*> seen;
    while (!open.empty()) {
      const Value* const v = open.pop_back_val();
      if (isa<ConstantData>(v) || !seen.insert(v).second) continue;
      if (const auto* named = dyn_cast<GlobalObject>(v)) {
        if (needed.insert(named).second && is_copied(*named)) look_into(*named, needed);
      } else if (const auto* c = dyn_cast<Constant>(v)) {
        for (const Use& o : c->operands()) open.push_back(o.get());
      }
    }
  }

  static void declare(GlobalObject& g) {
    if (auto* f = dyn_cast<Function>(&g)) {
      f->deleteBody();
    } else {
      auto& v = cast<GlobalVariable>(g);
      // Its value still says what is read of it.
      if (v.isConstant() && isa<ConstantData>(v.getInitializer()) && !v.hasAppendingLinkage()) {
        v.setLinkage(GlobalValue::AvailableExternallyLinkage);
      } else {
        v.setInitializer(nullptr);
        v.setLinkage(GlobalValue::ExternalLinkage);
      }
      v.eraseMetadata(LLVMContext::MD_dbg);
    }
    g.setComdat(nullptr);
  }

  Module& m_;
  globals second_;
  globals needed_[2];
};

}  // namespace

bool wants_part() { return std::getenv(kPartWanted) != nullptr; }

void keep_wanted_part(Module& m, std::vector<loop_source>& sources) {
  const auto [number, word] = StringRef(std::getenv(kPartWanted)).split(' ');
  const unsigned part = number == "1" ? 1 : 0;
  divider d(m, sources);
  erase_if(sources, [&](const loop_source& s) { return !d.is_in(s, part); });
  d.name_across(word);
  d.keep(part);
}

}  // namespace simt::compile
