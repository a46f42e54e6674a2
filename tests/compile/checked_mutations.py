#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks what checked loops rest on (the pass's lists of accesses, the runtime's proofs), one way at a time, and checks
that checked_loops.cpp, checked_bits.cpp, checked_guards.cpp, checked_dropped.cpp, checked_strides.cpp, checked_joined.cpp, checked_structures.cpp, checked_updates.cpp, checked_grid_loops.cpp or
checked_warp_loops.cpp notices each.

Usage: tests/compile/checked_mutations.py BUILD [--only TEXT] [--sample N --seed S] [--jobs N] [--passed] [--verify]
BUILD: a finished build of the project with clang and by Ninja; it is left as it is.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "mutation"))
sys.dont_write_bytecode = True
import table
from ninja_commands import bench

PASS, RUN, CHECK = "sim/compile/", "sim/instrument/", "sim/check/"
MUTATIONS = [  # what breaks, file, text, its replacement
    ("lanes that are masked out take part", RUN + "checked_loops.cpp", "op), mask, live & mask, sources, pc);\n    left", "op), ~0U, live, sources, pc);\n    left"),
    ("who asks who is there takes part", PASS + "warp_operations.cpp", " && !asks_only(call)) announce", ") announce"),
    ("conditions are left out", PASS + "region_accesses.cpp", "a.when = w.when == kUnknown ? unknown() : w.when;", "a.when = kAlways;"),
    ("conditions are turned round", PASS + "region_conditions.cpp", "return is ? found : add(loop_test::neither, found, 0);", "return !is ? found : add(loop_test::neither, found, 0);"),
    ("accesses of an unlisted block are made unseen", PASS + "region_accesses.cpp", "never_.push_back(condition);", "(void)condition;"),
    ("turns of loops are left out", PASS + "region_accesses.cpp", "a.turns = static_cast<std::int32_t>(turns_around(p.by->getParent()));", "a.turns = 0;"),
    ("writes are reads", PASS + "region_accesses.cpp", "a.write = write;", "a.write = 0;"),
    ("loops run once less", PASS + "region_turns.cpp", "b.CreateAdd(b.CreateZExt(back, b.getInt64Ty()), b.getInt64(1))", "b.CreateZExt(back, b.getInt64Ty())"),
    ("numbers of 32 bits never wrap", PASS + "affine.cpp", "rely_on({a, is_signed ? -half : 0, is_signed ? half - 1 : 2 * half - 1});", "(void)half;"),
    ("nobody needs a range that some threads need", PASS + "region_conditions.cpp", "always_.push_back(add(loop_test::either, at->second, add(loop_test::neither, n.when, 0)));", "(void)at;"),
    ("ranges that accesses need are forgotten", PASS + "region_accesses.cpp", "needed_.append(needed_of_access_);", ""),
    ("a range holds for all if it does for some", RUN + "loop_lanes.cpp", "surely.keep(below);", "surely.join(below);"),
    ("a column and a row never meet", CHECK + "batch_apart.cpp", "return i < n && apart.first + apart.by * i < to && apart.first + apart.by * i + apart.size > from;", "return false;"),
    ("diagonals lie between each other", CHECK + "deferred_shared.cpp", "return behind >= before.fact.size && behind + now.fact.size <= step;", "return true;"),
    ("steps of loops are left out", PASS + "affine.cpp", "f->factor[turn->second] = by;", ""),
    ("barriers are not announced", PASS + "cut.cpp", "announce_barrier(k_, once, barrier->second);", "(void)barrier;"),
    ("behind operations of warps, each warp announces the barrier", PASS + "cut.cpp", "announce_barrier(k_, once, barrier->second);", "announce_barrier(k_, *n.after, barrier->second);"),
    ("shared memory is forgotten while a block waits for the grid", RUN + "checked_loops.cpp", "if (f.thread.observed != nullptr) judge().loops_wait_at_grid(*f.thread.observed);", ""),
    ("who runs is forgotten while a block waits for the grid", RUN + "checked_loops.cpp", "running = mine;", "(void)mine;"),
    ("the cursor stays with the block that ran last", RUN + "checked_loops.cpp", "f.range = &running.range;\n  restore_cursor(f);", "f.range = &running.range;"),
    ("operations of warps are not announced", PASS + "warp_operations.cpp", "if (watched_ && !o.shuffles && !asks_only(call)) announce(o, *m_.of(&call), masks, nullptr);", "(void)asks_only;"),
    ("shuffles are not announced", PASS + "warp_operations.cpp", "announce(o, *mine, masks, sources);", "(void)masks;"),
    ("shuffles from lanes that are known are not announced", PASS + "warp_operations.cpp", "if (watched_) announce(o, masks == nullptr ? *gives : *m_.of(&call), masks, asked_for(call));", ""),
    ("warps begin at multiples of their size", PASS + "affine.cpp", "  whole_warps_.push_back(f->base);\n", ""),
    ("numbers of threads are never negative", PASS + "affine.cpp", "  rely_on(not_negative(*f, bits));\n  whole_warps_", "  whole_warps_"),
    ("rows of warps are counted by lanes", PASS + "affine.cpp", "part.base = b_.CreateLShr(f->base, shift);", "part.base = b_.CreateLShr(f->base, shift), part.factor[0] = step;"),
    ("lanes are numbered through the block", PASS + "affine.cpp", "part.base = b_.CreateAnd(f->base, (std::uint64_t{1} << shift) - 1);", "part.base = f->base;"),
    ("all lanes ask for their own value", PASS + "warp_operations.cpp", "b.CreateStore(source, element(sources, number_, *mine, b));", "b.CreateStore(b.CreateTrunc(nests_[mine].lane, number_), element(sources, number_, *mine, b));"),
    ("a tile is a warp", RUN + "checked_loops.cpp", "const std::uint32_t first_tile = tile == kLanes ? ~0U : (1U << tile) - 1;", "tile = kLanes; const std::uint32_t first_tile = ~0U;"),
    ("who is there is who is named", RUN + "checked_loops.cpp", "if ((live & mask) != 0) announce_meeting(b, warp, static_cast<warp_op>(op), mask, live & mask, sources, pc);", "if ((live & mask) != 0) announce_meeting(b, warp, static_cast<warp_op>(op), live & mask, live & mask, sources, pc);"),
    ("all warps begin with thread 0", RUN + "loop_proofs.cpp", "number(of_warp ? region_->rank : region_->first)", "of_warp ? 0 : number(region_->first)"),
    ("warps lie in one row", PASS + "region_accesses.cpp", "place(b.CreateZExt(warp_->in_a_row, b.getInt64Ty()))", "place(b.getInt64(1))"),
    ("every warp is the first", RUN + "checked_loops.cpp", "const auto warp = static_cast<std::int32_t>(first / kLanes);\n  const std::uint32_t first_tile", "const std::int32_t warp = static_cast<std::int32_t>(first * 0);\n  const std::uint32_t first_tile"),
    ("accesses in loops are announced when these are simplified once more", PASS + "watched_region.cpp", "    tell_watched_accesses(k.f, blocks_of(n, now));", "    (void)0;"),
    ("threads are not announced", PASS + "watched_region.cpp", "announce_threads(k, r, n);", ""),
    ("threads that leave are not announced", PASS + "cut.cpp", "if (watched_) announce_leaving(k_, r, n, b.CreateNot(stays));", ""),
    ("what is mixed is not made", RUN + "loop_proofs.cpp", "if (made == truth::no) continue;", "if (made != truth::yes) continue;"),
    ("nothing is committed", RUN + "loop_proofs.cpp", "d->judge_of_batches()->commit(*asked_, positions_, 0);", ""),
    ("rows are all the first", RUN + "loop_entries.cpp", "f.row_stride = batch_.in_rows ? row : 0;", "f.row_stride = 0;"),
    ("the first thread of a stretch is thread 0", RUN + "loop_proofs.cpp", "number(of_warp ? region_->rank : region_->first)", "of_warp ? number(region_->rank) : 0"),
    ("numbers that loops count by never wrap", RUN + "loop_proofs.cpp", "|| last > number(t.most)))\n      return false;", "|| false))\n      return false;"),
    ("all threads at one word are apart from one of them", CHECK + "deferred_shared.cpp", "is_linear(now) && (stride >= size || stride <= -size)) {", "is_linear(now)) {"),
    ("loops of threads that begin elsewhere run alike", RUN + "loop_proofs.cpp", "varying_ |= 1U << i;", ""),
    ("where threads turn differently often, all make each turn", RUN + "loop_lanes.cpp", "some.keep(again);", ""),
    ("turns of such loops all touch the first one's bytes", RUN + "loop_entries.cpp", "batch_.facts[k].base += by;", "(void)k;"),
    ("a loop that asks before its step ends a turn early", PASS + "region_turns.cpp", "bound.base = b.CreateAdd(bound.base, step->base);", ""),
    ("a complement is the opposite", PASS + "affine.cpp", "b_.getInt64(is_signed || bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1)", "b_.getInt64(0)"),
    ("an access goes to the first of its places only", PASS + "region_accesses.cpp", "for (const way& w : ways) describe(whole, w, size, write);", "describe(whole, ways.front(), size, write);"),
    ("whoever comes by any way goes to all places", PASS + "region_choices.cpp", "when_on_edge(phi->getIncomingBlock(n), phi->getParent())", "kAlways"),
    ("cases are the other ones", PASS + "region_conditions.cpp", "if ((c.getCaseSuccessor() == to) == others) continue;", "if ((c.getCaseSuccessor() == to) != others) continue;"),
    ("none of some cases is one of them", PASS + "region_conditions.cpp", "return others ? add(loop_test::neither, found, 0) : found;", "return found;"),
    ("a batch comes again whatever its fixed numbers", RUN + "known_batches.cpp", "if (k.fixed[i] != number(h.fixed[i])) return false;", ""),
    ("numbers move without bounds", RUN + "known_batches.cpp", "d < o.low || d > o.high) return false;", "false) return false;"),
    ("addresses do not move with their numbers", RUN + "known_batches.cpp", "f.base += by;", ""),
    ("a silent read is silent wherever it moves", RUN + "known_batches.cpp", "now + static_cast<std::uint64_t>(s.high)))\n      return false;", "now + static_cast<std::uint64_t>(s.high)))\n      continue;"),
    ("all columns of a matrix are others", RUN + "known_batches.cpp", "return behind >= p.width && behind + q.width <= pitch;", "return true;"),
    ("entries that move apart say the same of each other", RUN + "known_batches.cpp", "if (different != 0 && !stay_apart(k)) return false;", ""),
    ("planes follow each other", RUN + "loop_entries.cpp", "p * (z - row * extent_.y)", "0 * p"),
    ("turns that go elsewhere are one entry, too", RUN + "loop_entries.cpp", "if (factor(3 + t) == 0) {", "if (turns[t] > 0) {"),
    ("rows and columns of one matrix never meet", CHECK + "batch_apart.cpp", "if (a->first < c->second && c->first < a->second) return true;", ""),
    ("some threads are all", CHECK + "deferred_shared.cpp", "now.fact.base = first;", "now.first = batch.first->rank; now.positions = positions; (void)first;"),
    ("what the block did since its last barrier is over", CHECK + "quiet_rule.hpp", "when < block.first_epoch || when >= block.base)", "when < block.first_epoch)"),
    ("what others did since the block began is over at its barrier", CHECK + "quiet_rule.hpp", "if (when != past && !is_of(block, when)) return false;", ""),
    ("a piece is known whatever came before it", CHECK + "deferred_shared.cpp", "found_ = at_->usual;", "found_ = first_step_.usual;"),
    ("a known piece is known with or without a barrier before it", CHECK + "deferred_shared.cpp", "s.barrier == barrier && s.arrays", "s.arrays"),
    ("what a block did by known pieces is not looked up", CHECK + "deferred_shared.cpp", "if (at_ == nullptr || at_ == shown_) return;", "return;"),
    ("known pieces are all one", CHECK + "deferred_shared.cpp", "return s.same == batch.same && ", "return "),
    ("words of earlier intervals are forgotten", CHECK + "deferred_shared.cpp", "if (b.barriers > began_) record_old_words();", ""),
    ("accesses since the barrier are forgotten", CHECK + "deferred_shared.cpp", "recorder.record_alone(batch, e.positions);", ""),
    ("all of shared memory is written", CHECK + "deferred_shared.cpp", "return (words_[i] & m) == m; });", "return (words_[i] & m) == m || m != 0; });"),
    ("pieces of an interval do not meet", CHECK + "deferred_shared.cpp", "if (!is_apart(before, now)) return false;", ""),
    ("arrays in shared memory have no end", CHECK + "block_state.hpp", "return from - a.base < a.size && to - a.base <= a.size; };", "return from - a.base < a.size + 8192; };"),
    ("single threads are apart from all", CHECK + "batch_apart.cpp", "return one < positions && one == b_->only_position(b, positions);", "return one < positions;"),
    ("parts of two accesses never overlap", CHECK + "batch_apart.cpp", "if (p.to <= q.from || q.to <= p.from) return true;", "return true;"),
    ("updates are forgotten", CHECK + "deferred_shared.cpp", "if (updated) record_updates();", "(void)updated;"),
    ("updates and plain accesses of a piece do not meet", CHECK + "deferred_shared.cpp", "if (updates_.is_of(b_->barriers) && updates_.meets(e.from, e.to)) return false;", ""),
    ("updates do not meet what was before", CHECK + "deferred_singles.cpp", "if (b_->barriers == since_ && std::ranges::any_of(log_, [&](const entry& o) { return o.where.meets(e); }))\n      return false;", ""),
    ("a known piece is known beside updates", CHECK + "deferred_shared.cpp", "if (updates_.is_of(b_->barriers)) return false;", ""),
    ("updates of what nobody wrote are in order", CHECK + "deferred_singles.cpp", "updates_.add_array(e.from, e.to, size, is_written(e.from, e.to));", "updates_.add_array(e.from, e.to, size, true);"),
    ("updates are all by the first thread", CHECK + "shared_updates.hpp", "rank << kWordBits |", ""),
    ("updates of all sizes are alike", CHECK + "shared_updates.hpp", "if (a.size != s.size || !(a.written || written())) return false;", "if (!(a.written || written())) return false;"),
    ("updates stay put off behind operations of warps", CHECK + "barriers.cpp", "void warp_sync(block_state& b, int warp, std::uint32_t mask) {\n  close_deferred(b);", "void warp_sync(block_state& b, int warp, std::uint32_t mask) {"),
    ("single accesses meet nothing", CHECK + "deferred_singles.cpp", "if (log_.size() >= kMostSingles || !may_take(now)) return false;", "if (log_.size() >= kMostSingles) return false;"),
    ("what a single thread writes is apart from all", CHECK + "deferred_shared.cpp", "return of_first_thread(before) == of_first_thread(now);", "return before.positions == 1 || of_first_thread(before) == of_first_thread(now);"),
    ("single writes leave a block as its last piece says", CHECK + "deferred_singles.cpp", "if (write) resumed_ = nullptr;", ""),
    ("single writes are not noted", CHECK + "deferred_singles.cpp", "if (!goes_on(now)) return record(now), true;", "if (!goes_on(now)) { if (!write) record(now); return true; }"),
    ("lone accesses are not announced", PASS + "watched_region.cpp", "announced.push_back(b.CreateCall(tell, {getLoadStorePointerOperand(i)}));", "(void)tell;"),
    ("lone accesses are all by one thread", RUN + "checked_loops.cpp", "access_cursor& c = begin_thread(b, rank, x, y, z);", "access_cursor& c = begin_thread(b, 0, x, y, z); (void)rank;"),
    ("lone accesses come before the rest is recorded", RUN + "loop_proofs.cpp", "if (r.lone != 0) commit();", ""),
    ("what a piece with lone accesses writes first is written early", RUN + "loop_proofs.cpp", "batch_.written_before = region_->lone != 0;", ""),
    ("what orders is a lone access", PASS + "region_accesses.cpp", "order != nullptr && order->isZero() &&", "order != nullptr &&"),
    ("copies write nothing", PASS + "region_copies.cpp", "part, s.size, s.write);", "part, s.size, false);"),
    ("memcpy reads where it writes", PASS + "prepare.cpp", "getKnownAlignment(to, layout), from, getKnownAlignment(from, layout),", "getKnownAlignment(to, layout), to, getKnownAlignment(to, layout),"),
    ("a copy is its first piece", PASS + "region_copies.cpp", "from < bytes; from += s.size)", "from < s.size; from += s.size)"),
    ("pieces of a copy all lie at its beginning", PASS + "region_copies.cpp", "b.CreateAdd(w.address.base, b.getInt64(from))", "b.CreateAdd(w.address.base, b.getInt64(0))"),
    ("lone copies are not announced", PASS + "watched_region.cpp", "announced.push_back(announce_copy(k, *copy, ConstantPointerNull::get(b.getPtrTy()), b));", ""),
    ("a bit that is turned is always set", PASS + "region_bits.cpp", "return {{nullptr, clear, with}, {nullptr, set, without}};", "return {{nullptr, clear, with}, {nullptr, set, with}};"),
    ("joined pieces are the first one", PASS + "region_copies.cpp", "described_[k].size = static_cast<std::int32_t>(whole);", "(void)whole;"),
    ("numbers that are added before a shift are left out", PASS + "affine.cpp", "f.base = b_.getInt64(number->ashr(bits).getZExtValue());", "f.base = b_.getInt64(0);"),
    ("writers of members never race", CHECK + "structure_rows.cpp", "  } else if (!own && !ordered) {", "  } else if (false) {"),
    ("all threads make the turns that any makes", PASS + "unwatched_turns.cpp", "b.CreateCondBr(again, header, behind);", "b.CreateCondBr(b.getTrue(), header, behind);"),
    ("in the turns of others no index wraps", RUN + "loop_proofs.cpp", "return last <= limit ? first_loop_.turns : 0;", "return first_loop_.turns;"),
    ("each turn has the first one's index", PASS + "unwatched_turns.cpp", "Value* const here = b.CreateAdd(i.first, passed, \"index\");", "Value* const here = b.CreateAdd(i.first, b.CreateMul(passed, b.getIntN(passed->getType()->getIntegerBitWidth(), 0)), \"index\");"),
    ("loops end where they did in the block before", RUN + "known_batches.cpp", "add_bound(k.bounds, a, b, distance + low, distance + high);", "(void)distance;"),
    ("groups of blocks are asked for a block's width", PASS + "wide_blocks.cpp", "!counts_only(*width, {place, count}) || ", "!counts_only(*count, {width}) || "),
    ("blocks with memory of their own run in groups", PASS + "wide_blocks.cpp", "!only_computes(f) || ", ""),
    ("strides of the grid take groups of any number", PASS + "wide_blocks.cpp", "return count->use_empty() ? joins::yes : joins::evenly;", "return joins::yes;"),
    ("a group's blocks are all its first", CHECK + "agents.hpp", " + rank % row / width", ""),
    ("a group's threads are named by their rank in it", CHECK + "agents.hpp", "rank / row * width + rank % width", "rank"),
    ("groups begin anywhere", "sim/exec/launch.hpp", "x % l.joined == 0 && ", ""),
    ("a barrier leaves what was before", CHECK + "deferred_shared.cpp", "if (barrier_) pass_barrier();", ""),
]


PARTS = ["loops", "bits", "guards", "dropped", "strides", "joined", "structures", "updates", "grid_loops", "warp_loops"]

if __name__ == "__main__":
    targets = [f"checked_{part}.check" for part in PARTS]
    sys.exit(table.main(table.table(MUTATIONS), lambda a, _: bench(a.build, targets, table.test_passes), __doc__))
