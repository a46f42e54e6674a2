// SPDX-License-Identifier: Apache-2.0
#include "update_forms.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstrTypes.h>

#include <optional>

#include "engine_calls.hpp"
#include "one_address.hpp"
#include "user_code.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr StringLiteral kReduction = "simt_reduction", kIncrement = "simt_increment",
                        kReductionOfWarp = "simt_reduction_of_warp", kAtomicOfWarp = "simt_atomic_of_warp",
                        kAtomicOfFullWarp = "simt_atomic_of_full_warp";

// As simt::sim::atomic_action and simt::sim::atomic_type.
enum class update_action : unsigned { load, store, exch, cas, add, sub, min, max, and_, or_, xor_, nand, inc, dec };
enum class update_type : unsigned { u8, u16, s8, s16, s32, u32, s64, u64, f16, bf16, f32, f64 };
// Of checked_atomic's parameters.
enum class operand : unsigned { type = 1, action = 2, value = 3 };

std::optional<std::uint64_t> constant_operand(const CallBase& call, operand which) {
  const auto* const c = dyn_cast<ConstantInt>(call.getArgOperand(static_cast<unsigned>(which)));
  return c != nullptr ? std::optional(c->getZExtValue()) : std::nullopt;
}

bool is_of_32_bits(update_type t) { return t == update_type::s32 || t == update_type::u32; }
// Narrower ones are loops of compare-and-swaps on a GPU.
bool is_wide_enough(update_type t) {
  return is_of_32_bits(t) || t == update_type::s64 || t == update_type::u64 || t >= update_type::f32;
}

// cuda::atomic and cuda::atomic_ref: NVIDIA's are assembly that gives the old value, whether somebody reads it or not.
bool is_of_cuda_atomic(const CallBase& call) {
  for (const DILocation* at = call.getDebugLoc(); at != nullptr; at = at->getInlinedAt())
    if (StringRef(path_of(*at)).ends_with("/cuda/atomic")) return true;
  return false;
}

// What nvcc takes for counting: 1 is added, as a constant.
bool is_increment(const CallBase& call, update_action what) {
  constexpr std::uint64_t kAllBits = 0xffffffff;
  const auto value = constant_operand(call, operand::value);
  if (!value) return false;
  return (what == update_action::add && *value == 1) || (what == update_action::sub && *value == kAllBits) ||
         (what == update_action::inc && *value == kAllBits);
}

// What ptxas lets one lane do (tests/profile/one_address.cu). Of 32 bits it adds up whatever lanes bring, but where
// they read the old value only sums; if values differ then, only of a whole warp. Of 64 bits it adds one value up.
StringRef of_warp(const CallBase& call, update_type t, update_action what, bool unread) {
  if (!has_one_address(call)) return {};
  const bool adds = what == update_action::add || what == update_action::sub;
  const bool is_long = t == update_type::s64 || t == update_type::u64;
  if (is_of_32_bits(t) && unread && what >= update_action::add && what <= update_action::xor_) return kReductionOfWarp;
  if (!adds || (is_long && !has_one_value(call)) || (!is_long && !is_of_32_bits(t))) return {};
  if (unread) return kReductionOfWarp;
  return has_one_value(call) ? kAtomicOfWarp : kAtomicOfFullWarp;
}

// The function to call instead; empty: the one that is called.
StringRef instead_of(const CallBase& call) {
  const auto of_type = constant_operand(call, operand::type), of_action = constant_operand(call, operand::action);
  if (!of_type || !of_action) return {};
  const auto t = static_cast<update_type>(*of_type);
  const auto what = static_cast<update_action>(*of_action);
  const bool unread = call.use_empty() && !is_of_cuda_atomic(call);
  if (const StringRef one_lane = of_warp(call, t, what, unread); !one_lane.empty()) return one_lane;
  if (!unread) return {};
  if (what < update_action::add || what == update_action::nand || !is_wide_enough(t)) return {};
  return is_of_32_bits(t) && is_increment(call, what) ? kIncrement : kReduction;
}

}  // namespace

bool tell_update_forms(Module& m) {
  bool changed = false;
  for (Function& f : m) {
    if (!f.isDeclaration() || !is_checked_atomic(f)) continue;
    for (User* const u : make_early_inc_range(f.users())) {
      auto* const call = dyn_cast<CallBase>(u);
      if (call == nullptr || call->getCalledOperand() != &f) continue;
      const StringRef name = instead_of(*call);
      if (name.empty()) continue;
      call->setCalledFunction(m.getOrInsertFunction(name, f.getFunctionType(), f.getAttributes()));
      changed = true;
    }
  }
  return changed;
}

bool tells_unread_updates(const Module& m) {
  return any_of(ArrayRef<StringRef>({kReduction, kIncrement, kReductionOfWarp}), [&](StringRef name) {
    const Function* const f = m.getFunction(name);
    return f != nullptr && !f->use_empty();
  });
}

}  // namespace simt::compile
