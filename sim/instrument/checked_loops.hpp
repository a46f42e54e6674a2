// SPDX-License-Identifier: Apache-2.0
// What the compiler pass (sim/compile) adds calls of in the check variant, most of them to the loops that it has made
// of a kernel. The pass knows these names, and simt_loop_read4 to simt_loop_write16 and simt_loop_copy of tsan_abi.hpp;
// nobody else calls them.
//
// A block runs as: simt_loop_block; for each region its loops, in which simt_loop_thread begins each thread's part, or
// which ran unwatched between simt_loop_region and simt_loop_proved; between regions that a barrier parts
// simt_loop_barrier, or simt_loop_grid_barrier where it is the grid's, and simt_loop_meeting between those that an
// operation of a warp parts; simt_loop_block_ends.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sim/instrument/loop_region.hpp>
#include <sim/instrument/read_only.hpp>

namespace simt::sim {

struct block_context;
struct shared_key;

extern "C" {
// b, which has been placed, begins with all its threads, or ends.
void simt_loop_block(block_context& b);
void simt_loop_block_ends(block_context& b);
// Thread `rank` runs from here on.
void simt_loop_thread(block_context& b, std::int64_t rank, std::int64_t x, std::int64_t y, std::int64_t z);
// The same in loops of which all other accesses are committed (loop_region::lone): accesses that are announced by
// themselves follow.
void simt_loop_lone(block_context& b, std::int64_t rank, std::int64_t x, std::int64_t y, std::int64_t z);
// It leaves the kernel before a barrier that others come to.
void simt_loop_leaves(block_context& b, std::int64_t rank);
// All threads that have not left are at a barrier, which opens. Called from where it is.
void simt_loop_barrier(block_context& b);
// The same for the grid's barrier: the block waits for the others.
void simt_loop_grid_barrier(block_context& b);
// The lanes `live` of the warp that begins with thread `first` have done this operation (warp_op) together, among the
// tiles of `tile` lanes. sources: of shuffles, whose value each lane asked for. Called from where it is.
void simt_loop_meeting(block_context& b, std::int64_t first, std::uint32_t op, std::uint32_t live, std::uint32_t tile,
                       const std::uint32_t* sources);
// The same, those together of which each names the others in its mask.
void simt_loop_meeting_of_masks(block_context& b, std::int64_t first, std::uint32_t op, std::uint32_t live,
                                const std::uint32_t* masks, const std::uint32_t* sources);
// The kernel writes through these pointers only, and only reads through the others: how far may their reads be silent?
// In each block, before any access.
void simt_loop_read_only(block_context& b, std::size_t written_count, const std::uintptr_t* written,
                         std::size_t read_count, quiet_array* read);
// What was read so, in `count` accesses. In each block, at its end.
void simt_loop_has_read(block_context& b, std::size_t read_count, const quiet_array* read, std::uint64_t count);
// May the loops of region r run unwatched? `numbers`: what the region's forms are made of.
loop_answer simt_loop_region(block_context& b, const loop_region& r, const std::int64_t* numbers);
// In those: how often the first loop that a thread runs in them does, at most; 0: that is not known, or its index, as
// it goes on by its step from turn to turn, would come to more than `limit` in some thread.
std::int64_t simt_loop_turns(std::int64_t limit);
// checked_async_issue in watched loops, which notes where it is called.
void simt_loop_issue(block_context& b, void* to, const void* from, std::size_t bytes, std::uintptr_t* site);
// They have.
void simt_loop_proved(block_context& b);
// On fibers: the running thread leaves its kernel, from where this is called (sim/compile/kernel_exits.hpp).
void simt_leaves_kernel();
// In front of a loop of host code (sim/compile/host_loops.hpp): 1 where no thread of a kernel runs it, and p lies so
// far from memory of the device that what the loop reaches from there is none.
std::uint8_t simt_host_is_far(const void* p);
// checked_shared and checked_dynamic_shared, once a block.
std::byte* simt_loop_shared_array(block_context& b, const shared_key& key);
std::byte* simt_loop_dynamic_shared(block_context& b, const shared_key& key);
}

}  // namespace simt::sim
