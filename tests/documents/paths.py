#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""paths.py ROOT: what the documents point at exists: files of the tree, links, and headings that links name.

Looked at: README.md, CONTRIBUTING.md, tests/README.md and docs/*.md. The decisions are history: only their links count.
A path in a code span begins with a folder of the tree; a bare name like `lease.hpp` must be the name of some file.
`{a,b}` and `*` stand for several.
"""
import fnmatch
import itertools
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "structure"))
sys.dont_write_bytecode = True
import tree

DOCUMENTS = ["README.md", "CONTRIBUTING.md", "tests/README.md", "docs/*.md", "docs/decisions/*.md"]
FOLDERS = ("backends", "cli", "cmake", "docs", "frontends", "kernels", "scripts", "sim", "tests", ".ci")
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
BARE = re.compile(r"[a-z][\w.-]*\.(?:hpp|cpp|cmake|awk|sh)")
PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b(?!\.md)")
# Files that a reader makes or has, and not this tree.
FOREIGN = {"mine.cpp", "triple.cpp", "triple_test.cpp", "hist.cpp", "known.txt"}


def spelled_out(pattern):
    """a{b,c}d as abd and acd."""
    parts = re.split(r"\{([^{}]*)\}", pattern)
    choices = [[p] if i % 2 == 0 else p.split(",") for i, p in enumerate(parts)]
    return ["".join(c) for c in itertools.product(*choices)]


def heading_anchors(text):
    anchors = set()
    for heading in re.findall(r"^#+ +(.+)$", text, re.M):
        words = re.sub(r"[^\w\- ]", "", heading.lower())
        anchors.add(words.replace(" ", "-"))
    return anchors


def main():
    root = pathlib.Path(sys.argv[1])
    files = set(tree.files_of(root))
    places = files | {str(parent) for name in files for parent in pathlib.PurePosixPath(name).parents}
    names = {pathlib.PurePosixPath(name).name for name in files}
    problems, count = [], 0
    for document in sorted(d for pattern in DOCUMENTS for d in root.glob(pattern)):
        where = document.relative_to(root)
        text = document.read_text()
        for number, line in enumerate(text.splitlines(), 1):
            for link in LINK.findall(line):
                path, _, anchor = link.partition("#")
                if "://" in link:
                    continue
                count += 1
                target = (document.parent / path).resolve() if path else document
                if not target.exists():
                    problems.append(f"{where}:{number}: the link {link} leads nowhere")
                elif anchor and anchor not in heading_anchors(target.read_text()):
                    problems.append(f"{where}:{number}: {path or where} has no heading #{anchor}")
            if where.parts[:2] == ("docs", "decisions"):
                continue
            for span in SPAN.findall(line):
                for word in span.split():
                    word = word.rstrip(".,;:/)").lstrip("(")
                    if re.match(rf"(?:{'|'.join(map(re.escape, FOLDERS))})/[\w./{{}},*+-]+$", word):
                        for path in spelled_out(word) if not PLACEHOLDER.search(word) else []:
                            count += 1
                            if path not in places and not fnmatch.filter(places, path):
                                problems.append(f"{where}:{number}: there is no {path}")
                    elif BARE.fullmatch(word) and word not in FOREIGN:
                        count += 1
                        if word not in names:
                            problems.append(f"{where}:{number}: no file is called {word}")
    for problem in problems:
        print(problem)
    print(f"{count} paths and links, {len(problems)} lead nowhere")
    return 1 if problems or count < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
