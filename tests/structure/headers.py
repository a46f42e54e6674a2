#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""headers.py ROOT COMPILER [--jobs N] [HEADER ...]: every public header compiles when it is the only one included.

The headers are those of <simt/...>, as a file of the variants sim and check includes them; without HEADER all of them.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys

VARIANTS = {"sim": ["-DSIMT_VARIANT_SIM=1"], "check": ["-DSIMT_VARIANT_CHECK=1"]}
# Of the check variant these only: the others differ in nothing that they include.
IN_CHECK_TOO = {"kernel.hpp", "launch.hpp", "launch_each.hpp", "simt.hpp"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("compiler")
    parser.add_argument("headers", nargs="*")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_intermixed_args()
    folder = arguments.root / "backends/api/simt"
    names = arguments.headers or sorted(p.name for p in folder.glob("*.hpp"))
    tries = [(name, variant) for name in names for variant in VARIANTS if variant == "sim" or name in IN_CHECK_TOO]
    command = [arguments.compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-x", "c++", f"-I{arguments.root}",
               f"-I{folder.parent}"]

    def compile_alone(what):
        name, variant = what
        source = f"#include <simt/{name}>\n#include <simt/{name}>\nint main() {{}}\n"
        done = subprocess.run([*command, *VARIANTS[variant], "-"], input=source, capture_output=True, text=True)
        return name, variant, done.stderr if done.returncode != 0 else ""

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for name, variant, said in pool.map(compile_alone, tries):
            if said:
                failed += 1
                print(f"<simt/{name}> alone, variant {variant}:\n{said[:1500]}")
    print(f"{len(tries)} compiled alone, {failed} failed")
    return 1 if failed or not tries else 0


if __name__ == "__main__":
    sys.exit(main())
