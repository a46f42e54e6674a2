#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cuda_loops.py SIMRUN FILE.cu: every launch of a CUDA program runs as loops, and the program says the same on fibers.

The last line is "N passed, N failed"."""
import json
import subprocess
import sys
import tempfile

simrun, source = sys.argv[1:3]


def run(how):
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        done = subprocess.run([simrun, source, "--execution", how, "--json", report.name, "--timeout", "60"], capture_output=True, text=True, timeout=200)
        launches = json.load(open(report.name)).get("launches", []) if done.returncode == 0 else []
    return done, launches


loops, launches = run("auto")
fibers, _ = run("fibers")
failed = 0
if loops.returncode != 0 or loops.stdout != fibers.stdout or not launches:
    failed += 1
    print(f"FAILED exit codes {loops.returncode} and {fibers.returncode}:\n{loops.stdout}{loops.stderr}\n{fibers.stdout}{fibers.stderr}")
for launch in launches:
    if launch["execution"] != "loops":
        failed += 1
        print(f"FAILED {launch.get('kernel')}: {launch['execution']}, {launch.get('execution_reason')}")
print(f"{len(launches) + 1 - failed} passed, {failed} failed")
sys.exit(failed != 0)
