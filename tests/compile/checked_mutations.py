#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks what checked loops rest on (the pass's lists of accesses, the runtime's proofs), one way at a time, and checks
that checked_loops.cpp, checked_grid_loops.cpp or checked_warp_loops.cpp notices each.

Usage: tests/compile/checked_mutations.py BUILD [--only TEXT] [--sample N --seed S] [--verify]
BUILD: a build with clang of THIS tree, whose sources are changed while it runs, so one job only: take a clone of your
own.
"""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "mutation"))
sys.dont_write_bytecode = True
import table

PASS, RUN, CHECK = "sim/compile/", "sim/instrument/", "sim/check/"
MUTATIONS = [  # what breaks, file, text, its replacement
    ("conditions are left out", PASS + "region_accesses.cpp", "a.when = p.when == kUnknown ? unknown() : p.when;", "a.when = kAlways;"),
    ("conditions are turned round", PASS + "region_conditions.cpp", "return is ? found : add(loop_test::neither, found, 0);", "return !is ? found : add(loop_test::neither, found, 0);"),
    ("accesses of an unlisted block are made unseen", PASS + "region_accesses.cpp", "never_.push_back(condition);", "(void)condition;"),
    ("turns of loops are left out", PASS + "region_accesses.cpp", "a.turns = static_cast<std::int32_t>(turns_around(i.getParent()));", "a.turns = 0;"),
    ("writes are reads", PASS + "region_accesses.cpp", "a.write = write;", "a.write = 0;"),
    ("loops run once less", PASS + "region_turns.cpp", "b.CreateAdd(b.CreateZExt(back, b.getInt64Ty()), b.getInt64(1))", "b.CreateZExt(back, b.getInt64Ty())"),
    ("numbers of 32 bits never wrap", PASS + "affine.cpp", "ranges_.push_back({a, is_signed ? -half : 0, is_signed ? half - 1 : 2 * half - 1});", "(void)half;"),
    ("steps of loops are left out", PASS + "affine.cpp", "f->factor[turn->second] = by;", ""),
    ("barriers are not announced", PASS + "cut.cpp", "announce_barrier(k_, once, barrier->second);", "(void)barrier;"),
    ("behind operations of warps, each warp announces the barrier", PASS + "cut.cpp", "announce_barrier(k_, once, barrier->second);", "announce_barrier(k_, *n.after, barrier->second);"),
    ("shared memory is forgotten while a block waits for the grid", RUN + "checked_loops.cpp", "if (f.thread.observed != nullptr) judge().loops_are_watched(*f.thread.observed);", ""),
    ("who runs is forgotten while a block waits for the grid", RUN + "checked_loops.cpp", "running = mine;", "(void)mine;"),
    ("the cursor stays with the block that ran last", RUN + "checked_loops.cpp", "f.range = &running.range;\n  restore_cursor(f);", "f.range = &running.range;"),
    ("operations of warps are not announced", PASS + "warp_operations.cpp", "if (watched_ && !o.shuffles) announce(o, *m_.of(&call), nullptr);", ""),
    ("shuffles are not announced", PASS + "warp_operations.cpp", "announce(o, *mine, sources);", ""),
    ("all lanes ask for their own value", PASS + "warp_operations.cpp", "b.CreateStore(source, element(sources, number_, *mine, b));", "b.CreateStore(b.CreateTrunc(nests_[mine].lane, number_), element(sources, number_, *mine, b));"),
    ("a tile is a warp", RUN + "checked_loops.cpp", "const std::uint32_t first_tile = tile == kLanes ? ~0U : (1U << tile) - 1;", "tile = kLanes; const std::uint32_t first_tile = ~0U;"),
    ("who is there is who is named", RUN + "checked_loops.cpp", "announce_meeting(b, warp, static_cast<warp_op>(op), mask, live & mask, sources, pc);", "announce_meeting(b, warp, static_cast<warp_op>(op), live & mask, live & mask, sources, pc);"),
    ("all warps begin with thread 0", RUN + "loop_proofs.cpp", "number(of_warp ? region_->rank : region_->first)", "of_warp ? 0 : number(region_->first)"),
    ("warps lie in one row", PASS + "region_accesses.cpp", "place(b.CreateZExt(warp_->in_a_row, b.getInt64Ty()))", "place(b.getInt64(1))"),
    ("every warp is the first", RUN + "checked_loops.cpp", "const auto warp = static_cast<std::int32_t>(first / kLanes);", "const std::int32_t warp = static_cast<std::int32_t>(first * 0);"),
    ("threads are not announced", PASS + "watched_region.cpp", "announce_threads(k, r, n);", ""),
    ("threads that leave are not announced", PASS + "cut.cpp", "if (watched_) announce_leaving(k_, r, n, b.CreateNot(stays));", ""),
    ("what is mixed is not made", RUN + "loop_proofs.cpp", "if (made == truth::no) continue;", "if (made != truth::yes) continue;"),
    ("nothing is committed", RUN + "loop_proofs.cpp", "d->judge_of_batches()->commit(*asked_, positions_, 0);", ""),
    ("rows are all the first", RUN + "loop_proofs.cpp", "f.row_stride = batch_.in_rows ? row : 0;", "f.row_stride = 0;"),
    ("the first thread of a stretch is thread 0", RUN + "loop_proofs.cpp", "number(of_warp ? region_->rank : region_->first)", "of_warp ? number(region_->rank) : 0"),
    ("turns that some threads make are nobody's", RUN + "loop_proofs.cpp", "if (turns(least) != turns(most) && !find_uneven(i, turns(least), turns(most))) return false;", "high_[3 + i] = turns(least) - 1;"),
    ("turns that some threads make are everybody's", RUN + "loop_proofs.cpp", "if (turns(least) != turns(most) && !find_uneven(i, turns(least), turns(most))) return false;", ""),
    ("who makes no turn behind the guard makes one in the loop", RUN + "loop_lanes.cpp", "if (some != 0) who.keep(batch_.some[some - 1]);", ""),
    ("a loop that asks before its step ends a turn early", PASS + "region_turns.cpp", "bound.base = b.CreateAdd(bound.base, step->base);", ""),
    ("a complement is the opposite", PASS + "affine.cpp", "b_.getInt64(is_signed || bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1)", "b_.getInt64(0)"),
    ("an access goes to the first of its places only", PASS + "region_accesses.cpp", "for (const place_of_access& p : where) {", "for (const place_of_access& p : where.take_front(1)) {"),
    ("whoever comes by any way goes to all places", PASS + "region_accesses.cpp", "if (!find_places(phi->getIncomingValue(n), both(known, way), all)) return false;", "if (!find_places(phi->getIncomingValue(n), known, all)) return false;"),
    ("cases are the other ones", PASS + "region_conditions.cpp", "if ((c.getCaseSuccessor() == to) == others) continue;", "if ((c.getCaseSuccessor() == to) != others) continue;"),
    ("none of some cases is one of them", PASS + "region_conditions.cpp", "return others ? add(loop_test::neither, found, 0) : found;", "return found;"),
    ("a batch comes again whatever its fixed numbers", RUN + "known_batches.cpp", "if (k.fixed[i] != number(h.fixed[i])) return false;", ""),
    ("numbers move without bounds", RUN + "known_batches.cpp", "d < o.low || d > o.high) return false;", "false) return false;"),
    ("addresses do not move with their numbers", RUN + "known_batches.cpp", "f.base += by;", ""),
    ("a silent read is silent wherever it moves", RUN + "known_batches.cpp", "now + static_cast<std::uint64_t>(s.high)))\n      return false;", "now + static_cast<std::uint64_t>(s.high)))\n      continue;"),
    ("entries that move apart say the same of each other", RUN + "known_batches.cpp", "if (different != 0 && !stay_apart(k)) return false;", ""),
    ("turns that go elsewhere are one entry, too", RUN + "loop_proofs.cpp", "if (factor(3 + t) == 0) {", "if (turns[t] > 0) {"),
    ("rows and columns of one matrix never meet", CHECK + "batch_proof.cpp", "if (a->first < c->second && c->first < a->second) return true;", ""),
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
    ("arrays in shared memory have no end", CHECK + "deferred_shared.cpp", "return e.from - a.base < a.size && e.to - a.base <= a.size; };", "return e.from - a.base < a.size + 8192; };"),
    ("a barrier leaves what was before", CHECK + "deferred_shared.cpp", "if (barrier_) pass_barrier();", ""),
]


class bench:
    """This tree and its build."""

    def __init__(self, arguments, _):
        if arguments.jobs != 1:
            sys.exit("there is one tree: --jobs 1")
        self.build = arguments.build

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def passes(self, file=None, text=None):
        if file is None:
            return self.tests_pass()
        source = table.ROOT / file
        whole = source.read_text()
        try:
            source.write_text(text)
            return self.tests_pass()
        finally:
            source.write_text(whole)

    def tests_pass(self):
        tests = ["checked_loops.check", "checked_grid_loops.check", "checked_warp_loops.check"]
        if subprocess.run(["ninja", "-C", self.build, *tests], capture_output=True).returncode != 0:
            return False
        try:
            return all(subprocess.run([self.build / "bin" / test], capture_output=True, timeout=120).returncode == 0
                       for test in tests)
        except subprocess.TimeoutExpired:
            return False


if __name__ == "__main__":
    sys.exit(table.main(table.table(MUTATIONS), bench, __doc__))
