#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every built-in program through the tool in many sizes and geometries, and with bad input.

Usage: run_programs.py --simrun PATH [--backend sim|cuda] [--checked] [PATTERN]
A right program must stay right whatever the size and geometry, or refuse; so this asks for ragged sizes, blocks of 1,
33 and 1024 threads, single blocks and matrices of one row. A grid that is too small must be told as a wrong result.
--checked runs the programs whose threads share memory under every check instead: ragged, and nothing to find.
Exit 0: all held; 77: no such backend here.
"""
import argparse
import concurrent.futures
import itertools
import json
import os
import subprocess
import sys

MATCH, WRONG, REFUSED = 0, 1, 2


def cases():
    """(program, options, exit code, text that the tool must say), the text only for refusals."""
    out = []

    def add(program, options, code=MATCH, text=""):
        out.append((program, options.split(), code, text))

    # A thread an element: any size, any one-dimensional block.
    one_axis = ["double", "double-grid", "inc", "saxpy", "scan", "decoupled-lookback", "stencil-1d", "nbody", "spmv",
                "bitonic-sort", "reduce --stage 1", "reduce --stage 2", "reduce --stage 3"]
    for program in one_axis:
        name, _, own = program.partition(" ")
        for n, block in [(1, 1), (1, 1024), (2, 33), (31, 32), (33, 32), (997, 1), (1000, 33), (1024, 64), (1025, 1024),
                         (4099, 96)]:
            add(name, f"{own} --n {n} --block {block}")
    for program in ["double", "inc", "saxpy", "stencil-1d", "bitonic-sort"]:
        add(program, "--n 1000 --grid 3 --block 64", WRONG)
        add(program, "--n 1000 --grid 40 --block 64")
        add(program, "--n 100 --block 8,8", REFUSED, "more axes")
        add(program, "--n 100 --grid 2,2", REFUSED, "more axes")
    add("reduce", "--n 1000 --grid 3 --block 64 --stage 2", WRONG)
    add("reduce", "--n 1000 --grid 3 --block 64 --stage 3")
    add("reduce", "--n 16777216 --block 256")
    add("reduce", "--stage 4", REFUSED, "--stage takes 1, 2 or 3")
    add("scan", "--n 1000 --block 64 --shared 16", REFUSED, "bytes of dynamic shared memory")
    add("scan", "--n 1000 --block 64 --shared 4096")
    add("spmv", "--n 1000 --row 0")
    add("inc-partial", "", WRONG)
    add("inc-partial", "--n 6400")
    add("inc-partial", "--n 6401", WRONG)
    add("inc-partial", "--grid 15625")

    # Grid-stride loops: any grid.
    for n, grid, block in [(1, 1, 1), (1, 1024, 1024), (1000, 1, 33), (100003, 7, 1), (100003, 13, 1024)]:
        add("mult", f"--n {n} --grid {grid} --block {block}")
        for bins in (1, 7, 150):
            add("hist", f"--samples {n} --bins {bins} --grid {grid} --block {block}")
            add("hist-shared", f"--samples {n} --bins {bins} --grid {grid} --block {block}")
    add("mult", "--grid 32 --block 256")
    add("mult", "--grid 32 --block 16,16", REFUSED, "more axes")
    for geometry in ["--grid 1 --block 1", "--grid 100 --block 33", "--grid 3,2,2 --block 4,4,4"]:
        add("counter", geometry)

    # Two axes.
    for m, n, block in [(1, 1, "16,16"), (1, 100, "33,1"), (100, 1, "1,33"), (31, 65, "7,5"), (65, 31, "32,32"),
                        (40, 40, "1024"), (33, 34, "1,1024"), (8, 8, "1")]:
        add("double-2d", f"--m {m} --n {n} --block {block}")
        add("stencil-2d", f"--m {m} --n {n} --steps 3 --block {block}")
        add("mandelbrot", f"--m {m} --n {n} --block {block}")
        for k in (1, 37):
            add("matmul", f"--m {m} --k {k} --n {n} --block {block}")
            add("matmul-accumulate", f"--m {m} --k {k} --n {n} --block {block}")
        for program in ("transpose-naive", "transpose-tiled", "transpose-padded"):
            add(program, f"--n {m} --block {block}")
    for program in ["double-2d --m 40 --n 40", "transpose-tiled --n 100", "transpose-naive --n 100",
                    "matmul --m 40 --k 3 --n 40", "mandelbrot --m 40 --n 40"]:
        name, _, own = program.partition(" ")
        add(name, f"{own} --grid 1", WRONG)
        add(name, f"{own} --grid 9,13")
        add(name, f"{own} --block 4,4,4", REFUSED, "more axes")
    add("stencil-2d", "--m 17 --n 19 --steps 1")
    add("stencil-2d", "--m 17 --n 19 --steps 2")

    # Tiles.
    for (m, k, n), tile in itertools.product([(1, 1, 1), (1, 100, 1), (5, 7, 9), (33, 31, 65), (64, 64, 64)], (4, 8, 16, 32)):
        add("matmul-tiled", f"--m {m} --k {k} --n {n} --tile {tile}")
        add("matmul-tiled-256", f"--m {m} --k {k} --n {n} --tile {tile}")
    for m, k, n in [(1, 1, 1), (1, 100, 1), (100, 1, 5), (33, 31, 65)]:
        add("matmul-tiled-32", f"--m {m} --k {k} --n {n}")
    add("matmul-tiled-32", "--grid 8,8", WRONG)
    add("matmul-tiled", "--m 64 --grid 1,1", WRONG)
    add("matmul-tiled", "--block 8,8", REFUSED, "blocks of 16,16 threads only")
    add("matmul-tiled", "--block 8,8 --tile 8")
    add("matmul-tiled", "--tile 5", REFUSED, "--tile takes 4, 8, 16 or 32")
    for program in ("matmul-tiled-32", "matmul-tiled-divergent"):
        add(program, "--block 16,16", REFUSED, "blocks of 32,32 threads only")
    add("matmul-tiled-guard", "--block 32,32", REFUSED, "blocks of 16,16 threads only")
    add("matmul-tiled-guard", "--m 32 --k 32 --n 32")  # nothing ragged: the wrong guard does no harm

    # Sizes that scripts use.
    add("saxpy", "--n 16777216")
    add("matmul-tiled", "--m 512 --k 512 --n 512 --tile 16")
    add("hist", "--samples 1000000 --bins 150")

    # Bad input.
    add("inc", "--block 32,32,32", REFUSED, "1024")
    for program, option in [("double", "n"), ("mult", "n"), ("hist", "samples"), ("hist", "bins"), ("matmul", "m"),
                            ("matmul-tiled", "k"), ("reduce", "n"), ("nbody", "n"), ("spmv", "n"), ("transpose-tiled", "n")]:
        for value in (0, -5):
            add(program, f"--{option} {value}", REFUSED, "at least 1")
        add(program, f"--{option} 4611686018427387904", REFUSED, "do not fit")
    add("inc", "--n 99999999999999999999", REFUSED, "number")
    add("inc", "--n 12x", REFUSED, "whole number")
    add("inc", "--n 1e6", REFUSED, "whole number")
    for geometry in ["--grid 0", "--grid -1", "--block 0", "--grid 1,0", "--block 1,-3"]:
        add("inc", geometry, REFUSED, "at least 1")
    add("inc", "--grid 2147483648", REFUSED, "limit")
    add("double-2d", "--grid 1,65536", REFUSED, "limit")
    add("inc", "--shared 1000000", REFUSED, "shared memory")
    add("hist-shared", "--bins 100000", REFUSED, "shared memory")
    add("matmul", "--m 3000000000 --n 3000000000", REFUSED, "do not fit")
    add("hits", "", REFUSED, "hist")  # the nearest name
    add("hist", "--sample 5 --bin 3", REFUSED, "")
    return out


def checked_cases():
    """As cases(), for --checked."""
    for options in ["reduce --stage 1 --n 1000 --block 33", "reduce --stage 2 --n 1000 --block 100",
                    "reduce --stage 3 --n 5000 --block 33 --grid 4", "scan --n 1000 --block 33",
                    "decoupled-lookback --n 3000 --block 33", "decoupled-lookback --n 3000 --block 64 --schedule random --seed 3",
                    "stencil-1d --n 1000 --block 33", "stencil-2d --m 33 --n 35", "transpose-tiled --n 70 --block 7,5",
                    "transpose-padded --n 70", "hist-shared --samples 5000 --grid 3", "nbody --n 100 --block 33",
                    "bitonic-sort --n 300 --block 33", "spmv --n 200", "mandelbrot --m 20 --n 20 --steps 20",
                    "matmul-tiled --m 33 --k 31 --n 40 --tile 8", "matmul-accumulate --m 20 --k 8 --n 20"]:
        name, *rest = options.split()
        yield name, rest + ["--check", "all"], MATCH, ""


def run(simrun, backend, case):
    """Empty if the case held, else what went wrong."""
    program, options, code, text = case
    command = [simrun, program, *options, "--backend", backend, "--json", "-"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return "no answer in 300 s"
    if done.returncode != code:
        return f"exit {done.returncode}, wanted {code}: {(done.stderr or done.stdout).strip()[-400:]}"
    if code == REFUSED:
        said = " ".join(done.stderr.split())  # the tool wraps its lines
        if not said:
            return "refused without a word"
        return "" if text in said else f"the refusal does not say '{text}': {said}"
    try:
        report = json.loads(done.stdout[done.stdout.index("{"):])
    except ValueError as error:
        return f"no JSON report on standard output: {error}"
    status = report["result"]["status"]
    return "" if status == ("match" if code == MATCH else "mismatch") else f"result is {status}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simrun", required=True)
    parser.add_argument("--backend", default="sim")
    parser.add_argument("--checked", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("pattern", nargs="?", default="")
    args = parser.parse_args()
    todo = [c for c in (checked_cases() if args.checked else cases()) if args.pattern in c[0]]
    probe = [args.simrun, "double", "--backend", args.backend, *(["--check", "all"] if args.checked else [])]
    done = subprocess.run(probe, capture_output=True, text=True)
    if done.returncode == 77:
        print(f"skipped: {done.stderr.strip()}")
        return 77
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for case, wrong in zip(todo, pool.map(lambda c: run(args.simrun, args.backend, c), todo)):
            if wrong:
                failed += 1
                print(f"FAIL {case[0]} {' '.join(case[1])}: {wrong}")
    print(f"{len(todo) - failed} held, {failed} failed")
    return 1 if failed or not todo else 0


if __name__ == "__main__":
    sys.exit(main())
