// SPDX-License-Identifier: Apache-2.0
// The fourth part of region_accesses: structures that are copied whole (to[i] = from[i]).
//
// Where such a copy is to or from a variable, it has become accesses of the members that are used, all at its own place
// in the source. Those that make up a larger aligned piece are listed as one access: the members' neighbours are other
// threads' then, and their words those of whole rows (sim/check/row_summary.hpp).
//
// Else a copy is an instruction of its own, and the sanitizer announces it as two ranges. To the runtime it is listed
// in pieces, which are as large as the alignments allow; each is proved like an access of its own. Where one has gaps
// that nobody has written, that is no proof, and the watched loops announce the whole copy, which may read gaps.
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "region_accesses.hpp"

namespace simt::compile {

using namespace llvm;
using sim::loop_access;

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
    std::uint64_t align, size;  // of its pieces
    bool write;
    SmallVector<way> ways = {};
  };
  const auto side_of = [&](Value* at, MaybeAlign align, bool write) {
    return side{at, align.valueOrOne().value(), piece_of(bytes, align), write};
  };
  side sides[] = {side_of(copy.getRawSource(), copy.getSourceAlign(), false),
                  side_of(copy.getRawDest(), copy.getDestAlign(), true)};
  for (side& s : sides) {
    if (is_private_pointer(k_.f, s.at)) continue;
    if (!ways_of(s.at, known, s.ways)) return false;
    for (const way& w : s.ways)
      if (is_uncertain(w.when)) return false;
  }
  IRBuilder<> b(n_.before->getTerminator());
  for (const side& s : sides)
    for (const way& w : s.ways)
      for (std::uint64_t from = 0; from < bytes; from += s.size) {
        way part = w;
        if (from > 0) part.address.base = b.CreateAdd(w.address.base, b.getInt64(from));
        describe(piece_at(copy, s.at, from, s.align), part, s.size, s.write);
      }
  listed_.push_back({&copy, nullptr, 0, true});
  return true;
}

// Part `behind` bytes behind `at`, which is a multiple of `align`, of what an instruction accesses.
region_accesses::piece region_accesses::piece_at(const Instruction& i, const Value* at, std::uint64_t behind,
                                                 std::uint64_t align) {
  const DataLayout& layout = i.getModule()->getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(at->getType()), 0);
  const Value* const structure = at->stripAndAccumulateConstantOffsets(layout, offset, true);
  return {&i, structure, offset.getSExtValue() + static_cast<std::int64_t>(behind), MinAlign(align, behind)};
}

// What the same copy accesses `behind` bytes behind the access k; described_.size(): nothing.
std::size_t region_accesses::next_piece(std::size_t k, std::uint64_t behind) const {
  const piece& first = pieces_[k];
  const auto is_it = [&](std::size_t n) {
    const loop_access& a = described_[n];
    const piece& p = pieces_[n];
    return a.copy == 0 && a.write == described_[k].write && a.when == described_[k].when &&
           p.structure == first.structure && p.offset == first.offset + static_cast<std::int64_t>(behind) &&
           p.by->getParent() == first.by->getParent() && p.by->getDebugLoc() == first.by->getDebugLoc();
  };
  std::size_t n = 0;
  while (n < described_.size() && !is_it(n)) ++n;
  return n;
}

void region_accesses::join_pieces() {
  for (std::size_t k = 0; k < described_.size(); ++k) {
    if (described_[k].copy != 0 || !pieces_[k].by->getDebugLoc() || is_uncertain(described_[k].when)) continue;
    const std::uint64_t whole = std::min(kLargestPiece, pieces_[k].align);
    auto size = static_cast<std::uint64_t>(described_[k].size);
    if (size >= whole) continue;
    SmallVector<std::size_t> others;
    while (size < whole) {
      const std::size_t next = next_piece(k, size);
      if (next == described_.size()) break;
      others.push_back(next);
      size += static_cast<std::uint64_t>(described_[next].size);
    }
    if (size != whole) continue;
    described_[k].size = static_cast<std::int32_t>(whole);
    sort(others);
    for (const std::size_t other : reverse(others)) {
      described_.erase(described_.begin() + static_cast<std::ptrdiff_t>(other));
      pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(other));
      if (other < k) --k;
    }
  }
}

}  // namespace simt::compile
