// SPDX-License-Identifier: Apache-2.0
// How a launch ended before its end, as data: the kind of fault, who it happened to, who waited for what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <sim/exec/device_thread.hpp>
#include <sim/exec/warp_op_kind.hpp>

namespace simt::sim {

// Values of fault_record that a kind sets are named behind it.
enum class fault_kind : std::uint8_t {
  none,
  memory,            // SIGSEGV, SIGBUS. address, write
  misaligned,        // an instruction that wants an aligned address; the address is not known
  division_by_zero,  // SIGFPE
  stack_overflow,    // limit: bytes of the stack
  instruction,       // SIGILL, SIGTRAP
  trap,              // the kernel stopped itself
  expectation,       // t.expect(). text
  assertion,         // assert(). text: the expression and its place
  exception,         // text: what it said
  deadlock,
  hang,     // a spin that nobody can end
  endless,  // a loop that changes nothing and looks at nothing that others change
  timeout,
  departed,         // a replay is not what was recorded. text
  no_loops,         // loops were asked for and cannot be; nothing ran. text: why
  static_limit,     // static shared memory, which shows only while the kernel runs. text: the array; asked, used, limit
  shared_limit,     // all shared memory. text: the array; used: static bytes with it; asked: dynamic bytes; limit
  own_lane,         // a lane's mask does not name it. mask
  lanes_missing,    // lanes that a mask names never come. operation, mask, lanes
  not_cooperative,  // a grid barrier in a launch that is not cooperative
  map_rank,         // map_shared of a block that the cluster has not. asked: the block; limit: the cluster's size
  map_address,      // map_shared of an address outside the block's shared memory
};

// The kernel's own code asked for the end, at a call of ours.
constexpr bool is_called_for(fault_kind k) {
  switch (k) {
    case fault_kind::trap:
    case fault_kind::expectation:
    case fault_kind::assertion:
    case fault_kind::exception:
    case fault_kind::not_cooperative:
    case fault_kind::map_rank:
    case fault_kind::map_address:
      return true;
    default:
      return false;
  }
}

struct fault_record {
  fault_kind kind = fault_kind::none;
  std::string text = {};
  std::uintptr_t pc = 0;
  std::int64_t block = -1;   // linear; -1: unknown
  std::int64_t thread = -1;  // rank in its block; -1: unknown
  std::uintptr_t address = 0;
  bool write = false;                 // what `address` was wanted for
  std::uint32_t mask = 0, lanes = 0;  // one bit a lane
  warp_op_kind operation = warp_op_kind::sync;
  std::int64_t asked = 0, used = 0, limit = 0;
  // What the thread's calls are known by, innermost first, where `pc` is no place of the kernel's; see follower.hpp.
  static constexpr std::size_t kMaxCallers = 8;
  std::uintptr_t callers[kMaxCallers] = {};
  std::size_t caller_count = 0;
  // Who waited where when the launch was given up, at most kMaxWaiters of `waiting` threads.
  struct waiter {
    std::int64_t block = 0;
    std::int32_t thread = 0;           // rank in its block; -1: unknown
    wait_kind kind = wait_kind::none;  // none: it has left the kernel
    std::uintptr_t pc = 0;
    std::int32_t barrier = -1;  // a named one: its number, how many threads have come, and how many it is for
    std::int32_t arrived = 0, expected = 0;
  };
  static constexpr std::size_t kMaxWaiters = 64;
  std::vector<waiter> waiters = {};  // the first at each place before all others
  std::int64_t waiting = 0;
  // Deadlock: threads of one block that wait at different barriers, one of each; empty: there are none.
  std::vector<waiter> parted = {};
  // Deadlock at the grid's barrier: how many blocks have left the kernel, and the first of them with the first of its
  // threads to leave, as far as that is known.
  std::int64_t blocks_left = 0;
  waiter first_left = {};
};

}  // namespace simt::sim
