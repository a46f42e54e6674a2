// SPDX-License-Identifier: Apache-2.0
// The plugin of clang (-fpass-plugin) that makes loops over a block's threads of kernels with barriers.
//
//   at the start of the pipeline   calls that nvcc refuses are errors (execution_spaces.hpp); everything a kernel calls
//   becomes part of it, barriers become markers (prepare.hpp);
//                                  what headers do is part of the line that calls them, where it is counted
//                                  (markers.hpp); watched kernels say by which return a thread left (kernel_exits.hpp),
//                                  and whether an address suits a type that is copied whole (aligned_copies.hpp); what
//                                  a write of a bit-field reads is not watched (bit_fields.hpp); ints of host code may
//                                  overflow (host_overflow.hpp); kernels of CUDA source that wait have
//                                  no loop over threads of their own for fibers (thread_calls.hpp)
//   behind the first simplification   accesses of two branches stay two, until the end (separate_accesses.hpp)
//   when a function has got what it calls   loops over threads keep their bounds (range_apart.hpp); watched kernels ask
//   whether an index is within a thread's own array (own_arrays.hpp)
//   where optimisation begins to vectorise   vectors of members are taken apart (scalar_members.hpp); copies for usual
//   shapes of blocks (shapes.hpp); each is cut at its barriers
//                                  and put together as loops (cut.hpp), and simplified again. The ordinary vectoriser
//                                  runs after that
//   at its end                     updates are told as what a GPU has for them (update_forms.hpp); where the old values
//                                  of some are not read, x += y is announced as a read and a write
//                                  (read_before_write.hpp); loops that only wait for a clock are told to the runtime
//                                  (delay_loops.hpp); code that is counted gets a marker in each basic block
//                                  (markers.hpp); loops of watched host code get a quiet copy (host_loops.hpp);
//                                  products of structures stay whole (whole_products.hpp)
//   from start to end              watched accesses keep their places in the source (source_places.hpp)
//
// What cannot be done is refused, with a reason that the engine finds where the loops would be (loop_bodies.hpp).
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/LoopLoadElimination.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>

#include "aligned_copies.hpp"
#include "bit_fields.hpp"
#include "clamped_casts.hpp"
#include "cut.hpp"
#include "delay_loops.hpp"
#include "execution_spaces.hpp"
#include "guarded_division.hpp"
#include "host_loops.hpp"
#include "host_overflow.hpp"
#include "joined_members.hpp"
#include "kernel_exits.hpp"
#include "loop_bodies.hpp"
#include "loop_bounds.hpp"
#include "markers.hpp"
#include "named_apart.hpp"
#include "no_wrap.hpp"
#include "one_address.hpp"
#include "one_thread.hpp"
#include "own_arrays.hpp"
#include "own_order.hpp"
#include "parts.hpp"
#include "plain_indices.hpp"
#include "prepare.hpp"
#include "range_apart.hpp"
#include "read_before_write.hpp"
#include "scalar_members.hpp"
#include "scattered_updates.hpp"
#include "separate_accesses.hpp"
#include "shapes.hpp"
#include "shared_apart.hpp"
#include "short_rows.hpp"
#include "source_places.hpp"
#include "steady_indices.hpp"
#include "strided_guards.hpp"
#include "sunk_loads.hpp"
#include "thread_calls.hpp"
#include "told_accesses.hpp"
#include "update_forms.hpp"
#include "watched_region.hpp"
#include "whole_copies.hpp"
#include "whole_nests.hpp"
#include "whole_products.hpp"
#include "worker_sums.hpp"
#include "wrapping_indices.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

struct prepare_pass : PassInfoMixin<prepare_pass> {
  PreservedAnalyses run(Module& m, ModuleAnalysisManager& analyses) {
    bool changed = refuse_calls_across_spaces(m);
    changed |= expand_clamped_casts(m);
    note_places(m);
    const auto sources = annotated_sources(m);
    const bool counted = is_counted(m);
    if (counted) {
      inline_headers(m);
      copy_parameters(m);
      name_kernel_exits(m);  // so that loops are made of the blocks that fibers run
    }
    if (choose_thread_calls(m, sources)) {
      GlobalDCEPass().run(m, analyses);  // what is compiled for nobody
      changed = true;
    }
    changed |= check_aligned_copies(m);
    if (counted) changed |= copy_variables_by_members(m);
    changed |= hide_reads_of_bit_fields(m);
    keep_stores_separate(m);
    let_host_code_wrap(m, sources);
    for (const loop_source& s : sources) {
      mark_source(*s.thread);
      if (const maybe_refused no = prepare(*s.thread))
        set_refused(s, *no, may_take_any_order(*s.thread) ? block_order::any : block_order::as_numbered);
    }
    const bool named = !counted && name_kernel_exits(m);
    return sources.empty() && !named && !changed && !counted ? PreservedAnalyses::all() : PreservedAnalyses::none();
  }
};

struct range_pass : PassInfoMixin<range_pass> {
  static PreservedAnalyses run(Function& f, FunctionAnalysisManager&) {
    const bool apart = keep_range_apart(f), guarded = guard_own_arrays(f);
    return apart || guarded ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

// Of all functions, the ones that run on fibers, too.
struct bounds_pass : PassInfoMixin<bounds_pass> {
  static PreservedAnalyses run(Function& f, FunctionAnalysisManager& analyses) {
    bool changed = false;  // one loop after the other: nothing that was known of f holds afterwards
    while (make_indices_plain(f, analyses.getResult<LoopAnalysis>(f), analyses.getResult<ScalarEvolutionAnalysis>(f),
                              analyses.getResult<DominatorTreeAnalysis>(f))) {
      changed = true;
      analyses.invalidate(f, PreservedAnalyses::none());
    }
    while (make_nests_whole(f, analyses.getResult<LoopAnalysis>(f), analyses.getResult<ScalarEvolutionAnalysis>(f),
                            analyses.getResult<DominatorTreeAnalysis>(f))) {
      changed = true;
      analyses.invalidate(f, PreservedAnalyses::none());
    }
    while (take_conditions_as_bounds(f, analyses.getResult<LoopAnalysis>(f),
                                     analyses.getResult<ScalarEvolutionAnalysis>(f),
                                     analyses.getResult<DominatorTreeAnalysis>(f))) {
      changed = true;
      analyses.invalidate(f, PreservedAnalyses::none());
    }
    while (run_in_steady_stretches(f, analyses.getResult<LoopAnalysis>(f),
                                   analyses.getResult<ScalarEvolutionAnalysis>(f),
                                   analyses.getResult<DominatorTreeAnalysis>(f))) {
      changed = true;
      analyses.invalidate(f, PreservedAnalyses::none());
      // What is made of a quotient is the same along a stretch.
      createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), true).run(f, analyses);
      analyses.invalidate(f, PreservedAnalyses::none());
    }
    while (take_conditions_as_steps(f, analyses.getResult<LoopAnalysis>(f),
                                    analyses.getResult<ScalarEvolutionAnalysis>(f),
                                    analyses.getResult<DominatorTreeAnalysis>(f))) {
      changed = true;
      analyses.invalidate(f, PreservedAnalyses::none());
    }
    while (make_short_rows_whole(f, analyses.getResult<LoopAnalysis>(f), analyses.getResult<ScalarEvolutionAnalysis>(f),
                                 analyses.getResult<DominatorTreeAnalysis>(f), analyses.getResult<AAManager>(f),
                                 analyses.getResult<TargetIRAnalysis>(f))) {
      changed = true;
      analyses.invalidate(f, PreservedAnalyses::none());
    }
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};
struct before_vectoriser_pass : PassInfoMixin<before_vectoriser_pass> {
  static PreservedAnalyses run(Function& f, FunctionAnalysisManager& analyses) {
    LoopInfo& loops = analyses.getResult<LoopAnalysis>(f);
    const DominatorTree& dominators = analyses.getResult<DominatorTreeAnalysis>(f);
    ScalarEvolution& evolution = analyses.getResult<ScalarEvolutionAnalysis>(f);
    keep_guarded_divisions(loops, dominators);
    keep_scattered_updates(loops, evolution);
    hide_wrapping_indices(loops, evolution);
    keep_own_order(loops, analyses.getResult<AAManager>(f), evolution);
    note_no_wrap(loops, dominators, evolution);
    return keep_sums_with_worker(f, dominators) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

// Of loops of the check variant that are not watched: what -O2 would do at its end.
void add_vectoriser(FunctionPassManager& passes) {
  passes.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  passes.addPass(bounds_pass());
  passes.addPass(before_vectoriser_pass());
  passes.addPass(LoopVectorizePass());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
}

// What -O1 does to the body for fibers between the cut and its end. Of code that is counted, the loops are made of the
// same body: an access that has moved out of a loop there does so here.
FunctionPassManager end_of_pipeline() {
  FunctionPassManager passes;
  passes.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  passes.addPass(bounds_pass());
  passes.addPass(LoopLoadEliminationPass());
  passes.addPass(InstCombinePass());
  const auto late = SimplifyCFGOptions().convertSwitchRangeToICmp(true).convertSwitchToLookupTable(true);
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions(late).needCanonicalLoops(false)));
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(InstCombinePass());
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), true));
  passes.addPass(InstSimplifyPass());
  passes.addPass(SimplifyCFGPass(late));
  return passes;
}

struct separate_pass : PassInfoMixin<separate_pass> {
  static PreservedAnalyses run(Module& m, ModuleAnalysisManager&) {
    return keep_loads_separate(m) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

// A launch that can't be reached was taken out, and its loop_body with it. Annotations keep the function, whose markers
// nobody would know.
bool forget_unlaunched(Module& m, const std::vector<loop_source>& sources) {
  bool any = false;
  for (Function& f : m) {
    const auto is_f = [&](const loop_source& s) { return s.thread == &f; };
    if (!is_marked_source(f) || f.isDeclaration() || any_of(sources, is_f)) continue;
    forget_source({&f, nullptr});
    any = true;
  }
  return any;
}

struct cut_pass : PassInfoMixin<cut_pass> {
  PassBuilder& builder;
  explicit cut_pass(PassBuilder& b) : builder(b) {}

  PreservedAnalyses run(Module& m, ModuleAnalysisManager& analyses) {
    auto& of_functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
    const bool placed = restore_places(m);
    let_stores_join(m);
    auto sources = marked_sources(m);
    const bool forgot = forget_unlaunched(m, sources);
    const bool counted = is_counted(m);
    DenseMap<const Function*, Function*> threads;  // of code that is counted: what fibers run
    if (counted) {
      FunctionPassManager passes = end_of_pipeline();
      for (const loop_source& s : sources) {
        passes.run(*s.thread, of_functions);
        sink_loads(*s.thread);
        join_members(*s.thread);
        of_functions.invalidate(*s.thread, PreservedAnalyses::none());
        join_named_apart(*s.thread, of_functions.getResult<AAManager>(*s.thread));
        note_one_address(*s.thread);
        mark_loop_source(*s.thread);
        threads[s.thread] = make_thread_body(*s.thread);
        forget_exits(*s.thread);
        of_functions.invalidate(*s.thread, PreservedAnalyses::none());
      }
    }
    const shape_choice shapes(m, sources);
    const bool divided = !counted && wants_part();
    if (divided) of_functions.clear(), keep_wanted_part(m, sources);
    // What is watched is compiled with little optimisation. Its loops that are not are to be fast.
    PipelineTuningOptions fast;
    fast.LoopUnrolling = true;
    PassBuilder full(nullptr, fast);
    FunctionPassManager keep_sums_in_registers;
    keep_sums_in_registers.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), true));
    for (const loop_source& s : sources) {
      if (!is_watched(*s.thread) && !counted) part_members(*s.thread, of_functions);
      if (!is_watched(*s.thread) && keep_shared_memory_apart(*s.thread)) {
        of_functions.invalidate(*s.thread, PreservedAnalyses::none());
        keep_sums_in_registers.run(*s.thread, of_functions);
        of_functions.invalidate(*s.thread, PreservedAnalyses::none());
      }
      const shape_copies made = make_loops(s, shapes, threads.lookup(s.thread));
      if (counted) tell_update_forms(m);  // before one of the two bodies is simplified further
      for (Function* f : made.functions) {
        of_functions.invalidate(*f, PreservedAnalyses::none());
        const bool unwatched = is_watched(*s.thread) && !is_watched(*f);
        if (unwatched)
          let_loads_join(*f);
        else
          separate_stores(*f);
        FunctionPassManager simplify =
            (unwatched ? full : builder)
                .buildFunctionSimplificationPipeline(OptimizationLevel::O3, ThinOrFullLTOPhase::None);
        if (unwatched) add_vectoriser(simplify);
        simplify.run(*f, of_functions);
        of_functions.invalidate(*f, PreservedAnalyses::none());
      }
    }
    bool told = false, parted = false;
    for (Function& f : m) {
      if (!is_watched(f)) {
        if (!counted && !f.isDeclaration() && range_of(f) != nullptr) parted |= part_members(f, of_functions);
        continue;
      }
      keep_references_silent(f);
      if (!counted && !has_watched_loops(f) && !is_user_code_of_host(f)) tell_watched_accesses(f), told = true;
      separate_stores_at_end(f);
    }
    return sources.empty() && !placed && !forgot && !told && !parted && !divided ? PreservedAnalyses::all()
                                                                                 : PreservedAnalyses::none();
  }
};

struct host_loops_pass : PassInfoMixin<host_loops_pass> {
  static PreservedAnalyses run(Function& f, FunctionAnalysisManager&) {
    return copy_host_loops(f) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

struct mark_pass : PassInfoMixin<mark_pass> {
  PreservedAnalyses run(Module& m, ModuleAnalysisManager&) {
    const bool placed = restore_places(m);
    let_stores_join(m);
    keep_reads_in_place(m);
    forget_places(m);
    bool silent = false, delays = false, whole = false;
    for (Function& f : m) {
      silent |= keep_private_silent(f);
      silent |= keep_references_silent(f);
      delays |= tell_delays(f);
      whole |= keep_products_whole(f);
    }
    const bool told = tell_update_forms(m);
    const bool apart = announce_reads_before_writes(m);
    return mark_blocks(m) || placed || told || apart || silent || delays || whole ? PreservedAnalyses::none()
                                                                                  : PreservedAnalyses::all();
  }
};

void add_last_passes(ModulePassManager& passes) {
  passes.addPass(createModuleToFunctionPassAdaptor(host_loops_pass()));
  passes.addPass(mark_pass());
}

void register_passes(PassBuilder& b) {
  b.registerVectorizerStartEPCallback([](FunctionPassManager& passes, OptimizationLevel) {
    passes.addPass(bounds_pass());
    passes.addPass(before_vectoriser_pass());
  });
  // The first of these places is in front of what moves loads.
  b.registerPeepholeEPCallback([](FunctionPassManager& passes, OptimizationLevel) { passes.addPass(range_pass()); });
  b.registerPipelineStartEPCallback(
      [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(prepare_pass()); });
#if LLVM_VERSION_MAJOR >= 20
  b.registerPipelineEarlySimplificationEPCallback(
      [](ModulePassManager& passes, OptimizationLevel, ThinOrFullLTOPhase) { passes.addPass(separate_pass()); });
  b.registerOptimizerEarlyEPCallback(
      [&b](ModulePassManager& passes, OptimizationLevel, ThinOrFullLTOPhase) { passes.addPass(cut_pass(b)); });
  b.registerOptimizerLastEPCallback(
      [](ModulePassManager& passes, OptimizationLevel, ThinOrFullLTOPhase) { add_last_passes(passes); });
#else
  b.registerPipelineEarlySimplificationEPCallback(
      [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(separate_pass()); });
  b.registerOptimizerEarlyEPCallback(
      [&b](ModulePassManager& passes, OptimizationLevel) { passes.addPass(cut_pass(b)); });
  b.registerOptimizerLastEPCallback([](ModulePassManager& passes, OptimizationLevel) { add_last_passes(passes); });
#endif
  // For tests: opt -passes=simt-prepare, simt-cut, simt-host-loops, simt-before-vectoriser, simt-mark.
  b.registerPipelineParsingCallback(
      [&b](StringRef name, ModulePassManager& passes, ArrayRef<PassBuilder::PipelineElement>) {
        if (name == "simt-prepare")
          passes.addPass(prepare_pass());
        else if (name == "simt-cut")
          passes.addPass(cut_pass(b));
        else if (name == "simt-range")
          passes.addPass(createModuleToFunctionPassAdaptor(range_pass()));
        else if (name == "simt-bounds")
          passes.addPass(createModuleToFunctionPassAdaptor(bounds_pass()));
        else if (name == "simt-host-loops")
          passes.addPass(createModuleToFunctionPassAdaptor(host_loops_pass()));
        else if (name == "simt-before-vectoriser")
          passes.addPass(createModuleToFunctionPassAdaptor(before_vectoriser_pass()));
        else if (name == "simt-mark")
          passes.addPass(mark_pass());
        else
          return false;
        return true;
      });
}

}  // namespace
}  // namespace simt::compile

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "simt-loops", "1", simt::compile::register_passes};
}
