#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks what checked loops rest on (the pass's lists of accesses, the runtime's proofs), one way at a time, and checks
that checked_loops.cpp notices each.

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
    ("barriers are not announced", PASS + "cut.cpp", "announce_barrier(k_, n, barrier->second);", ""),
    ("threads are not announced", PASS + "watched_region.cpp", "announce_threads(k, r, n);", ""),
    ("threads that leave are not announced", PASS + "cut.cpp", "if (watched_) announce_leaving(k_, r, n, b.CreateNot(stays));", ""),
    ("what is mixed is not made", RUN + "loop_proofs.cpp", "if (made == truth::no) continue;", "if (made != truth::yes) continue;"),
    ("nothing is committed", RUN + "loop_proofs.cpp", "d->judge_of_batches()->commit(*asked_, positions_, 0);", ""),
    ("rows are all the first", RUN + "loop_proofs.cpp", "f.row_stride = batch_.in_rows ? row : 0;", "f.row_stride = 0;"),
    ("the first thread of a stretch is thread 0", RUN + "loop_proofs.cpp", "batch.first = state_at(b.observed->states, number(region_->first));", "batch.first = b.observed->states;"),
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
    if subprocess.run(["ninja", "-C", build, "checked_loops.check"], capture_output=True).returncode != 0:
        return False
    try:
        done = subprocess.run([build / "bin" / "checked_loops.check"], capture_output=True, timeout=120)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


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
