// SPDX-License-Identifier: Apache-2.0
// Columns in the debugging data of code that is counted. Accesses of one place in the source that cannot be one
// instruction (sim/compile/joined_members.hpp) differ in bits above those of the column.
#pragma once

namespace simt {

inline constexpr unsigned kColumnBits = 13, kColumnWindows = 4;  // a column has 16 bits
inline constexpr unsigned kApartInShared = 1U << kColumnBits;

// apart_in_shared: nor are they one in shared memory, where arrays lie at multiples of 16 bytes.
constexpr unsigned column_in_window(unsigned column, unsigned window, bool apart_in_shared) {
  return (column & (kApartInShared - 1)) | (apart_in_shared ? kApartInShared : 0) |
         window % kColumnWindows << (kColumnBits + 1);
}
constexpr int column_of(int column) { return column & ((1 << kColumnBits) - 1); }
constexpr bool may_be_one_in_shared(int a, int b) {
  return column_of(a) == column_of(b) && ((a | b) & static_cast<int>(kApartInShared)) == 0;
}

}  // namespace simt
