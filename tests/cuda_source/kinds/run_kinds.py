#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_kinds.py SIMRUN SOURCE: each defect that the comments of SOURCE name ends as they say, and its clean twin with 0 and
without findings. A defect is a line `// kind: NAME | OPTIONS | EXIT CODE | TEXT`; the code
is a regular expression."""
import pathlib
import re
import subprocess
import sys


def run(simrun, source, options, *words):
    done = subprocess.run([simrun, source, *options, "--timeout", "60", "--", *words], capture_output=True, text=True,
                          timeout=300)
    return done.returncode, done.stdout + done.stderr


def main(simrun, source):
    kinds = re.findall(r"^// kind: (\w+) *\| *(.*?) *\| (\S+) \|(.*)$", pathlib.Path(source).read_text(), re.M)
    wrong = 0
    for name, options, wanted, text in kinds:
        code, output = run(simrun, source, options.split(), name)
        if not re.fullmatch(wanted, str(code)) or text.strip() not in " ".join(output.split()):
            wrong += 1
            print(f"{name} {options}: exit code {code} instead of {wanted}, or nothing says \"{text.strip()}\"\n{output}")
        code, output = run(simrun, source, options.split(), name, "clean")
        if code != 0 or "error[" in output or "warning[" in output:
            wrong += 1
            print(f"{name} {options}, the clean twin: exit code {code}\n{output}")
    print(f"{len(kinds)} kinds, {wrong} went otherwise")
    return 1 if wrong or len(kinds) < 20 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
