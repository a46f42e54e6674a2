#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""many_random_kernels.py BUILD FIRST_SEED ROUNDS [KERNELS]: runs rounds of other random kernels than the test
loops_random does. Builds each round with the commands that BUILD made that test with."""
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def main():
    build, first, rounds = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), int(sys.argv[3])
    kernels = sys.argv[4] if len(sys.argv) > 4 else "24"
    entries = json.loads((build / "compile_commands.json").read_text())
    made = next(e for e in entries if e["file"].endswith("random_kernels_made.cpp"))
    words = [w for w in shlex.split(made["command"]) if "ccache" not in w]
    if words[0].endswith("cmake"):  # cmake -E env NAME=VALUE ccache COMPILER
        words = words[next(i for i, w in enumerate(words) if "clang" in w or w.endswith("g++")):]
    linking = subprocess.run(["ninja", "-C", build, "-t", "commands", "loops_random.sim"], capture_output=True, text=True).stdout
    link = shlex.split(linking.strip().splitlines()[-1])
    link = link[next(i for i, w in enumerate(link) if w == ":") + 2:] if link[0] == ":" else link
    link = link[:link.index("&&")] if "&&" in link else link
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        source, object_file, program = (f"{scratch}/made{end}" for end in (".cpp", ".o", ""))
        for seed in range(first, first + rounds):
            with open(source, "w") as out:
                subprocess.run([HERE / "random_kernels.py", str(seed), kernels], stdout=out, check=True)
            compile_words = [source if w.endswith("random_kernels_made.cpp") else object_file
                             if w.endswith("random_kernels_made.cpp.o") else w for w in words]
            compiled = subprocess.run(compile_words, cwd=build, capture_output=True, text=True)
            if compiled.returncode != 0:
                print(f"seed {seed}: DOES NOT COMPILE\n" + "\n".join(compiled.stderr.splitlines()[-40:]), flush=True)
                failed += 1
                continue
            output = next(i for i, w in enumerate(link) if w == "-o") + 1
            link_words = [object_file if w.endswith("random_kernels_made.cpp.o") else w for w in link]
            link_words[output] = program
            subprocess.run(link_words, cwd=build, check=True)
            run = subprocess.run([program], capture_output=True, text=True, timeout=600)
            said = [line.split("MESSAGE: ")[1] for line in run.stdout.splitlines() if "ran as loops" in line]
            print(f"seed {seed}: {'right' if run.returncode == 0 else 'WRONG'}, {' '.join(said)}", flush=True)
            if run.returncode != 0:
                failed += 1
                print("\n".join([line for line in run.stdout.splitlines() if "logged" in line][:5]), run.stderr[-300:])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
