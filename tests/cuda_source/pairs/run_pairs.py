#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_pairs.py SIMRUN FILE.cu [NAME...]: runs the pairs of a file (pairs.hpp) in several ways. The defective twin must give
a finding of a race, of memory that is not ordered, or of reads that are not coherent; the clean twin must give none."""
import json
import pathlib
import subprocess
import sys
import tempfile

WAYS = [["--workers", "1"], ["--workers", "2"], ["--workers", "1", "--execution", "fibers"]]
CLEAN_WAYS = WAYS + [["--workers", "2", "--execution", "fibers"], ["--workers", "1", "--schedule", "random", "--seed", "3"]]
WANTED = {"race-global", "race-shared", "race-scope", "missing-fence", "noncoherent-read", "use-after-free", "uninitialized-read"}


def run(simrun, source, way, words):
    """The exit code, and the rules of the findings."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        done = subprocess.run([simrun, source, "-std=c++20", "-arch=sm_90", "--check", "all", "--timeout", "60", "--quiet",
                               "--json", report.name, *way, "--", *words], capture_output=True, text=True)
        try:
            findings = json.loads(pathlib.Path(report.name).read_text())["findings"]
        except (json.JSONDecodeError, KeyError):
            sys.exit(f"no report of {' '.join(words)}:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
        return done.returncode, {f["rule"] for f in findings}, done.stdout


def main(simrun, source, *only):
    names = run(simrun, source, WAYS[0], [])[2].split()
    wrong = 0
    for name in names:
        if only and name not in only:
            continue
        for twin, ways in (("defective", WAYS), ("clean", CLEAN_WAYS)):
            for way in ways:
                code, rules, _ = run(simrun, source, way, [name, twin])
                if code == 3 and rules & WANTED if twin == "defective" else code == 0 and not rules:
                    continue
                wrong += 1
                print(f"{name}, {twin}, {' '.join(way)}: exit code {code}, {', '.join(sorted(rules)) or 'no findings'}")
    print(f"{len(names)} pairs, {wrong} runs went otherwise")
    return 1 if wrong or not names else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
