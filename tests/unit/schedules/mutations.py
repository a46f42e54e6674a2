#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mutations.py ROOT BUILD [--only TEXT] [--sample N --seed S] [--jobs N] [--verify]: breaks the search over schedules and
the memory model in one way after the other, in copies of their sources, and expects schedule_tests to notice each.
BUILD: a finished build by Ninja; it is left as it is. --sample: so many, other ones each day. --verify: only, does each
mutation still fit the source?"""
import argparse
import concurrent.futures
import datetime
import pathlib
import random
import re
import subprocess
import sys
import tempfile

SEARCH = "cli/schedule_search.cpp"
EXPLORE = "sim/exec/scheduler/explore.cpp"
STEPS = "sim/exec/scheduler/stepwise.cpp"
MEMORY = "sim/exec/scheduler/weak_memory.cpp"
MUTATIONS = [  # what breaks, file, text, its replacement
    ("steps forget the write before them", SEARCH, "      if (at != last_write_.end()) h = mixed(h, at->second);\n", ""),
    ("reads forget the write before them", SEARCH, "      if (at != last_write_.end()) h",
     "      if (at != last_write_.end() && s.kind != step_kind::read) h"),
    ("writes forget the write before them", SEARCH, "      if (at != last_write_.end()) h",
     "      if (at != last_write_.end() && s.kind == step_kind::read) h"),
    ("threads have no order of their own", SEARCH,
     "    h = mixed(h, before == last_of_thread_.end() ? 1 : before->second);\n", ""),
    ("who runs is no part of a state", SEARCH, "static_cast<std::uint64_t>(thread) + 17",
     "0 * static_cast<std::uint64_t>(thread)"),
    ("threads and places stand for each other", SEARCH, "mixed(mixed(static_cast<std::uint64_t>(s.thread) + 1, 0), s.place)",
     "mixed(static_cast<std::uint64_t>(s.thread) + 1, s.place)"),
    ("older values cost nothing", SEARCH, "(other.older > 0 ? 1 : 0)", "0"),
    ("what was read is no part of a state", SEARCH, "    if (s.source != 0) h = mixed(h, s.source);\n", ""),
    ("preemptions do not count", SEARCH, "(preempts ? 1 : 0)", "0"),
    ("a choice at an end costs, too", SEARCH, "s.running >= 0 && other.thread != s.running", "true"),
    ("states are spent at the first visit", SEARCH, "  if (at->second <= preemptions) return false;\n", "  return false;\n"),
    ("new places are not learned", SEARCH, "  if (!r.new_places.empty()) {\n", "  if (false) {\n"),
    ("the bound is one less", SEARCH, "next.preemptions > bound_.preemptions", "next.preemptions >= bound_.preemptions"),
    ("only the first other goes on", SEARCH, "    for (const step_choice& other : s.others) plan(run, i, s, other, state);\n",
     "    if (!s.others.empty()) plan(run, i, s, s.others.front(), state);\n"),
    ("a run is followed to its departure only", SEARCH, "&& i > behind + 1) return;", ") return;"),
    ("older values are not tried", EXPLORE,
     "      for (const std::uint32_t behind : offers(all[i])) s->others.push_back(step_of(all[i], behind));\n", ""),
    ("nobody else is tried", EXPLORE, "      if (i != chosen) s->others.push_back(step_of(all[i]));\n", ""),
    ("a run reads the newest value instead", EXPLORE, "      if (older > 0) weak()->choose(older);\n    }\n", "    }\n"),
    ("no conflict is noticed", STEPS, "    if (conflict) new_places_.insert(s.place + i);\n", ""),
    ("blocks that read before a write are no conflict", STEPS, "(p.written || (writes && p.read))", "p.written"),
    ("threads that read before a write are no conflict", STEPS,
     "by_another(p.writer) || (writes && (by_another(p.reader) || p.read_by_others))", "by_another(p.writer)"),
    ("which value was read is not told", STEPS, "  out.older = older;\n", ""),
    ("an older value stays in memory", MEMORY,
     "  if (p.older_in_memory) std::memcpy(reinterpret_cast<void*>(what.address), &x.stores.back().value, what.bytes);\n", ""),
    ("reads may go back behind a read", MEMORY, "      me.seen.raise(x.id, p.read);\n", ""),
    ("a thread may overlook its own store", MEMORY, "  me.seen.raise(x.id, x.newest());\n", ""),
    ("scopes never matter", MEMORY, "  if (s == scope::block) return from.block == to.block;\n", ""),
    ("the scope of one side is enough", MEMORY, "reaches(a, by, with) && reaches(b, with, by)",
     "reaches(a, by, with) || reaches(b, with, by)"),
    ("updates end a release sequence", MEMORY, "      passed_on = s.heads;\n", ""),
    ("stores go on with a release sequence", MEMORY, "    s.heads = std::move(passed_on);\n",
     "    s.heads = x.stores.back().heads;\n"),
    ("fences do not release", MEMORY, "    s.heads.insert(s.heads.end(), me.fenced.begin(), me.fenced.end());\n", ""),
    ("fences do not acquire", MEMORY,
     "    for (const unacquired& u : me.observed) acquire(me, t, u.from, s);\n    std::erase_if", "    std::erase_if"),
    ("relaxed loads acquire", MEMORY, "    if (strong && acquires(o)) {\n", "    if (strong) {\n"),
    ("acquires take what was read elsewhere", MEMORY, "if (u.location == x.id) acquire(", "acquire("),
    ("releases carry nothing", MEMORY, "      own.push_back({p.by, what.reach, me.seen});\n", ""),
    ("releases end at the next store", MEMORY, "std::vector<head>& own = me.released[x.id];", "std::vector<head> own;"),
    ("fence.sc do not see those before", MEMORY, "    each_level([&](const view& v) { me.seen.join(v); });\n", ""),
    ("fence.sc leave nothing", MEMORY, "  if (o == order::seq_cst) each_level([&](view& v) { v.join(me.seen); });\n", ""),
    ("fence.sc of a block hold everywhere", MEMORY, "    if (s >= scope::device) f(fences_[{scope::device, 0}]);\n",
     "    f(fences_[{scope::device, 0}]);\n"),
    ("seq_cst operations have no fence", MEMORY,
     "  if (what.ordered == order::seq_cst) fence(by, order::seq_cst, what.reach);\n", ""),
    ("older values are offered as if the fence came later", MEMORY,
     "  if (what.ordered == order::seq_cst) {  // its fence comes first\n", "  if (false) {\n"),
    ("the oldest value is not offered", MEMORY, "std::max(seen.at(x->id), x->first);", "std::max(seen.at(x->id), x->first) + 1;"),
    ("barriers order nothing", MEMORY, "  for (const who& t : threads) threads_[t.thread].seen = all;\n", ""),
    ("which store was read is no part of a state", MEMORY, "x->numbered(x->newest() - older).id", "kFirstStore"),
]
TARGET = "schedule_tests.check"


def broken(root, what, name, old, new):
    """The file's text with the mutation in it."""
    text = (root / name).read_text()
    if text.count(old) != 1:
        raise ValueError(f"{what}: its text stands {text.count(old)} times in {name}")
    return text.replace(old, new)


class commands:
    """What the build does from a source to the tests' executable."""

    def __init__(self, build):
        self.build = build
        self.lines = subprocess.run(["ninja", "-C", build, "-t", "commands", TARGET], capture_output=True, text=True,
                                    check=True).stdout.splitlines()

    def compiled_for(self, source):
        """The command that compiles it, and the file that it compiles: the source, or one that includes it with others."""
        for line in self.lines:
            match = re.search(r" -o (\S+) -c (\S+)$", line)
            if not match:
                continue
            file = pathlib.Path(match[2])
            if file == source or ("Unity" in file.parts and f'"{source}"' in file.read_text()):
                return line, match[1], file
        sys.exit(f"{self.build} does not compile {source} for {TARGET}")

    def make(self, source, text, folder):
        """The tests with `text` instead of `source`; all that depends on it is made anew in `folder`."""
        line, made, file = self.compiled_for(source)
        copy = folder / source.name
        copy.write_text(text)
        header = source.with_suffix(".hpp")
        if header.exists():
            (folder / header.name).write_text(header.read_text())
        if file != source:
            together = folder / "together.cpp"
            together.write_text(file.read_text().replace(f'"{source}"', f'"{copy}"'))
            copy = together
        new = {made: str(folder / "mutant.o")}
        self.run(line.replace(str(file), str(copy)).replace(made, new[made]) + " -O1")
        for later in self.lines[self.lines.index(line) + 1:]:
            used = [old for old in new if re.search(self.word(old), later)]
            if not used:
                continue
            output = re.search(r"-DOUTPUT=(\S+)|(?: -o |llvm-ar\S* qc |/\S*ar qc )(\S+)", later)
            output = output[1] or output[2]
            relative = str(pathlib.Path(output).relative_to(self.build)) if output.startswith("/") else output
            new[relative] = str(folder / pathlib.Path(output).name)
            for old in [*used, relative]:
                later = re.sub(self.word(old), lambda _, old=old: new[old], later)
            self.run(later)
        return new[f"bin/{TARGET}"]

    def word(self, path):
        return rf"(?<![\w./-])(?:{re.escape(str(self.build))}/)?{re.escape(path)}(?![\w./-])"

    def run(self, line):
        done = subprocess.run(line, shell=True, cwd=self.build, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{line}\n{done.stdout}{done.stderr}")


def passes(build, source, text):
    with tempfile.TemporaryDirectory() as folder:
        test = build.make(source, text, pathlib.Path(folder))
        try:
            return subprocess.run([test, "--abort-after=1"], capture_output=True, timeout=300).returncode == 0
        except subprocess.TimeoutExpired:
            return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("build", nargs="?", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", default=datetime.date.today().isoformat())
    parser.add_argument("--verify", action="store_true")
    a = parser.parse_args()
    root = a.root.resolve()
    mutations = [m for m in MUTATIONS if a.only in m[0]]
    if a.sample is not None:
        mutations = random.Random(a.seed).sample(mutations, min(a.sample, len(mutations)))
    try:
        for m in MUTATIONS:
            broken(root, *m)
    except ValueError as error:
        sys.exit(str(error))
    if a.verify or a.build is None:
        return print(f"{len(MUTATIONS)} mutations fit")
    build = commands(a.build.resolve())
    if not passes(build, root / MEMORY, (root / MEMORY).read_text()):
        sys.exit("the unbroken search fails its own tests")
    missed = 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for m, missing in zip(mutations, pool.map(lambda m: passes(build, root / m[1], broken(root, *m)), mutations)):
            missed += missing
            print(f"{'MISSED ' if missing else 'noticed'} {m[0]}", flush=True)
    sys.exit(missed != 0)


main()
