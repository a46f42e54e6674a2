#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""profile_record.py: what a GPU counts for the kernels that `simrun profile` is held against. For a machine with a GPU,
nvcc and ncu (on PATH or under /usr/local/cuda or /opt/nvidia/nsight-compute); needs Python 3.8 and nothing else.

    scripts/profile_record.py                          tests/profile/*.cu  -> tests/profile/record.json  (about 2 minutes)
    scripts/profile_record.py --out FILE               the record elsewhere
    scripts/profile_record.py --folder tests/cuda_source --out tests/profile/record_cuda_source.json
                                                       its programs (minutes; those that fail are named: ncu runs kernels
                                                       one after the other, so those that wait for the host or for another
                                                       stream end at --limit)
    scripts/profile_record.py --simrun build/bin/simrun --out tests/profile/record_kernels.json
                                                       programs of kernels/, with --backend cuda (needs that build)
    scripts/profile_record.py --generated "random: 1" --generated "forms: 2" --out tests/profile/record_random.json
                                                       programs that tests/profile/generated.py makes of a seed
    scripts/profile_record.py --counters arithmetic    not memory's; --add: they join those that --out has
    scripts/profile_record.py --budget 400             whatever has not been counted after so many seconds is named
    scripts/profile_record.py --only ways --only updates   some of the files or programs
    options of nvcc: --nvcc-flags "-O3 -arch=native"    (this is the default)

The record is committed; tests/profile/compare_record.py holds `simrun profile` against it in CTest.
Format: {"schema": "simrun-profile-record/1", "gpu", "driver", "nvcc", "ncu", "sources": {NAME: {"kernels": {KERNEL:
{"launches": N, COUNTER: sum over launches, ...}}, "memory_instructions": {KERNEL: {"LDG.E": 1, ...}}}}, "failed": {...}}.
NAME is a file, a generated program's name, or "kernels: " and a command line of simrun. Counters go by the names of docs/profile.md; besides them
inst_executed and thread_inst_executed, of all instructions, and what is counted for comparison by eye: integer_operations,
special_unit (instructions of warps for the unit of roots, sines and conversions), local_load_requests and so on.
"""
import argparse
import collections
import csv
import glob
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/profile"))
import generated  # noqa: E402

MEMORY_METRICS, ARITHMETIC_METRICS = {}, {}
for op, word in (("ld", "load"), ("st", "store"), ("red", "reduction"), ("atom", "atomic")):
    MEMORY_METRICS[f"l1tex__t_requests_pipe_lsu_mem_global_op_{op}.sum"] = f"global_{word}_requests"
    MEMORY_METRICS[f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum"] = f"global_{word}_sectors"
for op, word in (("ld", "load"), ("st", "store"), ("atom", "atomic")):
    MEMORY_METRICS[f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum"] = f"shared_{word}_wavefronts"
    MEMORY_METRICS[f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}.sum"] = f"shared_{word}_bank_conflicts"
for op, word in (("ld", "load"), ("st", "store")):
    MEMORY_METRICS[f"l1tex__t_requests_pipe_lsu_mem_local_op_{op}.sum"] = f"local_{word}_requests"
    MEMORY_METRICS[f"l1tex__t_sectors_pipe_lsu_mem_local_op_{op}.sum"] = f"local_{word}_sectors"
MEMORY_METRICS["smsp__inst_executed.sum"] = "inst_executed"
MEMORY_METRICS["smsp__thread_inst_executed.sum"] = "thread_inst_executed"
for letter, size in (("f", "float32"), ("d", "float64")):
    for op, word in (("add", "adds"), ("mul", "multiplies"), ("fma", "fmas")):
        ARITHMETIC_METRICS[f"smsp__sass_thread_inst_executed_op_{letter}{op}_pred_on.sum"] = f"{size}_{word}"
ARITHMETIC_METRICS["smsp__sass_thread_inst_executed_op_integer_pred_on.sum"] = "integer_operations"
ARITHMETIC_METRICS["smsp__inst_executed_pipe_xu.sum"] = "special_unit"
# Programs of kernels/ with sizes that ncu is quick with.
PROGRAMS = [["saxpy", "--n", "1048576"], ["transpose-tiled", "--n", "1024"], ["reduce", "--n", "1048576"],
            ["hist", "--samples", "1000000", "--bins", "150"], ["matmul", "--m", "256", "--k", "256", "--n", "256"],
            ["matmul-tiled", "--m", "256", "--k", "256", "--n", "256"],
            *[[name] for name in ("bitonic-sort", "cluster-histogram", "counter", "decoupled-lookback", "double", "double-2d",
                                  "flash-attention", "hist-shared", "inc", "jacobi", "layer-norm", "mandelbrot", "matmul-async",
                                  "matmul-tiled-256", "monte-carlo", "mult", "nbody", "radix-sort", "scan", "softmax", "spmv",
                                  "stencil-1d", "stencil-2d", "transpose-naive", "transpose-padded", "warp-compact",
                                  "warp-reduce", "warp-scan")]]
MEMORY = re.compile(r"^(LDG|STG|LDS|STS|ATOMG?|ATOMS|RED|REDG|LD|ST|LDL|STL|LDGSTS)(\.|$)")


def find(tool):
    for path in [shutil.which(tool), f"/usr/local/cuda/bin/{tool}",
                 *sorted(glob.glob(f"/opt/nvidia/nsight-compute/*/{tool}"), reverse=True),
                 *sorted(glob.glob(f"/usr/local/cuda*/bin/{tool}"), reverse=True)]:
        if path and os.access(path, os.X_OK):
            return path
    return None


def first_line(command, word=""):
    try:
        out = subprocess.run(command, capture_output=True, text=True, timeout=60).stdout
    except OSError:
        return "?"
    lines = [line.strip() for line in out.splitlines() if word in line]
    return lines[-1] if lines else "?"


def bare(name):
    """`void matmul_tiled<16>(const float *, ...)` -> matmul_tiled<16>"""
    name = re.sub(r"\(.*\)$", "", name.strip())
    return re.sub(r"^void\s+", "", name)


def count(ncu, command, limit, metrics):
    """Counters by kernel, summed over its launches. Raises RuntimeError with what ncu said."""
    line = [ncu, "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", "--target-processes", "all",
            "--metrics", ",".join(metrics), *command]
    if limit < 1:
        raise RuntimeError("not run: --budget was spent")
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                          start_new_session=True) as process:
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # the program that ncu started, too
            raise RuntimeError(f"took more than {limit:.0f} s")
    done = subprocess.CompletedProcess(line, process.returncode, out, err)
    rows = [row for row in csv.reader(io.StringIO(done.stdout)) if len(row) > 5]
    at = next((i for i, row in enumerate(rows) if "Kernel Name" in row), None)
    unknown = [m for m in metrics if m in done.stdout + done.stderr] if at is None else []
    if 0 < len(unknown) < len(metrics):  # ncu of another version names what it does not have
        print(f"ncu does not know {', '.join(unknown)}", file=sys.stderr)
        return count(ncu, command, limit, {m: name for m, name in metrics.items() if m not in unknown})
    if at is None:
        raise RuntimeError((done.stdout + done.stderr)[-600:] or f"exit code {done.returncode}")
    header = rows[at]
    kernels = {}
    for row in rows[at + 1:]:
        if len(row) != len(header) or not row[0].strip('"').isdigit():
            continue  # units
        values = dict(zip(header, row))
        kernel = kernels.setdefault(bare(values["Kernel Name"]), collections.Counter())
        kernel["launches"] += 1
        for metric, name in metrics.items():
            text = values.get(metric, "").replace(",", "").replace("'", "")
            if re.fullmatch(r"[0-9.]+", text):
                kernel[name] += int(float(text))
    if not kernels:
        raise RuntimeError("ncu saw no kernel")
    return {name: dict(k) for name, k in kernels.items()}


def memory_instructions(cuobjdump, program):
    """How often each kind of memory instruction stands in a kernel's machine code."""
    if cuobjdump is None:
        return {}
    out = subprocess.run([cuobjdump, "-sass", program], capture_output=True, text=True, errors="replace").stdout
    kernels, now = {}, None
    for line in out.splitlines():
        name = re.search(r"Function : (\S+)", line)
        if name:
            demangled = subprocess.run(["c++filt", name.group(1)], capture_output=True, text=True).stdout
            now = kernels.setdefault(bare(demangled or name.group(1)), collections.Counter())
        word = re.search(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9._]*)", line)
        if word and now is not None and MEMORY.match(word.group(1)):
            now[word.group(1)] += 1
    return {name: dict(k) for name, k in kernels.items()}


def joined(old, new):
    """The old record with the new one's counters; a source that has changed since is the new one's alone."""
    for name, source in new["sources"].items():
        kept = old["sources"].setdefault(name, source)
        if kept.get("sha256") != source.get("sha256"):
            old["sources"][name] = source
        else:
            for kernel, counters in source["kernels"].items():
                kept["kernels"].setdefault(kernel, {}).update(counters)
    old["failed"] = {**old["failed"], **new["failed"]}
    return old


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", default=str(ROOT / "tests/profile/record.json"))
    parser.add_argument("--folder", default="tests/profile")
    parser.add_argument("--counters", choices=["all", "memory", "arithmetic"], default="all")
    parser.add_argument("--add", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--simrun")
    parser.add_argument("--generated", action="append", default=[], metavar="NAME")
    parser.add_argument("--nvcc-flags", default="-O3 -arch=native")
    parser.add_argument("--limit", type=int, default=25, help="seconds for one program under ncu")
    parser.add_argument("--budget", type=float, default=1e9, help="seconds for all of them")
    a = parser.parse_args()
    nvcc, ncu = find("nvcc"), find("ncu")
    if nvcc is None or ncu is None:
        sys.exit(f"profile_record: needs nvcc and ncu (found nvcc: {nvcc}, ncu: {ncu})")
    record = {"schema": "simrun-profile-record/1",
              "gpu": first_line(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]),
              "driver": first_line(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]),
              "nvcc": first_line([nvcc, "--version"], "release"), "ncu": first_line([ncu, "--version"], "Version"),
              "nvcc_flags": a.nvcc_flags, "sources": {}, "failed": {}}
    metrics = {**(MEMORY_METRICS if a.counters != "arithmetic" else {}), **(ARITHMETIC_METRICS if a.counters != "memory" else {})}
    work = tempfile.mkdtemp(prefix="simrun-profile-")
    sources = [] if a.simrun or a.generated else sorted((ROOT / a.folder).glob("*.cu"))
    if a.only:
        sources = [s for s in sources if s.stem in a.only]
    sources += [generated.write(name, work) for name in a.generated]
    names = a.generated or [str(s.relative_to(ROOT)) for s in sources]

    def build(source):
        program = os.path.join(work, source.stem)
        done = subprocess.run([nvcc, "-std=c++17", *a.nvcc_flags.split(), "-lineinfo", "-I", str(ROOT / a.folder), "-o",
                               program, str(source)], capture_output=True, text=True)
        if done.returncode != 0 and "native" in a.nvcc_flags:  # a toolkit or machine that does not know its own GPU
            done = subprocess.run([nvcc, "-std=c++20", "-O3", "-arch=sm_90", "-lineinfo", "-I", str(ROOT / a.folder), "-o",
                                   program, str(source)], capture_output=True, text=True)
        return program, done

    end = time.monotonic() + a.budget
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        built = list(pool.map(build, sources))
    for name, source, (program, done) in zip(names, sources, built):
        if done.returncode != 0:
            record["failed"][name] = done.stderr[-600:]
            print(f"{name}: not built\n{done.stderr[-600:]}", file=sys.stderr)
            continue
        try:
            kernels = count(ncu, [program], min(a.limit, end - time.monotonic()), metrics)
        except RuntimeError as why:
            record["failed"][name] = str(why)
            print(f"{name}: {why}", file=sys.stderr)
            continue
        record["sources"][name] = {"sha256": hashlib.sha256(source.read_bytes()).hexdigest(), "kernels": kernels,
                                   "memory_instructions": memory_instructions(find("cuobjdump"), program)}
        print(f"{name}: {len(kernels)} kernels")
    if a.simrun:
        for words in PROGRAMS:
            if a.only and words[0] not in a.only:
                continue
            name = "kernels: " + " ".join(words)
            try:
                kernels = count(ncu, [a.simrun, *words, "--backend", "cuda"], min(a.limit, end - time.monotonic()), metrics)
                record["sources"][name] = {"kernels": kernels}
                print(name)
            except RuntimeError as why:
                record["failed"][name] = str(why)
                print(f"{name}: {why}", file=sys.stderr)
    if a.add:
        record = joined(json.load(open(a.out)), record)
    pathlib.Path(a.out).write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")
    shutil.rmtree(work, ignore_errors=True)
    print(f"{sum(len(s['kernels']) for s in record['sources'].values())} kernels in {a.out}; {len(record['failed'])} failed")
    return 0 if record["sources"] else 1


if __name__ == "__main__":
    sys.exit(main())
