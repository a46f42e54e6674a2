#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ir_tests.py PLUGIN OPT FILECHECK [--only TEXT]: the pass on small pieces of IR, by the files in tests/compile/ir.

A file is IR in which `KERNEL` stands for the head of the body of one thread, and `BODY` for the constant that names it
(prelude below). `REPEAT N: line` is N lines; # in them is 0 to N-1. Its lines `; CHECK...` are for FileCheck. The first line says which step runs: `; RUN: simt-cut`,
`; RUN: simt-prepare`, `; RUN: simt-range`, `; RUN: simt-host-loops`, `; RUN: simt-before-vectoriser` or `; RUN: simt-mark`, other passes behind it. Lines `; WITH: ...` are further options of opt, lines `; IN: NAME=VALUE` its environment. Every file that is named refuse_*.ll has to have a check of the reason. The last line is
"N passed, N failed"; exit code 77 where OPT or FILECHECK is not there.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent / "ir"
PARAMETERS = ("ptr %b, ptr noalias %args, ptr noalias %arrays, i64 %x, i64 %y, i64 %z, i64 %dx, i64 %dy, i64 %dz, "
              "i64 %bx, i64 %by, i64 %bz, i64 %gx, i64 %gy, i64 %gz")
BODY = ("@body = constant {{ ptr, ptr, ptr, i64, i64, i64, i64, i64 }} {{ ptr @kernel, ptr null, ptr null, i64 0, i64 0, "
        "i64 1, i64 0, i64 0 }}\n{more}")
ANNOTATION = """@text = private constant [11 x i8] c"simt.loops\\00", section "llvm.metadata"
@file = private constant [2 x i8] c"f\\00", section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @kernel, ptr @text, ptr @file, i32 1, ptr null }], section "llvm.metadata"
"""


def whole(text, step):
    more = ANNOTATION if step == "simt-prepare" else ""
    mark = "" if step == "simt-prepare" else '"simt.loops" '
    text = text.replace("BODY\n", BODY.format(more=more))
    text = re.sub(r"^REPEAT (\d+): (.*)$", lambda m: "\n".join(m[2].replace("#", str(i)) for i in range(int(m[1]))), text, flags=re.M)
    return text.replace("KERNEL", f"define internal void @kernel({PARAMETERS}) {mark}")


def main():
    plugin, opt, check = sys.argv[1:4]
    only = sys.argv[5] if len(sys.argv) > 5 else ""
    if not shutil.which(opt) or not shutil.which(check):
        print("opt or FileCheck is not installed")
        return 77
    passed = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for path in sorted(HERE.glob("*.ll")):
            if only not in path.name:
                continue
            text = path.read_text()
            step = text.split("; RUN: ", 1)[1].split()[0]
            options = re.findall(r"^; WITH: (\S+)$", text, flags=re.M)
            environment = dict(os.environ, **dict(re.findall(r"^; IN: (\w+)=(.*)$", text, flags=re.M)))
            source = pathlib.Path(scratch) / path.name
            source.write_text(whole(text, step))
            ran = subprocess.run([opt, f"-load-pass-plugin={plugin}", f"-passes={step}", *options, "-S", source], capture_output=True, text=True,
                                 env=environment)
            made = ran.stdout.replace("icmp samesign ", "icmp ")  # LLVM 20 notes what it knows of the signs
            checked = subprocess.run([check, source, "--allow-unused-prefixes"], input=made, capture_output=True, text=True)
            names_reason = not path.name.startswith("refuse_") or "simt.loops.reason = " in text
            good = ran.returncode == 0 and checked.returncode == 0 and names_reason
            passed += good
            failed += not good
            if not good:
                print(f"FAILED {path.name}\n{ran.stderr[-2000:]}\n{checked.stderr[-3000:]}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
