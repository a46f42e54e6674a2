// SPDX-License-Identifier: Apache-2.0
// The fourth part of region_accesses: structures that are copied whole (to[i] = from[i]).
//
// Such a copy is an instruction of its own, and the sanitizer announces it as two ranges. To the runtime it is listed
// in pieces, which are as large as the alignments allow; each is proved like an access of its own. Where one has gaps
// that nobody has written, that is no proof, and the watched loops announce the whole copy, which may read gaps.
#include <llvm/IR/IntrinsicInst.h>

#include "region_accesses.hpp"

namespace simt::compile {

using namespace llvm;

namespace {
constexpr std::uint64_t kLargestPiece = 16, kMostPieces = 16;
// What is larger may be a call of memcpy when it is compiled, which announces itself.
constexpr std::uint64_t kLargestCopy = 128;

std::uint64_t piece_of(std::uint64_t length, MaybeAlign promised) {
  return std::min(kLargestPiece, MinAlign(length, promised.valueOrOne().value()));
}
}  // namespace

bool is_copy_in_pieces(const Instruction& i) {
  auto* copy = dyn_cast<MemCpyInst>(&i);
  if (copy == nullptr || copy->isVolatile() || copy->getSourceAddressSpace() != 0 || copy->getDestAddressSpace() != 0)
    return false;
  auto* length = dyn_cast<ConstantInt>(copy->getLength());
  if (length == nullptr || length->isZero() || length->getValue().ugt(kLargestCopy)) return false;
  const std::uint64_t bytes = length->getZExtValue();
  return bytes <= kMostPieces * piece_of(bytes, copy->getSourceAlign()) &&
         bytes <= kMostPieces * piece_of(bytes, copy->getDestAlign());
}

// Lists what a copy reads and writes, under the condition `known`; false: not all of it can be said.
bool region_accesses::list_copy(MemCpyInst& copy, int known) {
  const std::uint64_t bytes = cast<ConstantInt>(copy.getLength())->getZExtValue();
  struct side {
    Value* at;
    std::uint64_t piece;
    bool write;
    SmallVector<way> ways = {};
  };
  side sides[] = {{copy.getRawSource(), piece_of(bytes, copy.getSourceAlign()), false},
                  {copy.getRawDest(), piece_of(bytes, copy.getDestAlign()), true}};
  for (side& s : sides) {
    if (is_private_pointer(k_, s.at)) continue;
    if (!ways_of(s.at, known, s.ways)) return false;
    for (const way& w : s.ways)
      if (is_uncertain(w.when)) return false;
  }
  IRBuilder<> b(n_.before->getTerminator());
  for (const side& s : sides)
    for (const way& w : s.ways)
      for (std::uint64_t from = 0; from < bytes; from += s.piece) {
        way piece = w;
        if (from > 0) piece.address.base = b.CreateAdd(w.address.base, b.getInt64(from));
        describe(*copy.getParent(), piece, s.piece, s.write);
      }
  listed_.push_back({&copy, nullptr, 0, true});
  return true;
}

}  // namespace simt::compile
