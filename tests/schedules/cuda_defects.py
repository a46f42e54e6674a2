#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cuda_defects.py SIMRUN [NAME...]: locks, queues and flags as CUDA programs write them (cuda/*.cu), each with a defect that needs
an order, or an older or later value that a GPU's memory allows. The order of thread numbers misses each; --explore and pct
find it, and what is recorded is played back. The twin (-DTWIN) is silent in the whole space of the bound."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SIMRUN = os.path.abspath(sys.argv[1])
HERE = pathlib.Path(__file__).resolve().parent / "cuda"
HANGS, WRONG = {"hang", "deadlock"}, {"nondeterministic-output"}
# Program: the preemptions that show it, what is found, whether the memory model is needed, and runs of pct (0: it is not asked;
# a lock of three steps is no defect of depth 2).
DEFECTS = {
    "bakery_not_choosing": (2, WRONG, False, 0),
    "count_of_references": (1, WRONG, False, 0),
    "deque_no_fence": (2, WRONG, True, 400),
    "dining": (2, HANGS, False, 0),
    "hazard_not_checked": (1, WRONG, False, 300),
    "loads_wait_for_each_other": (1, WRONG, True, 0),
    "lost_wakeup": (1, HANGS, False, 0),
    "peterson_one_fence": (2, WRONG, True, 0),
    "queue_lock_not_awaited": (1, HANGS, False, 300),  # the clock ends its hang
    "ring_of_two_producers": (1, WRONG, False, 300),
    "seqlock_no_fence": (2, WRONG, True, 0),
    "seqlock_not_asked_again": (1, WRONG, False, 0),
    "slot_looked_at": (1, WRONG, False, 300),
    "stack_with_short_tag": (2, WRONG, False, 0),
    "status_before_value": (1, WRONG, False, 0),
    "tickets_come_again": (1, WRONG | HANGS, False, 0),
}
problems = []


def run(*words):
    done = subprocess.run([SIMRUN, *words], capture_output=True, text=True, timeout=200)
    return done.returncode, done.stdout + done.stderr


def check(what, good, *shown):
    if not good:
        problems.append(f"{what}: {' '.join(str(s) for s in shown)}")


def searched(name, folder, *how):
    file = os.path.join(folder, "report.json")
    pathlib.Path(file).unlink(missing_ok=True)
    code, text = run(str(HERE / f"{name}.cu"), "--check", "races", *how, "--json", file)
    try:
        return code, json.loads(pathlib.Path(file).read_text()), text
    except (OSError, ValueError):
        return code, {"findings": [], "notes": [""]}, text


def look_at(name, folder):
    bound, rules, weak, runs_of_pct = DEFECTS[name]
    model = ["--memory-model", "ptx"] if weak else []
    code, text = run(str(HERE / f"{name}.cu"), "--check", "races")
    check(f"{name} in the order of thread numbers is missed", code == 0, code, text)
    if weak:
        code, r, text = searched(name, folder, "--explore", "bound=all")
        check(f"{name} is missed by all orders", code == 0 and not r["findings"] and r["notes"][0].startswith("all schedules of"), text)
    ways = [["--explore", f"bound={bound}"]] + ([["--schedule", "pct", "--schedules", str(runs_of_pct)]] if runs_of_pct else [])
    for how in ways:
        record = os.path.join(folder, "record.json")
        code, r, text = searched(name, folder, *how, *model, "--record", record)
        found = {f["rule"] for f in r["findings"] if f["severity"] == "error"}
        check(f"{name} is found with {how}", code in (3, 4) and found & rules, code, text)
        replayed, text = run("replay", record)
        check(f"{name} found with {how} has its order", all(
            f.get("order", {}).get("text") for f in r["findings"] if f["rule"] in rules and f["severity"] == "error"), text)
        check(f"{name} found with {how} is played back", replayed == (4 if found & HANGS else 1), replayed, text)
    if name == "dining":  # its fences are no steps while no place is known, so its first run is that of thread numbers
        code, r, text = searched(name, folder, "--explore", "bound=2", "--memory-model", "ptx")
        check("dining with the memory model has its order", code == 4 and all("order" in f for f in r["findings"]), text)
    code, r, text = searched(name, folder, "-DTWIN", "--explore", "bound=2", *model)
    check(f"the twin of {name} is clean", code == 0 and not r["findings"], code, text)
    check(f"the twin of {name} in its whole space", any(re.match(r"all schedules", n) for n in r["notes"]), r["notes"])


# A search decides within a launch: it says which kernels might run at the same time, and did not.
def look_at_streams(folder):
    for how in (["--explore", "bound=1"], ["--schedule", "pct", "--schedules", "20"]):
        _, r, text = searched("two_streams", folder, *how)
        check(f"{how} names kernels of two streams", any(n.startswith("kernels of 2 streams (add_one, add_two) ran one after the "
                                                                      "other") for n in r["notes"]), text)
        _, r, text = searched("two_streams", folder, "-DONE_STREAM", *how)
        check(f"{how} knows streams that wait for each other", r["notes"] and not any("streams" in n for n in r["notes"]), text)
    for how in ([], ["--explore", "bound=1"]):
        code, r, text = searched("two_streams", folder, "-DEACH_WAY", *how)
        check(f"{how}: kernels that wait for each other are a hang, and why is said", code == 4 and
              "a later launch on another stream, comes too late" in " ".join(text.split()) and
              "kernels that wait for each other belong into one launch" in " ".join(text.split()), code, text)


with tempfile.TemporaryDirectory() as scratch:
    for each in sys.argv[2:] or DEFECTS:
        look_at(each, scratch)
    if not sys.argv[2:]:
        look_at_streams(scratch)
print("\n".join(problems) if problems else f"{len(sys.argv[2:] or DEFECTS)} defects found, their twins clean")
sys.exit(1 if problems else 0)
