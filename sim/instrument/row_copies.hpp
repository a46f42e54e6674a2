// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies that threads of a block have issued side by side in unwatched loops (loop_proofs.hpp), and that
// nobody has waited for. Of one OS thread, for the block that runs on it.
//
// Their data have moved already. The judge has found that nothing meets them while they are under way, or has said that
// it keeps no account of them any more; then the next call about copies, or the end of the block, hands them over to
// their threads, and they are performed as if these had issued them one by one (async_copy.hpp).
//
// Invariants
// 1. Until hand_over() no thread of the block has a copy of its own under way, and all of them have committed equally
//    often. Behind it none is kept here until the block ends.
// 2. The judge has been told of the same steps.
#pragma once

#include <vector>

#include <sim/exec/copy_end.hpp>
#include <sim/instrument/batch_judge.hpp>

namespace simt::sim {

struct block_context;

class row_copies {
 public:
  static row_copies& of_this_thread();
  void begin_block();
  bool is_by_threads() const { return by_threads_; }
  void go_on_by_threads() { by_threads_ = true; }
  // Entry k of the batch, which reads from `source` on.
  void issue(const gathered_batch& batch, std::uint32_t k, std::uint32_t positions, std::uintptr_t source,
             const copy_source& from, const copy_start& began);
  void commit() { ++group_; }
  void wait(std::uint32_t keep);
  void hand_over(block_context& b);

 private:
  struct row {
    lane_set who;
    watched_thread* first;
    std::uint32_t width;
    bool in_rows;
    std::uintptr_t to, from;
    std::intptr_t to_stride, to_row, from_stride, from_row;
    std::size_t size;
    std::uintptr_t pc;
    std::uint32_t group;
    copy_start began;
  };
  std::vector<row> under_way_;
  std::uint32_t group_ = 0;
  bool by_threads_ = false;
};

}  // namespace simt::sim
