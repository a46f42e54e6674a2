#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mutations.py ROOT BUILD: breaks the search over schedules in one way after the other, in a copy of its source, and
expects search_oracle.cpp to notice each. --verify instead of BUILD: only, does each mutation still fit the source?"""
import pathlib
import shlex
import subprocess
import sys
import tempfile

SOURCE = "cli/schedule_search.cpp"
MUTATIONS = [
    ("steps forget the write before them", "      if (at != last_write_.end()) h = mixed(h, at->second);\n", ""),
    ("reads forget the write before them", "      if (at != last_write_.end()) h",
     "      if (at != last_write_.end() && s.kind != step_kind::read) h"),
    ("writes forget the write before them", "      if (at != last_write_.end()) h",
     "      if (at != last_write_.end() && s.kind == step_kind::read) h"),
    ("threads have no order of their own", "    h = mixed(h, before == last_of_thread_.end() ? 1 : before->second);\n", ""),
    ("who runs is no part of a state", "static_cast<std::uint64_t>(thread) + 17", "0 * static_cast<std::uint64_t>(thread)"),
    ("threads and places stand for each other", "mixed(mixed(static_cast<std::uint64_t>(s.thread) + 1, 0), s.place)",
     "mixed(static_cast<std::uint64_t>(s.thread) + 1, s.place)"),
    ("older values cost nothing", "(other.older > 0 ? 1 : 0)", "0"),
    ("what was read is no part of a state", "    if (s.source != 0) h = mixed(h, s.source);\n", ""),
    ("preemptions do not count", "(preempts ? 1 : 0)", "0"),
    ("a choice at an end costs, too", "s.running >= 0 && other.thread != s.running", "true"),
    ("states are spent at the first visit", "  if (at->second <= preemptions) return false;\n", "  return false;\n"),
    ("new places are not learned", "  if (!r.new_places.empty()) {\n", "  if (false) {\n"),
    ("the bound is one less", "next.preemptions > bound_.preemptions", "next.preemptions >= bound_.preemptions"),
    ("only the first other goes on", "    for (const step_choice& other : s.others) plan(run, i, s, other, state);\n",
     "    if (!s.others.empty()) plan(run, i, s, s.others.front(), state);\n"),
    ("a run is followed to its departure only", "&& i > behind + 1) return;", ") return;"),
]


def main():
    root = pathlib.Path(sys.argv[1])
    source = (root / SOURCE).read_text()
    for name, old, _ in MUTATIONS:
        if source.count(old) != 1:
            sys.exit(f"{name}: its text stands {source.count(old)} times in {SOURCE}")
    if sys.argv[2] == "--verify":
        return print(f"{len(MUTATIONS)} mutations fit")
    build = pathlib.Path(sys.argv[2]).resolve()
    lines = subprocess.run(["ninja", "-C", build, "-t", "commands", "schedule_tests.check"], capture_output=True,
                           text=True, check=True).stdout.splitlines()
    compile_line = next(line for line in lines if "schedule_search.cpp.o" in line and " -c " in line)
    link_line = next(line for line in lines if "-o bin/schedule_tests.check" in line)
    object_file = next(w for w in shlex.split(compile_line) if w.endswith("schedule_search.cpp.o"))
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy, mutant, test = (f"{folder}/{n}" for n in ("schedule_search.cpp", "mutant.o", "test"))
        (pathlib.Path(folder) / "schedule_search.hpp").write_text((root / SOURCE).with_suffix(".hpp").read_text())
        for name, old, new in MUTATIONS:
            pathlib.Path(copy).write_text(source.replace(old, new))
            for line in (compile_line.replace(str((root / SOURCE).resolve()), copy).replace(object_file, mutant),
                         link_line.replace(object_file, mutant).replace("-o bin/schedule_tests.check", f"-o {test}")):
                subprocess.run(line, shell=True, cwd=build, check=True, capture_output=True)
            try:
                noticed = subprocess.run([test], capture_output=True, timeout=60).returncode != 0
            except subprocess.TimeoutExpired:
                noticed = True
            missed += not noticed
            print(f"{'noticed' if noticed else 'MISSED '} {name}", flush=True)
    sys.exit(missed != 0)


main()
