#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""known_output.py SIMRUN: what `simrun profile` says and writes, beside the counts themselves."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
failures = []


def check(what, fine, shown=""):
    if not fine:
        failures.append(f"{what}: {str(shown)[-800:]}")


def fits(schema, value, root, path="$"):
    """The part of JSON Schema that docs/profile.schema.json uses."""
    if "$ref" in schema:
        fits(root["$defs"][schema["$ref"].split("/")[-1]], value, root, path)
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "null": type(None)}
    allowed = schema.get("type", [])
    allowed = [allowed] if isinstance(allowed, str) else allowed
    if allowed:
        check(f"{path} is one of {allowed}", any(isinstance(value, kinds[k]) for k in allowed), value)
    if "const" in schema:
        check(f"{path} is {schema['const']}", value == schema["const"], value)
    if "enum" in schema:
        check(f"{path} is one of {schema['enum']}", value in schema["enum"], value)
    if "minimum" in schema and isinstance(value, int):
        check(f"{path} is at least {schema['minimum']}", value >= schema["minimum"], value)
    if isinstance(value, list):
        check(f"{path} has as many items as it may", schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 1 << 30))
        for i, item in enumerate(value):
            fits(schema.get("items", {}), item, root, f"{path}[{i}]")
    if isinstance(value, dict):
        for name in schema.get("required", []):
            check(f"{path} has {name}", name in value)
        for name, item in value.items():
            rule = schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))
            fits(rule, item, root, f"{path}.{name}")


def main():
    simrun = os.path.abspath(sys.argv[1])
    folder = tempfile.mkdtemp()

    def run(*words, code=0):
        done = subprocess.run([simrun, "profile", *words], capture_output=True, text=True, cwd=ROOT, timeout=250,
                              env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100"})
        check(f"profile {' '.join(words)} ends with {code}", done.returncode == code, (done.returncode, done.stderr))
        return done.stdout + done.stderr

    shared, out = "tests/profile/shared_banks.cu", os.path.join(folder, "before.json")
    page = os.path.join(folder, "page.html")
    text = run(shared, "--json", out, "--html", page)
    check("the dearest line is named", "32.0 sectors a global store request instead of 4.0 at tests/profile/shared_banks.cu" in text, text)
    check("bytes that are moved, by what threads asked for", re.search(r"bytes moved +2,359,296 global memory; threads asked for 524,288", text), text)
    check("with what to change", "threads write 1 KiB apart" in text and "swap the roles of x and y" in text, text)
    check("rows are padded", "pad the array's rows by one element: tile[32][33]" in text, text)
    one_sum = " ".join(run("tests/profile/one_sum.cu").split())
    check("updates of one word", "many threads of a warp update the same word" in one_sum and "add up within the warp" in one_sum, one_sum)
    strided = " ".join(run("tests/profile/strided_shared.cu").split())
    check("an array of one dimension has no rows", "array's rows" not in strided, strided)
    check("but room behind 32 elements", "element i lies at i + i / 32, in an array that is larger" in strided, strided)
    check("16 of doubles", "element i lies at i + i / 16, in an array that is larger" in strided, strided)
    check("members of a structure", "keep each member in an array of its own" in strided, strided)
    for defect, said in {
        "every_second": ["read 8 bytes apart", "let neighbouring threads take neighbouring elements"],
        "chunks": ["read 64 bytes apart", "every n-th of n threads"],
        "members": ["read 12 bytes apart", "keep each member in an array of its own"],
        "few_counters": ["many threads of a warp update the same word", "add up within the warp"],
        "few_shared_counters": ["many threads of a warp update the same word", "add up within the warp first"],
        "partial_warps": ["16.0 of 32 threads are active", "launch blocks of a multiple of 32 threads"],
        "one_thread": ["1.0 of 32 threads are active", "one thread works while the others of its warp wait"],
        "doubles": ["operations on double", "write 2.5f for 2.5"],
        "floats": ["No line costs more than it has to"],
        "large_tile": ["large_tile: 25% of a multiprocessor's threads at most", "with at most 28160 bytes 8 blocks fit"],
        "small_blocks": ["floats: 50% of a multiprocessor's threads at most", "launch blocks of 128 or 256 threads"],
    }.items():
        text = " ".join(run("tests/profile/advice.cu", "--", defect).split())
        check(f"advice on {defect}", all(words in text for words in said), text)
    whole = os.path.join(folder, "whole.html")
    large = run("tests/profile/advice.cu", "--html", whole, "--", "large_tile")
    check("a kernel as a whole is on the page, too", "with at most 28160 bytes 8 blocks fit" in pathlib.Path(whole).read_text(), large)
    check("a tile that leaves room needs no advice", "Kernels as a whole" not in run("tests/profile/advice.cu", "--", "small_tile"))
    report = json.load(open(out))
    schema = json.load(open(ROOT / "docs/profile.schema.json"))
    fits(schema, report, schema)
    lines = next(k for k in report["kernels"] if k["kernel"] == "transpose_unpadded")["lines"]
    source = (ROOT / shared).read_text().splitlines()
    for line in lines:
        if line["counters"]["shared_load_bank_conflicts"]:
            check("conflicts stand at the line of the column", "tile[threadIdx.x][threadIdx.y]" in source[line["line"] - 1], line["line"])
            sample = next(s for s in line["samples"] if s["operation"] == "shared load")
            check("the sample shows the column", [b - a for a, b in zip(sample["offsets"], sample["offsets"][1:])] == [128] * 31, sample)
    for columns in (60, 80, 200):
        done = subprocess.run([simrun, "profile", shared], capture_output=True, text=True, cwd=ROOT, timeout=250,
                              env={**os.environ, "NO_COLOR": "1", "COLUMNS": str(columns)})
        lines = (done.stdout + done.stderr).splitlines()  # a CUDA program has the output for itself
        longest = max(lines, key=len)
        check(f"no line is wider than {columns} columns", len(longest) <= columns, longest)
        tables = [line for line in lines if line.startswith("  global ")]
        check("all tables look alike", len(tables) >= 6 and len({" requests " in line for line in tables}) == 1, tables)
    same = run(shared, "--compare", out)
    check("a run compared with itself is the same", same.count("the same in every counter") == len(report["kernels"]), same)
    changed = json.loads(json.dumps(report))
    next(k for k in changed["kernels"] if k["kernel"] == "transpose_padded")["counters"]["shared_load_wavefronts"] *= 32
    pathlib.Path(out).write_text(json.dumps(changed))
    less = run(shared, "--compare", out)
    check("a change shows", re.search(r"shared_load_wavefronts\s+65,536 ->\s+2,048\s+-96.9%", less), less)
    html = pathlib.Path(page).read_text()
    check("the page loads nothing", not re.search(r"(src|href)\s*=|url\(|@import|https?://", html))
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium:
        done = subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000",
                               f"--user-data-dir={folder}/chromium", "--dump-dom", "file://" + page], capture_output=True, text=True, timeout=200)
        check("says of which line it is", "shared_banks.cu:15: shared load of warp" in done.stdout, done.stdout[-3000:])
        chosen = done.stdout.count('class="chosen"')
        check("and marks a line of each kernel that has a dear one", 2 <= chosen == html.count(" data-hottest>"), chosen)
        check("the page draws a warp", "cell used" in done.stdout and "wavefronts; words by bank" in done.stdout, done.stderr)

    wmma = run("tests/cuda_source/tensor_cores.cu", "--json", out)
    check("fragments of tensor cores are named", "note: gemm: loads and stores of its tensor core fragments" in wmma, wmma)
    check("and are no advice", "matrix_sync" not in wmma, wmma)
    stands_in = {line["line"] for k in json.load(open(out))["kernels"] for line in k["lines"] if line.get("stands_in")}
    source = (ROOT / "tests/cuda_source/tensor_cores.cu").read_text().splitlines()
    check("their lines say so", stands_in and all("wmma::" in source[n - 1] for n in stands_in), stands_in)

    partial = run("tests/profile/defects/partial.cu", "--json", out, code=4)
    kernel = json.load(open(out))["kernels"][0]
    check("a kernel that fails is partial", kernel["partial"] and "partial" in partial, partial)
    check("and has what was counted", kernel["counters"]["global_load_requests"] >= 4, kernel["counters"])
    judged = run("tests/profile/defects/partial.cu", "--check", "all", "--json", out, code=4)
    check("also where a check explains why", json.load(open(out))["kernels"][0]["partial"] and "partial" in judged, judged)

    if shutil.which("nvcc") or os.path.exists("/usr/local/cuda/bin/nvcc"):
        run(shared, "--registers", "--json", out)
        asked = json.load(open(out))
        fits(schema, asked, schema)
        all_known = [k["occupancy"]["registers"] for k in asked["kernels"]]
        check("ptxas knows every kernel's registers", all(r and 0 < r < 256 for r in all_known), all_known)
        own = " ".join(run("tests/profile/advice.cu", "--registers", "--", "array_by_number").split())
        check("an array in memory", "64 bytes of each thread are memory" in own and "let loops over the array unroll" in own, own)
        own = run("tests/profile/advice.cu", "--registers", "--", "array_unrolled")
        check("an array in registers", "Kernels as a whole" not in own, own)
    else:
        check("without nvcc registers stay unknown", "there is no nvcc" in run(shared, "--registers"))
    check("a report that did not ask has none", report["kernels"][0]["occupancy"]["registers"] is None)
    check("a built-in program has no source for ptxas", "CUDA C++ source" in run("saxpy", "--registers", code=2))
    gpu = run(shared, "--backend", "cuda", code=77)
    check("on a GPU it is ncu's", "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum" in gpu.replace("\n", ""), gpu)
    check("schedules are refused", "natural schedule" in run(shared, "--schedule", "random", code=2))
    check("loops are refused with checks", "on fibers" in run(shared, "--check", "races", "--execution", "loops", code=2))
    pathlib.Path(out).write_text("{}")
    check("a file that is no report is refused", "schema" in run(shared, "--compare", out, code=2))
    for name in report["kernels"][0]["counters"]:
        done = subprocess.run([simrun, "explain", name], capture_output=True, text=True)
        check(f"explain {name}", done.returncode == 0 and "What helps" in done.stdout, done.stdout)
    shutil.rmtree(folder, ignore_errors=True)
    print("\n".join(failures) if failures else "all as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
