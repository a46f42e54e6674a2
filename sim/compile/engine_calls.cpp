// SPDX-License-Identifier: Apache-2.0
#include "engine_calls.hpp"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/ModRef.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "loop_bodies.hpp"

namespace simt::compile {

using namespace llvm;

namespace {
struct known_call {
  std::string_view name;
  engine_call what;
};
constexpr known_call kKnown[] = {
    {"block_barrier", engine_call::barrier},
    {"block_barrier_count", engine_call::barrier_count},
    {"shared_address", engine_call::shared},
    {"spend", engine_call::spend},
    {"trap_thread", engine_call::report},
    {"print_from_thread", engine_call::report},
    {"async_issue", engine_call::report},  // of a thread alone: nobody waits for another
    {"async_commit", engine_call::report},
    {"async_wait", engine_call::report},
    {"warp_meet", engine_call::warp},
    {"active_lanes", engine_call::active},
    {"grid_barrier", engine_call::grid_barrier},
    {"cluster_barrier", engine_call::waits},
    {"named_barrier", engine_call::waits},
    {"yield_thread", engine_call::waits},
    {"detach", engine_call::waits},
    // The check variant's: sim/instrument/checked_calls.hpp, backends/sim.
    {"checked_barrier", engine_call::barrier},
    {"checked_barrier_vote", engine_call::barrier_count},
    {"checked_shared", engine_call::shared},
    {"checked_dynamic_shared", engine_call::dynamic_shared},
    {"checked_dynamic_shared_bytes", engine_call::report},
    {"checked_noncoherent_read", engine_call::report},
    {"whole_access", engine_call::report},
    {"checked_atomic", engine_call::atomic},
    {"checked_fence", engine_call::atomic},
    {"checked_warp_meet", engine_call::warp},
    {"checked_active_lanes", engine_call::active},
    {"checked_grid_barrier", engine_call::grid_barrier},
    {"checked_cluster_barrier", engine_call::waits},
    {"checked_named_barrier", engine_call::waits},
    {"checked_yield", engine_call::waits},
    {"checked_clock_read", engine_call::waits},
    {"checked_async_issue", engine_call::report},
    {"checked_async_commit", engine_call::report},
    {"checked_async_wait", engine_call::report},
    {"checked_async_arrive", engine_call::waits},
    {"checked_async_object_waited", engine_call::waits},
    {"checked_copy_promise", engine_call::report},
};
struct known_place {
  std::string_view name;
  unsigned value;
};
constexpr known_place kPlaces[] = {
    {"thread_x", parameter::thread},         {"thread_y", parameter::thread + 1},
    {"thread_z", parameter::thread + 2},     {"extent_x", parameter::extent},
    {"extent_y", parameter::extent + 1},     {"extent_z", parameter::extent + 2},
    {"block_x", parameter::place},           {"block_y", parameter::place + 1},
    {"block_z", parameter::place + 2},       {"grid_x", parameter::grid},
    {"grid_y", parameter::grid + 1},         {"grid_z", parameter::grid + 2},
    {"first_of_block_x", kFirstOfBlock},     {"first_of_block_y", kFirstOfBlock + 1},
    {"first_of_block_z", kFirstOfBlock + 2}, {"block_number", kBlockNumber},
};
constexpr std::string_view kMarkerNames[] = {
    "simt.loops.barrier", "simt.loops.grid_barrier",   "simt.loops.vote", "simt.loops.votes",
    "simt.loops.shared",  "simt.loops.dynamic_shared", "simt.loops.rank", "simt.loops.warp"};
std::string_view name_of(marker which) { return kMarkerNames[static_cast<int>(which)]; }
}  // namespace

namespace {
// The name in namespace simt::sim; empty: none of it.
std::string name_in_engine(const Function& f) {
  const StringRef mangled = f.getName();
  if (mangled.substr(0, 12) != "_ZN4simt3sim") return {};
  const std::string whole = demangle(std::string(mangled));
  constexpr std::string_view kSpace = "simt::sim::";
  const std::string name = whole.substr(0, whole.find('('));
  return name.substr(0, kSpace.size()) == kSpace ? name.substr(kSpace.size()) : std::string();
}
const known_place* place_named(std::string_view name) {
  for (const known_place& known : kPlaces)
    if (name == known.name) return &known;
  return nullptr;
}
}  // namespace

engine_call engine_call_of(const Function& f) {
  if (f.getName() == "_ZNK4simt6thread4rankEv") return engine_call::rank;
  // What a header announces for a thread, as of the fragments of a product: it waits for nobody.
  if (f.isDeclaration() && f.getName().starts_with("__tsan_read")) return engine_call::report;
  const std::string name = name_in_engine(f);
  if (name.empty()) return engine_call::none;
  for (const known_call& known : kKnown)
    if (name == known.name) return known.what;
  return place_named(name) != nullptr ? engine_call::place : engine_call::none;
}

bool is_checked_atomic(const Function& f) { return name_in_engine(f) == "checked_atomic"; }
bool is_noncoherent_read(const Instruction& i) {
  auto* const call = dyn_cast<CallBase>(&i);
  return call != nullptr && call->getCalledFunction() != nullptr &&
         name_in_engine(*call->getCalledFunction()) == "checked_noncoherent_read";
}

copy_call copy_call_of(const Instruction& i) {
  auto* const call = dyn_cast<CallInst>(&i);
  if (call == nullptr || call->getCalledFunction() == nullptr) return copy_call::none;
  const std::string name = name_in_engine(*call->getCalledFunction());
  if (name == "checked_async_issue") return copy_call::issue;
  if (name == "checked_async_commit") return copy_call::commit;
  if (name == "checked_async_wait") return copy_call::wait;
  return name == "checked_copy_promise" ? copy_call::promise : copy_call::none;
}

unsigned place_of_call(const Function& f) { return place_named(name_in_engine(f))->value; }

bool is_cold_report(const Function& f) {
  return f.hasFnAttribute(Attribute::Cold) && f.hasFnAttribute(Attribute::NoInline);
}

bool is_report_of_index(const Function& f) {
  return is_cold_report(f) && f.getName().starts_with("_ZN4simt4viewI") && f.getName().contains("10outside_of");
}

bool is_report_of_pass(const Function& f) {
  return f.getName() == "simt_misplaced_copy" || f.getName() == kOutsideOwnArray;
}

bool is_output(const Function& f) {
  const StringRef name = f.getName();
  return f.isDeclaration() && (name == "printf" || name == "puts" || name == "putchar");
}

bool is_math(const Function& f) {
  constexpr std::string_view kNames[] = {
      "acos",  "acosh", "asin",  "asinh",  "atan",      "atan2",  "atanh",     "cbrt",  "ceil",  "copysign",
      "cos",   "cosh",  "erf",   "erfc",   "exp",       "exp10",  "exp2",      "expm1", "fabs",  "fdim",
      "floor", "fma",   "fmax",  "fmin",   "fmod",      "hypot",  "ldexp",     "log",   "log10", "log1p",
      "log2",  "logb",  "lrint", "lround", "nearbyint", "pow",    "remainder", "rint",  "round", "scalbn",
      "sin",   "sinh",  "sqrt",  "tan",    "tanh",      "tgamma", "trunc"};
  if (!f.isDeclaration()) return false;
  const StringRef whole = f.getName();
  std::string_view name(whole.data(), whole.size());
  const auto is = [&](std::string_view n) {
    return std::find(std::begin(kNames), std::end(kNames), n) != std::end(kNames);
  };
  return is(name) || (!name.empty() && name.back() == 'f' && is(name.substr(0, name.size() - 1)));
}

Function* declare_marker(Module& m, marker which) {
  const StringRef name(name_of(which).data(), name_of(which).size());
  if (Function* known = m.getFunction(name)) return known;
  LLVMContext& c = m.getContext();
  Type *none = Type::getVoidTy(c), *number = Type::getInt32Ty(c), *truth = Type::getInt1Ty(c);
  Type* pointer = PointerType::getUnqual(c);
  FunctionType* type = nullptr;
  switch (which) {
    case marker::barrier:
    case marker::grid_barrier:
      type = FunctionType::get(none, false);
      break;
    case marker::vote:
      type = FunctionType::get(none, {truth}, false);
      break;
    case marker::votes:
      type = FunctionType::get(number, false);
      break;
    case marker::shared:
    case marker::dynamic_shared:
      type = FunctionType::get(pointer, {pointer, pointer}, false);
      break;
    case marker::rank:
      type = FunctionType::get(number, false);
      break;
    case marker::warp: {
      Type* const value = Type::getInt64Ty(c);
      type = FunctionType::get(value, {number, number, number, value, number}, false);
      break;
    }
  }
  Function* f = Function::Create(type, GlobalValue::ExternalLinkage, name, m);
  f->addFnAttr(Attribute::NoUnwind);
  f->addFnAttr(Attribute::WillReturn);
  if (which == marker::shared || which == marker::dynamic_shared || which == marker::rank) {
    f->setMemoryEffects(MemoryEffects::none());
    f->addFnAttr(Attribute::Speculatable);
    if (which != marker::rank) f->addRetAttr(Attribute::NonNull);
  } else {
    f->addFnAttr(Attribute::Convergent);  // never made to depend on more conditions than it does in the source
  }
  if (which == marker::warp) f->addFnAttr(Attribute::NoMerge);  // two in two branches are not one behind them
  return f;
}

bool is_marker(const Value* v, marker which) {
  const auto* call = dyn_cast<CallInst>(v);
  if (call == nullptr || call->getCalledFunction() == nullptr) return false;
  const std::string_view name = name_of(which);
  return call->getCalledFunction()->getName() == StringRef(name.data(), name.size());
}
bool is_shared_array(const Value* v) { return is_marker(v, marker::shared) || is_marker(v, marker::dynamic_shared); }
bool is_any_marker(const Value* v) {
  for (const marker m : {marker::barrier, marker::grid_barrier, marker::vote, marker::votes, marker::shared,
                         marker::dynamic_shared, marker::rank, marker::warp})
    if (is_marker(v, m)) return true;
  return false;
}
bool has_waits(const Function& f) {
  return any_of(instructions(f), [](const Instruction& i) {
    return is_marker(&i, marker::barrier) || is_marker(&i, marker::grid_barrier) || is_marker(&i, marker::warp);
  });
}

}  // namespace simt::compile
