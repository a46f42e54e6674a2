// SPDX-License-Identifier: Apache-2.0
// What a block does between two waits of all its threads is a piece. Tiles of a loop and blocks of a grid are often the
// same piece but for where their arrays begin. Such a piece is counted once: the next one adds what the first has
// added.
//
// Invariants
// - Two pieces have the same cost if the same threads did the same steps, and
//   - every address has moved by a multiple of 32 bytes (a sector, and whole words of all banks), those of updates of
//     global memory not at all (the sets of their tags), and
//   - steps whose distance decides a cost have moved alike: all of one instruction, and neighbours that may be one
//     (warp_trace::bind).
// - Of a piece that is known, its dearest instructions are in the block's samples: the first that costs as much stays.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/profile/site_table.hpp"
#include "sim/profile/told_step.hpp"

namespace simt::profile {

struct piece_counts {
  std::vector<std::pair<place, amounts>> sites;
  struct run_amounts {
    run_key key;
    amounts whole;
    std::array<amounts, kMostPieces> apart;
  };
  std::vector<run_amounts> runs;
};

class known_pieces {
 public:
  // All steps of the running piece are here, and nothing was counted of it.
  bool follows() const { return follows_; }
  const std::vector<told_step>& steps() const { return steps_; }
  void begin() { steps_.clear(), hash_ = 0, follows_ = !rests_; }
  // What is noted is counted one by one, and so is the rest of the piece.
  void give_up() { steps_.clear(), follows_ = false; }
  // False: the piece is too long, and this step is not in it.
  bool note(const told_step& t) {
    if (steps_.size() == kMostSteps) return false;
    steps_.push_back(t);
    hash_ = (hash_ ^ (t.did.site + (std::uint64_t{t.first} << 48))) * 0x9e3779b97f4a7c15ULL;
    hash_ ^= hash_ >> 29;
    return true;
  }
  // What the running piece costs; null: that is not known.
  const piece_counts* find();
  // It costs this. `together`: steps whose distance decides, by their numbers, beside those of one instruction.
  void learn(const std::vector<std::pair<std::uint16_t, std::uint16_t>>& together, piece_counts counts);

 private:
  static constexpr std::size_t kMostSteps = 4096, kMostKept = std::size_t{1} << 15;
  static constexpr std::uint32_t kUnit = 32;
  static_assert(kUnit % kSectorBytes == 0 && kUnit % kBankBytes == 0 && kUnit % kWidestAccess == 0);
  struct piece {
    std::vector<told_step> steps;
    std::vector<std::uint16_t> moves_with;  // of each step, the first that moves as it does
    piece_counts counts;
  };
  bool is_like(const piece& p) const;

  std::vector<told_step> steps_;
  std::uint64_t hash_ = 0;
  bool follows_ = true;
  bool rests_ = false;  // pieces do not come again: none is noted any more
  std::unordered_multimap<std::uint64_t, piece> pieces_;
  std::size_t kept_ = 0;  // steps of them
  std::uint64_t found_ = 0, missed_ = 0;
};

}  // namespace simt::profile
