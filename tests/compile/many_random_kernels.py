#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""many_random_kernels.py BUILD FIRST_SEED ROUNDS [KERNELS] [--small] [--grid] [--races]: runs rounds of other random
kernels than the test loops_random does, KERNELS (24) in one program. Builds each round with the commands that BUILD made
that test with. --small: small kernels, optimised as ever but with machine code made quickly: about 0.36 s of a core a kernel
instead of 1.1. --grid: all of them wait for the grid. --races: those of random_races.py instead, as findings_random does.
Prints one line a round, and what differed."""
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def compile_words(build, made):
    entries = json.loads((build / "compile_commands.json").read_text())
    words = shlex.split(next(e for e in entries if e["file"].endswith(made))["command"])
    return words[next(i for i, w in enumerate(words) if ("clang" in w or w.endswith("g++")) and "ccache" not in w):]


def link_words(build, test):
    said = subprocess.run(["ninja", "-C", build, "-t", "commands", test], capture_output=True, text=True, check=True)
    words = shlex.split(said.stdout.strip().splitlines()[-1])
    words = words[words.index(":") + 2:] if words[0] == ":" else words
    return words[:words.index("&&")] if "&&" in words else words


class maker:
    def __init__(self, build, scratch, options):
        self.build, self.small, self.races = build, "--small" in options, "--races" in options
        self.words = [w[2:] for w in options if w in ("--small", "--grid")]
        self.made, test = ("random_races_listed.cpp", "findings_random.check") if self.races else ("random_kernels_made.cpp", "loops_random.sim")
        self.source, self.code, self.object, self.program = (f"{scratch}/made{end}" for end in (".cpp", ".bc", ".o", ""))
        self.compiling, self.linking = compile_words(build, self.made), link_words(build, test)

    def run(self, words):
        return subprocess.run(words, cwd=self.build, capture_output=True, text=True)

    def make(self, seed, kernels):
        """What went wrong; empty: nothing."""
        with open(self.source, "w") as out:
            words = [HERE / "random_races.py", str(seed), kernels, "list"] if self.races else [HERE / "random_kernels.py", str(seed), kernels, *self.words]
            subprocess.run([sys.executable, *words], stdout=out, check=True)
        first = self.code if self.small else self.object
        words = [self.source if w.endswith(self.made) else first if w.endswith(self.made + ".o") else w for w in self.compiling]
        steps = [words + ["-g0", "-emit-llvm"] * self.small]
        if self.small:
            target = [w for w in words if w.startswith("-march") or w in ("-fPIE", "-fPIC")]
            steps.append([words[0], "-x", "ir", "-O0", "-Xclang", "-disable-llvm-passes", *target, "-c", self.code, "-o", self.object])
        link = [self.object if w.endswith(self.made + ".o") else w for w in self.linking]
        link[link.index("-o") + 1] = self.program
        for step in [*steps, link]:
            done = self.run(step)
            if done.returncode != 0:
                return "\n".join(done.stderr.splitlines()[-40:])
        return ""


def main():
    options = [w for w in sys.argv[1:] if w.startswith("--")]
    words = [w for w in sys.argv[1:] if w not in options]
    if wrong := set(options) - {"--small", "--grid", "--races"}:
        sys.exit(f"no option {wrong.pop()}\n{__doc__}")
    if "--races" in options and len(options) > 1:
        sys.exit("--races goes alone")
    build, first, rounds = pathlib.Path(words[0]).resolve(), int(words[1]), int(words[2])
    kernels = words[3] if len(words) > 3 else "24"
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        made = maker(build, scratch, options)
        for seed in range(first, first + rounds):
            why = made.make(seed, kernels)
            if why:
                print(f"seed {seed}: DOES NOT COMPILE\n{why}", flush=True)
                failed += 1
                continue
            run = subprocess.run([made.program], capture_output=True, text=True, timeout=600)
            said = [line.split("MESSAGE: ")[1] for line in run.stdout.splitlines() if "ran as loops" in line]
            print(f"seed {seed}: {'right' if run.returncode == 0 else 'WRONG'}, {' '.join(said)}", flush=True)
            if run.returncode != 0:
                failed += 1
                print("\n".join([line for line in run.stdout.splitlines() if "logged" in line][:5]), run.stderr[-300:])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
