#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""both_ways.py SIMRUN SOURCE... | --record FILE [--part K/N] | --generated NAME...: `simrun profile` as loops and on fibers.

All counters of every source line must be equal. SOURCE is a file of this folder. --record takes the sources of a
record as compare_record.py does, of which kernels with "not_held" among the differences do not do the same in every
run; --generated takes programs that
generated.py makes of a seed: "random: 7", and "forms: today" one of the seeds 0 to 999 each day."""
import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import compare_record

HERE = pathlib.Path(__file__).resolve().parent


def counted(simrun, source, execution, folder):
    """Counters by kernel and line; None: the source failed alike on any machine."""
    out = pathlib.Path(folder, "counted.json")
    out.unlink(missing_ok=True)
    words = compare_record.words_of(source, folder)
    built_in = source.startswith(compare_record.BUILT_IN)
    where = {"SIMT_MODULE_DIR": str(compare_record.modules_of(simrun))} if built_in else {}
    done = subprocess.run([simrun, "profile", *words, "--execution", execution, "--workers", "1", "--json", str(out), "--quiet"],
                          capture_output=True, text=True, cwd=folder, env={**os.environ, **where})
    if not out.exists():
        sys.exit(f"{source}: simrun profile --execution {execution} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return {(k["kernel"], f"{line['file']}:{line['line']}"): line["counters"]
            for k in json.load(open(out))["kernels"] for line in k["lines"]}


def differences(loops, fibers):
    for place in sorted(loops.keys() | fibers.keys()):
        a, b = loops.get(place, {}), fibers.get(place, {})
        for name in sorted(a.keys() | b.keys()):
            if a.get(name, 0) != b.get(name, 0):
                yield f"{' at '.join(place)}: {name} is {a.get(name, 0)} as loops and {b.get(name, 0)} on fibers"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("simrun")
    parser.add_argument("sources", nargs="*")
    parser.add_argument("--record")
    parser.add_argument("--part")
    parser.add_argument("--generated", nargs="*", default=[])
    a = parser.parse_args()
    sources = [f"tests/profile/{s}" for s in a.sources] + [name.replace("today", str(datetime.date.today().toordinal() % 1000)) for name in a.generated]
    unsteady = {}
    if a.record:
        sources += json.load(open(HERE / a.record))["sources"]
        known = HERE / a.record.replace("record", "differences")
        unsteady = json.load(open(known)) if known.exists() else {}
    if a.part:
        which, parts = a.part.split("/")
        number = datetime.date.today().toordinal() if which == "today" else int(which)
        sources = sources[number % int(parts)::int(parts)]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            loops, fibers = (counted(os.path.abspath(a.simrun), source, how, folder) for how in ("auto", "fibers"))
            left_out = [k for k, c in unsteady.get(source, {}).items() if "not_held" in c]
            if left_out:
                print(f"{source}: {', '.join(left_out)} not held")
            named = [k for k in {kernel for kernel, line in loops.keys() | fibers.keys()} if compare_record.bare(k) in left_out]
            held = lambda counts: {place: c for place, c in counts.items() if place[0] not in named}
            found = list(differences(held(loops), held(fibers)))
            wrong += [f"{source}: {what}" for what in found]
            print(f"{source}: {len(fibers)} lines", flush=True)
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
