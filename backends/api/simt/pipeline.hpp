// SPDX-License-Identifier: Apache-2.0
// pipeline<Stages>: stages of asynchronous copies that all threads of a block fill and use together, in the words of
// libcu++'s cuda::pipeline (CUDA C++ Core Libraries, "cuda::pipeline"; the unified form, without roles). One text on
// simt::thread's copies and barriers for every variant.
//
//   simt::pipeline<2> pipe(t);
//   fill(0);                             // producer_acquire, memcpy_async..., producer_commit
//   for (int i = 0; i < tiles; ++i) {
//     if (i + 1 < tiles) fill(i + 1);
//     pipe.consumer_wait();              // stage i is there, whoever copied it
//     ...
//     pipe.consumer_release();           // and may be overwritten
//   }
//
// Every thread of the block makes all calls, in the same order: producer_acquire and consumer_wait may be block
// barriers.
#pragma once

#include <simt/kernel.hpp>

namespace simt {

template <unsigned Stages>
class pipeline {
  static_assert(Stages >= 1 && Stages <= 8, "a pipeline has 1 to 8 stages");

 public:
  SIMT_DEVICE explicit pipeline(const thread& t) : t_(&t) {}

  // Waits until every thread has released the stage that is filled next. Trap: all stages are in use.
  SIMT_DEVICE void producer_acquire() {
    t_->expect(committed_ - released_ < Stages, "pipeline: producer_acquire with all stages in use; release one first");
    if (committed_ >= Stages && committed_ - Stages >= released_for_all_) meet();
  }
  // Copies into the acquired stage, global to shared; the caller's own share.
  SIMT_DEVICE void memcpy_async(void* to, const void* from, std::size_t bytes) { t_->memcpy_async(to, from, bytes); }
  // The stage holds all that was copied since the last commit.
  SIMT_DEVICE void producer_commit() {
    t_->commit_async();
    ++committed_;
  }
  // Waits until the oldest stage that nobody waited for yet is there, the copies of all threads. Trap: there is none.
  SIMT_DEVICE void consumer_wait() {
    t_->expect(waited_ < committed_, "pipeline: consumer_wait without a stage that was committed");
    ++waited_;
    wait_all_but<0>(committed_ - waited_);
    meet();
  }
  // The caller is done with the oldest stage that it waited for.
  SIMT_DEVICE void consumer_release() {
    t_->expect(released_ < waited_, "pipeline: consumer_release without a consumer_wait");
    ++released_;
  }

 private:
  SIMT_DEVICE void meet() {
    t_->sync();
    released_for_all_ = released_;
  }
  // wait_async with a number that is known only when it runs.
  template <unsigned Keep>
  SIMT_DEVICE void wait_all_but(unsigned keep) {
    if constexpr (Keep + 1 < Stages) {
      if (keep > Keep) {
        wait_all_but<Keep + 1>(keep);
        return;
      }
    }
    t_->template wait_async<Keep>();
  }

  const thread* t_;
  // How many stages were committed, waited for and released by this thread, and released by all at the last barrier.
  unsigned committed_ = 0, waited_ = 0, released_ = 0, released_for_all_ = 0;
};

}  // namespace simt
