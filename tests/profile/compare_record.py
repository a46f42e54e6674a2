#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare_record.py SIMRUN [--record FILE] [--source NAME | --part K/N] [--table]: `simrun profile` against a GPU.

record.json is what scripts/profile_record.py wrote on a GPU. Every counter of every kernel in it must be equal, but for
those that differences.json names with both values and the reason (nvcc's code is not the source's, or the hardware adds
something of its own). record_kernels.json is of the built-in programs; their module with markers must have been built
(profile_module). record_random.json and record_forms.json are of kernels that generated.py makes anew. A difference that is listed and no longer there is an error too. A kernel with "not_held" there
does not do the same in every run; it is only counted. record_cuda_source.json has differences_cuda_source.json; a source
that has changed since its record is named and left out. --part today/3: the sources of one day in three. --table prints
all differences; --list writes the file of differences anew, with the reasons that it has.
"""
import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import generated

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COUNTERS = ["global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors",
            "global_reduction_requests", "global_reduction_sectors", "global_atomic_requests", "global_atomic_sectors",
            "shared_load_wavefronts", "shared_load_bank_conflicts", "shared_store_wavefronts",
            "shared_store_bank_conflicts", "shared_atomic_wavefronts"]
ARITHMETIC = [f"float{width}_{kind}" for width in (32, 64) for kind in ("adds", "multiplies", "fmas")]
BUILT_IN = "kernels: "


def bare(kernel):
    """A name as both sides write it: nvcc's tools say reduce<256, 1> where the source's types are unsigned and bool."""
    kernel = re.sub(r"\b(\d+)U\b", r"\1", kernel)
    return re.sub(r"\btrue\b", "1", re.sub(r"\bfalse\b", "0", kernel))


def of_entry(kernel):
    """A built-in program's kernel by the tool's name: entry<&<unnamed>::matmul_tiled<16, 0, 0>, view<...>, ...> for ncu."""
    named = re.match(r"entry<&(?:<unnamed>::)?(\w+)(?:<&(?:<unnamed>::)?(\w+))?", kernel)
    return (named.group(2) or named.group(1)) if named else kernel


def words_of(source, folder):
    """What `simrun profile` is to count: a file, one that is generated, or a built-in program with its options."""
    if source.startswith(BUILT_IN):
        return source[len(BUILT_IN):].split()
    if generated.text_of(source) is None:
        return [str(ROOT / source)]
    return [str(generated.write(source, folder)), "-I", str(HERE)]


def modules_of(simrun):
    """The folder of the module with markers that holds the built-in programs (kernels/single/CMakeLists.txt)."""
    return pathlib.Path(simrun).parent.parent / "lib/simt/profile"


def counted(simrun, source, folder):
    out = os.path.join(folder, "profile.json")
    words = words_of(source, folder)
    where = {"SIMT_MODULE_DIR": str(modules_of(simrun))} if source.startswith(BUILT_IN) else {}
    done = subprocess.run([simrun, "profile", *words, "--json", out, "--quiet"], capture_output=True, text=True, cwd=folder,
                          env={**os.environ, **where})
    if done.returncode != 0:
        sys.exit(f"{source}: simrun profile ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return {bare(k["kernel"]): k["counters"] for k in json.load(open(out))["kernels"]}


def sha256(source):
    if source.startswith(BUILT_IN):
        return None  # the record has none either
    made = generated.text_of(source)
    if made is not None:
        return hashlib.sha256(made.encode()).hexdigest()
    return hashlib.sha256((ROOT / source).read_bytes()).hexdigest()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("simrun")
    parser.add_argument("--record", default="record.json")
    parser.add_argument("--source")
    parser.add_argument("--part")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--list", action="store_true")
    a = parser.parse_args()
    record = json.load(open(HERE / a.record))
    known_file = HERE / a.record.replace("record", "differences")
    known = json.load(open(known_file)) if known_file.exists() else {}
    sources = [s for s in record["sources"] if not a.source or pathlib.Path(s).stem == a.source]
    if a.part:
        which, parts = a.part.split("/")
        number = datetime.date.today().toordinal() if which == "today" else int(which)
        sources = sources[number % int(parts)::int(parts)]
        print(f"part {number % int(parts)} of {parts}: {len(sources)} sources")
    for stale in [s for s in sources if record["sources"][s].get("sha256", sha256(s)) != sha256(s)]:
        print(f"{stale} has changed since scripts/profile_record.py counted it: not compared")
        sources.remove(stale)
    wrong, equal, listed, not_held, new = [], 0, 0, 0, {}
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            ours = counted(os.path.abspath(a.simrun), source, folder)
            for kernel, gpu in sorted((of_entry(k), c) for k, c in record["sources"][source]["kernels"].items()):
                expected = dict(known.get(source, {}).get(kernel, {}))
                if "not_held" in expected:
                    not_held += 1
                    new.setdefault(source, {})[kernel] = expected
                    continue
                if kernel not in ours:
                    wrong.append(f"{source}: {kernel}: not counted here")
                    continue
                differs = {c: [ours[kernel][c], gpu[c]] for c in COUNTERS + ARITHMETIC if c in gpu and ours[kernel][c] != gpu[c]}
                reason = expected.pop("reason", "")
                if differs:
                    new.setdefault(source, {})[kernel] = {**differs, "reason": reason}
                if differs == expected:
                    equal += not differs
                    listed += bool(differs)
                    continue
                for c in sorted(set(differs) | set(expected)):
                    is_now, was = differs.get(c), expected.get(c)
                    if is_now != was:
                        wrong.append(f"{source}: {kernel}: {c}: here and on the GPU {is_now or 'equal'}, listed {was or 'as equal'}")
    if a.list:
        known_file.write_text(json.dumps(new, indent=1, sort_keys=True) + "\n")
    if a.table:
        for source, kernels in new.items():
            for kernel, counters in kernels.items():
                print(f"{kernel}: " + ", ".join(f"{c} {v[0]} here, {v[1]} on the GPU" for c, v in counters.items() if len(v) == 2),
                      f"({counters.get('reason') or counters.get('not_held', '')})")
    print(f"{equal} kernels equal in every counter, {listed} with a difference that is listed, {not_held} not held, "
          f"{len(wrong)} wrong counters")
    if wrong and not a.list:
        print("\n".join(wrong[:60]))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
