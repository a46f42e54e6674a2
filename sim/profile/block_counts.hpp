// SPDX-License-Identifier: Apache-2.0
// One resident block: what its warps did since they last waited, and what was counted of it.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/instrument/events.hpp"
#include "sim/profile/known_pieces.hpp"
#include "sim/profile/site_table.hpp"
#include "sim/profile/warp_trace.hpp"

namespace simt::profile {

class block_counts {
 public:
  block_counts() = default;
  block_counts(const block_counts&) = delete;
  block_counts& operator=(const block_counts&) = delete;
  void begin(const sim::event::block& b);
  // Threads first .. first + count - 1 of the block, by rank, did this.
  void add(const told_step& t);
  void add(std::uint32_t first, std::uint32_t count, const step& s) { add({s, first, count}); }
  void warp_waits(std::uint32_t warp, std::uint32_t mask);
  void all_wait();
  // A static one. Under check they lie apart, so their sizes are added up: a GPU may need a few bytes more to align
  // them.
  void uses_shared_array(std::uintptr_t from, std::size_t bytes);

  site_table sites;
  run_table runs;
  std::uint64_t static_shared = 0;
  bool cut = false;

 private:
  // Neighbouring accesses that may be one instruction.
  struct open_run {
    operation what = operation::marker;
    std::uint32_t pieces = 0;
    std::array<std::uintptr_t, kMostPieces> sites{};
    std::array<warp_access, kMostPieces> parts;
  };
  struct shared_array {
    std::uintptr_t from;
    std::size_t bytes;
  };
  std::uintptr_t begin_of_array(std::uintptr_t address) const;
  // The same, to the threads' warps.
  void give_to_warps(const told_step& t);
  void give_up_piece();
  bool count_known_piece();
  void count_and_learn();
  void put_together(std::uint32_t warp, std::uint32_t mask);
  void executed(std::uint32_t warp, std::uintptr_t site, operation what, const warp_access& a);
  bool are_two_words_apart(std::uint32_t first, std::uint32_t end, const warp_access& whole) const;
  std::uint32_t joined_pieces(std::uint32_t first, warp_access& whole) const;
  bool goes_on(std::uintptr_t site, operation what, const warp_access& a) const;
  void end_run(std::uint32_t warp);
  void count(tally& t, operation what, const warp_access& a, std::uint32_t warp) const;

  known_pieces pieces_;
  site_table* counts_to_ = &sites;
  run_table* runs_to_ = &runs;
  std::vector<warp_trace> warps_;
  std::size_t warps_used_ = 0;
  std::size_t steps_ = 0;  // kept since the last look at them all
  sim::event::coordinates at_;
  std::uintptr_t shared_base_ = 0;
  open_run run_;
  std::uint64_t times_ = 1;           // that what is executed now is
  std::vector<shared_array> arrays_;  // that the block uses
  std::uint64_t arrays_bytes_ = 0;
};

}  // namespace simt::profile
