# SPDX-License-Identifier: Apache-2.0
"""The commands of a finished build by Ninja, to compile a changed source, and all that depends on it, into another
folder. The build is left as it is."""
import json
import pathlib
import re
import shlex
import subprocess
import sys


def lines_for(build, target):
    """What the build runs to make the target, from its sources on."""
    return subprocess.run(["ninja", "-C", build, "-t", "commands", target], capture_output=True, text=True,
                          check=True).stdout.splitlines()


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


class target_commands:
    """Makes one target with a source changed."""

    def __init__(self, build, target):
        self.build, self.target = build, target
        self.lines = lines_for(build, target)

    def make(self, source, text, folder):
        """The target's file, made in `folder`, with `text` instead of the file `source`."""
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
        neighbours = f" -iquote {source.parent}"  # headers beside it
        self.run(line.replace(str(file), str(copy)).replace(made, new[made]) + neighbours + " -O1")
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
        return new[f"bin/{self.target}"]

    def compiled_for(self, source):
        """The command that compiles it, its object, and the file that it compiles: the source, or one that includes it
        with others."""
        for line in self.lines:
            match = re.search(r" -o (\S+) -c (\S+)$", line)
            if not match:
                continue
            file = pathlib.Path(match[2])
            if file == source or ("Unity" in file.parts and f'"{source}"' in file.read_text()):
                return line, match[1], file
        sys.exit(f"{self.build} does not compile {source} for {self.target}")

    def word(self, path):
        return rf"(?<![\w./-])(?:{re.escape(str(self.build))}/)?{re.escape(path)}(?![\w./-])"

    def run(self, line):
        done = subprocess.run(line, shell=True, cwd=self.build, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{line}\n{done.stdout}{done.stderr}")
