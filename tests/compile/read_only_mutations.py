#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks what is believed of arrays that a launch only reads (docs/decisions/0033-arrays-that-a-launch-only-reads.md),
one way at a time, and checks that the mutants of tests/cuda_source/read_only_arrays.cu, or the pairs of row_copies.cu,
notice each.

What the pass believes of a kernel's writes is not among them: if that is wrong, a write into an array that was taken for
read only is a store that strays, and the second run finds what is to be found. It costs time only.

Usage: tests/compile/read_only_mutations.py BUILD [--only TEXT] [--verify]
BUILD: a build with clang of THIS tree, whose sources are changed while it runs: take a clone of your own. --verify only
looks whether each text that a mutation replaces is there, once.
"""
import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "mutation"))
sys.dont_write_bytecode = True
from table import broken

PASS, CHECK = "sim/compile/read_only.cpp", "sim/check/launch_reads.cpp"
CHOICES = "sim/compile/region_choices.cpp"
MUTATIONS = [  # what breaks, file, text, its replacement, the tests that have to notice
    ("what was read has no end", PASS, "keep(a.high, Intrinsic::umax,", "keep(a.high, Intrinsic::umin,", "stream_kernel"),
    ("arrays are longer than they are", CHECK, "q.size = a->to - a->from;", "q.size = a->to - a->from + 16;", "out_of_bounds"),
    ("everything is initialised", CHECK, "const bool filled = !d.opt.uninit ||", "const bool filled = true ||", "unwritten"),
    ("what is initialised stays so whatever is copied to it", "sim/check/objects.cpp", "if (write && init) o->initialised = false;", "", "replaced"),
    ("what launches have read is forgotten", CHECK, "all.add(agents.of(l.agent).stream, l.agent, {low, high});", "(void)agents, (void)all;", "stream_kernel|host"),
    ("all is ordered after what was read", CHECK, "if (!agents.ordered_before(l, e.agent)) found.push_back(e.read);", "(void)l, (void)agents;", "stream_part"),
    ("copies may write what launches have read", "sim/check/objects.cpp", "if (write && past_reads.meets(l, agents, address, address + bytes)) reads.doubtful = true;", "", "stream_copy|host"),
    ("stores that stray are not seen", "sim/check/core.hpp", "reads.forbids_write(from, to))", "reads.forbids_write(from, to) && false)", "far_store"),
    ("between arrays that are only read there is nothing else", CHECK, "return is_free && low < high ? address_range{low, high - low}", "return low < high ? unwritten_", "between"),
    ("of two values the first is chosen", CHOICES, "all.push_back({right, is_right});", "(void)right;", "max|min"),
    ("a choice is the other one", CHOICES, "holds(select->getCondition(), true)", "holds(select->getCondition(), false)", "select"),
    ("a truth is always 0", CHOICES, "holds(choice.getOperand(0), true)", "holds(choice.getOperand(0), false)", "truth"),
    ("of ways that come together the first is gone", CHOICES, "all.push_back({phi->getIncomingValue(n),", "if (n > 0) all.push_back({phi->getIncomingValue(n),", "by_data|case"),
    ("of ways that come together the last is gone", CHOICES, "n < phi->getNumIncomingValues()", "n + 1 < phi->getNumIncomingValues()", "by_data|case"),
    ("constants may be written", CHECK, "return std::ranges::any_of(constants_, meets) || ", "return ", "constant_some_own"),
    ("what launches have read of constants is forgotten", CHECK, "if (c.read) all.add(", "if (c.read && false) all.add(", "constant_copy_behind"),
    ("constants have no end", "sim/check/launch_reads.hpp", "if (c == nullptr || c->to - address < size) return false;", "if (c == nullptr) return false;", "constant_some_out"),
    ("constants are settled whatever has been copied to them", CHECK, "o->second.live && is_settled(d, l, o->second, false))", "o->second.live)", "constant_copy_before"),
    ("blocks that do not ask are not watched", CHECK, ": unwritten_at_first_;", ": address_range{};", "stream_table|constant_some_own"),
    # Of copies in rows, whose source is such an array (docs/decisions/0141-copies-go-out-as-rows.md).
    ("copies under way meet nothing", "sim/check/deferred_shared.cpp", "return std::ranges::any_of(copies_.under_way, [&](const copy& c) { return c.what.where.meets(e); });", "return (void)e, false;", "copies"),
    ("threads may touch what they copy in the same piece", "sim/check/batch_proof.cpp", "if (j != k && proofs_[j].from < proofs_[k].to && proofs_[k].from < proofs_[j].to) return false;", "(void)j;", "copies"),
    ("copies that are left are forgotten", "sim/instrument/row_copies.cpp", "executor.copies_of(rank).group = group_;", "under_way_.clear();", "copies"),
    ("nobody writes what copies read", "sim/instrument/loop_copies.cpp", "if (!is_silent(b, from, made)) return false;", "(void)is_silent(b, from, made);", "copies"),
    ("doubts do not matter", "cli/execution.cpp", "if (!first.judged.doubtful ||", "if (true ||", "stream_kernel|far_store"),
]
TARGETS = ["simt_loops", "simrun", "simt_cuda_libraries"]


def passes(build, tests):
    if subprocess.run(["ninja", "-C", build, *TARGETS], capture_output=True).returncode != 0:
        sys.exit("the tree does not build")
    words = ["ctest", "--test-dir", build, "-R", f"cuda_source.(mutant.(read_only|chosen)|pairs.row)_({tests})", "-j2", "--no-tests=error"]
    return subprocess.run(words, capture_output=True).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?")
    parser.add_argument("--only", default="")
    parser.add_argument("--verify", action="store_true")
    args = parser.parse_args()
    mutations = [m for m in MUTATIONS if args.only in m[0]]
    wrong = 0
    for what, name, old, new, _ in mutations:
        try:
            broken((ROOT / name).read_text(), what, old, new)
        except ValueError as error:
            print(f"{name}: {error}")
            wrong += 1
    print(f"{wrong} of {len(mutations)} mutations do not fit the sources")
    if wrong or args.verify:
        return 1 if wrong else 0
    build = pathlib.Path(args.build).resolve()
    missed = 0
    for what, name, old, new, tests in mutations:
        text = (ROOT / name).read_text()
        try:
            (ROOT / name).write_text(broken(text, what, old, new))
            caught = not passes(build, tests)
        finally:
            (ROOT / name).write_text(text)
        print(f"{'caught' if caught else 'MISSED'}  {what}", flush=True)
        missed += not caught
    if not passes(build, ".*"):
        sys.exit("the unbroken tree fails its own tests")
    print(f"{missed} of {len(mutations)} broken forms went unnoticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
