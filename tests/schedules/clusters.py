#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clusters.py SIMRUN MODULE mpi|slurm WORK: a campaign under Open MPI, or in a Slurm of one node that is set up for it
(one_node_slurm.sh): every run is made once, shard by shard, and a second start makes none again. Ends with 77 and the
name of what is missing where that is not installed."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

SIMRUN, MODULE, KIND, WORK = sys.argv[1], sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
PLAN = f'''name = "night"
check = "races"
module = "{MODULE}"

[[run]]
program = ["count-of-one", "count-of-one-fixed", "missing-acquire-fixed"]
schedules = ["natural", "random 1-8", "explore bound=1"]
'''
RUNS = 3 * 10
problems = []


def check(what, good, *shown):
    if not good:
        problems.append(f"{what}: {' '.join(str(s) for s in shown)}")


def run(*words, **more):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=250, cwd=WORK, **more)


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def judge(folder, shards):
    files = sorted(folder.glob("*.jsonl"))
    check("a file for each shard", len(files) == shards, files)
    lines = [json.loads(line) for f in files for line in f.read_text().splitlines()]
    jobs = [line["job"] for line in lines if "job" in line]
    check("each run is made once", len(jobs) == len(set(jobs)) == RUNS, len(jobs), len(set(jobs)))
    done = run(SIMRUN, "merge", *files, "--json", WORK / "merged.json")
    merged = json.loads((WORK / "merged.json").read_text())
    check("all is merged", done.returncode == 3 and merged["runs"] == merged["of"] == RUNS and not merged["missing"], done)
    check("the defect is found, and only that", {f["program"] for f in merged["findings"]} == {"count-of-one"}, merged)


if KIND == "in-slurm":  # in the cluster
    done = run(SIMRUN, "campaign", "plan.toml", "--slurm", "--shards", 3, "--output", WORK / "slurm")
    check("the job is submitted", done.returncode == 0 and "Submitted batch job" in done.stdout + done.stderr, done)
    for _ in range(400):
        if not run("squeue", "-h").stdout.strip():
            break
        time.sleep(0.5)
    logs = [f.read_text()[-600:] for f in (WORK / "slurm").glob("slurm-*.out")]
    check("three tasks of the array ran", len(logs) == 3, logs)
    judge(WORK / "slurm", 3)
    if problems:
        problems.append("\n".join(logs))
else:
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    (WORK / "plan.toml").write_text(PLAN)
    if KIND == "mpi":
        if not shutil.which("mpirun"):
            skip("no mpirun here (Debian: openmpi-bin)")
        as_root = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_btl="self,vader")
        for start in ("first", "second"):
            done = run("mpirun", "-n", 2, SIMRUN, "campaign", "plan.toml", "--output", WORK / "mpi", env=as_root)
            check(f"the {start} world ends well", done.returncode == 0, done)
            judge(WORK / "mpi", 2)
        done = run(SIMRUN, "campaign", "plan.toml", "--mpi", 2, "--output", WORK / "started", env=as_root)
        check("--mpi starts a world", done.returncode == 0, done)
        judge(WORK / "started", 2)
    else:
        script = pathlib.Path(__file__).with_name("one_node_slurm.sh")
        done = subprocess.run([str(script), str(WORK / "cluster"), sys.executable, __file__, SIMRUN, MODULE, "in-slurm", str(WORK)],
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=280)
        print(done.stdout)
        sys.exit(done.returncode)

print("\n".join(problems) or "every run was made once")
sys.exit(bool(problems))
