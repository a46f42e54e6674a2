#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assembly.py ROOT: instructions of one processor stand only in files that are named after it (NAME_x86_64.hpp), which
another file includes for that processor alone. An asm without instructions, which only tells the compiler something, may
stand anywhere; so may PTX, in the cuda variant."""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import tree

FOLDERS = ("sim/", "backends/api/", "backends/sim/", "frontends/cuda/headers/", "frontends/cuda/runtime/", "cli/")
ASSEMBLY = re.compile(r'\basm\b(?:\s+volatile)?\s*\(\s*(?:"(?!")|[A-Z_]+\b)')
PROCESSOR = re.compile(r"_(x86_64|aarch64)\.hpp$")
INCLUDE = re.compile(r'#\s*include\s*["<]([^">]*_(?:x86_64|aarch64)\.hpp)[">]')


def main():
    root = pathlib.Path(sys.argv[1])
    wrong = []
    looked_at = 0
    for name in tree.files_of(root):
        if not name.startswith(FOLDERS) or not name.endswith((".hpp", ".cpp", ".h")):
            continue
        looked_at += 1
        text = (root / name).read_text(encoding="utf-8")
        if not PROCESSOR.search(name):
            wrong += [f"{name}:{text.count(chr(10), 0, m.start()) + 1}: instructions of a processor, in a file for all"
                      for m in ASSEMBLY.finditer(text)]
        for m in INCLUDE.finditer(text):
            processor = PROCESSOR.search(m.group(1)).group(1)
            condition = text[:m.start()].rstrip().rsplit("\n", 1)[-1]
            if f"defined(__{processor}__)" not in condition:
                wrong.append(f"{name}: includes {m.group(1)} without asking for the processor in the line before")
    for line in wrong:
        print(line)
    print(f"{looked_at} files, {len(wrong)} offences")
    return 1 if wrong or looked_at < 100 else 0


sys.exit(main())
