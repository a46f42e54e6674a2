#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""same_output.py COMPILER PLUGIN: the pass makes the same of same_output.cpp each time.

Objects are named by what they are made of in caches, and a build that somebody else repeats is to be the same. Addresses
of what the compiler allocates differ from run to run, so whatever follows their order shows. Runs that are alike by luck
are rare: there are six.
"""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RUNS = 3


def main():
    compiler, plugin = sys.argv[1:3]
    command = [compiler, "-std=c++20", "-O3", "-w", "-ffp-contract=off", "-DSIMT_VARIANT_SIM=1", "-DSIMT_LOOPS=1", f"-I{ROOT}", f"-I{ROOT}/backends/api",
               f"-fpass-plugin={plugin}", "-S", "-emit-llvm", "-o", "-", str(HERE / "same_output.cpp")]
    made = [subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(RUNS)]
    if ".loops" not in made[0]:
        print("the kernel has no loops")
        return 1
    different = len(set(made))
    print(f"{RUNS} runs, {different} different outputs")
    return 0 if different == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
