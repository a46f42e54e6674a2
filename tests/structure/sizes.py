#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sizes.py ROOT: no file of code over 400 lines without its reason, and the licence on every first line.

A longer file says why in one of its first 15 lines, after the comment's sign: "Long because: ...".
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import tree

MOST = 400
HEAD = 15
CODE = re.compile(r"\.(cpp|hpp|h|cu|cuh|py|sh|awk|cmake)$|(^|/)CMakeLists\.txt$")
REASON = re.compile(r"Long because: \w+")
# Programs as other people write them, and a source whose lines a test names.
AS_WRITTEN = ("tests/cuda_source/", "tests/unit/cli/fake_kernel.cpp")
LICENCE = "SPDX-License-Identifier: Apache-2.0"


def main():
    root = pathlib.Path(sys.argv[1])
    files = [name for name in tree.files_of(root) if CODE.search(name)]
    problems = []
    for name in files:
        lines = (root / name).read_text(errors="replace").splitlines()
        if len(lines) > MOST and not any(REASON.search(line) for line in lines[:HEAD]):
            problems.append(f"{name}: {len(lines)} lines; split it, or say 'Long because: ...' in its first {HEAD}")
        if not any(LICENCE in line for line in lines[:3]) and not name.startswith(AS_WRITTEN):
            problems.append(f"{name}: no '{LICENCE}' at its head")
    for problem in problems:
        print(problem)
    print(f"{len(files)} files, {len(problems)} problems")
    return 1 if problems or len(files) < 300 else 0


if __name__ == "__main__":
    sys.exit(main())
