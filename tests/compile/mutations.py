#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks the pass that makes loops (sim/compile) in many ways, one at a time, and checks that the tests notice each.

Usage: tests/compile/mutations.py BUILD [--only TEXT] [--sample N --seed S] [--jobs N] [--verify]
BUILD: a build with clang, whose commands compile the broken plugin and, with it, the tests `loops`, `grid_loops`,
`worker_sums`, `warp_loops` and `loops_random`; the tests on IR run first.
A broken plugin is caught if the tests fail, or if it breaks code so that the compiler stops. Works on copies.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "mutation"))
sys.dont_write_bytecode = True
import table
from mutations_of_blocks import OF_BLOCKS
from mutations_of_ways import OF_WAYS
from ninja_commands import compiler_words, lines_for, words_of_sources

FOLDER = "sim/compile"
TESTS = ("loops", "grid_loops", "worker_sums", "warp_loops", "loops_random")
MUTATIONS = [  # what breaks, file, text, its replacement
    ("indices that go round are known to the vectoriser", "wrapping_indices.cpp", "if (sources.size() == before) sources.insert(i);", "(void)before;"),
    ("indices of neighbours that go round are hidden, too", "wrapping_indices.cpp", "step->getAPInt().abs() != size_of(i)", "true"),
    ("accesses on fibers are announced at the end", "plugin.cpp", "tell_watched_accesses(f), told = true;", "told = true;"),
    ("references to variables of the device are announced", "watched_region.cpp", "hide(*load), any = true;", "any = true;"),
    ("what a thread keeps is announced where its type has changed", "watched_region.cpp", "    if (is_private_access(f, i)) hide(i);\n  return true;", "    (void)i;\n  return true;"),
    ("reads before writes are announced with them", "read_before_write.cpp", "if (!tells_unread_updates(m)) return false;", "return false;"),
    ("the read of x += y is announced twice everywhere", "read_before_write.cpp", "if (!tells_unread_updates(m)) return false;", ""),
    ("results that are read are told as unread", "update_forms.cpp", "call.use_empty() && ", ""),
    ("NVIDIA's atomics have no result", "update_forms.cpp", " && !is_of_cuda_atomic(call)", ""),
    ("warps add up floats", "update_forms.cpp", " || (!is_long && !is_of_32_bits(t))", ""),
    ("warps add up what differs by lane and is of 64 bits", "update_forms.cpp", " || (is_long && !has_one_value(call))", ""),
    ("a maximum that is read is one lane's", "update_forms.cpp", "is_of_32_bits(t) && unread && what", "is_of_32_bits(t) && what"),
    ("some lanes add up what differs, and is read", "update_forms.cpp", "return has_one_value(call) ? kAtomicOfWarp : kAtomicOfFullWarp;", "return kAtomicOfWarp;"),
    ("an address by lane is one address", "one_address.cpp", "if (differing.has(call->getArgOperand(kPlaceOperand))) continue;", ""),
    ("a value by lane is one value", "one_address.cpp", "if (!differing.has(call->getArgOperand(kValueOperand))) call", "call"),
    ("what a vote gives differs by lane", "one_address.cpp", "call != nullptr && is_marker(call, marker::warp) && is_same_for_warp(*call)", "false"),
    ("what a barrier counts is one value", "one_address.cpp", "             is_marker(&i, marker::votes) || ", "             "),
    ("any shuffle reads one lane", "warp_operations.cpp", " && isa<ConstantInt>(operation.getArgOperand(kParam))", ""),
    ("exchanges have no result", "update_forms.cpp", "what < update_action::add", "what < update_action::exch"),
    ("narrow updates have no result", "update_forms.cpp", " || !is_wide_enough(t)", ""),
    ("every addition counts up", "update_forms.cpp", "what == update_action::add && *value == 1", "what == update_action::add"),
    ("doubles count up", "update_forms.cpp", "is_of_32_bits(t) && is_increment", "is_increment"),
    ("what is not watched becomes part of what is", "markers.cpp", " || !f.hasFnAttribute(Attribute::SanitizeThread) ||\n", " ||\n"),
    ("a call that ends its block goes without a jump", "prepare.cpp", "IRBuilder<>(invoke).CreateBr(invoke->getNormalDest());", "(void)invoke;"),
    ("fibers announce at the end what is counted", "one_thread.cpp", "  tell_accesses(*f);\n", ""),
    ("loops announce at the end what is counted", "watched_region.cpp", "    tell_accesses(k.f, blocks_of(n, now));", "    (void)0;"),
    ("what is counted may be duplicated", "told_accesses.cpp", "announce(i, name).setCannotDuplicate();", "announce(i, name);"),
    ("a load that is counted passes what is written behind it", "sunk_loads.cpp", "if (i->mayWriteToMemory() && !is_lifetime(*i)) return;", ";"),
    ("members stay apart", "joined_members.cpp", "if (i > 0 && isPowerOf2_64(bytes) && bytes <= widest && from % bytes == 0) found = i + 1;", "(void)from;"),
    ("members are joined whatever their alignment", "joined_members.cpp", "std::min(kWidestMember, std::max(all[i].align, all[i].size))", "kWidestMember"),
    ("copies stay copies", "whole_copies.cpp", "      take_apart(*copy);\n", "      (void)copy;\n"),
    ("several members as one number stay so", "whole_copies.cpp", "      take_apart_number(i);\n", "      (void)i;\n"),
    ("structures in variables are copied as they lie", "whole_copies.cpp", "if (!is_copy_of_variable(copy)) return false;", "return false;"),
    ("what lies behind the last member is not copied", "whole_copies.cpp", "for (std::uint64_t size = 0; end < bytes; end += size) {", "for (std::uint64_t size = 0; false; end += size) {"),
    ("pointers in structures are numbers", "whole_copies.cpp", "return fits ? type : IntegerType", "return fits && false ? type : IntegerType"),
    ("loads pass what may write them", "named_apart.cpp", "return may_swap(*p, m, n.root, aliases); })", "(void)p; return true; })"),
    ("neighbours are one whatever their alignment", "named_apart.cpp", "std::max<std::uint64_t>(std::min(kWidestMember, left.front().align) / n.size, 1)", "kWidestMember / n.size"),
    ("three words of four are three", "named_apart.cpp", "if (loads && bit_ceil(chain) <= most && !isPowerOf2_64(chain))", "if (false)"),
    ("stores pass what reads them", "named_apart.cpp", "return may_swap(i, m, n.root, aliases); })) continue;", "(void)m; return true; })) continue;"),
    ("an index that may go round is the next one", "named_apart.cpp", "(is_signed ? adds->hasNoSignedWrap() : adds->hasNoUnsignedWrap())", "adds != nullptr"),
    ("no index is the next one", "named_apart.cpp", "    if (plain) {", "    if (plain && false) {"),
    ("parameters may point into shared memory", "named_apart.cpp", "is_quiet(i) || (at != nullptr && are_different_memory(at, root))", "is_quiet(i)"),
    ("arrays in shared memory begin anywhere", "named_apart.cpp", "m.align = std::max(m.align, alignment_in_shared(getLoadStorePointerOperand(&i), layout));", "(void)layout;"),
    ("accesses by other indices are neighbours", "named_apart.cpp", " && indices == o.indices", ""),
    ("what cannot be one instruction has the same place", "joined_members.cpp", "if (number > 0) set_column_window(*made, number, apart_in_shared);", "(void)made;"),
    ("no load crosses a question about its address", "sunk_loads.cpp", "at = behind_question(*at))", "at = nullptr)"),
    ("variables without a value stay so", "prepare.cpp", "for (IntrinsicInst* i : begins) store_zero(*a, std::next(i->getIterator()));", ""),
    ("a volatile access of the host is as any other", "host_loops.cpp", "return load->isSimple();", "return !load->isAtomic();"),
    ("pointers that a loop of the host finds were there before it", "host_loops.cpp", "i != nullptr && !dominators.dominates(i, l.getHeader())) return {};", "false) return {};"),
    ("a loop of the host is quiet if one pointer is far", "host_loops.cpp", "b.CreateAnd(quiet, far)", "b.CreateOr(quiet, far)"),
    ("a mask is taken away of any index", "plain_indices.cpp", "range.getUnsignedMax().lshr(bits) != range.getUnsignedMin().lshr(bits)", "false"),
    ("a bound of a multiple is rounded down", "plain_indices.cpp", "(c - a + by - 1) / by", "(c - a) / by"),
    ("a question about some high bits is one about all", "plain_indices.cpp", "if (!APInt::getBitsSet(mask->getBitWidth(), zeros, bits).isSubsetOf(*mask)) return false;", "(void)bits;"),
    ("each way through the body keeps its step", "plain_indices.cpp", "if (step_in_latch(*l) || ask_case_by_case(*l)) return true;", "if (ask_case_by_case(*l)) return true;"),
    ("the last case is every other", "plain_indices.cpp", "if (last) enter(other, by);", "(void)last;"),
    ("a loop that waits for equality counts up", "ends_by_itself.cpp", "if (!is_upper_bound(goes_on) || ", "if ((!is_upper_bound(goes_on) && !ICmpInst::isEquality(goes_on)) || "),
    ("what need not grow counts up", "ends_by_itself.cpp", "return latch != nullptr && any_of(l.getHeader()->phis(),", "return latch != nullptr || any_of(l.getHeader()->phis(),"),
    ("writes of bit-fields are any update", "bit_fields.cpp", "    if (load == nullptr) continue;", "    if (load == nullptr || true) continue;"),
    ("a program's own update of bits is a bit-field's", "bit_fields.cpp", "store.hasMetadata(LLVMContext::MD_tbaa) || ", ""),
    ("a write of a bit-field may read another word", "bit_fields.cpp", "load->getPointerOperand() == store.getPointerOperand() && ", ""),
    ("all values are uniform", "values.hpp", "return !m_.varying->has(v);", "return true;"),
    ("phis that join divergent ways are uniform", "dependence.cpp", "if (++sides[x] == 2)", "if (++sides[x] == 99)"),
    ("loops that threads leave in different turns are uniform", "dependence.cpp", "if (join != nullptr && l->contains(join)) break;", "break;"),
    ("what atomics give is uniform", "varying.cpp", "|| isa<AtomicRMWInst>(i)", ""),
    ("private arrays are uniform", "varying.cpp", "bool source = isa<AllocaInst>(i) ||", "bool source ="),
    ("every branch decides alike", "regions.cpp", "if (c.deciding.count(bb) != 0 && !decides_alike(bb)) divergent.push_back(bb);", "(void)bb;"),
    ("the first barrier is missed", "canonical_form.cpp", "k.barriers.push_back(SplitBlock(call->getParent(), behind));", "if (call != calls.front()) k.barriers.push_back(SplitBlock(call->getParent(), behind));"),
    ("barriers of the grid are the block's", "canonical_form.cpp", "if (of_grid) k.grid_barriers.insert(k.barriers.back());", "(void)of_grid;"),
    ("nobody waits for the grid", "cut.cpp", "wait_at_grid(once, barrier->second);", "(void)once;"),
    ("each warp waits for the grid", "cut.cpp", "wait_at_grid(once, barrier->second);", "wait_at_grid(*n.after, barrier->second);"),
    ("a loop that passes the grid's barrier now and then meets it", "waiting.cpp", "l.contains(bb) && dominators.dominates(bb, latch)", "l.contains(bb) && dominators.dominates(l.getHeader(), latch)"),
    ("loops that meet the grid may not wait", "waiting.cpp", "if (!meets_grid(*l, k, dominators))", "if (!meets_grid(*l, k, dominators) || true)"),
    ("loops run one thread too many", "loop_nest.cpp", "b.CreateICmpULT(following, extent[d])", "b.CreateICmpULE(following, extent[d])"),
    ("loops begin with the second row", "loop_nest.cpp", "index->addIncoming(b.getInt64(0), from[d]);", "index->addIncoming(b.getInt64(d == 1), from[d]);"),
    ("ranks forget the plane", "loop_nest.cpp", "b.CreateAdd(plane, n.index[1], \"\", true, true)", "n.index[1]"),
    ("bounds of <= are those of <", "bounds.cpp", "case ICmpInst::ICMP_SLE:\n        below(past);", "case ICmpInst::ICMP_SLE:\n        below(bound);"),
    ("bounds of == have no beginning", "bounds.cpp", "case ICmpInst::ICMP_EQ:\n        from(bound);", "case ICmpInst::ICMP_EQ:"),
    ("bounds forget offsets", "bounds.cpp", "offsets.push_back(p);", ""),
    ("unsigned bounds may be beyond the block", "bounds.cpp", "below(b_.CreateBinaryIntrinsic(Intrinsic::umin, bound, n_.width));", "below(bound);"),
    ("a phi's place may be filled before it is read", "values.cpp", "users.erase(home);", "return true;"),
    ("a private array's last value is lost between runs of its region", "values.cpp", "if (bb == only->head) return;", "if (bb == only->head) break;"),
    ("arrays overlap", "values.cpp", "bytes_ += alignTo(layout_.getTypeAllocSize(element), align);", "bytes_ += 1;"),
    ("elements of arrays are shared by rows", "loop_nest.cpp", "n.rank = b.CreateAdd(n.row, n.index[0], \"rank\", true, true);", "n.rank = b.CreateOr(n.index[0], b.CreateMul(n.row, b.getInt64(0)), \"rank\");"),
    ("every value is the row's", "values.cpp", "!m_.varying_in_row->has(v);", "true;"),
    ("no value is the row's", "values.cpp", "return m_.groups.empty() && m_.varying_in_row != nullptr &&", "return false &&"),
    ("votes are never reset", "values_rewrite.cpp", "if (begun.insert(r.get()).second) IRBuilder", "if (r == m_.regions.front()) IRBuilder"),
    ("votes keep another instruction's class", "values_rewrite.cpp", "front_.erase(&i);", ""),
    ("uniform phis are not filled by threads", "values_rewrite.cpp", "IRBuilder<>(q->last->getTerminator()).CreateStore(v, place);\n", ""),
    ("threads that have left go on", "cut.cpp", "b.CreateCondBr(left, n.x_next, r.head);", "b.CreateBr(r.head);"),
    ("who stays has left", "early_leave.cpp", "g->left_if = only->getSuccessor(1) == join;", "g->left_if = only->getSuccessor(0) == join;"),
    ("every compare-and-swap is a retry", "waiting.cpp", "return was_read_in(swap.getCompareOperand(), l, swap);", "return true;"),
    ("volatile loads see nobody", "waiting.cpp", "return load != nullptr && !load->isSimple();", "return false;"),
    ("recursion is inlined for ever", "prepare.cpp", "recursive |= history[h].what == callee;", ";"),
    ("what is inlined makes no kernel larger", "prepare.cpp", "size += size_of(*callee);", "(void)size_of;"),
    ("a kernel is as large as all that it calls", "prepare.cpp", "if (size > kMostInstructions) size = f.getInstructionCount();", ""),
    ("warp operations are ordinary calls", "prepare.cpp", "if (maybe_refused no = refuse_waits(f)) return no;", ""),
    ("calls through pointers are harmless", "waiting.cpp", "if (callee == nullptr) return refuse(\"a call through a pointer, which may wait\", &call);", "if (callee == nullptr) return {};"),
    ("all loads are of parameters", "canonical_form.cpp", "return base == k.f.getArg(parameter::args) || base == k.f.getArg(parameter::block) || is_device_reference(base);", "return base != nullptr || is_device_reference(base);"),
    ("a copy for a shape is another shape's", "shapes.cpp", "copies_.push_back({{extent[0], extent[1], extent[2]}, copy});", "copies_.push_back({{extent[1], extent[0], extent[2]}, copy}), copies_.push_back({{37, 1, 1}, copy});"),
    ("every grid-stride loop takes any geometry", "any_geometry.cpp", "finder(k, t).run()", "(finder(k, t).run() || true)"),
    ("what the body asks for does not count", "any_geometry.cpp", "|| i->isIntDivRem()) return false;", "|| i->isIntDivRem()) continue;"),
    ("steps of two grids are steps of one", "any_geometry.cpp", "if (k_.extent[0] != width || !is_product(s_.step, width, argument(parameter::grid, 0))) return false;", "(void)width;"),
    ("what follows the loop does not count", "any_geometry.cpp", "(i.mayWriteToMemory() || isa<AllocaInst>(i))", "isa<AllocaInst>(i)"),
    ("shared memory belongs to all blocks", "prepare.cpp", "if (what != engine_call::none) return what != engine_call::place;", "if (what != engine_call::none) return false;"),
    ("every kernel has wide blocks", "wide_blocks.cpp", "return follower(f).run();", "(void)follower(f).run(); return true;"),
    ("blocks are as wide as one likes", "wide_blocks.cpp", "&& uncut(other) == width_;", "&& (uncut(other) != nullptr);"),
    ("what a thread writes may be passed by its own reads", "own_order.cpp", ", {kParallelMark}, {}", ", {}, {}"),
    ("divisions under a condition are vectorised", "guarded_division.cpp", "if (!divides_under_condition(*l, dominators)) continue;", "continue;"),
    ("masked x is x, whatever the mask", "bounds.cpp", "(mask->getLimitedValue() & 1023) == 1023 &&", ""),
    ("what shuffles give is the same for a warp", "lane_dependence.cpp", "source = differs_in_warp(cast<CallInst>(i));", "source = false;"),
    ("votes of tiles are the same for a warp", "warp_operations.cpp", "|| !names_all_lanes(operation);", ";"),
    ("threadIdx.x is a multiple of 32 and the lane in any block", "lane_dependence.cpp", "(v == k_.index[0] && k_.rows != row_kind::any)) return true;", "v == k_.index[0]) return true;"),
    ("every number may be added to a rank", "lane_dependence.cpp", "return is_aligned(operand_of(v, a), depth + 1) && is_multiple(operand_of(v, b), depth + 1);", "return is_aligned(operand_of(v, a), depth + 1);"),
    ("a rank may be compared with every number", "lane_dependence.cpp", "if (from_below) return is_multiple(right);", "if (from_below) return true;"),
    ("numbers behind a loop are as within", "lane_dependence.cpp", "if (is_used_behind_its_loop(i)) return false;", ""),
    ("every mask is a tile", "lane_dependence.cpp", "if (!names_all_lanes(*o.call) && !is_mask_of_tile(k, mask_of(*o.call)))", "if (false)"),
    ("a warp's part of a row has no end", "loop_nest.cpp", "count = b.CreateBinaryIntrinsic(Intrinsic::umin, in_row, b.CreateSub(g.end_rank, at, \"\", true, true));", "count = (void(in_row), b.CreateSub(g.end_rank, at, \"\", true, true));"),
    ("a short warp has all its lanes", "loop_nest.cpp", "g.live = b.CreateLShr(b.getInt32(~0u), absent, \"live\");", "g.live = b.CreateLShr(b.getInt32(~0u), b.CreateMul(absent, b.getInt32(0)), \"live\");"),
    ("lanes that have left take part", "cut.cpp", "for (const auto& g : m_.groups) find_live_lanes(*g);", "for (const auto& g : m_.groups) (void)g;"),
    ("the last warp is left out", "loop_nest.cpp", "b.CreateICmpULT(following, threads), g.warp, g.after", "b.CreateICmpULT(b.CreateAdd(following, b.getInt64(kLanes)), threads), g.warp, g.after"),
    ("votes of warps are never reset", "warp_operations.cpp", "IRBuilder<>(n.before->getTerminator()).CreateStore(ConstantInt::get(number_, 0), votes);", "IRBuilder<>(k_.entry->getTerminator()).CreateStore(ConstantInt::get(number_, 0), votes);"),
    ("lanes shuffle with themselves", "warp_operations.cpp", "b.CreateAnd(call.getArgOperand(kParam), b.getInt32(kLanes - 1));", "b.CreateTrunc(nests_[mine].lane, number_);"),
    ("tiles take lanes of others", "warp_operations.cpp", "return names_all_lanes(call) ? r.in->live : b.CreateAnd(r.in->live, mask_of(call));", "(void)call, (void)b; return r.in->live;"),
    ("warps fill what others still read", "values_rewrite.cpp", "if (q->in != nullptr && q == q->in->last) {", "if (false) {"),
    ("phis within a group are read once a block", "values_rewrite.cpp", "BasicBlock* const before = is_read_by_each_warp(phi) ? r->in->before : n.before;", "BasicBlock* const before = before_all(r.get());"),
    ("loops for whole rows are for all copies", "shapes.cpp", "if (fits(extent)) add_copy(extent);", "add_copy(extent);"),
    ("what is launched does not matter", "shapes.cpp", "if (!launched_.all_known)", ""),
    ("threads sit out where all take part", "turns.cpp", "if (!uniform && t.guard != nullptr) {", "if (!uniform) {"),
    ("threads that sit out keep no sum", "turns.cpp", "merged->addIncoming(in, ask);", "merged->addIncoming(Constant::getNullValue(type), ask);"),
    ("what comes out of a loop as it went in is changed by the turns", "turns.cpp", "for (Loop* l : loops.getLoopsInPreorder()) copy_carried(*l);", "(void)copy_carried;"),
    ("what is read alike is read though nobody enters", "turns.cpp", "b.CreateCondBr(any_takes_part(*t.by_stride, lowest_at_first(*t.by_stride), b), alike, begin);", "b.CreateCondBr(b.getTrue(), alike, begin);"),
    ("what differs between threads is read once a block", "turns.cpp", "there && !writes && !varying.has(&i) && can_follow(i)", "there && !writes && can_follow(i)"),
    ("what some threads ask for is asked for by all", "turn_loop.cpp", "if (depth > kDeepestMoved || i->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(i)) return false;", "if (depth > kDeepestMoved) return false;"),
    ("addresses may wrap", "no_wrap.cpp", "evolution.setNoWrapFlags(const_cast<SCEVAddRecExpr*>(place), SCEV::FlagNW);", "(void)step;"),
    ("lanes make their turns though some do not come", "turn_loop.cpp", "return all_of(deciding, [&](BasicBlock* d) {", "return of_warp_ || all_of(deciding, [&](BasicBlock* d) {"),
    ("all lanes take part while there is any element", "turns.cpp", "ConstantInt::get(left->getType(), kLanes - 1)", "ConstantInt::get(left->getType(), 0)"),
    ("lanes take part up to the limit and one beyond", "partial_loads.cpp", ": b.CreateICmpULT(number, left);", ": b.CreateICmpULE(number, left);"),
    ("turns of whole warps begin anew", "turns.cpp", "phi.setIncomingValueForBlock(&begin, copy_of(&phi));", ""),
    ("each number is the first lane's", "lane_steps.cpp", "if (is_index(v)) return b.CreateAnd(v, ConstantInt::get(v->getType(), ~std::uint64_t{kLanes - 1}));", "if (is_index(v)) return v;"),
    ("what was widened otherwise is the same number", "widened.cpp", "if (!is_signed || !match(v, m_NSWAdd(m_Value(a), m_Value(b))) || !match(narrow, m_NSWAdd(m_Value(c), m_Value(d))))\n    return false;", "return true;"),
    ("what differs between lanes is the warp's", "regions.cpp", "if (lanes.is_alike(&i)) out.alike_in_warp.insert(&i);", "if (!isa<PHINode>(i)) out.alike_in_warp.insert(&i);"),
    ("the warp's numbers are the first warp's", "values_rewrite.cpp", "if (v == k_.index[d]) return r->in->first_index[d];", "if (v == k_.index[d]) return ConstantInt::get(v->getType(), 0);"),
    ("the first thread of a warp is in the first row", "loop_nest.cpp", "g.first_index[1] = b.CreateURem(row, k.extent[1]);", "g.first_index[1] = b.getInt64(0);"),
    ("what a warp keeps is kept when it is read", "values_rewrite.cpp", "return leave_by_lanes(inside(v, q), place, q, n.after, b);", "return;"),
    ("a warp's number may change before it is read", "values.cpp", "if (is_of_warp(&phi) && any_of(computed_, is_made_of_it)) return false;", "if (is_of_warp(&phi)) return true;"),
    ("what is read in front of turns is read though there is none", "turns.cpp", "branch->setSuccessor(any_if ? 1 : 0, meet);", "branch->setSuccessor(any_if ? 1 : 0, t.preheader);"),
    ("turns end one early", "turns.cpp", "IRBuilder<>(turned).CreateCondBr(again, again_if ? turn : done, again_if ? done : turn);", "(void)again, (void)again_if; IRBuilder<>(turned).CreateBr(done);"),
    ("neighbours' elements may lie anywhere", "turn_loop.cpp", "bytes->getSExtValue() != static_cast<std::int64_t>(layout.getTypeStoreSize(getLoadStoreType(&i))))", "bytes->getSExtValue() == 1)"),
    ("sums with atomics are turned", "turn_loop.cpp", "if (isa<AtomicRMWInst>(i) || isa<AtomicCmpXchgInst>(i) || isa<FenceInst>(i)) return false;", ""),
    ("a sum that one thread makes is turned", "turn_loop.cpp", "(is_for_few(t.entered, t.enters_if) || ", "("),
    ("guards of <= are those of <", "loop_bounds.cpp", "case ICmpInst::ICMP_ULE:\n        return below(b.CreateSelect(b.CreateICmp(p, index, limit), past, none), b);", "case ICmpInst::ICMP_ULE:\n        return below(b.CreateSelect(b.CreateICmp(p, index, limit), distance, none), b);"),
    ("guards of > are those of >=", "loop_bounds.cpp", "return from(b.CreateSelect(b.CreateICmp(p, index, limit), none, past), b);", "return from(b.CreateSelect(b.CreateICmp(p, index, limit), none, distance), b);"),
    ("guards of == have no end", "loop_bounds.cpp", "below(past, b);\n    }", "(void)past;\n    }"),
    ("no guarded index wraps", "loop_bounds.cpp", "length_ = b.CreateBinaryIntrinsic(Intrinsic::umin, length_, whole);", "(void)whole;"),
    ("guarded ints wrap at the largest unsigned", "loop_bounds.cpp", "is_signed ? APInt::getSignedMaxValue(bits)", "false ? APInt::getSignedMaxValue(bits)"),
    ("what is added to a widened index does not let it wrap", "loop_bounds.cpp", "end_at_wrap(v, ICmpInst::isSigned(each.p), b);", ""),
    ("later pieces begin like the first", "loop_bounds.cpp", "return gone == nullptr ? v : b.CreateAdd(v, b.CreateZExtOrTrunc(gone, v->getType()));", "return v;"),
    ("elements are always apart", "apart_elements.cpp", "Value* const apart = b_.CreateOr(behind, before);", "Value* const apart = b_.CreateOr(b_.CreateOr(behind, before), b_.getTrue());"),
    ("only one piece of a row runs", "loop_bounds.cpp", "b.CreateCondBr(b.CreateICmpULT(next, count_), again, found_.of.exit);", "b.CreateCondBr(b.CreateICmpULT(next, b.CreateMul(count_, b.getInt64(0))), again, found_.of.exit);"),
    ("what happens in front of a guard does not matter", "guarded_loop.cpp", "if (has_effects(*at) || branch == nullptr) return;", "if (branch == nullptr) return;"),
    ("low bits come again in twice the distance", "strided_guards.cpp", "b_.getInt64(1ull << bits), true", "b_.getInt64(2ull << bits), true"),
    ("what passes begins at 0 wherever the index does", "strided_guards.cpp", "wide(b_.CreateSub(given_, begin_)), b_.getInt64(1ull << bits)", "b_.getInt64(0), b_.getInt64(1ull << bits)"),
    ("the last that passes is left out", "strided_guards.cpp", "b_.CreateAdd(more, b_.getInt64(1)), b_.getInt64(0));", "more, b_.getInt64(0));"),
    ("a mask has no gaps", "strided_guards.cpp", "if (q.kind == question_kind::mask) return true;", ""),
    ("the steps of a mask begin with the first", "strided_guards.cpp", "Value* const first = b_.CreateAnd(wide(b_.CreateSub(given_, begin_)),", "Value* const first = b_.CreateAnd(b_.getInt64(0),"),
    ("what is divided does not wrap", "strided_guards.cpp", "known = b_.CreateAnd(known, stays_below(from, b_.getInt64(1), q_.is_signed));", ""),
    ("a remainder may be as large as the divisor", "strided_guards.cpp", "b_.CreateAnd(b_.CreateICmpUGE(by, b_.getInt64(least(by))), b_.CreateICmpULT(rest, by))", "b_.CreateICmpUGE(by, b_.getInt64(least(by)))"),
    ("divisors have no sign", "strided_guards.cpp", "if (q_.is_signed) known = b_.CreateAnd(known, is_natural(number_));", ""),
    ("a loop may divide by 0 in front", "strided_guards.cpp", "*const done = b_.CreateURem(from, stride);", "*const done = b_.CreateURem(from, by);"),
    ("multiples do not wrap", "strided_guards.cpp", "b_.CreateAnd(b_.CreateICmpUGE(by, b_.getInt64(2)), stays_below(from, by, q_.is_signed))", "b_.CreateICmpUGE(by, b_.getInt64(2))"),
    ("multiples are below a limit without a sign", "strided_guards.cpp", "if (q_.is_signed) some = b_.CreateAnd(some, is_natural(given_));", ""),
    ("multiples of <= are those of <", "strided_guards.cpp", "end = b_.CreateAdd(end, b_.getInt64(1));", "(void)end;"),
    ("low bits are a bound", "loop_bounds.cpp", "b.narrow->getType()->getIntegerBitWidth() < 32) return false;", "false) return false;"),
    ("an equality of a multiple is one of the index", "plain_indices.cpp", "ask_instead(*asked, p, index, apart / by);", "ask_instead(*asked, p, index, apart);"),
    ("scattered updates are vectors", "scattered_updates.cpp", "return any_of(stores_, [&](const element_access& s) { return is_scattered(s) && is_read(s.object); });", "return false;"),
    ("what is scattered and not read is an update", "scattered_updates.cpp", "return any_of(loads_, [&](const element_access& l) { return l.object == object; });", "return true;"),
    ("values that are needed together share an array", "common_places.cpp", "if (all.size() > kMostMembers || !never_needed_together(all)) return;", ""),
    ("each value of a variable has an array of its own", "common_places.cpp", "if (set.size() > 1)", "if (false)"),
    ("what comes in at a head's side writes nothing", "common_places.cpp", "writes.push_back({nullptr, end_of_way(phi->getIncomingBlock(n))});", "(void)n;"),
    ("two values at one head share an array", "common_places.cpp", "if (!heads.insert(phi->getParent()).second) return false;", "heads.insert(phi->getParent());"),
    ("what shares an array is not stored there", "values_rewrite.cpp", "    array_of(v);\n    return;", "    return;"),
    ("what threads do that a guard keeps out does not matter", "guarded_loop.cpp", "return !has_effects(*latch);", "return true;"),
    ("a guarded number may fall", "loop_bounds.cpp", "if (!b.narrow->getStepRecurrence(evolution_)->isOne()) return false;", ""),
    ("a number with a sign may be asked as one without", "loop_bounds.cpp", "if (b.widens == Instruction::SExt && ICmpInst::isUnsigned(p)) return false;", ""),
    ("what is stored back may be stored elsewhere", "guarded_loop.cpp", "loaded->getPointerOperand() != store->getPointerOperand() || ", ""),
    ("watched threads lose their guards", "loop_bounds.cpp", "f.hasFnAttribute(Attribute::SanitizeThread) ||", ""),
    ("all memory may be the loop's bounds", "range_apart.cpp", "if (of.in_range.empty() || of.elsewhere.empty()) return false;", "return false;"),
    ("what the engine reads of a range is elsewhere", "range_apart.cpp", "return shown_at_.count(offset_of(pointer->getPointerOperand())) == 0;", "return pointer != nullptr;"),
    ("any pointer leads elsewhere", "range_apart.cpp", "(isa<Argument>(object) || isa<AllocaInst>(object) || isa<GlobalVariable>(object))", "true"),
    ("lanes that are absent bring values", "warp_operations.cpp", "once.CreateShuffleVector(values, zeros, sources)", "once.CreateShuffleVector(once.CreateAlignedLoad(all, in, aligned), zeros, sources)"),
    ("lanes of other tiles bring values", "warp_operations.cpp", "((*masks)[lane] >> source & 1) != 0 ? source : kLanes", "((*masks)[lane] >> source & 1) != 0 || true ? source : kLanes"),
    ("a rank is its lane", "lane_patterns.cpp", "mask->ult(kLanes) && is_rank(of)", "is_rank(of)"),
    ("patterns take the other value of a choice", "lane_patterns.cpp", "chosen->isOne() ? 1 : 2", "chosen->isOne() ? 2 : 1"),
    ("all warps leave as a whole", "regions.cpp", "g->by_whole_warps = of_lanes.is_alike(g->condition);", "g->by_whole_warps = true;"),
    ("a warp of which nobody is there goes on", "cut.cpp", "b.CreateCondBr(b.CreateICmpNE(r.in->found, b.getInt32(0)), to, r.in->next);", "b.CreateBr(to);"),
    ("blocks that meet run in any order", "shapes.cpp", "if (is_any_marker(&i)) return !is_marker(&i, marker::grid_barrier);", "if (is_any_marker(&i)) return true;"),
    ("blocks with atomics run in any order", "shapes.cpp", "return !i.mayReadOrWriteMemory() || isa<IntrinsicInst>(i);", "return true;"),
    ("no memory is apart from shared memory", "shared_apart.cpp", "if (in_shared.empty() || behind_parameters.empty()) return false;", "return false;"),
    ("any row is a whole one", "short_rows.cpp", "b.CreateCondBr(whole, entered, slow);", "b.CreateCondBr(b.CreateOr(whole, b.getTrue()), entered, slow);"),
    ("every turn may be made twice", "short_rows.cpp", "if (findOptionMDForLoop(&l_, kParallelMark) == nullptr) return false;", "return true;"),
    ("what a turn reads it may write", "short_rows.cpp", "return all_of(stores, [&](Instruction* s) {", "return all_of(stores, [&](Instruction* s) { return true;"),
    ("accesses of other threads do not matter", "short_rows.cpp", "if (!plain || !i.hasMetadata(LLVMContext::MD_access_group)) return false;", "if (!plain) return false;"),
    ("rows have nothing left over", "short_rows.cpp", "if (rest == 0) return pieces;", "(void)rest; return pieces;"),
    ("no widened index wraps", "short_rows.cpp", "good = b.CreateAnd(good, is_signed ? b.CreateICmpSLE(begin, last) : b.CreateICmpULE(begin, last));", "(void)last;"),
    ("a widened index begins with the loop's", "short_rows.cpp", "b.getInt64(static_cast<std::uint64_t>(row_bounds_.first * w.step))", "b.getInt64(0)"),
    ("nobody asks for the next row", "next_rows.cpp", "if (rows == nullptr || preheader == nullptr) return false;", "return false;"),
    ("all arrays of shared memory are one", "memory_objects.cpp", "return of_a != of_b;", "return false;"),
    ("all arrays of shared memory are different", "memory_objects.cpp", "return of_a != of_b;", "return true;"),
    ("all memory is apart from shared memory", "memory_objects.cpp", "return pointer != nullptr && is_parameters(object_of(pointer->getPointerOperand()));", "return pointer != nullptr;"),
    ("all memory is shared memory", "memory_objects.cpp", "bool is_in_shared_memory(const Value* address) { return is_shared(object_of(address)); }", "bool is_in_shared_memory(const Value* address) { (void)address; return true; }"),
    ("atomics of shared memory are plain before it is known who does them", "cut.cpp", "const bool waits = !k.barriers.empty() || !k.warp_operations.empty();", "const bool waits = !k.barriers.empty() || !k.warp_operations.empty(); make_shared_atomics_plain(f);"),
    ("no module is too large for guessed shapes", "shapes.cpp", "instructions == 0 || instructions > kMostForGuesses ? 0", "instructions == 0 ? 0"),
    ("nothing of a large module gets a copy", "shapes.cpp", "std::max<std::size_t>(knows_its_own ? kMostOfItsOwn : 1, guesses_)", "guesses_"),
    ("a condition says nothing on the way", "meeting_ways.cpp", "if (said) return *said == answer->isOne();", "(void)said;"),
    ("what stands in the entry twice is two things", "meeting_ways.cpp", "if (i == nullptr || j == nullptr || depth", "if (i == nullptr || j == nullptr || i->getParent() == k.entry || depth"),
    ("steps of some threads stay beside the others'", "side_steps.cpp", "const auto step = step_finder(k).find();", "const std::optional<side_step> step;"),
    ("steps may keep what they like", "side_steps.cpp", "if (goes_on && !is_kept) return true;", "(void)goes_on, (void)is_kept;"),
    ("idle loops stay", "idle_loops.cpp", "while (drop_one(k)) {", "while (drop_one(k) && false) {"),
    ("division by zero is in front", "steady_indices.cpp", "b.CreateSelect(good, n, number(kLeastDivisor), \"divisor\")", "n"),
    ("a clamp of a clamp is the first one", "steady_indices.cpp", "Value* is = steadier != nullptr ? steadier : t.line;", "Value* is = t.line; (void)steadier;"),
    ("every mask is one of low bits", "steady_indices.cpp", "good = b.CreateICmpEQ(b.CreateAnd(n, b.CreateAdd(n, number(1))), number(0));\n        n = b.CreateAdd", "n = b.CreateAdd"),
    ("a number below zero is divided like others", "steady_indices.cpp", "if (t.is_signed) good = b.CreateAnd(good, b.CreateICmpSGE(line, Constant::getNullValue(line->getType())));", ""),
    ("stretches go on behind the next multiple", "steady_indices.cpp", "lasts = wide(b.CreateSub(number, is));", "lasts = wide(number);"),
    ("no line of a stretch wraps", "steady_indices.cpp", "whole = least(whole, iterations_to_wrap(line, t.is_signed, b));", ""),
    ("nobody meets a condition later in the row", "steady_indices.cpp", "case ICmpInst::ICMP_UGE:\n            begins = distance;", "case ICmpInst::ICMP_UGE:\n            begins = never;"),
    ("a condition that ends is met by one more", "steady_indices.cpp", "case ICmpInst::ICMP_ULT:\n            lasts = distance", "case ICmpInst::ICMP_ULT:\n            lasts = past"),
    ("later stretches begin like the first", "steady_indices.cpp", "return gone == nullptr ? v : b.CreateAdd(v, b.CreateZExtOrTrunc(gone, v->getType()));", "return v;"),
    ("what is asked of the row is met by all", "steady_indices.cpp", "holds = b.CreateAnd(holds, good);\n        rest", "rest"),
    ("what is widened is the index itself", "steady_indices.cpp", ".CreateAdd(index_, apart, \"wide\")", ".CreateAdd(index_, ConstantInt::get(apart->getType(), 0), \"wide\")"),
    ("partners of a sorting network have stretches", "steady_terms.cpp", "if (constant == nullptr && stores_under_condition()) return false;", "(void)stores_under_condition();"),
    ("clang takes first turns out of loops", "prepare.cpp", "if (!is_watched(f)) keep_first_turns(f);", "(void)keep_first_turns;"),
    ("what has been inferred of one thread is kept", "canonical_form.cpp", "drop_inferences(k.f);", ""),
    ("updates whose old value is read are kept with the worker", "worker_sums.cpp", "!what || !update.use_empty() || ", "!what || "),
    ("fences order no additions", "worker_sums.cpp", "    return !i.mayReadOrWriteMemory();\n", "    return true;\n"),
    ("notes of other turns are of this one", "place_questions.cpp", "if (!can_be_made(*from_) || !all_of(phi_.blocks(), [&](BasicBlock* way) { return seen_.count(way) != 0; }))", "if (!can_be_made(*from_))"),
    ("a note is of the other way", "place_questions.cpp", "choose(ask(branch->getCondition()), value, otherwise)", "choose(ask(branch->getCondition()), otherwise, value)"),
    ("a question that fails is answered by yes", "place_questions.cpp", "return match(otherwise, m_One()) ? no : b_.CreateLogicalAnd(no, otherwise);", "return match(otherwise, m_One()) ? no : b_.CreateLogicalAnd(condition, otherwise);"),
    ("rows that begin below 0 end at 0", "loop_bounds.cpp", "past(sum(wrap, wide(limit)))", "past(wrap)"),
    ("rows that begin below 0 never begin again", "loop_bounds.cpp", "b.CreateSelect(holds, wrap, round)", "(void(wrap), round)"),
    ("what is widened is as wide as where the piece begins", "loop_bounds.cpp", "Value* const narrow = b.CreateAdd(at_piece[k], b.CreateTrunc(from_, at_piece[k]->getType()));", "Value* const narrow = at_piece[k];"),
    ("later pieces are copies of the first", "loop_bounds.cpp", "to_copy[row.first] = row_again.first, ", ""),
    ("what all threads of a row are asked is asked by each", "steady_indices.cpp", "if (terms_.empty()) return false;", "return false;"),
    ("what a row is asked is met by all rows", "steady_indices.cpp", "holds = b.CreateAnd(holds, t.holds ? asked : b.CreateNot(asked));", "(void)asked;"),
    ("of several questions all fail where one does", "steady_indices.cpp", "if (terms_.size() == 1) answer(*copy_, false);", "answer(*copy_, false);"),
    ("a place says nothing of what is made of the index", "meeting_ways.cpp", "return are_one_at(k, *p, v, general);", "return false;"),
    ("an address at a place is that of any element", "meeting_ways.cpp", "return is.bytes == would_be.bytes && are_computed_alike(", "return are_computed_alike("),
    ("who is not at a place is there", "meeting_ways.cpp", "compare->getPredicate() != (holds ? ICmpInst::ICMP_EQ : ICmpInst::ICMP_NE)", "!compare->isEquality()"),
    ("lanes that take no part load what is no lane's", "partial_loads.cpp", "needed_.count(v) != 0 ? of_first_loaded(v) : Constant::getNullValue(v->getType())", "Constant::getNullValue(v->getType())"),
    ("what is loaded for all is taken by all", "partial_loads.cpp", "first_takes_part ? next : kept, first_takes_part ? kept : next", "next, next"),
    ("the first lanes end before the limit that counts", "partial_loads.cpp", "const std::uint64_t one = and_one ? 1 : 0;", "const std::uint64_t one = 0;"),
    ("what lanes keep lies with each thread", "values.cpp", "if (home->in == nullptr || (is_head_phi(&i) && home == home->in->first)) return false;", "return false;"),
    ("what a group makes is needed there only", "values.cpp", "return r != nullptr && r->in == home->in;", "return r != nullptr;"),
    ("volatile accesses order no additions", "worker_sums.cpp", "      if (i.isVolatile()) return engine_ != nullptr && getUnderlyingObject(address, 0) == engine_;\n", ""),
    ("any function may be called beside additions", "worker_sums.cpp", "return is_known_call(*call) || is_same_block(*call);", "return true;"),
    ("what is accessed beside additions is not told", "worker_sums.cpp", "    others.insert(object);\n", "    (void)object;\n"),
    ("updates of two kinds have one array", "worker_sums.cpp", "      if (other.kind != c.kind) others.push_back(other.base);\n", "      (void)other;\n"),
    ("words of eight bytes are of four", "worker_sums.cpp", "b.getInt64(wide ? 3 : 2)", "b.getInt64(2)"),
    ("the host's additions are kept, too", "worker_sums.cpp", "  if (range_of(f) == nullptr && !is_loops_of_block(f)) return false;\n", ""),
    ("what is subtracted is added", "worker_sums.cpp", "        name = \"sub\";\n", "        name = \"add\";\n"),
    ("lanes that are known are all the first", "warp_operations.cpp", "asked.push_back(static_cast<std::uint32_t>(lane % kLanes));", "asked.push_back(static_cast<std::uint32_t>(lane * 0));"),
    ("who announces begins at its first access", "watched_region.cpp", "all = all == nullptr ? bb : dominators.findNearestCommonDominator(all, bb);", "all = all == nullptr ? bb : all;"),
    ("divisions do not name their thread", "watched_region.cpp", "return is_announced(i) || (i.isIntDivRem() && !isSafeToSpeculativelyExecute(&i));", "return is_announced(i);"),
]


class whole_plugin:
    """The objects of the plugin as it is, compiled once for all benches of a run."""

    lock = threading.Lock()
    folder = None

    @classmethod
    def objects(cls, sources, compile_into):
        with cls.lock:
            if cls.folder is None:
                cls.folder = tempfile.TemporaryDirectory()
                with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                    list(pool.map(lambda name: compile_into(name, pathlib.Path(cls.folder.name)), sources))
        return pathlib.Path(cls.folder.name)


class bench:
    """The plugin and its tests, compiled by the build's commands into a folder of their own."""

    def __init__(self, arguments, _):
        self.build = arguments.build

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.scratch = pathlib.Path(self.folder.name)
        build = self.build
        self.sources = words_of_sources(build, "sim/compile")
        self.tests = {}
        for test in TESTS:
            lines = lines_for(build, f"{test}.sim")
            parts = [compiler_words(line) for line in lines if re.search(rf" -o \S*/{test}\.sim\.dir/\S+ -c ", line)]
            self.tests[test] = (parts, compiler_words(lines[-1]))
        cache = (build / "CMakeCache.txt").read_text()
        at = next((l.split("=", 1)[1] for l in cache.splitlines() if l.startswith("LLVM_DIR")), "")
        bin_folder = next((p / "bin" for p in pathlib.Path(at).parents if (p / "bin" / "opt").exists()), pathlib.Path())
        self.tools = [str(bin_folder / tool) for tool in ("opt", "FileCheck")]
        self.tree = self.scratch / "compile"
        shutil.copytree(table.ROOT / FOLDER, self.tree)
        self.plugin = self.scratch / "simt_loops.so"
        for made in whole_plugin.objects(self.sources, self.compile).iterdir():
            shutil.copy(made, self.scratch)
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def compile(self, name, folder=None):
        words = list(self.sources[name])
        for i, w in enumerate(words):
            if w == "-o":
                words[i + 1] = str((folder or self.scratch) / f"{name}.o")
            if w.endswith("/" + name):
                words[i] = str(self.tree / name)
        done = subprocess.run(words, cwd=self.build, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"does not compile: {name}\n{done.stderr[-2000:]}")

    def passes(self, file=None, text=None):
        if file is None:
            return self.tests_pass()
        name = pathlib.Path(file).name
        copy = self.tree / name
        whole = copy.read_text()
        changed = self.sources if name.endswith(".hpp") else [name]
        copy.write_text(text)
        for each in changed:
            self.compile(each)
        passed = self.tests_pass()
        copy.write_text(whole)
        for each in changed:
            self.compile(each)
        return passed

    def tests_pass(self):
        objects = [str(self.scratch / f"{name}.o") for name in self.sources]
        subprocess.run(["clang++-19" if shutil.which("clang++-19") else "clang++", "-shared", *objects, "-o", self.plugin], check=True)
        if subprocess.run([sys.executable, table.ROOT / "tests/compile/ir_tests.py", self.plugin, *self.tools], capture_output=True).returncode == 1:
            return False
        for test, (parts, link) in self.tests.items():
            link = list(link)
            for words in parts:
                words = list(words)
                at = words.index("-o") + 1
                mine = str(self.scratch / pathlib.Path(words[at]).name)
                link = [mine if w == words[at] else w for w in link]
                words[at] = mine
                words = [f"-fpass-plugin={self.plugin}" if w.startswith("-fpass-plugin=") else w for w in words]
                words += ["-fno-crash-diagnostics"]
                try:
                    if subprocess.run(words, cwd=self.build, capture_output=True, timeout=300).returncode != 0:
                        return False
                except subprocess.TimeoutExpired:
                    return False
            program = str(self.scratch / test)
            link[link.index("-o") + 1] = program
            subprocess.run(link, cwd=self.build, check=True)
            try:
                if subprocess.run([program], capture_output=True, timeout=60).returncode != 0:
                    return False
            except subprocess.TimeoutExpired:
                return False
        return True


if __name__ == "__main__":
    sys.exit(table.main(table.table(MUTATIONS + OF_BLOCKS + OF_WAYS, FOLDER), bench, __doc__))
