// SPDX-License-Identifier: Apache-2.0
#include "clamped_casts.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cmath>
#include <limits>

namespace simt::compile {

using namespace llvm;

namespace {

bool is_clamped_cast(const Instruction& i) {
  const auto* call = dyn_cast<IntrinsicInst>(&i);
  if (call == nullptr || !call->getType()->isIntegerTy()) return false;
  const Intrinsic::ID id = call->getIntrinsicID();
  const Type* const from = call->getArgOperand(0)->getType();
  return (id == Intrinsic::fptosi_sat || id == Intrinsic::fptoui_sat) && (from->isFloatTy() || from->isDoubleTy()) &&
         call->getType()->getIntegerBitWidth() <= 64;
}

// Values are converted to 32 or to 64 bits, and cut to less. NaN is 0, but the lowest of the signed ones (as unsigned:
// 2^31 or 2^63) where the source is a double or the result has 64 bits. (PTX ISA, cvt)
class expansion {
 public:
  explicit expansion(IntrinsicInst& cast)
      : b_(&cast),
        x_(cast.getArgOperand(0)),
        zero_(ConstantFP::get(x_->getType(), 0)),
        bits_(cast.getType()->getIntegerBitWidth() > 32 ? 64 : 32),
        sign_(APInt::getSignMask(bits_)),
        nan_is_zero_(bits_ == 32 && x_->getType()->isFloatTy()) {}

  Value* with_sign() {
    Constant* const least = number(-std::ldexp(1, top_bit()));
    Value* const may_be_nan = b_.CreateSelect(less(x_, power(top_bit())), x_, zero_);
    Value* const r = converted(b_.CreateSelect(b_.CreateFCmpOGT(may_be_nan, least), may_be_nan, least));
    return b_.CreateSelect(b_.CreateFCmpOGE(x_, power(top_bit())), b_.getInt(~sign_), r);
  }

  Value* without_sign() {
    Value* const positive =
        b_.CreateSelect(nan_is_zero_ ? b_.CreateFCmpOGT(x_, zero_) : b_.CreateFCmpUGT(x_, zero_), x_, zero_);
    Value* const in_upper_half = b_.CreateFCmpUGE(positive, power(top_bit()));
    Value* const shifted = b_.CreateSelect(in_upper_half, b_.CreateFSub(positive, power(top_bit())), positive);
    Value* const inside = b_.CreateFCmpOLT(shifted, power(top_bit()));
    Value* const low = converted(b_.CreateSelect(inside, shifted, zero_));
    Value* const r =
        b_.CreateXor(low, b_.CreateSelect(in_upper_half, b_.getInt(sign_), b_.getInt(APInt::getZero(bits_))));
    return b_.CreateSelect(nan_is_zero_ ? inside : less(shifted, power(top_bit())), r,
                           b_.getInt(APInt::getAllOnes(bits_)));
  }

  // The low byte of that. Floats from 2^31 on are multiples of 256.
  Value* low_byte_of_float() {
    Value* const inside = b_.CreateAnd(b_.CreateFCmpOGT(x_, zero_), b_.CreateFCmpOLT(x_, power(31)));
    Value* const low = converted(b_.CreateSelect(inside, x_, zero_));
    return b_.CreateSelect(b_.CreateFCmpOGE(x_, power(32)), b_.getInt32(~0U), low);
  }

  Value* narrowed(Value* r, Type* to) { return b_.CreateTrunc(r, to); }

 private:
  Constant* number(double value) const { return ConstantFP::get(x_->getType(), value); }
  Constant* power(int of_two) const { return number(std::ldexp(1, of_two)); }
  Value* converted(Value* inside) { return b_.CreateFPToSI(inside, b_.getIntNTy(bits_)); }
  int top_bit() const { return static_cast<int>(bits_) - 1; }
  // NaN is less where it is not 0: so it goes on to what follows.
  Value* less(Value* a, Value* b) { return nan_is_zero_ ? b_.CreateFCmpOLT(a, b) : b_.CreateFCmpULT(a, b); }

  IRBuilder<> b_;
  Value* x_;
  Constant* zero_;
  unsigned bits_;
  APInt sign_;  // the highest bit alone
  bool nan_is_zero_;
};

void expand(IntrinsicInst& cast) {
  expansion e(cast);
  const bool is_byte = cast.getType()->isIntegerTy(8) && cast.getArgOperand(0)->getType()->isFloatTy();
  Value* const r = cast.getIntrinsicID() == Intrinsic::fptosi_sat ? e.with_sign()
                   : is_byte                                      ? e.low_byte_of_float()
                                                                  : e.without_sign();
  cast.replaceAllUsesWith(e.narrowed(r, cast.getType()));
  cast.eraseFromParent();
}

}  // namespace

bool expand_clamped_casts(Module& m) {
  bool any = false;
  for (Function& f : m)
    for (BasicBlock& bb : f)
      for (Instruction& i : make_early_inc_range(bb))
        if (is_clamped_cast(i)) expand(cast<IntrinsicInst>(i)), any = true;
  return any;
}

}  // namespace simt::compile
