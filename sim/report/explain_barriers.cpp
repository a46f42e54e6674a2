// SPDX-License-Identifier: Apache-2.0
// What the rules about barriers, warps and waiting mean.
#include "explain.hpp"

namespace simt {

std::vector<rule_knowledge> barrier_knowledge() {
  return {
      {rule::barrier_divergence, "threads of one block wait at different barriers, or some can never arrive",
       R"(A block barrier must be reached by all threads of the block, at the same place in the program. Here some
threads wait at one barrier while others wait at another or have taken a path without it. On a GPU this hangs, or
lets threads through too early so that they read tiles that are only half filled; the CUDA guide calls it undefined.

The finding lists who waits where. The usual cause is a barrier inside an if or a loop whose condition depends on the
thread.)",
       R"(if (row < m) {
  tile[y][x] = a(row, x);
  t.sync();              // barrier-divergence: threads with row >= m never come here
})",
       R"(Take the barrier out of the branch, so that every thread passes it:

    tile[y][x] = row < m ? a(row, x) : 0;
    t.sync();

Loops that hold a barrier must run equally often in all threads of the block. A barrier of the grid must be reached by
every block of the launch likewise: blocks that have left never come, and the others wait for ever.)"},
      {rule::barrier_early_exit, "some threads of the block returned before a barrier that the others use (a warning)",
       R"(Threads that have returned are no longer waited for: current GPUs let the others pass. Older ones hang, and
whatever the exited threads should have done before the barrier (load their part of a tile) is missing. It is
reported as a warning because the outcome is defined on current hardware; uninitialized-read tells where it bites.
Threads that did not return but went around the barrier, by a branch that they did not take, are barrier-divergence, an
error.)",
       R"(auto [i] = t.grid<1>();
if (i >= x.size()) return;
tile[t.thread_idx().x] = x[i];
t.sync();                // barrier-early-exit: the threads that returned are missing here)",
       R"(Let every thread stay until after the last barrier, and guard the work instead of leaving:

    tile[t.thread_idx().x] = i < x.size() ? x[i] : 0;
    t.sync();)"},
      {rule::warp_mask, "a warp operation names a lane that never takes part",
       R"(The mask of a warp operation (sync_warp, a shuffle, a vote, match, reduce) says which lanes take part. All of
them must reach the operation with the same mask, and the caller must be one of them. A lane that has left or taken
another path makes the others wait for ever on a GPU, or gives them undefined values.)",
       R"(if (t.lane() < 16)
  sum += t.shuffle_down(0xffffffff, sum, 8);   // warp-mask: lanes 16 to 31 never come)",
       R"(Name the lanes that do come, or compute the mask before the branch:

    const auto mask = t.ballot(0xffffffff, t.lane() < 16);
    if (t.lane() < 16) sum += t.shuffle_down(mask, sum, 8);)"},
      {rule::deadlock, "threads wait for each other and none can go on",
       R"(Every thread that is left waits for something that only another waiting thread can do. The finding lists who
waits where. Typical causes: a lock taken by one lane of a warp while the others spin in front of it, two locks taken
in different orders, a flag that is set behind a barrier which the reader must reach first, and a grid-wide barrier
with more blocks than fit on the device at once.)",
       R"(while (t.atomic_cas(lock[0], 0, 1) != 0) {}
t.sync();              // deadlock: the thread with the lock waits here, the others spin for the lock
t.atomic_store(lock[0], 0);)",
       R"(Release before waiting, take locks in one order, and launch kernels that synchronise the whole grid
cooperatively, with no more blocks than are resident.)"},
      {rule::hang, "the kernel does not end",
       R"(Either all threads that are left wait in loops and none of them can end the others' wait, which is found without a
limit; or the threads still ran or waited when --timeout was up. The finding lists where each group of threads was, most
numerous first. In the second case the kernel is endless (a loop whose condition never changes, a flag that nobody sets)
or only slow: checks cost time, so try a larger --timeout or a smaller size.)",
       R"(while (flag[0] == 0) {}   // hang: a plain read; nobody sets the flag, or the compiler reads it once)",
       R"(Make sure that somebody sets what is waited for, and read it with an atomic, so that each turn reads again:

    while (t.atomic_load(flag[0]) == 0) {})"},
  };
}

}  // namespace simt
