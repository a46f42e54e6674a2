// SPDX-License-Identifier: Apache-2.0
// Blocks that begin because all that a worker holds wait for others: how many at once, and when there is no room for
// more. A device holds so many blocks; all workers together hold no more of a launch whose blocks wait for each other.
#pragma once

#include <cstdint>

namespace simt::sim {

class worker;
struct launch_state;

// A launch begins or ends on w.
void forget_crowd(const worker& w);
// May w hold one more block? crowded: also beyond what the launch gives to each worker.
bool has_room_for_block(const worker& w, bool crowded);
// All that w holds wait, and a block begins. Does the worker want another one, whatever this one does? A quarter of
// what it holds begins together: each time that all of them wait costs a turn of each, and with one block a time that
// would be the square of their number. Where turns are drawn or recorded, blocks begin one by one.
bool wants_another_block(const worker& w);
// All that w holds wait, and nothing could begin: gives the core to other workers, once in a round of the threads.
// Where the core came back late, because more wants to run than there are cores, w keeps it for as long as it was away
// (1 ms at most): to prove a hang takes thousands of rounds, each of which would cost a turn of everything that runs.
void let_others_run(const worker& w);

// Has each thread of w that can run come back to a state since w's threads last changed memory? (hangs.cpp)
bool goes_round(const worker& w);

}  // namespace simt::sim
