#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""replays.py SIMRUN MODULE [--cuda]: what was recorded is played back in another folder, by another copy of the module, and
under each pair of a check and a memory model; in a program that was changed a replay says where it parted. With --cuda: of
CUDA source, which is built again where it is played back."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SIMRUN, MODULE = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
HERE = pathlib.Path(__file__).resolve().parent / "cuda"
problems = []


def check(what, good, *shown):
    if not good:
        problems.append(f"{what}: {' '.join(str(s) for s in shown)}")


def run(folder, *words, **environment):
    return subprocess.run([SIMRUN, *map(str, words)], capture_output=True, text=True, timeout=200, cwd=folder,
                          env=dict(os.environ, **environment))


def matrix(top):
    """A defect of orders, and one of what memory allows, in each way to look for them."""
    for check_of in ("races", "memory", "uninit", "barrier", "all"):
        for model in ([], ["--memory-model", "ptx"]):
            for how in (["--explore", "bound=1"], ["--schedule", "pct", "--schedules", "200"]):
                options = ["--module", MODULE, "--check", check_of, *how, *model]
                for name in ("count-of-one", "missing-acquire"):
                    shown = " ".join(map(str, [name, "--check", check_of, *how, *model]))
                    record, again = top / "record.json", top / "again.json"
                    done = run(top, name, *options, "--record", record)
                    to_find = name == "count-of-one" or bool(model)
                    found = {f["rule"] for f in json.loads(record.read_text())["findings"]}
                    check(shown, done.returncode == (3 if to_find else 0), done)
                    replayed = run(top, "replay", record, "--json", again)
                    check(f"{shown}: replay", replayed.returncode == (1 if to_find else 0), found, replayed)
                    check(f"{shown}: bytes", record.read_bytes() == again.read_bytes())
                twin = run(top, ("missing-acquire" if model else "count-of-one") + "-fixed", *options)
                check(f"twin, --check {check_of} {how} {model}", twin.returncode == 0, twin)


def another_copy(top):
    """The same build at another path, as on another machine."""
    there = top / "there"
    there.mkdir()
    copy = there / MODULE.name
    shutil.copy(MODULE, copy)
    for how in (["--explore", "bound=1"], ["--schedule", "pct", "--schedules", "200"], ["--schedules", "40"]):
        record, again = top / "record.json", there / "again.json"
        run(top, "count-of-one", "--module", MODULE, "--check", "all", *how, "--record", record)
        run(there, "replay", record, "--module", copy, "--json", again)
        orders = [json.loads(f.read_text())["orders"] for f in (record, again)]
        check(f"{how}: the order in another copy", orders[0] == orders[1], orders)
        found = [[(f["rule"], f["accesses"]) for f in json.loads(t.read_text())["findings"]] for t in (record, again)]
        check(f"{how}: the findings in another copy", found[0] == found[1], found)


def sources(top):
    a, b = top / "a", top / "b"
    for folder in (a, b):
        folder.mkdir()
        for name in ("status_before_value.cu", "words.hpp"):
            shutil.copy(HERE / name, folder)
    source = b / "status_before_value.cu"
    done = run(a, source.name, "--check", "races", "--explore", "bound=1", "--record", b / "record.json",
               SIMT_CACHE_DIR=str(a / "cache"))
    check("the defect is found", done.returncode == 3, done)

    def replayed(text):
        source.write_text(text)
        done = run(b, "replay", "record.json", "--json", "again.json", SIMT_CACHE_DIR=str(b / "cache"))
        return done, " ".join((done.stdout + done.stderr).split())

    original = source.read_text()
    done, text = replayed(original)
    check("in another folder it is played back", done.returncode == 1, done)
    check("to the same bytes", (b / "record.json").read_bytes() == (b / "again.json").read_bytes())
    elsewhere = top / "elsewhere"
    elsewhere.mkdir()
    done = run(elsewhere, "replay", b / "record.json", SIMT_CACHE_DIR=str(b / "cache"))
    check("where the program is not, the way to name it is said", done.returncode == 2 and
          f"recorded of {source.name}, which is not there" in done.stderr and "record.json PROGRAM" in done.stderr, done)
    done = run(elsewhere, "replay", b / "record.json", source, "--json", "again.json", SIMT_CACHE_DIR=str(b / "cache"))
    orders = [json.loads(f.read_text())["orders"] for f in (b / "record.json", elsewhere / "again.json")]
    check("a program that lies elsewhere is played back", done.returncode == 1 and orders[0] == orders[1], done)
    run(a, source.name, "--check", "races", "--explore", "bound=1", "--record", b / "words.json", "--", "a", "word",
        SIMT_CACHE_DIR=str(a / "cache"))
    done = run(b, "replay", "words.json", "--json", "again.json", SIMT_CACHE_DIR=str(b / "cache"))
    check("options of a replay are no words of the program", done.returncode == 1 and
          (b / "words.json").read_bytes() == (b / "again.json").read_bytes(), done)
    done, text = replayed(original + "// and no more\n")
    check("a comment changes nothing", done.returncode == 1, done)
    for what, old, new, says in [
            ("one more step", "int sum = mine;", "add(w[60], 1);\n  int sum = mine;", r"at pick \d+ of launch 1: "),
            ("another grid", "run(scan, 3)", "run(scan, 2)", "launch 1 is of kernel scan with 2 blocks of 1 threads, recorded was scan "
             "with 3 of 1"),
            ("another kernel", "scan", "sum_up", "launch 1 is of kernel sum_up")]:
        assert old in original
        done, text = replayed(original.replace(old, new))
        check(f"{what}: the replay parts", done.returncode == 2 and re.search(
            "this run departed from the recorded order: " + says + ".*; a replay needs the program, the input and the options of "
            "the recorded run", text), done)


with tempfile.TemporaryDirectory() as folder:
    if "--cuda" in sys.argv:
        sources(pathlib.Path(folder))
    else:
        matrix(pathlib.Path(folder))
        another_copy(pathlib.Path(folder))
print("\n".join(problems) or "all was played back")
sys.exit(bool(problems))
