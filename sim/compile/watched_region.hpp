// SPDX-License-Identifier: Apache-2.0
// The check variant: loops that announce what their threads do (sim/instrument/checked_loops.hpp).
//
// Each region's loops exist twice. The watched ones announce every thread and every access, one by one. The others
// announce nothing: in front of them the runtime is given all accesses of the region at once, as linear functions of
// the loops' indices (loop_region.hpp), and it lets them run only where it has proved that nothing is to be found.
// What is no such function, or made where data decide, the others announce one by one. Regions with more than that have
// the watched loops alone. Reads of arrays that the launch only reads
// are silent in the watched ones, too (read_only.hpp).
#pragma once

#include <optional>

#include "loop_nest.hpp"
#include "read_only.hpp"
#include "regions.hpp"

namespace simt::compile {

// The module is compiled to be watched.
bool is_watched(const llvm::Function& f);
bool has_watched_loops(const llvm::Function& f);

// At the end, of loops that watch() has made: what is the thread's own is not to be announced. Whoever changes the type
// of a load makes another one, without the mark of the first.
bool keep_private_silent(llvm::Function& f);
// Of any function: neither are the references by which CUDA source names variables of the device.
bool keep_references_silent(llvm::Function& f);

// Around the whole block. Before the function is cut into regions' loops.
void announce_block(kernel_form& k);
// `after`, behind a region's loops: all threads have come to a barrier. `place` is that of the call.
void announce_barrier(kernel_form& k, llvm::BasicBlock& after, const llvm::DebugLoc& place);
// At `once`, behind the loops of a region of g: the lanes of the warp that are still there do `operation` together,
// those of a tile (`together` is how many lanes it has), or those that a lane's mask names (where the 32 masks are).
// sources: whose value each lane asks for; null where it is no shuffle.
void announce_meeting(kernel_form& k, const group& g, const llvm::CallInst& operation, llvm::Value* together,
                      llvm::Value* sources, llvm::IRBuilder<>& once);
// A thread leaves the kernel where `leaves` holds, at the end of the region's last block.
void announce_leaving(kernel_form& k, region& r, loop_nest& n, llvm::Value* leaves);
// Loops that announce nothing, within the function still: chosen says whether they run.
struct unwatched_loops {
  llvm::BranchInst* chosen;
  llvm::SmallVector<llvm::BasicBlock*> blocks;
  bool silent;  // they announce nothing: all their accesses are proved
};
// The loops of r are complete, but for places that are not registers yet. None: there are the watched ones only.
std::optional<unwatched_loops> watch(kernel_form& k, region& r, loop_nest& n, read_only_arrays& read_only);
// Places are registers now: the loops become a function of their own, which is not watched. (Whatever marks single
// accesses is lost when they are optimised.) Null if that cannot be: then they never run.
llvm::Function* to_function(const unwatched_loops& u);

}  // namespace simt::compile
