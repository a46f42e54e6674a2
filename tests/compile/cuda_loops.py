#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cuda_loops.py SIMRUN FILE.cu [--plain]: every launch of a CUDA program runs as loops, plain and with all checks (with
--plain: without any), and the program says the same on fibers.

The last line is "N passed, N failed"."""
import json
import subprocess
import sys
import tempfile

simrun, source = sys.argv[1:3]
ways = [[]] if "--plain" in sys.argv[3:] else [[], ["--check", "all"]]


def run(how, checks):
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        done = subprocess.run([simrun, source, *checks, "--execution", how, "--json", report.name, "--timeout", "60"], capture_output=True, text=True, timeout=200)
        launches = json.load(open(report.name)).get("launches", []) if done.returncode == 0 else []
    return done, launches


passed = failed = 0
for checks in ways:
    loops, launches = run("auto", checks)
    fibers, _ = run("fibers", checks)
    wrong = []
    if loops.returncode != 0 or loops.stdout != fibers.stdout or not launches:
        wrong.append(f"exit codes {loops.returncode} and {fibers.returncode}:\n{loops.stdout}{loops.stderr}\n{fibers.stdout}{fibers.stderr}")
    wrong += [f"{launch.get('kernel')}: {launch['execution']}, {launch.get('execution_reason')}" for launch in launches if launch["execution"] != "loops"]
    for what in wrong:
        print(f"FAILED {' '.join(checks)} {what}")
    passed += len(launches) + 1 - len(wrong)
    failed += len(wrong)
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
