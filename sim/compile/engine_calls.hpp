// SPDX-License-Identifier: Apache-2.0
// What a kernel's code may call that is not its own: the engine's functions (sim/exec/kernel_calls.hpp and a few more),
// known by their names before their inline forms are inlined, and the markers that stand for them until the kernel is
// cut.
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <cstdint>

namespace simt::compile {

enum class engine_call {
  none,            // no function of the engine's that matters here
  barrier,         // block_barrier
  barrier_count,   // block_barrier_count
  grid_barrier,    // grid_barrier
  warp,            // warp_meet
  active,          // active_lanes
  rank,            // the thread's rank in its block
  shared,          // shared_address: the same for all threads, as often as one asks
  dynamic_shared,  // the same for the dynamic part
  spend,           // budget of spins: loops have none, for nothing in them waits
  report,          // trap_thread, print_from_thread: called as they are
  atomic,          // check variant: atomics and fences, which are calls there
  place,           // check variant: who the thread is and how large blocks and grid are
  waits,           // lets others run or waits for them in a way that loops do not know
};
engine_call engine_call_of(const llvm::Function& f);
// checked_atomic itself, whose operands are known (backends/sim/atomics.hpp).
bool is_checked_atomic(const llvm::Function& f);
bool is_noncoherent_read(const llvm::Instruction& i);  // says that a read through the read-only cache follows
// What a thread does about its asynchronous copies (frontends/cuda, simt_cuda/async_copies.hpp): issue(block, to, from,
// bytes), commit(block), wait(block, groups that may be under way), and a promise(block, to, from, bytes, alignment,
// declared) of how a copy that follows is aligned.
enum class copy_call { none, issue, commit, wait, promise };
copy_call copy_call_of(const llvm::Instruction& i);
// Where in the thread's parameters (loop_bodies.hpp) a call of kind `place` finds its value: a parameter's number; or
// one of the two below.
inline constexpr unsigned kFirstOfBlock = 100;  // + axis: the block's place times its extent
inline constexpr unsigned kBlockNumber = 103;
unsigned place_of_call(const llvm::Function& f);
// What a block's loops call, once, for an array of shared memory; its second argument says which. And for the dynamic
// one.
inline constexpr const char* kSharedArray = "simt_shared_array";
inline constexpr const char* kDynamicShared = "simt_loop_dynamic_shared";
// A function that is called as it is: cold, not to be inlined, and announced by itself where that is due.
bool is_cold_report(const llvm::Function& f);
// A report of an index outside of a view (backends/api/simt/view.hpp), which gives where the access goes instead:
// memory that means nothing, mostly.
bool is_report_of_index(const llvm::Function& f);
// What the pass itself calls where an access is wrong. It writes no memory that the program knows.
inline constexpr const char* kOutsideOwnArray = "simt_outside_own_array";
bool is_report_of_pass(const llvm::Function& f);
// A function of the C library's <math.h>: of its arguments, but for errno.
bool is_math(const llvm::Function& f);
// What the C library prints text by: printf, and what clang makes of it. It waits for no thread of a kernel.
bool is_output(const llvm::Function& f);

// A rank or an index in a block is below 1,024: what casts and masks leave of these bits is the value.
inline constexpr unsigned kPlaceBits = 10;
inline constexpr std::uint64_t kPlaceMask = (1u << kPlaceBits) - 1;

// Stand for calls of the engine from the beginning of the pipeline to the cut. They have no definition; none is left
// behind.
//   barrier      void(): convergent, may read and write all memory
//   grid_barrier the same for the barrier of all blocks
//   vote         void(i1): what this thread says to the barrier that follows
//   votes        i32(): for how many threads it was true, behind that barrier
//   shared       ptr(ptr block, ptr key): a function of its arguments; so is dynamic_shared
//   rank         i32(): the thread's, below 1,024. Only in kernels with operations of warps, which have to know it
//   warp         i64(i32 op, i32 type, i32 mask, i64 value, i32 param), as warp_meet: convergent, may read and write
//                all memory
enum class marker { barrier, grid_barrier, vote, votes, shared, dynamic_shared, rank, warp };
llvm::Function* declare_marker(llvm::Module& m, marker which);
// `v` is a call of this marker.
bool is_marker(const llvm::Value* v, marker which);
// An array of the block, static or dynamic.
bool is_shared_array(const llvm::Value* v);
bool is_any_marker(const llvm::Value* v);
bool has_waits(const llvm::Function& f);  // markers at which threads wait for others

}  // namespace simt::compile
