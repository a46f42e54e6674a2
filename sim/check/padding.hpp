// SPDX-License-Identifier: Apache-2.0
// Which unwritten bytes of a large read may be the gaps between a structure's members.
//
// Members are stored one by one, structures are copied whole: such a copy reads gaps that nobody ever writes. A gap
// lies behind a member and before an address that is a multiple of the next member's alignment, and is smaller than
// that. Reads of fewer than 8 bytes are never taken for copies of structures. A structure of 8 bytes that is not one
// member of 8 bytes is aligned to 4 at most, so half of a double is no gap.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt::check {

// [from, to): a longest run of unwritten bytes of a read of `size` bytes at `address`.
inline bool may_be_padding(std::uintptr_t address, std::size_t size, std::uintptr_t from, std::uintptr_t to) {
  if (size < 8 || from == address) return false;
  const std::uintptr_t widest = size == 8 ? 4 : 8;  // alignment of a member or of the structure
  for (std::uintptr_t alignment = 2; alignment <= widest; alignment *= 2)
    if (to % alignment == 0 && from % alignment != 0 && to - from < alignment) return true;
  return false;
}

}  // namespace simt::check
