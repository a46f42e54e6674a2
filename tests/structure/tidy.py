#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over sources of the build, with the checks of .clang-tidy.

usage: tidy.py BUILD [--sample N [--seed S]] [--mistakes] [--jobs N] [FILE ...]

Without FILE: every source of the simulator's side that BUILD compiles; with --sample only N of them, chosen by the seed,
so that a test need not take an hour. A file takes about ten seconds. Mistakes (clang-analyzer, bugprone, misc) fail; the
rest (performance, readability) is told, and with --mistakes not looked for, which takes a sixth less. A file that clang 14
cannot compile is named and not judged. Exit codes: 0 no mistakes, 1 mistakes, 77 no clang-tidy 14 here.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import tree

MISTAKE = re.compile(r"\[(clang-analyzer|bugprone|misc)-")
NO_MISTAKES = "--checks=-modernize-*,-performance-*,-readability-*"
NOT_COMPILED = "[clang-diagnostic-error]"
ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = "14"
# Options of g++ that clang does not know, and instrumentation, which makes no difference to what is checked.
NOT_FOR_CLANG = re.compile(
    r"-fno-gnu-unique|-maccumulate-outgoing-args|-fno-tree-dse|-fsanitize=.*|-march=native|--param")
LOOKED_AT = ("backends/", "cli/", "frontends/cuda/driver/", "frontends/cuda/runtime/", "frontends/cuda/translate/",
             "sim/")


def sources_of(file):
    """The source itself, or those that CMake has gathered in one file (UNITY_BUILD)."""
    if "/Unity/" not in file:
        return [file]
    return re.findall(r'^#include "(.+)"', pathlib.Path(file).read_text(), re.M)


def commands(build):
    """{path below ROOT: its entry of the compilation database, in words that clang takes}; one entry a source."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        compiled = os.path.join(entry["directory"], entry["file"])
        for source in sources_of(compiled):
            path = os.path.relpath(source, ROOT)
            if not path.startswith(LOOKED_AT) or path in found:
                continue
            words, skip = [], False
            for word in shlex.split(entry["command"]):
                if skip:
                    skip = False
                elif NOT_FOR_CLANG.fullmatch(word):
                    skip = word == "--param"
                else:
                    words.append(source if word == compiled else word)
            if os.path.basename(words[0]) == "ccache":
                words = words[1:]
            found[path] = {"directory": entry["directory"], "file": source, "arguments": words}
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--mistakes", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_intermixed_args()
    tool = tree.tool_of_version("clang-tidy", VERSION)
    known = commands(arguments.build)
    chosen = [os.path.relpath(os.path.abspath(f), ROOT) for f in arguments.files] or sorted(known)
    if unknown := [f for f in chosen if f not in known]:
        sys.exit(f"{arguments.build}/compile_commands.json does not compile {', '.join(unknown)}")
    if arguments.sample and not arguments.files:
        chosen = random.Random(arguments.seed).sample(chosen, min(arguments.sample, len(chosen)))
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "compile_commands.json").write_text(json.dumps([known[f] for f in chosen]))

        def check(path):
            less = [NO_MISTAKES] if arguments.mistakes else []
            done = subprocess.run([tool, "-p", folder, "--quiet", *less, str(ROOT / path)], capture_output=True,
                                  text=True, cwd=ROOT)
            return path, done.stdout

        found = set()
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for path, text in pool.map(check, chosen):
                said = {line for line in text.splitlines() if re.search(r": (warning|error): .*\[", line)}
                if any(NOT_COMPILED in line for line in said):
                    print(f"{path}: clang {VERSION} cannot compile it")
                    continue
                print(f"{path}: {len(said)}")
                found |= said
    for line in sorted(found):
        print(line.replace(str(ROOT) + "/", ""))
    mistakes = sum(bool(MISTAKE.search(line)) for line in found)
    seed = f" (seed {arguments.seed})" if arguments.sample else ""
    print(f"{len(chosen)} files, {len(found)} findings, {mistakes} of them mistakes{seed}")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
