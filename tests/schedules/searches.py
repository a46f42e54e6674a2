#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""searches.py SIMRUN MODULE: defects that a rare schedule shows (defects.cpp). Natural, lockstep, reverse and 100 random
schedules miss each of them; a search finds it within its bound, and finds nothing in the clean twin in the whole of its
space. What is recorded is played back byte for byte."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

SIMRUN, MODULE = sys.argv[1], sys.argv[2]
DEFECTS = ["last-block", "two-locks", "made-once", "count-of-one", "stolen-task", "stack-aba", "queue-of-one",
           "barrier-reuse"]
# No order of threads shows them; the bound and the runs of pct that each needs, whether 40 random schedules show it, and
# what its order says.
READS, STORES = "reads an older value at line", "takes its place before the newest store"
WEAK = {"missing-acquire": (1, 60, True, READS), "early-message": (1, 60, True, READS),
        "volatile-message": (1, 60, True, READS), "both-step-back": (2, 1000, False, STORES),
        "both-last": (1, 40, False, "stores later")}
HANGS = ["two-locks", "barrier-reuse"]
problems = []


def run(*words):
    done = subprocess.run([SIMRUN, *words, "--module", MODULE], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


def report(*words):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "report.json")
        code, text = run(*words, "--json", file)
        try:
            return code, json.loads(pathlib.Path(file).read_text())
        except (OSError, ValueError):
            problems.append(f"{' '.join(words)}: no report, code {code}: {text}")
            return code, {"findings": [], "notes": [], "orders": []}


def check(what, good, *shown):
    if not good:
        problems.append(f"{what}: {' '.join(str(s) for s in shown)}")


for name in DEFECTS:
    code, text = run(name, "--schedules", "103", "--check", "races")
    check(f"{name} under simple schedules is missed", code == 0, code, text)

    rules = {"hang", "deadlock"} if name in HANGS else {"nondeterministic-output"}
    code, r = report(name, "--explore", "bound=1", "--check", "races")
    found = {f["rule"] for f in r["findings"]}
    check(f"{name} is found within one preemption", found & rules, code, found, r["notes"])
    check(f"{name} is an error", code == (4 if name in HANGS else 3), code)
    code, r = report(name, "--schedule", "pct", "--depth", "2", "--schedules", "200", "--check", "races")
    found = {f["rule"] for f in r["findings"]}
    check(f"{name} is found by pct", found & rules, code, found, r["notes"])

    clean = name + "-fixed"
    code, r = report(clean, "--explore", "bound=all", "--check", "races")
    check(f"{clean} is clean in every schedule", code == 0 and not r["findings"], code, r["findings"])
    check(f"{clean} says what was covered", re.match(r"all schedules of 2 threads: [\d,]+ runs?, no finding$", r["notes"][-1]),
          r["notes"])
    code, r = report(clean, "--schedule", "pct", "--depth", "2", "--schedules", "200", "--check", "races")
    check(f"{clean} is clean under pct", code == 0, code, r["findings"])
    claim = re.match(r"pct with depth 2: (\d+) runs of 2 threads with up to (\d+) steps, .*misses a defect of depth 2 with "
                     r"probability below ([\d.]+) %", r["notes"][-1])
    check(f"{clean} under pct says what was covered", claim, r["notes"])
    if claim:
        runs, steps, miss = int(claim[1]), int(claim[2]), float(claim[3]) / 100
        true_miss = (1 - 1 / (2 * steps)) ** runs
        check(f"{clean}: the bound of pct", runs == 200 and true_miss <= miss <= max(true_miss * 1.2, 1.1e-11), claim[0], true_miss)

# What no order shows, only a load of an older value. Where data and flag are volatile, the missing fence is a finding of
# its own, whatever the order.
for name, (bound, by_pct, at_random, says) in WEAK.items():
    known = {"missing-fence"} if name == "volatile-message" else set()
    code, text = run(name, "--schedules", "103", "--check", "races")
    check(f"{name} under simple schedules is missed", code == (3 if known else 0), code, text)
    code, r = report(name, "--explore", "bound=all", "--check", "races")
    check(f"{name} is missed by all orders", {f["rule"] for f in r["findings"]} == known and
          r["notes"][-1].startswith("all schedules of 2 threads"), code, r)
    for how in [["--explore", f"bound={bound}"], *([["--schedule", "pct", "--schedules", str(by_pct)]] if by_pct else []),
                *([["--schedules", "40"]] if at_random else [])]:
        code, r = report(name, *how, "--check", "races", "--memory-model", "ptx")
        found = {f["rule"]: f for f in r["findings"]}
        check(f"{name} is found with {how}", code == 3 and "nondeterministic-output" in found, code, r["notes"])
        order = found.get("nondeterministic-output", {}).get("order", {}).get("text", [])
        check(f"{name} with {how} says what went on", how[0] == "--schedules" or any(
            says in s and "PTX allows it" in s for s in order), order)
    for how in (["--explore", "bound=all"], ["--schedule", "pct", "--schedules", "60"], ["--schedules", "40"]):
        code, r = report(name + "-fixed", *how, "--check", "races", "--memory-model", "ptx")
        check(f"{name}-fixed is clean with {how}", code == 0 and not r["findings"], code, r["findings"])
for name in DEFECTS:
    code, r = report(name + "-fixed", "--explore", "bound=2", "--check", "races", "--memory-model", "ptx")
    check(f"{name}-fixed with the memory model", code == 0 and not r["findings"], code, r["findings"])
    order = [f["order"]["text"] for f in report(name, "--explore", "bound=1", "--check", "races")[1]["findings"] if "order" in f]
    check(f"{name} has an order with one departure", order and all(len(o) == 1 for o in order), order)

# A record is one run: played back, it gives the same bytes.
for name, how in [("count-of-one", ["--explore", "bound=1"]), ("count-of-one", ["--schedule", "pct", "--schedules", "200"]),
                  ("missing-acquire", ["--explore", "--memory-model", "ptx"]),
                  ("missing-acquire", ["--schedule", "pct", "--schedules", "60", "--memory-model", "ptx"]),
                  ("missing-acquire", ["--schedules", "40", "--memory-model", "ptx"]),
                  ("both-step-back", ["--explore", "--memory-model", "ptx"]),
                  ("both-last", ["--explore", "--memory-model", "ptx"]),
                  ("both-step-back", ["--schedule", "pct", "--schedules", "1000", "--memory-model", "ptx"]),
                  ("two-locks", ["--explore"]), ("stack-aba", ["--explore", "departures=2"])]:
    with tempfile.TemporaryDirectory() as folder:
        record, again = os.path.join(folder, "record.json"), os.path.join(folder, "again.json")
        code, text = run(name, *how, "--check", "races", "--record", record)
        replayed = subprocess.run([SIMRUN, "replay", record, "--json", again], capture_output=True, text=True, timeout=60)
        same = pathlib.Path(record).read_bytes() == pathlib.Path(again).read_bytes()
        check(f"{name} {' '.join(how)} is replayed", same, text, replayed.stdout, replayed.stderr)
        bad = 4 if name in HANGS else 1
        if how[0] == "--schedules":
            continue  # what is recorded may be the run that was right, after one that was wrong
        check(f"{name} {' '.join(how)}: its replay shows it", replayed.returncode == bad, replayed.returncode, replayed.stdout)

# One preemption of 64 threads, and a count that fits the bound: departing from thread order at most once.
code, r = report("many-steps", "--explore", "departures=1", "--check", "races", "--block", "4")
check("departures of many threads", code == 0 and re.match(r"all schedules with at most 1 departure from the order of "
      r"thread numbers of 4 threads: [\d,]+ runs, no finding$", r["notes"][-1]), r["notes"])

# Large launches take turns by warps or blocks, and say so; --unit decides otherwise.
for words, says in [(["--block", "320"], "10 warps (320 threads; of each warp the first that can go on does)"),
                    (["--block", "320", "--unit", "thread"], "320 threads"),
                    (["--block", "4", "--unit", "block"], "1 block")]:
    code, r = report("many-steps", "--schedule", "pct", "--schedules", "3", "--check", "races", *words)
    check(f"units with {words}", code == 0 and f" of {says}" in r["notes"][-1], r["notes"])

# A variable of the module starts from its first value in every run.
for how in (["--explore", "bound=all"], ["--schedule", "pct", "--schedules", "60"], ["--schedules", "10"]):
    code, r = report("counted", *how, "--check", "races")
    check(f"variables with {how}", code == 0 and not r["findings"], code, r["findings"], r["notes"])

# Several processes search as one does.
for words in [["many-steps", "--block", "3", "--explore", "departures=2"],
              ["many-steps", "--block", "3", "--schedule", "pct", "--schedules", "300"],
              ["stack-aba-fixed", "--explore", "bound=all", "--memory-model", "ptx"],
              ["count-of-one", "--schedule", "pct", "--schedules", "300"]]:
    reports = [report(*words, "--check", "races", "--workers", workers) for workers in ("1", "2", "3")]
    texts = [re.sub(r'"--workers", "\d"', "", json.dumps(r)) for _, r in reports]
    texts = [re.sub(r"--workers \d", "", t) for t in texts]
    check(f"{words} on several processes", len(set(texts)) == 1, *(r["notes"] for _, r in reports))

# A search that cannot end says what it has covered.
code, r = report("two-locks-fixed", "--explore", "bound=all", "time=0.000001s")
check("a search without a run is no clean one", code == 2 and "nothing is known" in r["error"], code, r.get("error"))
code, r = report("many-steps", "--grid", "1", "--block", "1", "--check", "races", "--explore", "bound=all")
check("one thread is one", any("of 1 thread:" in n for n in r["notes"]), r["notes"])
code, r = report("many-steps", "--explore", "bound=all", "time=2s", "--check", "races")
check("a time limit ends the search", (code == 0 and any("not to the end" in n for n in r["notes"])) or
      (code == 2 and "nothing is known" in r["error"]), code, r["notes"])
# The run in progress is given up. Where none had ended, or all places that are shared were not known, nothing is claimed.
seen = set()
for seconds in ("0.000001", "0.02", "0.06", "0.2", "0.6", "1.5"):
    begun = time.monotonic()
    done = subprocess.run([SIMRUN, "hist", "--samples", "40000", "--check", "races", "--explore", "bound=all", f"time={seconds}s"],
                          capture_output=True, text=True, timeout=120)
    text = " ".join((done.stdout + done.stderr).split())
    check(f"{seconds} s end a search", time.monotonic() - begun < 10, time.monotonic() - begun, text)
    check(f"{seconds} s: no runs are no result", not re.search(r"\b0 runs", text), text)
    if "nothing is known" in text:
        check(f"{seconds} s: no run of the search ended", done.returncode == 2, done.returncode, text)
        seen.add("nothing")
    else:
        check(f"{seconds} s: what was covered", done.returncode == 0 and re.search(
            r"explored in [\d.e-]+ s, and not to the end: [\d,]+ runs? ", text), done.returncode, text)
check("a search of no time knows nothing", "nothing" in seen, seen)
for words, says in [(["--explore", "bound=2", "--schedule", "random"], "leave out --schedule random"),
                    (["--explore=bund=2"], "--explore takes bound=N"),
                    (["--depth", "0", "--schedule", "pct"], "whole number from 1 to 10"),
                    (["--depth", "3"], "--schedule pct"),
                    (["--explore", "--budget", "5"], "did you mean --explore time=10s?"),
                    (["--unit", "block"], "--unit says what takes turns in --explore and --schedule pct"),
                    (["--explore", "--unit", "wrap"], "warp"),
                    (["--depth", "3", "--schedule", "random"], "--schedule pct")]:
    code, text = run("two-locks", *words)
    check(f"{words} is refused", code == 2 and says in " ".join(text.split()), code, text)

print("\n".join(problems) or f"{len(DEFECTS)} defects found, their twins clean")
sys.exit(bool(problems))
