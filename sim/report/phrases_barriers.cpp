// SPDX-License-Identifier: Apache-2.0
// What is said about barriers and operations of warps that not all take part in.
#include "phrasebook.hpp"

namespace simt {
namespace {

constexpr phrase_row kBarrierRows[] = {
    {cause::barriers_differ, "barriers_differ", "threads of one block wait at different barriers", "{call_rule}",
     "{let_all_come}"},
    {cause::barrier_unreachable, "barrier_unreachable", "threads wait at {barrier_name} that others can never reach",
     "all threads passed {barriers_together} together; then threads left the kernel, and {count} wait at one more",
     "{let_all_come}"},
    {cause::barrier_skipped, "barrier_skipped", "{count} of {size} threads went past {barrier_name}",
     "{barrier_rule}: these never came to it and ended behind it, and what the others do then is undefined",
     "{let_all_come}"},
    {cause::blocks_missing, "blocks_missing", "{count} of {size} blocks never come to a barrier of the grid",
     "a barrier of the grid must be reached by every block of the launch: these have left the kernel, and the others "
     "wait for ever",
     "{let_all_blocks_come}"},
    {cause::barrier_after_exit, "barrier_after_exit", "{count} of {size} threads left the kernel before {barrier_name}",
     "the barrier counts only the threads that are left; code before it that needed the others' help does not get it",
     "guard the work instead of returning, so that every thread reaches the barrier"},
    {cause::lanes_exited, "lanes_exited", "{operation} names lanes {lanes} of warp {warp}, which have left the kernel",
     "lanes that have left count as arrived, but give no value, and on a GPU a lane that leaves later is not waited "
     "for",
     "name only the lanes that stay: mask {mask_that_stays} here; compute it with {ballot} before the others return"},
    {cause::lanes_elsewhere, "lanes_elsewhere",
     "{operation} names lanes {lanes} of warp {warp}, which never execute it",
     "every lane that a mask names must execute the operation with it: these took another branch, and the result is "
     "undefined",
     "move it out of the branch{at_branch}, so that all of them execute it; or name the lanes that do: mask "
     "{mask_that_stays} here, computed before the branch with {ballot_of_condition}"},
    {cause::shuffle_from_outside, "shuffle_from_outside",
     "a shuffle with mask {mask} reads from lane {lane}, which takes no part in it",
     "the value of a lane that is not there is undefined (0 on this simulator)",
     "read only from lanes in the mask, or do not use the result: guard with lane + delta < lanes that take part"},
};

}  // namespace

std::span<const phrase_row> barrier_phrases() { return kBarrierRows; }

}  // namespace simt
