#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks what checked loops rest on (the pass's lists of accesses, the runtime's proofs), one way at a time, and checks
that checked_loops.cpp or checked_warp_loops.cpp notices each.

Usage: tests/compile/checked_mutations.py BUILD [--only TEXT] [--verify]
BUILD: a build with clang of THIS tree, whose sources are changed while it runs: take a clone of your own. --verify only
looks whether each text that a mutation replaces is there, once.
"""
import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "unit" / "check"))
sys.dont_write_bytecode = True
from mutations import broken  # the detector's: white space and line breaks do not count

PASS, RUN, CHECK = "sim/compile/", "sim/instrument/", "sim/check/"
MUTATIONS = [  # what breaks, file, text, its replacement
    ("conditions are left out", PASS + "region_accesses.cpp", "a.when = condition;", "a.when = kAlways;"),
    ("conditions are turned round", PASS + "region_conditions.cpp", "return is ? found : add(loop_test::neither, found, 0);", "return !is ? found : add(loop_test::neither, found, 0);"),
    ("accesses of an unlisted block are made unseen", PASS + "region_accesses.cpp", "never_.push_back(condition);", "(void)condition;"),
    ("turns of loops are left out", PASS + "region_accesses.cpp", "a.turns = static_cast<std::int32_t>(turns_around(bb));", "a.turns = 0;"),
    ("writes are reads", PASS + "region_accesses.cpp", "a.write = write;", "a.write = 0;"),
    ("loops run once less", PASS + "region_accesses.cpp", "b.CreateAdd(b.CreateZExt(back, b.getInt64Ty()), b.getInt64(1))", "b.CreateZExt(back, b.getInt64Ty())"),
    ("numbers of 32 bits never wrap", PASS + "affine.cpp", "ranges_.push_back({a, is_signed ? -half : 0, is_signed ? half - 1 : 2 * half - 1});", "(void)half;"),
    ("steps of loops are left out", PASS + "affine.cpp", "f->factor[turn->second] = by;", ""),
    ("barriers are not announced", PASS + "cut.cpp", "announce_barrier(k_, r.in != nullptr ? *r.in->after : *n.after, barrier->second);", "(void)barrier;"),
    ("behind operations of warps, each warp announces the barrier", PASS + "cut.cpp", "announce_barrier(k_, r.in != nullptr ? *r.in->after : *n.after, barrier->second);", "announce_barrier(k_, *n.after, barrier->second);"),
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
    ("what is mixed is not made", RUN + "loop_proofs.cpp", "if (made == truth::no || is_silent(b, a, made)) continue;", "if (made != truth::yes) continue;"),
    ("nothing is committed", RUN + "loop_proofs.cpp", "d->judge_of_batches()->commit(*asked_, positions_, 0);", ""),
    ("rows are all the first", RUN + "loop_proofs.cpp", "f.row_stride = batch_.in_rows ? row : 0;", "f.row_stride = 0;"),
    ("the first thread of a stretch is thread 0", RUN + "loop_proofs.cpp", "number(of_warp ? region_->rank : region_->first)", "of_warp ? number(region_->rank) : 0"),
    ("loops of threads that begin elsewhere run alike", RUN + "loop_proofs.cpp", "if (turns(least) != turns(most)) return false;", ""),
    ("a batch comes again whatever its numbers", RUN + "loop_proofs.cpp", "if (again && !k.numbers.empty() && is_same(k.extent, b.launch->block) && std::equal(k.numbers.begin(), k.numbers.end(), numbers_)) {", "if (!k.numbers.empty()) {"),
    ("words of earlier intervals are forgotten", CHECK + "deferred_shared.cpp", "if (b.barriers > began_) record_old_words();", ""),
    ("accesses since the barrier are forgotten", CHECK + "deferred_shared.cpp", "recorder.record_alone(batch, e.positions);", ""),
    ("all of shared memory is written", CHECK + "deferred_shared.cpp", "return (words_[i] & m) == m; });", "return (words_[i] & m) == m || m != 0; });"),
    ("pieces of an interval do not meet", CHECK + "deferred_shared.cpp", "if (!is_apart(before, batch, k, positions, e)) return false;", ""),
    ("arrays in shared memory have no end", CHECK + "deferred_shared.cpp", "return e.from - a.base < a.size && e.to - a.base <= a.size; };", "return e.from - a.base < a.size + 8192; };"),
    ("a barrier leaves what was before", CHECK + "deferred_shared.cpp", "if (b_->barriers == since_) return;", "return;"),
]


def passes(build):
    tests = ["checked_loops.check", "checked_warp_loops.check"]
    if subprocess.run(["ninja", "-C", build, *tests], capture_output=True).returncode != 0:
        return False
    try:
        return all(subprocess.run([build / "bin" / test], capture_output=True, timeout=120).returncode == 0 for test in tests)
    except subprocess.TimeoutExpired:
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?")
    parser.add_argument("--only", default="")
    parser.add_argument("--verify", action="store_true")
    args = parser.parse_args()
    mutations = [m for m in MUTATIONS if args.only in m[0]]
    wrong = 0
    for what, name, old, new in mutations:
        try:
            broken((ROOT / name).read_text(), what, old, new)
        except ValueError as error:
            print(f"{name}: {error}")
            wrong += 1
    print(f"{wrong} of {len(mutations)} mutations do not fit the sources")
    if wrong or args.verify:
        return 1 if wrong else 0
    build = pathlib.Path(args.build).resolve()
    if not passes(build):
        sys.exit("the unbroken tree fails its own test")
    missed = 0
    for what, name, old, new in mutations:
        text = (ROOT / name).read_text()
        try:
            (ROOT / name).write_text(broken(text, what, old, new))
            caught = not passes(build)
        finally:
            (ROOT / name).write_text(text)
        print(f"{'caught' if caught else 'MISSED'}  {what}", flush=True)
        missed += not caught
    print(f"{missed} of {len(mutations)} broken forms went unnoticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
