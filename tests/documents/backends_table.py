#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""backends_table.py ROOT: the tables of docs/backends.md against the public methods of the headers.

Every public method of a class of the API has a row, and every row has a method, on each backend whose column does not
say "no". A row begins with the names in code spans: `t.sync()` for simt::thread, `stream.wait()` for other classes.
"""
import pathlib
import re
import sys

# simt::thread and what is mixed into it, by backend.
MIXED_IN = ["warp_operations", "grid_operations", "async_operations"]
THREAD = {"sim": ["thread", "warp", "grid", "async_copy"], "cuda": ["thread", "warp", "grid", "async_copy"]}
# Headers of the API that hold no classes for a user's code, or whose contracts are the tool's; and those that one text
# gives to every backend (docs/kernel_api.md).
NOT_LISTED = {"backend", "session", "module", "program", "type_name", "error", "dim3", "launch", "kernel", "simt",
              "check", "check_switches", "launch_config", "element_function", "groups", "group_types", "lane_collectives",
              "block_collectives", "pipeline", "sync", "atomic_ref", "small_float_bits", "small_float", "half",
              "bfloat16", "vector_types", "math", "integer_math", "float_math"}
NOT_A_NAME = {"static_assert", "requires", "if", "for", "while", "return", "decltype", "alignas", "SIMT_HD"}
# What classes of the API have from a base: its methods count as theirs.
BASES = {"buffer": "device_copies", "variable": "device_copies"}
# Public, but of no use to kernels: how the simulator's own code reaches the engine.
INTERNAL = {("thread", "context")}


METHOD = re.compile(r"^  (?!//|#|\s|template|using|\})(?:\[\[[^]]*\]\] ?|requires\([^)]*\) ?)*"
                    r"[^(=]*?\b([A-Za-z_]\w*)\(")


def public_methods(text):
    """{class: {method, ...}} of a header in this project's layout: members are indented by two spaces."""
    found, name, public = {}, None, False
    for line in text.splitlines():
        start = re.match(r"^(class|struct) (?:alignas\(\w+\) )?(\w+)[^;]*\{?$", line)
        if start:
            name, public = start.group(2), start.group(1) == "struct"
        elif line.startswith("};"):
            name = None
        elif line.strip() in ("public:", "private:", "protected:"):
            public = line.strip() == "public:"
        elif name and public:
            if line.rstrip().endswith("\\"):
                continue  # inside a macro
            macro = re.match(r"^  SIMT_THREAD_RMW\((\w+),", line)
            if macro:
                found.setdefault(name, set()).add("atomic_" + macro.group(1))
                continue
            macro = re.match(r"^  SIMT_WARP_REDUCE\((\w+),", line)
            if macro:
                found.setdefault(name, set()).add(macro.group(1))
                continue
            method = METHOD.match(line)
            if not method or "operator" in line.split("(")[0] or line.startswith("#define"):
                continue
            member = method.group(1)
            if member not in NOT_A_NAME and member != name and not member.startswith("SIMT_"):
                found.setdefault(name, set()).add(member)
    return found


def methods_in(paths):
    merged = {}
    for path in paths:
        for name, methods in public_methods(path.read_text()).items():
            merged.setdefault(name, set()).update(methods)
    return merged


def rows(document):
    """(class, method, {backend: said}) of every row that begins with code spans."""
    for line in document.splitlines():
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if not line.startswith("| `") or len(cells) < 3:
            continue
        for owner, method in re.findall(r"`(\w+)\.(\w+)", cells[0]):
            yield ("thread" if owner == "t" else owner), method, {"sim": cells[1], "cuda": cells[2]}


def main():
    root = pathlib.Path(sys.argv[1])
    document = (root / "docs/backends.md").read_text()
    api = methods_in(p for p in sorted((root / "backends/api/simt").glob("*.hpp")) if p.stem not in NOT_LISTED)
    for name, base in BASES.items():
        api[name] |= api[base]
    for base in set(BASES.values()):
        del api[base]
    code = {}
    for backend, parts in THREAD.items():
        classes = methods_in(root / "backends" / backend / f"{part}.hpp" for part in parts)
        code[backend] = dict(api)
        code[backend]["thread"] = classes.get("thread", set()).union(*(classes.get(part, set()) for part in MIXED_IN))
        code[backend]["thread"] -= {m for c, m in INTERNAL if c == "thread"}
    problems, listed = [], {"sim": set(), "cuda": set()}
    for owner, method, said in rows(document):
        for backend, text in said.items():
            there = method in code[backend].get(owner, set())
            if text.startswith("no"):
                if there:
                    problems.append(f"{owner}.{method}: the table says '{text}' for {backend}, but it is there")
            elif there:
                listed[backend].add((owner, method))
            else:
                problems.append(f"{owner}.{method}: in the table, not in the {backend} backend's headers")
    for backend, classes in code.items():
        for owner, methods in classes.items():
            for method in sorted(methods):
                if (owner, method) not in listed[backend]:
                    problems.append(f"{owner}.{method}: in the {backend} backend's headers, not in the table")
    for problem in sorted(set(problems)):
        print(problem)
    total = len(listed["sim"] | listed["cuda"])
    print(f"{total} methods listed, {len(set(problems))} problems")
    return 1 if problems or total < 60 else 0


if __name__ == "__main__":
    sys.exit(main())
