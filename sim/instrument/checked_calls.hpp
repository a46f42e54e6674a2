// SPDX-License-Identifier: Apache-2.0
// What the inline parts of the API call in the check variant instead of the engine's own inline functions: out of the
// instrumented code, and with the place of the call.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sim/exec/warp.hpp>

namespace simt::sim {

struct block_context;
struct shared_key;

// Barriers of a block; the vote gives how much all threads said together.
void checked_barrier(block_context& b);
std::int32_t checked_barrier_vote(block_context& b, std::int32_t mine);
void checked_grid_barrier(block_context& b);
void checked_cluster_barrier(block_context& b);
void checked_named_barrier(block_context& b, std::int32_t number, std::int32_t threads, bool waits);
// Others may run: where a thread waits in a loop of its own.
void checked_yield();
void checked_clock_read();
// Shared memory of the block.
std::byte* checked_shared(block_context& b, const shared_key& key);
std::byte* checked_dynamic_shared(block_context& b, const shared_key& key);
std::int64_t checked_dynamic_shared_bytes(block_context& b);
// A read through the read-only cache follows: __ldg, ld.global.nc, a texture's.
void checked_noncoherent_read(const void* p, std::size_t bytes);
// Warp operations.
std::uint64_t checked_warp_meet(block_context& b, std::uint32_t mask, warp_op op, lane_type type, std::uint64_t value,
                                std::uint32_t param);
#if defined(__clang__)
[[clang::nomerge, clang::convergent]]
#endif
std::uint32_t
checked_active_lanes(block_context& b, const char* file, int line);
// Asynchronous copies.
void checked_async_issue(block_context& b, void* to, const void* from, std::size_t bytes);
// The thread's copies since the last such call become a group.
void checked_async_commit(block_context& b);
void checked_async_wait(block_context& b, std::uint32_t keep);
// The thread's copies arrive at a barrier object; the thread has waited for one.
void checked_async_arrive(block_context& b, const void* object);
void checked_async_object_waited(block_context& b);
// A copy that is made in pieces of `alignment` bytes is about to be issued. declared: the alignment of the array's type
// counts, not where it happens to lie.
void checked_copy_promise(block_context& b, const void* to, const void* from, std::size_t bytes, std::size_t alignment,
                          bool declared);

}  // namespace simt::sim
