// SPDX-License-Identifier: Apache-2.0
// Byte cells: the form of a shadow cell whose bytes are touched at places that data choose, as the marks of a graph's
// nodes. Each byte has two words, which say of it what a plain cell's say of four bytes (shadow_word.hpp). So an access
// costs what that of a whole word costs, and one look more. Byte patterns take less room where neighbouring threads
// touch neighbouring bytes; of threads in any order there are too many patterns.
//
// Invariants
//  1. A writer word of 0 is of a byte that nobody has written yet.
//  2. Of a byte nothing is left out that a later access could race with, as in a plain cell; but a read of what its
//     thread has written in its interval is not noted: whoever races with it races with that write.
//  3. No step is made that could be a finding, but for a write over another block's. The cell becomes a slow one then,
//     which decides.
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <vector>

#include "sim/check/cells.hpp"

namespace simt::check {

struct alignas(64) byte_cells {
  std::array<cell, 4> of;
  std::uint8_t initialised() const {
    std::uint8_t mask = 0;
    for (std::size_t i = 0; i < of.size(); ++i) mask |= static_cast<std::uint8_t>((of[i].writer != 0) << i);
    return mask;
  }
  // The last write of any byte; 0: there was none.
  epoch written() const {
    epoch last = 0;
    for (const cell& c : of) last = std::max(last, epoch_of(c.writer));
    return last;
  }
  // No access that a byte keeps is as young as `done`. A link is younger than what it stands for.
  bool are_over(epoch done) const {
    return std::all_of(of.begin(), of.end(),
                       [&](const cell& c) { return epoch_of(c.writer) < done && epoch_of(c.readers) < done; });
  }
};

inline byte_cells& byte_cells_of(shadow_word w) {
  return *reinterpret_cast<byte_cells*>(w & ((shadow_word{1} << 48) - 1));
}

// All byte cells of a detector. Any thread may take some and give them back.
class byte_cell_pool {
 public:
  byte_cells* take();
  void give_back(byte_cells* bytes);
  std::size_t bytes() const { return count_.load(std::memory_order_relaxed) * sizeof(byte_cells); }

 private:
  std::mutex mutex_;
  std::deque<byte_cells> all_;
  std::vector<byte_cells*> free_;
  std::atomic<std::size_t> count_{0};  // of all_
};

}  // namespace simt::check
