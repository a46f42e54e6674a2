// SPDX-License-Identifier: Apache-2.0
// CUB's collective of a block that makes items of runs: values and how often each of them comes.
#pragma once

#include "block.hpp"
#include "../hide_names.hpp"

namespace cub {

template <class Item, int X, int Runs, int Decoded, class Offset = std::uint32_t, int Y = 1, int Z = 1>
class BlockRunLengthDecode {
  static constexpr int kThreads = X * Y * Z, kRuns = kThreads * Runs;
  using sums = BlockScan<Offset, X, BLOCK_SCAN_RAKING, Y, Z>;

 public:
  struct TempStorage {
    union {
      typename sums::TempStorage scan;
      struct {
        detail::slots<Item, kRuns> values;
        detail::slots<Offset, kRuns> offsets;
      } runs;
    };
  };
  template <class Length, class Total>
  BlockRunLengthDecode(TempStorage& temp, Item (&values)[Runs], Length (&lengths)[Runs], Total& total)
      : temp_(temp), rank_(detail::rank()) {
    by_lengths(values, lengths, total);
  }
  template <class Length, class Total>
  BlockRunLengthDecode(Item (&values)[Runs], Length (&lengths)[Runs], Total& total)
      : BlockRunLengthDecode(detail::private_storage<TempStorage>(), values, lengths, total) {}
  template <class Begin>
  BlockRunLengthDecode(TempStorage& temp, Item (&values)[Runs], Begin (&offsets)[Runs])
      : temp_(temp), rank_(detail::rank()) {
    by_offsets(values, offsets);
  }
  template <class Begin>
  BlockRunLengthDecode(Item (&values)[Runs], Begin (&offsets)[Runs])
      : BlockRunLengthDecode(detail::private_storage<TempStorage>(), values, offsets) {}

  // The thread's items of those from `from` on; places gets where in its run each of them is.
  template <class Place>
  void RunLengthDecode(Item (&items)[Decoded], Place (&places)[Decoded], Offset from = 0) {
    for (int i = 0; i < Decoded; ++i) {
      const Offset at = from + static_cast<Offset>(rank_ * Decoded + i);
      const int run = run_of(at);
      items[i] = temp_.runs.values[run];
      places[i] = static_cast<Place>(at - temp_.runs.offsets[run]);
    }
  }
  void RunLengthDecode(Item (&items)[Decoded], Offset from = 0) {
    Offset places[Decoded];
    RunLengthDecode(items, places, from);
  }

 private:
  template <class Length, class Total>
  void by_lengths(Item (&values)[Runs], Length (&lengths)[Runs], Total& total) {
    Offset offsets[Runs], sum = 0;
    for (int i = 0; i < Runs; ++i) offsets[i] = static_cast<Offset>(lengths[i]);
    sums(temp_.scan).ExclusiveSum(offsets, offsets, sum);
    total = static_cast<Total>(sum);
    __syncthreads();
    by_offsets(values, offsets);
  }
  template <class Begin>
  void by_offsets(Item (&values)[Runs], Begin (&offsets)[Runs]) {
    for (int i = 0; i < Runs; ++i) {
      temp_.runs.values[rank_ * Runs + i] = values[i];
      temp_.runs.offsets[rank_ * Runs + i] = static_cast<Offset>(offsets[i]);
    }
    __syncthreads();
  }
  // The last run that begins at `at` or before it.
  int run_of(Offset at) {
    int low = 0, high = kRuns;
    while (low < high) {
      const int middle = low + (high - low) / 2;
      if (at < temp_.runs.offsets[middle])
        high = middle;
      else
        low = middle + 1;
    }
    return low > 0 ? low - 1 : 0;
  }
  TempStorage& temp_;
  int rank_;
};

}  // namespace cub

#include "../restore_names.hpp"
