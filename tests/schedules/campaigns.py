#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""campaigns.py SIMRUN MODULE: campaigns in shards: nothing is lost or counted twice when shards are killed, restarted and
run twice; MPI's and Slurm's variables; mistakes in a plan, by line and nearest key; merging."""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

SIMRUN, MODULE = sys.argv[1], sys.argv[2]
problems = []
PLAN = f'''name = "night"
check = "races"
timeout = 60
module = "{MODULE}"

[[run]]
program = ["count-of-one", "count-of-one-fixed"]
schedules = ["natural", "random 1-8", "explore bound=1"]

[[run]]
program = "last-block"
grid = [2]
schedules = ["reverse", "pct depth=2 runs=5"]
'''
RUNS = 2 * 10 + 2
NO_CLUSTER = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM_", "OMPI_", "PMI_", "MV2_"))}


def check(what, good, *shown):
    if not good:
        problems.append(f"{what}: {' '.join(str(s) for s in shown)}")


def simrun(*words, **environment):
    return subprocess.run([SIMRUN, *words], capture_output=True, text=True, timeout=120,
                          env=NO_CLUSTER | {"COLUMNS": "1000"} | environment)


def merge(folder, *words):
    out = folder / "merged.json"
    files = sorted(str(f) for f in folder.glob("*.jsonl"))
    done = simrun("merge", *files, "--json", str(out), *words)
    return done, json.loads(out.read_text()) if done.returncode in (0, 2, 3) and out.exists() else {}


with tempfile.TemporaryDirectory() as name:
    top = pathlib.Path(name)
    plan = top / "plan.toml"
    plan.write_text(PLAN)

    whole = top / "whole"
    done = simrun("campaign", str(plan), "--output", str(whole))
    check("a campaign runs, and its findings are its exit code", done.returncode == 3, done)
    done, one = merge(whole)
    check("all runs of one shard", one.get("runs") == RUNS == one.get("of") and not one["missing"], done, one)
    errors = [(f["program"], f["rule"], f["runs"]) for f in one["findings"] if f["severity"] == "error"]
    check("each finding stands once", errors.count(("count-of-one", "nondeterministic-output", 1)) == 1 and
          len(errors) == len(set(errors)), errors)
    check("findings are merge's exit code", done.returncode == 3, done)

    # Shards that are killed at any moment, go on, and run twice at a time.
    chance = random.Random(7)
    killed = top / "killed"
    kills = 0
    for shard in (1, 2, 3):
        line = [SIMRUN, "campaign", str(plan), "--output", str(killed), "--shard", f"{shard}/3", "--jobs", "1"]
        for attempt in range(60):
            if attempt >= 6 and any(killed.glob(f"*shard-{shard}-of-3.jsonl")):
                break  # on a loaded machine the first ones may be killed before they have a file
            both = [subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=NO_CLUSTER)
                    for _ in range(2)]
            time.sleep(chance.uniform(0, 0.4) * (1 + attempt // 6))
            for process in both:
                kills += process.poll() is None
                process.kill()
                process.wait()
        file = next(killed.glob(f"*shard-{shard}-of-3.jsonl"))
        with open(file, "a") as torn:
            torn.write('{"job": "0123')  # as a machine that fails leaves it
    _, partial = merge(killed)
    check("what is not there yet is missing", partial.get("runs", RUNS) + sum(m["of"] - m["ran"] for m in partial["missing"])
          == RUNS, partial.get("missing"))
    for shard in (1, 2, 3):
        simrun("campaign", str(plan), "--output", str(killed), "--shard", f"{shard}/3")
    done, three = merge(killed)
    check("shards were killed", kills > 0, kills)
    check("killed shards lose and double nothing", three.get("runs") == RUNS and not three["missing"], three)
    check("they find the same", [(f["program"], f["rule"], f["runs"]) for f in three["findings"]]
          == [(f["program"], f["rule"], f["runs"]) for f in one["findings"]], three["findings"], one["findings"])
    check("torn lines are said", "torn" in done.stdout, done.stdout)

    # Every second run is long: no shard has all of them, and together they have each run once.
    mixed = top / "mixed.toml"
    mixed.write_text(f'module = "{MODULE}"\ncheck = "races"\n[[run]]\nprogram = "count-of-one-fixed"\n'
                     'schedules = ["random 1-40"]\n')
    ran = []
    for shard in (1, 2):
        simrun("campaign", str(mixed), "--output", str(top / "mixed"), "--shard", f"{shard}/2")
        lines = [json.loads(line) for line in next((top / "mixed").glob(f"*shard-{shard}-of-2.jsonl")).open()]
        seeds = [int(line["words"][line["words"].index("--seed") + 1]) for line in lines if "job" in line]
        ran += seeds
        check("a shard has runs from even and odd places", len(seeds) == 20 and 4 < sum(s % 2 for s in seeds) < 16, seeds)
    check("shards have each run once", sorted(ran) == list(range(1, 41)), ran)

    # A shard that nobody ran is named.
    next(killed.glob("*shard-2-of-3.jsonl")).unlink()
    done, less = merge(killed)
    check("a missing shard is named", [m["shard"] for m in less["missing"]] == [2] and "shard 2 of 3" in done.stdout, done)

    # The plan and what it names lie elsewhere on another machine; its shards are of the same campaign.
    for shard, how in (1, "relative"), (2, "absolute"):
        place = top / f"machine{shard}"
        place.mkdir()
        shutil.copy(MODULE, place)
        (place / "plan.toml").write_text(PLAN.replace(MODULE, pathlib.Path(MODULE).name))
        plan_there = "plan.toml" if how == "relative" else str(place / "plan.toml")
        subprocess.run([SIMRUN, "campaign", plan_there, "--output", str(top / "machines"), "--shard", f"{shard}/2"],
                       capture_output=True, text=True, timeout=120, cwd=place, env=NO_CLUSTER)
    done, both = merge(top / "machines")
    check("machines share a campaign", both.get("runs") == RUNS and not both["missing"], done, both.get("missing"))
    check("they find the same as one", [(f["program"], f["rule"], f["runs"]) for f in both["findings"]]
          == [(f["program"], f["rule"], f["runs"]) for f in one["findings"]], both["findings"], one["findings"])

    # Two folders of results of one plan. Shard 1 was begun in both, and neither has all of it; shard 2 ran in one.
    first, second = top / "first", top / "second"
    for folder, shard in (first, 1), (second, 2):
        simrun("campaign", str(plan), "--output", str(folder), "--shard", f"{shard}/2")
    file = next(first.glob("*shard-1-of-2.jsonl"))
    lines = file.read_text().splitlines(True)
    (second / file.name).write_text("".join(lines[:5]))
    file.write_text("".join(lines[:1] + lines[3:]))
    out = top / "folders.json"

    def merge_folders(*folders):
        done = simrun("merge", *(str(f) for folder in folders for f in folder.glob("*.jsonl")), "--json", str(out))
        return done, json.loads(out.read_text())

    done, folders = merge_folders(first, second)
    check("two folders are one campaign", folders["runs"] == RUNS and not folders["missing"] and
          "2 results stand there more than once" in done.stdout, done, folders["missing"])
    check("what they find, each run once", [(f["program"], f["rule"], f["runs"]) for f in folders["findings"]]
          == [(f["program"], f["rule"], f["runs"]) for f in one["findings"]], folders["findings"], one["findings"])
    done, folders = merge_folders(second)
    check("one of the folders has less", folders["runs"] == RUNS // 2 + 4 and [m["shard"] for m in folders["missing"]] == [1] and
          f"{RUNS // 2 - 4} of its {RUNS // 2} runs" in done.stdout, done, folders["missing"])

    # Ranks and array tasks.
    for variables, shard in [({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "4"}, "2-of-4"),
                             ({"PMI_RANK": "0", "PMI_SIZE": "3"}, "1-of-3"),
                             ({"SLURM_PROCID": "2", "SLURM_NTASKS": "3"}, "3-of-3"),
                             ({"SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "9",
                               "SLURM_ARRAY_TASK_STEP": "4"}, "2-of-3"),
                             ({"SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "2",
                               "OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2"}, "4-of-4")]:
        ranks = top / ("ranks" + shard)
        done = simrun("campaign", str(plan), "--output", str(ranks), **variables)
        files = [f.name for f in ranks.glob("*.jsonl")]
        check(f"{variables}", len(files) == 1 and shard in files[0], files, done)
        if "OMPI_COMM_WORLD_RANK" in variables or "PMI_RANK" in variables:
            check(f"{variables}: a rank ends well, whatever it found", done.returncode == 0, done)
    done = simrun("campaign", str(plan), "--output", str(top / "no"), OMPI_COMM_WORLD_RANK="x", OMPI_COMM_WORLD_SIZE="2")
    check("a rank that is none", done.returncode == 2 and "OMPI_COMM_WORLD_RANK" in done.stderr, done)

    # The budget ends it; the same command goes on.
    slow = top / "slow.toml"
    slow.write_text(PLAN.replace("explore bound=1", "explore bound=1").replace("runs=5", "runs=50000"))
    done = simrun("campaign", str(slow), "--output", str(top / "budget"), "--budget", "0.3s", "--jobs", "1")
    check("the budget is kept", "the budget is spent" in done.stdout, done)
    done, some = merge(top / "budget")
    check("what the budget left is missing", 0 < len(some["missing"]) and some["runs"] < RUNS, some)

    # Where tools are missing, their package is named.
    done = simrun("campaign", str(plan), "--output", str(top / "slurm"), "--slurm", "--shards", "4", PATH="/nowhere")
    check("sbatch is missing", done.returncode == 2 and "slurm-client" in done.stderr, done)
    script = (top / "slurm" / "night.sbatch").read_text()
    check("the job script", "--array=1-4" in script and "exec" in script, script)
    done = simrun("campaign", str(plan), "--mpi", "2", PATH="/nowhere")
    check("mpirun is missing", done.returncode == 2 and "openmpi-bin" in done.stderr, done)

    # Mistakes.
    for old, new, says in [("program = \"last", "progam = \"last", ':11: there is no key "progam" in [[run]]; did you mean program?'),
                           ('check = "races"', 'chekc = "races"', ':2: there is no key "chekc" in the plan; did you mean check?'),
                           ('"reverse"', '"revers"', ':13: there is no schedule "revers"; did you mean reverse?'),
                           ("random 1-8", "random 8-1", ":8: \"8-1\" is no seed and no range of seeds"),
                           ("runs=5", "runz=5", ":13: pct takes depth=D, runs=N, seed=N and unit=NAME, not \"runz=5\""),
                           ("grid = [2]", "grid = [2", ":"),
                           ('program = "last-block"', 'program = "last-blokc"', ":10: a run of this table cannot start"),
                           ("timeout = 60", "timeout = 'soon'", "a run of this table cannot start"),
                           ("[[run]]", "[run]", "")]:
        plan.write_text(PLAN.replace(old, new))
        done = simrun("campaign", str(plan), "--output", str(top / "wrong"))
        check(f"{new} is refused", done.returncode == 2 and "plan.toml" + says in done.stderr or says not in ("",) and
              done.returncode == 2 and says in done.stderr or says == "" and done.returncode == 2, done)
    plan.write_text(PLAN)
    check("nothing ran", not list((top / "wrong").glob("*.jsonl")), list((top / "wrong").glob("*")))
    done = simrun("campaign", str(plan), "--shard", "4/3")
    check("a shard that is none", done.returncode == 2 and "--shard takes I/N" in done.stderr, done)
    done = simrun("merge", str(plan))
    check("a file that is no shard's", done.returncode == 2, done)

print("\n".join(problems) or "campaigns lose and double nothing")
sys.exit(bool(problems))
