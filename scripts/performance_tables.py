#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmarks and prints the tables of docs/performance.md, or puts them there.

usage: scripts/performance_tables.py [--only TABLE,TABLE...] [--rounds N] [--into docs/performance.md]

  builtin    simrun bench: plain, checked, and their ratio
  barriers   kernels with barriers as loops, on fibers, and by hand
  ways       checked runs as loops and on fibers, one worker
  hand       benchmarks in CUDA source against loops by hand, a table for each file
  updates    additions that nobody reads, with one worker and with two
  check      benchmarks in CUDA source, plain and under --check races, a table for each file
  workers    checked runs with one worker and with as many as there are cores

Each row is the median of the rounds, with the lowest and the highest; the programs that a row compares take turns. Wall
time, but in `hand` and `check`: those run on one worker and count processor time, `hand` on one core. In --into's file a table stands
between <!-- table NAME --> and <!-- end -->; tables that it does not have are printed.

Where no compiler is, compile the programs elsewhere: --build FOLDER makes them and ends, --built FOLDER runs them.
"""
import argparse, datetime, json, os, pathlib, re, statistics, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
BENCHMARKS = ROOT / "tests/bench"
BUILTIN = ["saxpy --n 16777216", "mult --n 16777216", "reduce --n 16777216 --block 256", "matmul --m 512 --k 512 --n 512",
           "matmul-tiled --m 512 --k 512 --n 512", "hist --samples 1000000 --bins 150", "transpose-tiled --n 4096",
           "nbody --n 4096"]
FOR_WORKERS = ["saxpy --n 16777216", "reduce --n 16777216 --block 256", "matmul-tiled --m 512 --k 512 --n 512",
               "hist --samples 4000000 --bins 150", "hist --samples 4000000 --bins 4096", "transpose-tiled --n 4096"]
# By hand, oneTBB's threads wait busily: on other cores their time would be counted against the kernel that follows.
ON_ONE_CORE = ["taskset", "-c", "0"]
ON_BOTH_WAYS = ["reduce --n 16777216 --block 256", "matmul-tiled --m 512 --k 512 --n 512", "saxpy --n 16777216"]
AGAINST_HAND = ["idioms", "usual_kernels", "pixel_and_row_kernels", "tile_and_warp_kernels", "block_algorithms",
                "textbook_kernels", "halo_kernels", "everyday_kernels", "tutorial_kernels", "course_kernels",
                "lane_kernels", "shared_memory_kernels", "warp_and_step_kernels", "tile_load_kernels"]
UNDER_CHECK = ["slow_under_check", "everyday_under_check", "irregular_under_check", "structures_under_check",
               "textbook_under_check", "strides_under_check", "flags_under_check", "programs_under_check",
               "products_under_check"]


def output_of(command):
    """Standard output. Findings (exit code 3) are no failure: some benchmarks have races."""
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in (0, 3):
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}" if value >= 0.1 else f"{value:.2g}"


def median(values):
    return number(statistics.median(values))


def spread(values):
    return f"{number(min(values))} - {number(max(values))}"


class Bench:
    def __init__(self, args):
        self.simrun, self.rounds, self.built = args.simrun, args.rounds, args.built

    def program(self, name, check):
        """The words after `simrun` that run a benchmark: its source, or what --build has made of it."""
        if not self.built:
            return [BENCHMARKS / f"{name}.cu"]
        return [pathlib.Path(self.built) / f"{name}.{'check' if check else 'sim'}"]

    def launches(self, program, workers, check, *options):
        """Milliseconds of a launch: the median of three of `simrun bench`."""
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "bench.json"
            output_of([self.simrun, "bench", *program.split(), "--workers", workers, "--repeat", 3, "--quiet", "--json", report,
                       *(["--check", "races"] if check else []), *options])
            return json.loads(report.read_text())["kernel_ms"]["median"]

    def builtin(self):
        rows = ["| program | plain ms | runs | check ms | runs | check / plain |", "|---|--:|--:|--:|--:|--:|"]
        for program in BUILTIN:
            times = [(self.launches(program, 2, False), self.launches(program, 2, True)) for _ in range(self.rounds)]
            plain, check = ([t[i] for t in times] for i in (0, 1))
            rows.append(f"| `{program}` | {median(plain)} | {spread(plain)} | "
                        f"{median(check)} | {spread(check)} | "
                        f"{median(c / p for p, c in times)} |")
        return {"builtin": rows}

    def barriers(self):
        lines = [line for _ in range(self.rounds) for line in output_of([self.simrun.parent / "barrier_kernels"]).splitlines()]
        times = {}
        for line in lines:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if re.fullmatch(r"[\d.]+", cells[1]):
                times.setdefault(cells[0], []).append([float(cell) for cell in cells[1:4]])
        rows = ["| kernel | loops ms | fibers ms | by hand ms | loops / hand | runs | fibers / loops |", "|---|--:|--:|--:|--:|--:|--:|"]
        for name, runs in times.items():
            loops, fibers, hand = (statistics.median(column) for column in zip(*runs))
            ratios = [run[0] / run[2] for run in runs]
            rows.append(f"| {name} | {number(loops)} | {number(fibers)} | {number(hand)} | {median(ratios)} | "
                        f"{spread(ratios)} | {number(fibers / loops)} |")
        return {"barriers": rows}

    def ways(self):
        rows = ["| program | loops ms | runs | fibers ms | fibers / loops |", "|---|--:|--:|--:|--:|"]
        for program in ON_BOTH_WAYS:
            times = [[self.launches(program, 1, True, "--execution", way) for way in ("auto", "fibers")] for _ in range(self.rounds)]
            loops, fibers = zip(*times)
            rows.append(f"| `{program}` | {median(loops)} | {spread(loops)} | {median(fibers)} | "
                        f"{median(f / l for l, f in times)} |")
        return {"ways": rows}

    def hand(self):
        tables = {}
        for name in AGAINST_HAND:
            times = {}
            for _ in range(self.rounds):
                for line in output_of([*ON_ONE_CORE, self.simrun, "--workers", 1, *self.program(name, False), "--", "cpu"]).splitlines():
                    found = re.fullmatch(r"(\S.*?) +([\d.]+) +([\d.]+) +([\d.]+)", line)
                    if found:
                        times.setdefault(found[1], []).append([float(found[i]) for i in (2, 3, 4)])
            rows = ["| kernel | ms | by hand ms | ratio | runs |", "|---|--:|--:|--:|--:|"]
            for kernel, runs in times.items():
                ours, theirs, ratios = zip(*runs)
                rows.append(f"| `{kernel}` | {median(ours)} | {median(theirs)} | "
                            f"{median(ratios)} | {spread(ratios)} |")
            tables[f"hand {name}"] = rows
        return tables

    def updates(self):
        times = {}
        for _ in range(self.rounds):
            for workers in (1, 2):
                for line in output_of([self.simrun, "--workers", workers, *self.program("plain_updates", False)]).splitlines():
                    found = re.fullmatch(r"bins +(\d+) (\w+) +([\d.]+) ms", line)
                    if found:
                        times.setdefault((found[1], found[2]), {}).setdefault(workers, []).append(float(found[3]))
        rows = ["| bins | kernel | 1 worker, ms | runs | 2 workers, ms | runs |", "|--:|---|--:|--:|--:|--:|"]
        for (bins, kernel), by in times.items():
            rows.append(f"| {int(bins):,} | {kernel} | {median(by[1])} | {spread(by[1])} | "
                        f"{median(by[2])} | {spread(by[2])} |")
        return {"updates": rows}

    def check(self):
        tables = {}
        for name in UNDER_CHECK:
            times = {}
            for _ in range(self.rounds):
                for check in (False, True):
                    words = ["--check", "races"] if check else []
                    for line in output_of([self.simrun, "--workers", 1, *words, *self.program(name, check)]).splitlines():
                        found = re.fullmatch(r"(\S.*?) +([\d.]+) ms", line)
                        if found:
                            times.setdefault(found[1], ([], []))[check].append(float(found[2]))
            rows = ["| kernel | plain ms | check ms | runs | check / plain |", "|---|--:|--:|--:|--:|"]
            for kernel, (plain, checked) in times.items():
                rows.append(f"| {kernel} | {median(plain)} | {median(checked)} | {spread(checked)} | "
                            f"{number(statistics.median(checked) / statistics.median(plain))} |")
            tables[f"check {name}"] = rows
        return tables

    def workers(self):
        most = os.cpu_count()
        rows = [f"| program | 1 worker, ms | {most} workers, ms | faster | plain, faster |", "|---|--:|--:|--:|--:|"]
        for program in FOR_WORKERS:
            times = [[self.launches(program, count, check) for check in (True, False) for count in (1, most)] for _ in range(self.rounds)]
            one, many, plain_one, plain_many = (statistics.median(column) for column in zip(*times))
            rows.append(f"| `{program}` | {number(one)} | {number(many)} | {number(one / many)} | {number(plain_one / plain_many)} |")
        return {"workers": rows}


def put(text, name, rows):
    """`text` with the table between its two marks; None where it has no such marks."""
    marks = re.compile(rf"(<!-- table {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
    return marks.sub(lambda m: m[1] + "\n" + "\n".join(rows) + "\n\n" + m[2], text) if marks.search(text) else None


def compile_all(simrun, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in [*AGAINST_HAND, "plain_updates"]:
        output_of([simrun, BENCHMARKS / f"{name}.cu", "-o", folder / f"{name}.sim"])
    for name in UNDER_CHECK:
        output_of([simrun, BENCHMARKS / f"{name}.cu", "-o", folder / f"{name}.sim"])
        output_of([simrun, BENCHMARKS / f"{name}.cu", "--check", "races", "-o", folder / f"{name}.check"])


def main():
    kinds = ["builtin", "barriers", "ways", "hand", "updates", "check", "workers"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(kinds))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--into", type=pathlib.Path)
    parser.add_argument("--simrun", type=pathlib.Path, default=ROOT / "build/bin/simrun")
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--built", type=pathlib.Path)
    args = parser.parse_args()
    wanted = args.only.split(",")
    unknown = [kind for kind in wanted if kind not in kinds]
    if unknown:
        sys.exit(f"--only: there is no {', '.join(unknown)}; there are {', '.join(kinds)}")
    if args.build:
        return compile_all(args.simrun, args.build)
    bench = Bench(args)
    print(f"{datetime.date.today()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    for kind in wanted:
        print(f"{kind} ...", file=sys.stderr)
        for name, rows in getattr(bench, kind)().items():
            text = put(args.into.read_text(), name, rows) if args.into else None
            if text is None:
                print(f"\n{name}\n\n" + "\n".join(rows), flush=True)
            else:
                args.into.write_text(text)


if __name__ == "__main__":
    main()
