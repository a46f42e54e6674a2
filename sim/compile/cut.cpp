// SPDX-License-Identifier: Apache-2.0
#include "cut.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "blocks_beside.hpp"
#include "canonical_form.hpp"
#include "carried_sums.hpp"
#include "engine_calls.hpp"
#include "fused_rows.hpp"
#include "idle_loops.hpp"
#include "lane_vectors.hpp"
#include "lifted_sums.hpp"
#include "loop_bodies.hpp"
#include "loop_nest.hpp"
#include "not_negative.hpp"
#include "place_questions.hpp"
#include "published_locals.hpp"
#include "ranked_regions.hpp"
#include "read_only.hpp"
#include "regions.hpp"
#include "shared_atomics.hpp"
#include "side_steps.hpp"
#include "turns.hpp"
#include "unwatched_turns.hpp"
#include "values.hpp"
#include "waiting.hpp"
#include "warp_operations.hpp"
#include "watched_region.hpp"
#include "worker_sums.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

// What a worker sets aside is this times the threads of a block.
constexpr std::uint64_t kMostBytesPerThread = 16 * 1024;

class builder {
 public:
  builder(kernel_form& k, region_map& m, read_only_arrays& read_only)
      : k_(k), m_(m), read_only_(read_only), idle_(idle_barriers(k)), values_(k, m, nests_) {}

  bool divides_ranks_of_block() const { return divides_ranks_; }
  // Functions of regions that may run unwatched.
  const std::vector<Function*>& unwatched() const { return functions_; }

  std::uint64_t build() {
    for (const auto& g : m_.groups) make_warp_loop(k_, *g);
    const auto ranked = find_ranked_regions(k_, m_);
    for (const auto& r : m_.regions)
      nests_[r.get()] = r->in != nullptr ? make_lane_loops(k_, *r->in) : make_loop_nest(k_, ranked.contains(r.get()));
    divides_ranks_ = any_of(ranked, [&](const region* r) { return divides_ranks(*r, *m_.varying); });
    if (!m_.guards.empty())
      for (const auto& g : m_.groups) find_live_lanes(*g);
    lower_warp_operations(k_, m_, nests_, values_);
    values_.analyse();
    values_.rewrite();
    rewrite_tails();
    for (const auto& r : m_.regions) enter(*r);
    for (const auto& r : m_.regions) leave(*r);
    connect();
    fuse_rows(m_, nests_, k_);
    for (const auto& r : m_.regions) {
      if (!watched_) {
        SmallVector<BasicBlock*> blocks(r->blocks.begin(), r->blocks.end());
        blocks.push_back(nests_[r.get()].x);
        mark_independent(blocks, nests_[r.get()], values_.stack_shared_by_threads());
      }
      if (r->in == nullptr)
        trim_bounds(k_, *r, nests_[r.get()]);
      else if (!watched_)
        take_lanes_at_once(k_, *r, nests_[r.get()]);
    }
    if (watched_) {
      read_only_.ask(k_);
      for (const auto& r : m_.regions)
        if (auto loops = watch(k_, *r, nests_[r.get()], read_only_)) {
          // The proof that lets them run is that no two threads meet.
          if (loops->silent) mark_independent(loops->blocks, nests_[r.get()], values_.stack_shared_by_threads());
          unwatched_.push_back(std::move(*loops));
        }
      announce_block(k_);
    }
    values_.promote_slots();
    delete_warp_operations(k_);
    for (Instruction& i : make_early_inc_range(instructions(k_.f)))
      if (is_marker(&i, marker::rank) && i.use_empty()) i.eraseFromParent();
    for (const unwatched_loops& u : unwatched_)
      if (Function* const f = to_function(u)) {
        if (u.silent) put_threads_inside_unwatched(*f);
        functions_.push_back(f);
      }
    return values_.bytes_per_thread();
  }

 private:
  void rewrite_tails() {
    for (const auto& [tail, r] : m_.before_tail)
      for (Use& o : tail->getTerminator()->operands()) {
        if (isa<Instruction>(o.get()) || is_contained(k_.index, o.get())) o.set(values_.behind(o.get(), r, tail));
      }
  }

  // The lanes of the running warp that are still there, found in the first region of g, which is empty.
  void find_live_lanes(group& g) {
    Type* const number = Type::getInt32Ty(k_.f.getContext());
    AllocaInst* const live = values_.new_slot(number, "live");
    loop_nest& n = nests_[g.first];
    IRBuilder<>(n.before->getTerminator()).CreateStore(ConstantInt::get(number, 0), live);
    Instruction* const end = g.first->last->getTerminator();
    IRBuilder<> b(end);
    Value* const known = b.CreateLoad(number, live);
    Value* const mine = b.CreateShl(b.getInt32(1), b.CreateTrunc(n.lane, number));
    b.CreateStore(b.CreateOr(known, mine), live);
    for (Instruction* i = cast<Instruction>(known); i != end; i = i->getNextNode()) m_.varying->add(i);
    g.found = IRBuilder<>(n.after).CreateLoad(number, live, "live");
    // Of a warp of which somebody is there, all are.
    if (!all_of(g.first->guards, [](const guard* each) { return each->by_whole_warps; })) g.live = g.found;
  }
  // Behind the first region of its group, that is known.
  static bool is_known_to_be_there(const region& r, const guard* g) {
    return g->by_whole_warps && r.in != nullptr && &r != r.in->first && is_contained(r.in->first->guards, g);
  }

  BasicBlock* begin_of(region* r) { return r->in != nullptr && r->in->first == r ? r->in->before : nests_[r].before; }

  // Whether the running thread has left the kernel; null: none can have.
  Value* has_left(region& r, IRBuilder<>& b) {
    Value* left = nullptr;
    for (const guard* g : r.guards) {
      if (is_known_to_be_there(r, g)) continue;
      Value* const condition = values_.inside(g->condition, &r);
      Value* const mine = g->left_if ? condition : b.CreateNot(condition);
      left = left == nullptr ? mine : b.CreateOr(left, mine);
    }
    return left;
  }

  void enter(region& r) {
    loop_nest& n = nests_[&r];
    for (const guard* g : r.guards)  // loads stand in front of what is made of them
      if (!is_known_to_be_there(r, g)) values_.inside(g->condition, &r);
    IRBuilder<> b(n.x);
    if (Value* left = has_left(r, b))
      b.CreateCondBr(left, n.x_next, r.head);
    else
      b.CreateBr(r.head);
  }

  // In front of a guard: whether any thread goes on. If none does the block has ended, and no condition of the rest
  // may be asked for: nobody has computed it.
  Value* any_goes_on(region& r, const guard& g) {
    AllocaInst* const any = values_.new_slot(Type::getInt1Ty(k_.f.getContext()), "any");
    loop_nest& n = nests_[&r];
    BasicBlock* const before = r.in != nullptr ? r.in->before : n.before;
    IRBuilder<>(before->getTerminator()).CreateStore(ConstantInt::getFalse(k_.f.getContext()), any);
    Value* const condition = values_.inside(g.condition, &r);
    IRBuilder<> b(r.last->getTerminator());
    Value* const stays = g.left_if ? b.CreateNot(condition) : condition;
    b.CreateStore(b.CreateOr(b.CreateLoad(any->getAllocatedType(), any), stays), any);
    if (watched_) announce_leaving(k_, r, n, b.CreateNot(stays));
    b.SetInsertPoint(r.in != nullptr ? r.in->after : n.after);
    return b.CreateLoad(any->getAllocatedType(), any);
  }

  void leave(region& r) {
    loop_nest& n = nests_[&r];
    BasicBlock* to = r.next;
    if (region* following = m_.of_head.lookup(r.next)) to = begin_of(following);
    if (r.in != nullptr && &r != r.in->last) {
      IRBuilder<> b(n.after);
      if (&r == r.in->first && !m_.guards.empty())  // a warp of which nobody is there any more
        b.CreateCondBr(b.CreateICmpNE(r.in->found, b.getInt32(0)), to, r.in->next);
      else
        b.CreateBr(to);
      return;
    }
    if (r.in != nullptr) IRBuilder<>(n.after).CreateBr(r.in->next);
    const guard* ends_in = nullptr;
    for (const auto& g : m_.guards)
      if (g->head == r.next) ends_in = g.get();
    Value* const any = ends_in == nullptr ? nullptr : any_goes_on(r, *ends_in);
    IRBuilder<> b(r.in != nullptr ? r.in->after : n.after);
    if (any != nullptr)
      b.CreateCondBr(any, to, k_.leave);
    else
      b.CreateBr(to);
    const auto barrier = k_.places.find(r.next);
    if (barrier == k_.places.end()) return;
    BasicBlock& once = r.in != nullptr ? *r.in->after : *n.after;
    if (k_.grid_barriers.count(r.next) != 0)
      wait_at_grid(once, barrier->second);
    else if (watched_)
      announce_barrier(k_, once, barrier->second);
    else if (idle_.count(r.next) != 0)
      IRBuilder<>(&once, once.begin()).CreateIntrinsic(Intrinsic::sideeffect, {}, {});
  }

  // Behind a region's loops: the block, of which all threads have come to a barrier of the grid, waits there.
  void wait_at_grid(BasicBlock& once, const DebugLoc& place) {
    IRBuilder<> b(&once, once.begin());
    LLVMContext& c = k_.f.getContext();
    Type* const pointer = PointerType::getUnqual(c);
    const char* const name = watched_ ? "simt_loop_grid_barrier" : "simt_grid_barrier";
    if (DISubprogram* const here = k_.f.getSubprogram(); here != nullptr && !place)
      b.SetCurrentDebugLocation(DILocation::get(c, 0, 0, here));
    else
      b.SetCurrentDebugLocation(place);
    CallInst* const call = b.CreateCall(k_.f.getParent()->getOrInsertFunction(name, Type::getVoidTy(c), pointer),
                                        {k_.f.getArg(parameter::block)});
    call->setTailCallKind(CallInst::TCK_NoTail);  // who waits is named by where it called
  }

  void connect() {
    for (const auto& r : m_.regions)
      for (PHINode& phi : make_early_inc_range(r->head->phis())) {
        phi.replaceAllUsesWith(PoisonValue::get(phi.getType()));
        phi.eraseFromParent();
      }
    for (const auto& r : m_.regions) r->last->getTerminator()->replaceUsesOfWith(r->next, nests_[r.get()].x_next);
    for (const auto& [tail, r] : m_.before_tail) {
      Instruction* const t = tail->getTerminator();
      for (unsigned s = 0; s < t->getNumSuccessors(); ++s)
        if (region* following = m_.of_head.lookup(t->getSuccessor(s))) t->setSuccessor(s, begin_of(following));
    }
    for (const auto& g : m_.groups) IRBuilder<>(g->warp).CreateBr(nests_[g->first].before);
    Instruction* const begin = k_.entry->getTerminator();
    begin->setSuccessor(0, begin_of(m_.of_head.lookup(begin->getSuccessor(0))));
  }

  kernel_form& k_;
  region_map& m_;
  read_only_arrays& read_only_;
  const SmallPtrSet<const BasicBlock*, 4> idle_;
  const bool watched_ = is_watched(k_.f);
  bool divides_ranks_ = false;
  std::vector<unwatched_loops> unwatched_;
  std::vector<Function*> functions_;
  DenseMap<region*, loop_nest> nests_;
  value_places values_;
};

// The markers of shared arrays become calls of the engine, once a block.
void call_for_shared_arrays(Function& f) {
  Module& m = *f.getParent();
  Type* const pointer = PointerType::getUnqual(f.getContext());
  for (Instruction& i : make_early_inc_range(instructions(f))) {
    const bool dynamic = is_marker(&i, marker::dynamic_shared);
    if (!dynamic && !is_marker(&i, marker::shared)) continue;
    auto& call = cast<CallInst>(i);
    const char* const name = dynamic ? kDynamicShared : is_watched(f) ? "simt_loop_shared_array" : kSharedArray;
    call.setCalledFunction(m.getOrInsertFunction(name, pointer, pointer, pointer));
    call.setAttributes({});
  }
}

}  // namespace

namespace {
// In front of everything: a call of `otherwise` unless `holds`, a value of the entry block.
void call_unless(Value* holds, Function& otherwise, const kernel_form& k) {
  if (isa<ConstantInt>(holds)) return;
  BasicBlock* const onward = SplitBlock(k.entry, k.entry->getTerminator());
  auto* const instead = BasicBlock::Create(k.f.getContext(), "otherwise", &k.f, onward);
  IRBuilder<> b(instead);
  SmallVector<Value*> arguments;
  for (Argument& a : k.f.args()) arguments.push_back(&a);
  std::uint64_t blocks = 1;
  if (runs_blocks_beside(k.f)) {  // one block after the other
    blocks = cast<ConstantInt>(k.extent[1])->getZExtValue();
    arguments[parameter::extent + 2] = b.getInt64(1);
  }
  for (std::uint64_t each = 0; each < blocks; ++each) {
    if (each > 0) arguments[parameter::place] = b.CreateAdd(k.f.getArg(parameter::place), b.getInt64(each));
    CallInst* const call = b.CreateCall(&otherwise, arguments);
    if (DISubprogram* const here = k.f.getSubprogram())
      call->setDebugLoc(DILocation::get(k.f.getContext(), 0, 0, here));
  }
  b.CreateBr(k.leave);
  Instruction* const end = k.entry->getTerminator();
  IRBuilder<>(end).CreateCondBr(holds, onward, instead);
  end->eraseFromParent();
}

// What lanes give to a shuffle is stored by the region in front of it. Where loops were turned inside out, a way of
// warps may lead to it past all regions; without turning there is one.
maybe_refused refuse_shuffles_behind_none(const kernel_form& k, const region_map& m) {
  for (const warp_operation& o : k.warp_operations) {
    const BasicBlock* const before = o.call->getParent()->getSinglePredecessor();
    if (o.shuffles && m.of_block.lookup(before) == nullptr)
      return refuse("a shuffle that no piece of the kernel leads to", o.call);
  }
  return {};
}

// otherwise: null, or see cut_with_turns. for_otherwise: f is to be the other.
cut_result cut_whole(Function& f, const std::int64_t* extent, row_kind rows, Function* otherwise, bool for_otherwise) {
  kernel_form k = form_of(f, extent, rows);
  region_map m;
  if (maybe_refused no = refuse_calls(f)) return {no};
  if (maybe_refused no = refuse_published_locals(f)) return {no};
  const bool relies_on_grid = use_that_places_are_not_negative(k);
  if (maybe_refused no = make_canonical(k)) return {no};
  if (maybe_refused no = refuse_waiting_loops(k)) return {no};
  if (!is_watched(f)) {
    lift_sums(k);
    drop_idle_loops(k);
    ask_instead_of_noting(k);
  }
  const turned_loops turned = otherwise == nullptr ? turned_loops{} : put_threads_inside(k);
  Value* const holds = turned.holds;
  if (otherwise != nullptr && holds == nullptr) return {refuse("no loop to turn")};
  if (!is_watched(f)) {
    part_side_steps(k);
    part_carried_sums(k);
  }
  if (maybe_refused no = cut_into_regions(k, m)) return {no};
  if (maybe_refused no = refuse_shuffles_behind_none(k, m)) return {no};
  cut_result result;
  read_only_arrays read_only(k);
  result.any_geometry = turned.any_geometry;
  result.relies_on_grid = relies_on_grid;
  const bool waits = !k.barriers.empty() || !k.warp_operations.empty();
  const bool updates = !is_watched(f) && has_unread_updates(f);
  builder made(k, m, read_only);
  result.bytes_per_thread = made.build();
  result.more = made.unwatched();
  result.divides_ranks = made.divides_ranks_of_block();
  if (!waits && !updates && result.more.empty() && read_only.silent() == 0 && !for_otherwise) return {nothing_waits()};
  if (result.bytes_per_thread > kMostBytesPerThread)
    return {
        refuse("each thread keeps " + std::to_string(result.bytes_per_thread) + " bytes from one barrier to the next")};
  if (turned.apart.hold != nullptr && result.bytes_per_thread == 0) make_one_turn(k, turned.apart);
  if (holds != nullptr) call_unless(holds, *otherwise, k);
  if (!is_watched(f)) make_shared_atomics_plain(f);
  call_for_shared_arrays(f);
  mark_loops_of_block(f);
  f.addFnAttr("no-builtin-memset");  // rows of a few elements are not worth a call
  f.addFnAttr("no-builtin-memcpy");
  f.addFnAttr("no-builtin-memmove");

  // Fibers are slower, and right.
  if (verifyFunction(f)) return {refuse("broken loops were made of it: please report this with the kernel's source")};
  return result;
}
}  // namespace

cut_result cut(Function& f, const std::int64_t* extent, row_kind rows) {
  const bool waits = has_waits(f);
  // Watched kernels gain by loops whose accesses are proved together, too.
  if (!waits && !is_watched(f) && !has_unread_updates(f)) return {nothing_waits()};
  cut_result result = cut_whole(f, extent, rows, nullptr, false);
  if (result.refused && !waits) result.refused = nothing_waits();
  return result;
}

cut_result cut_without_turns(Function& f, row_kind rows) { return cut_whole(f, nullptr, rows, nullptr, true); }

cut_result cut_with_turns(Function& f, const std::int64_t* extent, row_kind rows, Function& otherwise) {
  return cut_whole(f, extent, rows, &otherwise, false);
}

}  // namespace simt::compile
