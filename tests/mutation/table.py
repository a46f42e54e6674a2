# SPDX-License-Identifier: Apache-2.0
"""A table of mutations, each (what breaks, file, text, its replacement), and trying them: what the mutations.py of
several folders share. A test must notice each broken form of the sources.

White space and line breaks in `text` do not count, so a file can be formatted again. Files are named from the
project's folder, or from `folder` where a name has no folder of its own.

How a broken form is built and tested is a bench: a context manager with passes(file, text), which tells whether the
tests pass with `text` instead of what the file holds; passes() tries the sources as they are. Benches of one run never
share what they write."""
import argparse
import concurrent.futures
import datetime
import pathlib
import random
import re
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]


def pattern(text):
    """Matches `text` however its tokens are spaced."""
    tokens = re.findall(r"\w+|[^\w\s]", text)
    spaces = [r"\s+" if a[-1].isidentifier() and b[0].isidentifier() else r"\s*" for a, b in zip(tokens, tokens[1:])]
    found = "".join(re.escape(token) + space for token, space in zip(tokens, [*spaces, ""]))
    return re.compile((r"\b" if tokens[0][0].isidentifier() else "") + found + (r"\b" if tokens[-1][0].isidentifier() else ""))


def broken(source, what, old, new):
    """`source` with the one place that looks like `old` replaced. No place, or more than one, is an error."""
    places = list(pattern(old).finditer(source))
    if len(places) != 1:
        raise ValueError(f"text of mutation '{what}' is there {len(places)} times: {old!r}")
    start, end = places[0].span()
    return source[:start] + new + source[end:]


class table:
    def __init__(self, mutations, folder="", by_chance=()):
        """by_chance: noticed in most runs, not in all; a sample leaves them out."""
        self.mutations = [(what, name if "/" in name else f"{folder}/{name}", old, new) for what, name, old, new in mutations]
        self.by_chance = by_chance

    def unfit(self):
        """Prints which mutations do not fit the sources; gives their number."""
        wrong = 0
        for what, name, old, new in self.mutations:
            try:
                broken((ROOT / name).read_text(), what, old, new)
            except (OSError, ValueError) as error:
                print(f"{name}: {error}")
                wrong += 1
        print(f"{wrong} of {len(self.mutations)} mutations do not fit the sources")
        return wrong

    def chosen(self, only, count, seed):
        some = [m for m in self.mutations if only in m[0]]
        if count is None or count >= len(some):
            return some
        some = [m for m in some if m[0] not in self.by_chance]
        return random.Random(seed).sample(some, min(count, len(some)))


def try_some(bench, mutations, passed_before, failed):
    """Prints a line for each mutation as it ends; gives the number that went unnoticed. failed: an event that ends all
    jobs, set by the one that tries what is not broken."""
    missed = 0
    with bench:
        if not passed_before and not bench.passes():
            failed.set()
        for what, name, old, new in mutations:
            if failed.is_set():
                sys.exit("what is not broken fails its own tests")
            passed = bench.passes(name, broken((ROOT / name).read_text(), what, old, new))
            print(f"{'MISSED ' if passed else 'noticed'} {what}", flush=True)
            missed += passed
    return missed


def test_passes(test, seconds=300):
    """Whether this doctest executable ends in time, and right."""
    try:
        return subprocess.run([test, "--abort-after=1"], capture_output=True, timeout=seconds).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def main(all_mutations, make_bench, description, more_options=lambda parser: None):
    """make_bench(arguments, number): a bench, one for each job. Gives the exit code: 1 where one went unnoticed, or does
    not fit."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=pathlib.Path)
    parser.add_argument("--only", default="", help="those whose name holds this text")
    parser.add_argument("--sample", type=int, help="so many of them, picked by --seed")
    parser.add_argument("--seed", default=datetime.date.today().isoformat(), help="any text; the date if none is given")
    parser.add_argument("--jobs", type=int, default=1, help="mutations that are worked on at a time")
    parser.add_argument("--passed", action="store_true",
                        help="what is not broken has passed, or is tested elsewhere: it is not tried first")
    parser.add_argument("--verify", action="store_true", help="break nothing; look whether every mutation fits the sources")
    more_options(parser)
    a = parser.parse_args()
    if all_mutations.unfit():
        return 1
    if a.verify:
        return 0
    if a.build is None:
        parser.error("which build?")
    a.build = a.build.resolve()
    mutations = all_mutations.chosen(a.only, a.sample, a.seed)
    jobs = min(a.jobs, len(mutations)) or 1
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        failed = threading.Event()  # one job tries what is not broken, while the others begin
        parts = [pool.submit(try_some, make_bench(a, i), mutations[i::jobs], a.passed or i > 0, failed) for i in range(jobs)]
        missed = sum(p.result() for p in parts)
    print(f"{missed} of {len(mutations)} broken forms went unnoticed")
    return 1 if missed else 0
