#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""format.py ROOT [--fix]: every C++ source of the tree as clang-format 14 writes it (.clang-format).

--fix rewrites what differs. Exit codes: 0 nothing differs, 1 something does, 77 no clang-format 14 here: other versions
write some lines differently.
"""
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import tree

VERSION = "14"
SOURCE = re.compile(r"\.(cpp|hpp|h|cu|cuh)$")
# Expectations name lines of these files, and programs are written as other people write CUDA.
AS_WRITTEN = ("tests/cuda_source/", "tests/unit/cli/fake_kernel.cpp")


def main():
    root = pathlib.Path(sys.argv[1])
    fix = "--fix" in sys.argv[2:]
    tool = tree.tool_of_version("clang-format", VERSION)
    files = [name for name in tree.files_of(root) if SOURCE.search(name) and not name.startswith(AS_WRITTEN)]
    done = subprocess.run([tool, "--dry-run", "-Werror", *files], cwd=root, capture_output=True, text=True)
    wrong = sorted(set(re.findall(r"^(\S+):\d+:\d+: error", done.stderr, re.M)))
    for name in wrong:
        first = re.search(rf"^{re.escape(name)}:(\d+):", done.stderr, re.M)
        print(f"{name}:{first[1]}: not as clang-format writes it")
    if wrong and fix:  # these alone: a file that is written anew is compiled anew
        subprocess.run([tool, "-i", *wrong], cwd=root, check=True)
    elif wrong:
        print("tests/structure/format.py . --fix rewrites them")
    print(f"{len(files)} files, {len(wrong)} differ")
    return 1 if (wrong and not fix) or (done.returncode != 0 and not wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
