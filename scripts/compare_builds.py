#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times two builds of simrun in turns, program by program, and prints new / old: is anything slower than before?

usage: scripts/compare_builds.py OLD_SIMRUN NEW_SIMRUN [--rounds N] [--workers N] [--only TEXT,TEXT...]

Each round runs old, new, new, old, so that a machine that drifts is unfair to nobody. A figure is the fastest launch of
`simrun bench --repeat 3`; the ratio is the median over the rounds, with its smallest and largest. Results are outputs of
two processes on one machine: quote ratios, never milliseconds.
"""
import argparse, json, math, pathlib, statistics, subprocess, sys, tempfile

PROGRAMS = [
    "saxpy --n 16777216", "mult --n 16777216", "reduce --n 16777216 --block 256", "matmul --m 512 --k 512 --n 512",
    "matmul-tiled --m 512 --k 512 --n 512", "hist --samples 1000000 --bins 150", "transpose-tiled --n 4096",
    "nbody --n 4096", "scan", "softmax", "bitonic-sort", "warp-reduce",
]


def fastest(tool, program, check, workers, folder):
    """Milliseconds of the fastest of three launches."""
    report = folder / "bench.json"
    command = [tool, "bench", *program.split(), "--workers", str(workers), "--repeat", "3", "--quiet", "--json", report]
    if check:
        command += ["--check", "races"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 3):
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}: {done.stderr.strip()}")
    return json.loads(report.read_text())["kernel_ms"]["min"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    chosen = [p for p in PROGRAMS if any(text in p for text in args.only.split(","))]
    if not chosen:
        sys.exit(f"--only {args.only}: none of {', '.join(p.split()[0] for p in PROGRAMS)}")
    print("| program | variant | old ms | new ms | new / old (min - max) |\n|---|---|--:|--:|--:|")
    logs = []
    with tempfile.TemporaryDirectory() as folder:
        for program in chosen:
            for check in (False, True):
                old, new, ratios = [], [], []
                for _ in range(args.rounds):
                    a = [fastest(t, program, check, args.workers, pathlib.Path(folder))
                         for t in (args.old, args.new, args.new, args.old)]
                    old += [a[0], a[3]]
                    new += [a[1], a[2]]
                    ratios.append(min(a[1], a[2]) / min(a[0], a[3]))
                logs.append(math.log(statistics.median(ratios)))
                print(f"| {program} | {'check' if check else 'sim'} | {min(old):.3g} | {min(new):.3g} | "
                      f"{statistics.median(ratios):.2f} ({min(ratios):.2f} - {max(ratios):.2f}) |", flush=True)
    print(f"\nGeometric mean of new / old: {math.exp(sum(logs) / len(logs)):.3f}, worst {math.exp(max(logs)):.2f}.")


if __name__ == "__main__":
    main()
