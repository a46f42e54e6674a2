// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies of device threads (PTX ISA, cp.async, cp.async.commit_group, cp.async.wait_group).
//
// A copy is written down when it is issued and performed as late as it may be: when its thread waits for its group, or
// leaves the kernel. So a kernel that reads too early reads what was there before, as on a slow day of a GPU, and the
// source is read late as well.
//
// Invariants: pending is in the order of issue, its groups never fall; on fibers, a thread that has issued owns its
// stack. In loops the executor keeps the copies of the block's threads (executors/loops.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <sim/exec/copy_end.hpp>
#include <sim/exec/fiber.hpp>

namespace simt::sim {

struct async_copy {
  void* to;
  const void* from;
  std::size_t bytes;
  std::uint32_t group;
  std::uintptr_t pc;  // the call that issued it (check variant)
  copy_start start;
};

struct async_copies {
  std::vector<async_copy> pending;
  std::uint32_t group = 0;  // that the next copy belongs to: groups committed so far
};

void async_issue(block_context& b, std::int32_t rank, std::int64_t block_index, void* to, const void* from,
                 std::size_t bytes, std::uintptr_t pc);
// Copies issued since the last commit make a group.
void async_commit(block_context& b, std::int32_t rank, std::int64_t block_index);
// Performs all groups but the last `keep` committed ones.
void async_wait(block_context& b, std::int32_t rank, std::int64_t block_index, std::uint32_t keep);
// The thread tells the barrier object at `object` of its copies, which end now. It waits for them itself only where the
// object is not in its block's shared memory.
void async_arrive(block_context& b, std::int32_t rank, std::int64_t block_index, const void* object);
// The thread `t`, whose copies these are, leaves: what is pending completes before the kernel does.
void async_finish(async_copies& copies, device_thread& t);

}  // namespace simt::sim
