#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""includes.py ROOT: every #include of the tree against the direction of knowledge (docs/architecture.md).

A folder may include what it holds itself and what MAY_INCLUDE names for it: folders, or single files where a folder
would be too much. No header may include itself through others. Some folders must not print. Each offence is shown with
its line.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import tree

TOOL_MEETS_MODULES = ["backends/api/simt/module.hpp"]
BETWEEN_PROCESSES = ["frontends/cuda/run_settings.hpp", "frontends/cuda/module_format.hpp",
                     "frontends/cuda/program_mark.hpp", "sim/report/report_data.hpp"]
# Folder: what its files may include. The longest name that fits a path is the path's folder.
MAY_INCLUDE = {
    # The engine. exec and memory announce events; who listens, they do not know.
    "sim/exec": ["sim/memory", "sim/report/explored_run.hpp", "sim/report/recorded_order.hpp"],
    "sim/memory": ["sim/exec/observer.hpp"],
    "sim/instrument": ["sim/exec", "sim/memory"],
    "sim/compile": ["sim/instrument/loop_region.hpp", "sim/report/source_column.hpp"],  # what the pass and the runtime both know
    # Consumers of events: they know what an event is, and what memory holds. Findings are data.
    "sim/check": ["sim/instrument", "sim/memory", "sim/report/finding.hpp"],
    "sim/profile": ["sim/instrument", "sim/memory"],
    # Findings and runs as data, and their renderings: knows nobody.
    "sim/report": [],
    # The API names data of reports, and chooses the headers of its backend. A backend implements the API.
    "backends/api": ["backends/sim", "backends/cuda", "sim/report/finding.hpp", "sim/report/run_report.hpp",
                     "sim/report/verdict.hpp"],
    "backends/sim": ["backends/api", "sim"],
    "backends/cuda": ["backends/api", "sim/report/finding.hpp", "sim/report/run_report.hpp",
                      "sim/report/phrasebook.hpp"],  # for the text of exceptions
    # CUDA source. The driver translates, builds and starts; the runtime is what the built program calls. What passes
    # between the two processes (settings, a report) is in the folder itself.
    "frontends/cuda": TOOL_MEETS_MODULES + ["backends/api/simt/error.hpp", "sim/report"],
    "frontends/cuda/translate": ["sim/report/nearest_name.hpp"],
    "frontends/cuda/driver": TOOL_MEETS_MODULES + BETWEEN_PROCESSES + ["frontends/cuda/translate", "sim/report/counted.hpp", "sim/report/nearest_name.hpp"],
    "frontends/cuda/headers": ["backends/api", "backends/sim", "sim/exec"],
    # The engine's one header for it, and what a launch's body is made of.
    "frontends/cuda/runtime": BETWEEN_PROCESSES + ["frontends/cuda/headers", "backends/api", "backends/sim/frontend.hpp",
                                                   "backends/sim/start_launch.hpp", "sim/exec/carry_flag.hpp", "sim/report"],
    # Programs see what a user's program sees; the tool meets them at one header.
    "kernels": ["backends/api"],
    "cli": TOOL_MEETS_MODULES + ["frontends/cuda/driver", "sim/report"],
    # What every test executable begins with.
    "cmake": ["backends/api"],
}
# Written for a folder's own reasons, so nothing may include them: tests, and what a user's project looks like.
UNBOUND = ("tests/",)
# Folders that say nothing to anybody: what they find is data. (A broken invariant of ours goes to stderr by <cstdio>.)
SILENT = ("sim/check/", "sim/instrument/", "sim/profile/")
PRINTING = re.compile(r"fmt/|iostream$|ostream$|print$|format$")
# Where a compiler looks for `<simt/...>`, for paths from the root, and for CUDA's names in the front end's own files.
SEARCHED = ["", "backends/api/"]
SEARCHED_BY_CUDA_SOURCE = SEARCHED + ["frontends/cuda/headers/", "frontends/cuda/"]
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def folder_of(path, folders):
    fitting = [f for f in folders if path.startswith(f + "/")]
    return max(fitting, key=len, default=None)


def resolve(path, quoted, name, files):
    """The file of this tree that the include means; None where it is somebody else's."""
    places = [str(pathlib.PurePosixPath(path).parent) + "/"] if quoted else []
    places += SEARCHED_BY_CUDA_SOURCE if path.startswith("frontends/cuda/") else SEARCHED
    for place in places:
        parts = []
        for part in (place + name).split("/"):
            if part == "..":
                parts = parts[:-1]
            elif part not in ("", "."):
                parts.append(part)
        if "/".join(parts) in files:
            return "/".join(parts)
    return None


def allowed(path, target, folder):
    if target.startswith(folder + "/") and folder_of(target, MAY_INCLUDE) == folder:
        return True
    return any(target == name or target.startswith(name + "/") for name in MAY_INCLUDE[folder])


def cycles(graph):
    """Groups of headers that include each other (Tarjan's strongly connected components)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for following in graph.get(node, ()):
            if following not in index:
                visit(following)
                low[node] = min(low[node], low[following])
            elif following in stack:
                low[node] = min(low[node], index[following])
        if low[node] == index[node]:
            group = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(group) > 1 or node in graph.get(node, ()):
                found.append(sorted(group))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def main():
    root = pathlib.Path(sys.argv[1])
    source = re.compile(r"\.(cpp|hpp|h|cu|cuh)$|/headers/[\w/]+$")
    files = {name for name in tree.files_of(root) if source.search(name)}
    problems, graph, count = [], {}, 0
    for path in sorted(files):
        if path.startswith(UNBOUND):
            continue
        folder = folder_of(path, MAY_INCLUDE)
        if folder is None:
            problems.append(f"{path}: its folder is not in the table of tests/structure/includes.py")
            continue
        for number, line in enumerate((root / path).read_text(errors="replace").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            count += 1
            if path.startswith(SILENT) and PRINTING.match(match[2]):
                problems.append(f"{path}:{number}: {line.strip()}: {folder} must not print")
            target = resolve(path, match[1] == '"', match[2], files)
            if target is None:
                continue
            graph.setdefault(path, set()).add(target)
            if not allowed(path, target, folder):
                problems.append(f"{path}:{number}: {line.strip()}: {folder} must not know {target}")
    for group in cycles(graph):
        problems.append("these include each other: " + ", ".join(group))
    for problem in problems:
        print(problem)
    print(f"{count} includes of {len(files)} files, {len(problems)} against the direction of knowledge")
    return 1 if problems or count < 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
