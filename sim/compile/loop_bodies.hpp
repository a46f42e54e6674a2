// SPDX-License-Identifier: Apache-2.0
// The functions of a module that are to become loops, and the constants (simt::sim::loop_body, sim/exec/loop_body.hpp)
// through which the engine finds what became of them.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "refusal.hpp"
#include "regions.hpp"

namespace simt::compile {

// Parameters of such a function, SIMT_LOOP_PARAMETERS.
struct parameter {
  enum : unsigned {
    block,
    args,
    arrays,
    thread,
    extent = thread + 3,
    place = extent + 3,
    grid = place + 3,
    count = grid + 3
  };
};
inline constexpr int kThreadsRounding = 64;         // kLoopThreadsRounding
inline constexpr std::uint64_t kCountsThreads = 4;  // loop_body::counts_threads
inline constexpr unsigned kWidestShift = 16;        // loop_body::widest_shift
inline constexpr int kArrayAlign = 64;              // kLoopArrayAlign

struct loop_source {
  llvm::Function* thread;      // the body of one thread
  llvm::GlobalVariable* body;  // the loop_body that names it
};
// The functions with a body that are annotated so ([[clang::annotate]]).
std::vector<llvm::Function*> annotated_functions(llvm::Module& m, llvm::StringRef mark);
// Those that are annotated "simt.loops". A function whose loop_body is not there, or looks otherwise than it should,
// ends the compilation: plugin and headers are not of one version.
std::vector<loop_source> annotated_sources(llvm::Module& m);
// Those that mark_source has marked and that are still there.
std::vector<loop_source> marked_sources(llvm::Module& m);
void mark_source(llvm::Function& f);
bool is_marked_source(const llvm::Function& f);
void unmark_source(llvm::Function& f);
// If none of its threads waits, they may run in any order, several blocks in turns: loop_body::order.
void mark_any_order(llvm::Function& f);
bool may_take_any_order(const llvm::Function& f);

// f is such loops: it runs all threads of a block.
void mark_loops_of_block(llvm::Function& f);
bool is_loops_of_block(const llvm::Function& f);

struct shape_copy {
  std::int64_t extent[3];
  llvm::Function* run;
  std::int64_t beside = 0;  // of blocks_beside.hpp
  llvm::Function* run_beside = nullptr;
};
// loop_body::order
enum class block_order { as_numbered, any, wide, joined, joined_evenly };
// Which blocks loops are for.
struct block_kind {
  row_kind rows;
  bool counts_threads;           // loop_body::counts_threads
  std::int64_t widest = 0;       // 0: of any number of threads in x
  maybe_refused otherwise = {};  // why blocks that are wider have none
};
// Replaces the constant: loops.
void set_loops(const loop_source& s, llvm::Function& run, std::uint64_t bytes_per_thread,
               const std::vector<shape_copy>& copies, const block_kind& blocks, block_order order);
// Nobody needs the body of one thread any more: empties it.
void forget_source(const loop_source& s);
// Replaces the constant: none, and why. Forgets the function.
void set_refused(const loop_source& s, const refusal& no, block_order order = block_order::as_numbered,
                 const std::vector<shape_copy>& copies = {});

}  // namespace simt::compile
