#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""executions.py SIMRUN CUT: what the tool says of how launches ran, and how it takes options that do not fit.

CUT: 1 where the built-in programs were compiled with the pass that makes loops, else 0. The last line is
"N passed, N failed"."""
import json
import subprocess
import sys

simrun, cut = sys.argv[1], sys.argv[2] == "1"
passed = failed = 0


def run(*words):
    done = subprocess.run([simrun, *words], capture_output=True, text=True, timeout=120)
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def check(what, good, said):
    global passed, failed
    passed += good
    failed += not good
    if not good:
        print(f"FAILED {what}: {said}")


def says(words, text, code):
    exit_code, said = run(*words)
    check(" ".join(words), exit_code == code and text in said, f"exit code {exit_code}: {said[:600]}")


why_not = "(decoupled_lookback.cpp:" if cut else "which cannot cut them at their barriers"
says(["reduce", "--explain-execution"], "ran as loops" if cut else "ran as fibers: ", 0)
says(["softmax", "--explain-execution"], "ran as loops" if cut else "ran as fibers: ", 0)
says(["decoupled-lookback", "--explain-execution"], why_not, 0)
if cut:
    says(["decoupled-lookback", "--explain-execution"], "a loop that may wait for another thread (decoupled_lookback.cpp:", 0)
    says(["cluster-histogram", "--explain-execution"], "ran as fibers: a barrier of a cluster", 0)
    says(["jacobi", "--explain-execution"], "ran as loops", 0)
    says(["jacobi", "--explain-execution", "--check", "all"], "ran as loops", 0)
    says(["reduce", "--execution", "loops"], "result right", 0)
says(["saxpy", "--explain-execution"], "ran as direct: no thread waited", 0)
if cut:
    says(["saxpy", "--execution", "loops"], "result right", 0)
else:
    says(["saxpy", "--execution", "loops"], "compiled by g++, which cannot cut them", 2)
says(["reduce", "--explain-execution", "--execution", "fibers"], "ran as fibers", 0)
says(["reduce", "--explain-execution", "--check", "all"], "ran as loops" if cut else "ran as fibers", 0)
says(["reduce", "--explain-execution", "--check", "all", "--schedule", "reverse"], "ran as fibers: ", 0)
for program in ("reduce", "scan", "matmul-tiled", "jacobi"):  # some blocks as loops, some on fibers
    for seed in ("1", "7"):
        says([program, "--schedule", "random", "--seed", seed], "result right", 0)
        says([program, "--check", "all", "--schedule", "random", "--seed", seed], "no findings", 0)
says(["matmul-tiled-one-sync", "--check", "races"], "error[race-shared]", 3)  # from a second run, on fibers
if cut:
    says(["saxpy", "--explain-execution", "--check", "races"], "ran as loops", 0)
    says(["hist", "--explain-execution", "--check", "races"], "ran as loops", 0)  # for its reads of what nobody writes
    says(["reduce", "--execution", "loops", "--check", "all"], "no findings", 0)
    says(["matmul-tiled-one-sync", "--check", "races", "--execution", "loops"], "error[race-shared]", 3)
else:
    says(["reduce", "--execution", "loops", "--check", "all"], "compiled by g++, which cannot cut them", 2)
says(["decoupled-lookback", "--execution", "loops", "--check", "all"], "kernel scan_with_lookback cannot run as loops, which were asked for: ", 2)
says(["reduce", "--execution", "rings"], "--execution", 2)
says(["reduce", "--execution", "loops", "--schedule", "random"], "leave out --execution loops", 2)
says(["reduce", "--execution", "fibers", "--backend", "cuda"], "about the simulator", 2)
says(["bench", "reduce", "--explain-execution"], "--explain-execution", 2)

done = subprocess.run([simrun, "reduce", "--quiet", "--json", "-"], capture_output=True, text=True, timeout=120)
launches = json.loads(done.stdout[done.stdout.index("{"):done.stdout.rindex("}") + 1])["launches"]
wanted = "loops" if cut else "fibers"
check("the JSON report", all(l["execution"] == wanted for l in launches), launches)
check("reasons in the JSON report", all(("execution_reason" in l) != cut for l in launches), launches)
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
