# SPDX-License-Identifier: Apache-2.0
"""The commands of a finished build by Ninja, to compile a changed source, and all that depends on it, into another
folder. The build is left as it is."""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import table


def lines_for(build, *targets):
    """What the build runs to make the targets, from their sources on, without ccache: a mutation is compiled once."""
    lines = subprocess.run(["ninja", "-C", build, "-t", "commands", *targets], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    return [re.sub(r"^(\S*/cmake -E env (\w+=\S+ )*)?\S*/ccache ", "", line) for line in lines]


def compiler_words(line):
    """The words of a clang command, without what a launcher or CMake puts around it."""
    words = shlex.split(line)
    first = next(i for i, w in enumerate(words) if pathlib.Path(w).name.startswith("clang++"))
    return words[first:words.index("&&", first)] if "&&" in words[first:] else words[first:]


def words_of_sources(build, folder):
    """How each source below the folder is compiled alone, also where the build compiles several as one (UNITY_BUILD)."""
    found = {}
    for e in json.loads((build / "compile_commands.json").read_text()):
        if f"/{folder}/" not in e["file"]:
            continue
        words = compiler_words(e["command"])
        for flag, count in (("-MD", 1), ("-MT", 2), ("-MF", 2)):  # the build's own notes stay as they are
            if flag in words:
                at = words.index(flag)
                del words[at:at + count]
        together = "/Unity/" in e["file"]
        parts = re.findall(r'#include "(.*?)"', pathlib.Path(e["file"]).read_text()) if together else [e["file"]]
        for part in parts:
            found[pathlib.Path(part).name] = [part if w == e["file"] else w for w in words]
    return found


class unbuildable(Exception):
    """A later step fails with what the broken source made: a compiler that loads a broken pass, say."""


def files_read(build):
    """For each object, the files that its last compilation read."""
    found, now = {}, None
    for line in subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True).stdout.splitlines():
        if line.startswith("    "):
            now.add(line.strip())
        elif ": #deps " in line:
            now = found.setdefault(line.split(": #deps ")[0], set())
    return found


class target_commands:
    """Makes executables with a source or a header changed."""

    def __init__(self, build, *targets):
        self.build, self.targets = build, targets
        self.lines = lines_for(build, *targets)
        self.reads = files_read(build)

    def make(self, source, text, folder):
        """The targets' files, made in `folder`, with `text` instead of the file `source`: a list, as the targets stand.
        Whatever the build compiled from the source, by the pass or with the objects in question is made anew."""
        overlay = folder / "sources"  # looked through before the project's folder
        copy = overlay / source.relative_to(self.root_of(source))
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text)
        new = {}
        for line in self.lines:
            compiles = re.search(r" -o (\S+) -c (\S+)$", line)
            changed = compiles and str(source) in self.reads.get(compiles[1], ())
            used = [old for old in new if re.search(self.word(old), line)]
            if not changed and (not used or "-emit-pch" in line):  # which pass is loaded is the same to such a header
                continue
            output = compiles or re.search(r"-DOUTPUT=(\S+)|(?: -o |llvm-ar\S* qc |/\S*ar qc )(\S+)", line)
            output = output[1] or output[2]
            made = str(pathlib.Path(output).relative_to(self.build)) if output.startswith("/") else output
            new[made] = str(folder / f"{len(new)}_{pathlib.Path(made).name}")
            for old in [*used, made]:
                line = re.sub(self.word(old), lambda _, old=old: new[old], line)
            if changed:
                line = self.with_copy(line, source, copy, overlay, pathlib.Path(new[made] + ".cpp"))
            done = subprocess.run(line, shell=True, cwd=self.build, capture_output=True, text=True, timeout=300)
            if done.returncode != 0 and used:
                raise unbuildable(line)
            if done.returncode != 0:
                sys.exit(f"{line}\n{done.stdout}{done.stderr}")
        if not new:
            sys.exit(f"{self.build} reads no {source} for {' '.join(self.targets)}")
        return [new.get(f"bin/{target}", str(self.build / "bin" / target)) for target in self.targets]

    def with_copy(self, line, source, copy, overlay, together):
        """The compiler's command, reading the copy. together: for a file that includes the source with others."""
        file = pathlib.Path(re.search(r"(?: -c )(\S+)$", line)[1])
        read = copy
        if "Unity" in file.parts:
            read = together
            together.write_text(file.read_text().replace(f'"{source}"', f'"{copy}"'))
        elif file != source:
            read = file
        first, rest = line.split(" ", 1)
        return f"{first} -I{overlay} {rest.removesuffix(str(file))}{read} -iquote {source.parent} -O1"

    def root_of(self, source):
        return next(p for p in source.parents if (p / "CMakePresets.json").exists())

    def word(self, path):
        return rf"(?<![\w./-])(?:{re.escape(str(self.build))}/)?{re.escape(path)}(?![\w./-])"


class bench:
    """Of table.py: executables of a finished build, with one file broken, linked with all else that the build made."""

    def __init__(self, build, targets, passes):
        """passes(test): whether this executable passes."""
        self.commands, self.test_passes = target_commands(build.resolve(), *targets), passes

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def passes(self, file=None, text=None):
        if file is None:
            tests = [self.commands.build / "bin" / target for target in self.commands.targets]
            return all(self.test_passes(test) for test in tests)
        with tempfile.TemporaryDirectory() as folder:
            try:
                tests = self.commands.make(table.ROOT / file, text, pathlib.Path(folder))
            except (unbuildable, subprocess.TimeoutExpired):
                return False
            return all(self.test_passes(test) for test in tests)
