// SPDX-License-Identifier: Apache-2.0
// Columns in the debugging data of code that is counted. Accesses of one place in the source that cannot be one
// instruction (sim/compile/joined_members.hpp) differ in bits above those of the column.
#pragma once

namespace simt {

inline constexpr unsigned kColumnBits = 14, kColumnWindows = 4;  // a column has 16 bits

constexpr unsigned column_in_window(unsigned column, unsigned window) {
  return (column & ((1U << kColumnBits) - 1)) | window % kColumnWindows << kColumnBits;
}
constexpr int column_of(int column) { return column & ((1 << kColumnBits) - 1); }

}  // namespace simt
