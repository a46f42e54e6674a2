#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds simrun on CUDA source against a real GPU and compute-sanitizer. Needs nvcc, compute-sanitizer and a GPU.

usage: scripts/cuda_source_oracle.py OUT [--simrun PATH] [--folder DIR ...] [--jobs N]
  OUT       folder for the record: table.md, details.log
  --simrun  also runs each program with this simrun, plain and with --check all, and compares what is printed
  --folder  programs (*.cu) to take instead of tests/cuda_source, its mutants and defects
Each program is compiled by nvcc and run; its output must be expected/NAME.txt (where there is one) and simrun's. Then each
tool of compute-sanitizer runs it: a number is how many problems it saw. Exit code: 1 if an output differs.
"""
import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "tests/cuda_source"
TOOLS = {"racecheck": ["--racecheck-report", "all"], "memcheck": ["--leak-check", "full"], "initcheck": [], "synccheck": []}
NVCC = ["nvcc", "-std=c++20", "-arch=sm_90", "--extended-lambda", "--expt-relaxed-constexpr", "-lineinfo", "-O2"]
LIBRARIES = ["-lcuda", "-lnvrtc", "-lcufft", "-lcublas", "-lcublasLt", "-lcusparse", "-lcusolver", "-lcurand", "-lnvJitLink"]
SAMPLES = ROOT / "frontends/cuda/headers/samples"  # helper_cuda.h and its like
# Not meant to compile. (Nor do letters and words_before_headers: NVIDIA's own headers do not take such macros.)
REFUSED = {"syntax_error", "texture", "unknown_call"}


def run(command, seconds):
    try:
        r = subprocess.run(command, capture_output=True, timeout=seconds, stdin=subprocess.DEVNULL)
        return r.returncode, r.stdout.decode(errors="replace"), r.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired as e:
        return "hangs", (e.stdout or b"").decode(errors="replace"), ""


def mutated(description, folder):
    """The program with the defect that a file of tests/cuda_source/mutants describes; see run_mutant.cmake."""
    text = before = ""
    for line in description.read_text().splitlines():
        word, _, rest = line.partition(":")
        rest = rest[1:].replace("\\n", "\n")
        if word == "program":
            text = (SOURCES / rest).read_text()
        elif word == "replace":
            before = rest
        elif word == "with":
            assert text.count(before) == 1, description
            text = text.replace(before, rest)
    path = folder / f"{description.stem}.cu"
    path.write_text(text)
    return path


def judge(kind, source, folder, simrun):
    row, details = {"kind": kind, "name": source.stem}, [f"##### {kind} {source.stem}"]
    program = folder / f"{kind}_{source.stem}"
    command = [*NVCC, "-I", str(SOURCES), "-I", str(SAMPLES), str(source), *LIBRARIES, "-o", str(program)]
    code, out, err = run(command, 300)
    if code != 0 and "separate compilation mode" in out + err:  # kernels that launch kernels
        code, out, err = run([*command, "-rdc=true", "-lcudadevrt"], 300)
    if code != 0:
        return {**row, "gpu": "not compiled"}, details + [out + err]
    code, printed, err = run([str(program)], 60)
    row["gpu"] = "ok" if code == 0 else f"exit {code}" if isinstance(code, int) else code
    expected = source.parent / "expected" / f"{source.stem}.txt"
    if kind == "program" and expected.exists() and printed != expected.read_text():
        row["gpu"] = "differs"
        details.append(f"--- printed\n{printed}{err}")
    if simrun:
        for name, options in (("sim", []), ("check", ["--check", "all"])):
            code, out, err = run([simrun, str(source), *options, "--timeout", "100"], 150)
            row[name] = "ok" if code == 0 else f"exit {code}"
            if name == "sim" and code == 0 and kind == "program" and out != printed:
                row[name] = "differs"
            if row[name] != "ok":
                details.append(f"--- {name}\n{out[-3000:]}{err[-3000:]}--- gpu\n{printed[-3000:]}")
    for tool, options in TOOLS.items():
        code, out, err = run(["compute-sanitizer", "--tool", tool, "--print-limit", "3", *options, str(program)], 60)
        found = re.findall(r"(?:RACECHECK SUMMARY|ERROR SUMMARY): (\d+)", out + err)
        row[tool] = found[-1] if found else "none" if code != "hangs" else code
        if row[tool] != "0":
            details += [f"--- {tool}"] + [line for line in (out + err).splitlines() if line.startswith("=====")][:16]
    return row, details


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--simrun")
    parser.add_argument("--folder", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--jobs", type=int, default=6)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, (options.out / "details.log").open("w") as log:
        folder = pathlib.Path(temporary)
        work = [("program", p) for f in options.folder for p in sorted(f.glob("*.cu"))]
        if not options.folder:
            work = [("program", p) for p in sorted(SOURCES.glob("*.cu"))]
            work += [("mutant", mutated(p, folder)) for p in sorted((SOURCES / "mutants").glob("*.txt"))]
            work += [("defect", p) for p in sorted((SOURCES / "defects").glob("*.cu")) if p.stem not in REFUSED]
        columns = ["kind", "name", "gpu", *(["sim", "check"] if options.simrun else []), *TOOLS]
        lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
        print("\n".join(lines), flush=True)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for row, details in pool.map(lambda w: judge(*w, folder, options.simrun), work):
                lines.append("| " + " | ".join(row.get(c, "") for c in columns) + " |")
                print(lines[-1], flush=True)
                print("\n".join(details), file=log, flush=True)
        (options.out / "table.md").write_text("\n".join(lines) + "\n")
    return 1 if any("differs" in line for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
