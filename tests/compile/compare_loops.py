#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare_loops.py SIMRUN MODULE LISTED: runs every program of a module under check, as loops and on fibers, and compares
what is found. MODULE: what simt_add_kernels has made of random_races.py; LISTED: its sim variant, which names the programs.

In loops threads take turns more often, so that of several accesses which race with one, another may be named. What has to
be equal is whether anything is found, which arrays have races, and whether lanes are absent. The last line is "N equal, N differ, N as loops, N
with findings"; equal ones that name other lines are no difference.
"""
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

simrun, module, listed_from = sys.argv[1:4]


def run(program, how):
    words = [simrun, program, "--module", module, "--check", "all", "--execution", how, "--workers", "1", "--quiet",
             "--max-reports", "400", "--json", "-", "--timeout", "60"]
    done = subprocess.run(words, capture_output=True, text=True)
    try:
        report = json.loads(done.stdout[done.stdout.index("{"):done.stdout.rindex("}") + 1])
    except ValueError:
        return None, f"exit code {done.returncode}: {done.stdout[-300:]} {done.stderr[-300:]}", ""
    found = set()
    for f in report["findings"]:
        places = sorted(a.get("line", 0) for a in f.get("accesses", [])[:2])
        found.add((f["rule"], str(f.get("object", "")), *places))
    launches = report.get("launches", [])
    return found, f"verdict {report.get('verdict')}", launches[0].get("execution", "") if launches else ""


def compare(program):
    loops, said, how = run(program, "loops")
    fibers, said_too, _ = run(program, "fibers")
    if loops is None and "cannot run as loops" in said:
        return program, True, "", "refused", 0
    if loops is None or fibers is None:
        return program, loops == fibers, f"{said} / {said_too}", how, 0
    races = [{f[:2] for f in found if f[0].startswith("race") or f[0] == "warp-mask"} for found in (loops, fibers)]
    good = bool(loops) == bool(fibers) and races[0] == races[1]
    return program, good, f"only loops {sorted(loops - fibers)}, only fibers {sorted(fibers - loops)}", how, bool(fibers)


listed = subprocess.run([simrun, "list", "--module", listed_from], capture_output=True, text=True).stdout
programs = [line.split()[0] for line in listed.splitlines() if line.startswith("random-")]
if not programs:
    sys.exit("the module has no random programs")
equal = differ = as_loops = found = 0
with ThreadPoolExecutor(2) as pool:
    for program, good, why, how, finds in pool.map(compare, programs):
        equal += good
        differ += not good
        as_loops += how == "loops"
        found += finds
        if not good:
            print(f"{program} ({how}): {why}")
print(f"{equal} equal, {differ} differ, {as_loops} as loops, {found} with findings")
sys.exit(differ != 0)
