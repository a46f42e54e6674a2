#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""code_blocks.py ROOT SIMRUN WORK: every code block of README.md and docs/*.md does what it shows, or says that it is an excerpt.

A block's language says how it is held to that, a comment in front of it where that is not enough:

  sh        each line is run in WORK, where the files below lie; it ends with 0, or 3 where something is found
  console   as sh, and what follows `$ command` is what the command prints (blanks and 0x... aside; ... is any text)
  gdb       a session of simrun debug: each `(gdb) command` prints what follows it
  json      is JSON; a report has the keys of a real one, a problem matcher fits what --format gcc prints
  yaml      is YAML where Python can tell; its steps that call simrun are run
  toml      a plan that simrun campaign takes
  cpp, cmake, text   only with a comment: <!-- file: NAME --> lies in WORK; <!-- excerpt of PATH --> has lines of that file;
            <!-- excerpt: WHY --> of anything is believed

NOT_RUN has the lines that are not run here, each with the test or the reason that stands for it.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

NOT_RUN = {
    r"^tests/run": "it runs this test",
    r"^cmake --preset": "builds everything; tests/install installs and packs what is built",
    r"^sudo apt-get install \./build-package": "scripts/bare_root.sh --package installs one",
    r"^mpirun ": "tests/schedules/clusters.py",
    r"--slurm": "tests/schedules/clusters.py",
    r"--registers": "needs nvcc; unit test ptxas",
    r"^scripts/run_cuda_samples.py": "needs NVIDIA's samples",
    r"^\./simrun debug": "the launcher builds a variant for it; tests/debug",
}
SHORTER = [(r"--budget 10m", "--budget 2s"), (r"nightly\.campaign/\*", "nightly.campaign/*3-of-8*"),
           (r"(simrun campaign plan.toml.*(?<!--budget 2s))$", r"\1 --budget 2s")]
FOUND = (0, 3)  # exit codes


class block:
    def __init__(self, document, line, language, comment):
        self.where, self.document, self.language, self.comment, self.lines = f"{document}:{line}", document, language, comment, []


def blocks_of(document, text):
    """Its fenced blocks; one that is only indented is a problem."""
    out, now, before, problems = [], None, "", []
    for number, line in enumerate(text.splitlines(), 1):
        fence = re.match(r"```(\w*)", line)
        if fence and now is None:
            comment = re.fullmatch(r"<!-- (.*) -->", before)
            now = block(document, number, fence[1], comment[1] if comment else "")
        elif fence:
            out.append(now)
            now = None
        elif now is not None:
            now.lines.append(line)
        elif re.match(r"    (?!-|\d)\S", line) and before == "":
            problems.append(f"{document}:{number}: an indented code block has no language; put it between ``` lines")
        before = line.strip()
    return out, problems


def words(text):
    return re.sub(r"0x[0-9a-f]+", "0x", re.sub(r"[ \t]+", " ", text)).strip()


class checker:
    def __init__(self, root, simrun, work):
        self.root, self.work, self.problems, self.used, self.done = root, work, [], set(), 0
        shutil.rmtree(work, ignore_errors=True)
        (work / "bin").mkdir(parents=True)
        for place in (work / "bin/simrun", work / "simrun"):
            place.write_text(f'#!/bin/sh\nexec {simrun} "$@"\n')
            place.chmod(0o755)
        for fixture in (root / "tests/documents/files").iterdir():
            shutil.copy(fixture, work / fixture.name)
        build = pathlib.Path(simrun).resolve().parent.parent
        self.environment = {**os.environ, "PATH": f"{work}/bin:{os.environ['PATH']}", "SIMT_CACHE_DIR": str(work / "cache"),
                            "SIMT": str(work), "CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "4", "COLUMNS": "100"}
        for name in ("SIMT_BACKEND", "SIMT_WORKERS", "SIMT_TIMEOUT", "SIMT_STACK", "NO_COLOR", "SIMT_MODULE_DIR"):
            self.environment.pop(name, None)
        (work / "build").mkdir()
        self.package = build

    def wrong(self, at, text):
        self.problems.append(f"{at.where}: {text}")

    def run(self, command):
        for pattern, shorter in SHORTER:
            command = re.sub(pattern, shorter, command)
        command = command.replace("-Dsimt_DIR=$SIMT/build", f"-Dsimt_DIR={self.package}")
        done = subprocess.run(["bash", "-c", command], cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        self.done += 1
        return done.returncode, done.stdout

    def is_left_out(self, command):
        for pattern in NOT_RUN:
            if re.search(pattern, command):
                self.used.add(pattern)
                return True
        return False

    def command(self, at, line):
        command = re.sub(r"\s+#( .*)?$", "", line).strip()
        if not command or self.is_left_out(command):
            return
        code, output = self.run(command)
        if code == 2 and "merge" in command and "missing: shard" in output:
            return  # the runs were cut short here
        if code == 2 and "not installed" in output:
            return print(f"{at.where}: not tried: {output.strip().splitlines()[-1]}")
        if code not in FOUND:
            self.wrong(at, f"`{command}` ends with {code}:\n{output[-1500:]}")

    def sh(self, at):
        for line in at.lines:
            self.command(at, line)

    def same_text(self, at, wanted, got):
        """Each wanted line is among those that are printed, in this order."""
        printed = [words(line) for line in got.splitlines()]
        for line in wanted:
            if not words(line):
                continue
            pattern = re.compile(".*".join(re.escape(part) for part in words(line).split("...")))
            while printed and not pattern.fullmatch(printed[0]):
                printed.pop(0)
            if not printed:
                return self.wrong(at, f"the line is not printed, or not there: {line}\n{got[-3000:]}")
            printed.pop(0)

    def console(self, at):
        parts = re.split(r"(?m)^\$ (.*)$", "\n".join(at.lines))[1:]
        for command, wanted in zip(parts[::2], parts[1::2]):
            if not self.is_left_out(command):
                self.same_text(at, wanted.splitlines(), self.run(command)[1])

    def gdb(self, at):
        trial = ["gdb", "-batch", "-ex", "python print(1)", "-ex", "run", "--args", "true"]
        if not shutil.which("gdb") or subprocess.run(trial, capture_output=True, check=False).returncode != 0:
            return print(f"{at.where}: not tried: no gdb with Python here, or it may not trace")
        text = "\n".join(at.lines)
        command = re.match(r"\$ (.*)", text)[1]
        for typed in re.findall(r"(?m)^\(gdb\) (.*)$", text):
            command += " --ex " + "'" + typed.replace("'", "'\\''") + "'"
        self.same_text(at, [l for l in at.lines[1:] if not l.startswith("(gdb) ")], self.run(command + " --batch")[1])

    def json(self, at):
        try:
            shown = json.loads("\n".join(at.lines))
        except ValueError as wrong:
            return self.wrong(at, f"no JSON: {wrong}")
        if shown.get("schema") == "simrun-report/1":
            self.run("simrun counter-racy --detect-races --json real.json")
            real = json.loads((self.work / "real.json").read_text())
            one, other = set(shown) - {"..."}, set(real)
            finding = set(shown["findings"][0]) - set(real["findings"][0]) - {"members"}
            if one - other or other - one or finding:
                self.wrong(at, f"not in a real report: {sorted((one - other) | finding)}, not here: {sorted(other - one)}")
        for task in shown.get("tasks", []):
            pattern = task["problemMatcher"]["pattern"]["regexp"].replace(r"\\", "\\")
            line = self.run("simrun app.cu " + " ".join(task["args"][1:]))[1]
            if not any(re.fullmatch(pattern.strip("^$"), l) for l in line.splitlines()):
                self.wrong(at, f"the problem matcher fits no line of:\n{line}")

    def yaml(self, at):
        try:
            import yaml
            yaml.safe_load(re.sub(r"\$\{\{.*?\}\}", "X", "\n".join(at.lines)))
        except ImportError:
            pass
        except Exception as wrong:  # of whatever kind the parser has
            self.wrong(at, f"no YAML: {wrong}")
        for line in at.lines:
            step = re.match(r"\s*- (?:run: )?((?:\./)?simrun .*)$", line)
            if step:
                self.command(at, step[1].replace("${{ matrix.shard }}", "1"))

    def toml(self, at):
        (self.work / "plan.toml").write_text("\n".join(at.lines) + "\n")

    def check(self, at):
        kind, _, what = at.comment.partition(" ")
        if kind == "excerpt:":
            return
        if kind == "file:":
            return  # see files()
        if at.comment.startswith("excerpt of "):
            source = [words(l.split(" #")[0]) for l in (self.root / at.comment[len("excerpt of "):]).read_text().splitlines()]
            for line in at.lines:
                wanted = words(line.split(" #")[0])
                if wanted and not wanted.startswith("//") and not any(wanted in l for l in source):
                    self.wrong(at, f"not in {at.comment[11:]}: {line}")
            return
        how = {"sh": self.sh, "console": self.console, "gdb": self.gdb, "json": self.json, "yaml": self.yaml, "toml": self.toml}
        if at.language not in how:
            return self.wrong(at, f"nobody tries a block of language '{at.language}' without a comment in front of it")
        how[at.language](at)

    def files(self, all_blocks):
        for at in all_blocks:
            if at.comment.startswith("file: "):
                (self.work / at.comment[6:]).write_text("\n".join(at.lines) + "\n")


def main():
    root, simrun, work = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    c = checker(root, simrun, work)
    only = sys.argv[4:]
    all_blocks = []
    for document in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        name = str(document.relative_to(root))
        found, problems = blocks_of(name, document.read_text())
        all_blocks += found
        if name != "docs/performance.md":  # its script writes it
            c.problems += problems
    c.files(all_blocks)
    for at in sorted(all_blocks, key=lambda b: b.language != "toml"):  # plans first: commands name them
        if not only or at.document in only:
            c.check(at)
    c.problems += [f"NOT_RUN: no line is like {p}" for p in NOT_RUN if p not in c.used and not only]
    for problem in c.problems:
        print(problem)
    print(f"{len(all_blocks)} blocks, {c.done} commands run, {len(c.problems)} problems")
    return 1 if c.problems or len(all_blocks) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
