// SPDX-License-Identifier: Apache-2.0
// What the compiler pass (sim/compile) knows of the accesses of one piece of a kernel between barriers, in the check
// variant: constants beside the code, and numbers that the code computes in front of the piece's loops.
//
// Both the pass and the runtime include this file. Everything but the pointers is of 32 bits, in the order written.
#pragma once

#include <cstdint>

namespace simt::sim {

// Indices of a form: the thread's x, y and z, then the turns of loops that a thread runs.
inline constexpr unsigned kLoopDimensions = 6, kLoopTurns = 3;

// base + sum of factor[d] * index d; each is the place of a number, or -1 for zero.
struct loop_form {
  std::int32_t base;
  std::int32_t factor[kLoopDimensions];
};

enum class loop_test : std::int32_t {
  number,   // the number at `a` is not 0
  both,     // conditions a and b
  either,   // conditions a or b
  neither,  // condition a does not hold
  equal,
  less,
  less_or_equal,  // of left and right, with sign
  less_unsigned,
  less_or_equal_unsigned,  // without
  in_range,                // left is between the numbers at a and b
  no_bits,                 // left and the number at a have no bit in common
  unknown,                 // may hold for any thread
};
struct loop_condition {
  loop_test test;
  std::int32_t a, b;
  loop_form left, right;
};

struct loop_access {
  static constexpr std::int32_t kBegins =
      0;  // as a size: a basic block begins whose marker has `address` as its number
  loop_form address;
  std::int32_t when;   // a condition; -1: always
  std::int32_t turns;  // bit t: it is in the loop of index 3 + t
  std::int32_t size;   // bytes: 1, 2, 4, 8 or 16; or kBegins, in code that is counted
  std::int32_t write;  // 0 or 1
  std::int32_t site;   // in loop_region::sites; that of an access that goes to one of several addresses is in several
  std::int32_t copy;   // 0; or 1 + the place in loop_region::copies of what issues an asynchronous copy: what that
                       // writes or reads later
};

// How often a loop runs that each thread runs: what the number at `count` says; or, if that is -1, as often as start,
// start + step, ... is below the bound (or up to it), and once at least. Threads may run it differently often then.
enum class loop_compared : std::int32_t {
  with_sign,
  without_sign,
  unequal,  // it goes on until the bound is met, by steps of 1
};
struct loop_turns {
  std::int32_t count;
  std::int32_t step;       // a number; the loop is known only where it is above 0
  std::int32_t inclusive;  // 0 or 1
  std::int32_t compared;   // loop_compared
  std::int32_t most;       // a number: the last one before it wraps, which no turn may step over; -1: none does
  loop_form start, bound;
};

// What a thread does about its asynchronous copies. The unwatched loops move the data where a copy is issued.
enum class copy_act : std::int32_t { issue, commit, wait };
struct loop_copy_step {
  std::int32_t act;       // copy_act
  std::int32_t when;      // a condition; -1: always
  std::int32_t keep;      // of a wait: the number of how many groups may be under way
  std::int32_t declared;  // of an issue: the alignment that the type of the target's array must have; 0: none
};

// atomic_action::cas, which the pass knows by its number.
inline constexpr std::int32_t kCompareAndSwap = 3;

// What becomes of a region's loops.
enum class loop_answer : std::uint8_t {
  announced,  // they run access by access, each announced: code addresses are to be learned
  watched,    // they run access by access, but for reads of arrays that the launch only reads
  proved,     // they may run unwatched
};

struct loop_region {
  const loop_access* accesses;
  const loop_condition* conditions;  // later ones may name earlier ones
  const std::int32_t* never;         // conditions that hold for no thread, or accesses are made that are not listed
  const std::int32_t* always;        // conditions without which the forms say nothing
  const loop_turns* turns;           // outer loops come first
  // The code address that an access's call in the watched loops announces; 0 until that has been seen.
  std::uintptr_t* sites;
  const loop_copy_step* copies;  // in the order of the program; commits and waits in no loop
  std::int32_t access_count, condition_count, never_count, always_count;
  std::int32_t turn_count;
  std::int32_t first, end;  // numbers: the threads in each row
  std::int32_t rank;        // -1; or a number: first and end count lanes of the warp that begins with this thread
  // 1: the unwatched loops make more accesses than are listed, and announce these one by one (simt_loop_lone).
  std::int32_t lone;
  std::int32_t copy_count;
  // 0; or forms count the threads of a block of one row as rows of so many: their first index is the place in such a
  // row, their second one the row.
  std::int32_t split;
};

}  // namespace simt::sim
