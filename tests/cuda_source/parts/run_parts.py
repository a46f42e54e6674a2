#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_parts.py SIMRUN SOURCE: a source that is compiled in two parts at once does and says what it does in one.

The program, plain and checked, and its defective twin (-DDEFECT), checked, each compiled in one part and in two
(SIMT_COMPILE_PARTS): output, report and exit code are to be the same. Names that both parts know have to stand in what was
compiled in two.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def main():
    simrun, source = sys.argv[1:3]
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for options in ([], ["--check", "all"], ["-DDEFECT", "--check", "all"], ["-O0"]):
            said = {}
            for parts in "1", "2":
                cache = pathlib.Path(scratch) / ("cache" + parts)
                cache.mkdir(mode=0o700, exist_ok=True)
                ran = subprocess.run([simrun, *options, source], capture_output=True, text=True,
                                     env=dict(os.environ, SIMT_CACHE_DIR=str(cache), SIMT_COMPILE_PARTS=parts))
                said[parts] = (ran.returncode, ran.stdout, re.sub(r"\d+(\.\d+)? m?s\b", "TIME", ran.stderr))
            races = "error[race" in said["1"][2]
            expected = "-DDEFECT" in options and "--check" in options
            good = said["1"] == said["2"] and races == expected and "sum " in said["1"][1]
            failed += not good
            print("ok    " if good else "FAILED", *options)
            if not good:
                print("in one part:", *said["1"], "in two:", *said["2"], sep="\n")
        files = [f for f in (pathlib.Path(scratch) / "cache2").rglob("*") if f.is_file() and "headers-" not in f.name]
        divided = any(b".of." in f.read_bytes() for f in files)
        if not divided:
            failed += 1
            print("FAILED: nothing was compiled in two parts")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
