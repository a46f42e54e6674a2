#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs NVIDIA's CUDA samples under simrun, plain and with --check all, and writes a table of what became of each.

usage: scripts/run_cuda_samples.py EXAMPLES OUT [--simrun PATH] [--only TEXT,TEXT...] [--plain-limit S] [--check-limit S]
  EXAMPLES  the folder that holds Common and Samples; Debian's package nvidia-cuda-samples has it under
            /usr/share/doc/nvidia-cuda-toolkit/examples (`apt-get download` and `dpkg -x` are enough)
  OUT       folder for table.md, and for each sample its files, plain.log and check.log. Samples run in there.
  --check-limit 0 leaves the checked runs out
  --only    samples whose FOLDER/NAME contains one of the texts; the other rows of the table stay
Sources and the language standard come from each sample's Makefile. The word of a sample about itself is looked for in
what it prints: a line that says "fail", or an exit code that is not 0, counts against it.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Libraries of other devices and interfaces: a sample that links one of them is not meant to run here.
FOREIGN = r"-l(GL|GLU|glut|EGL|GLESv2|X11|vulkan|npp\w+|nvjpeg|nvscibuf|nvscisync|cudla)\b"
FAILED = re.compile(r"\bfail(s|ed|ure)?\b(?!.{0,4}[:=]\s*0)", re.I)


def makefile_facts(sample):
    """Sources, options and libraries that the Makefile of a sample names."""
    text = (sample / "Makefile").read_text(errors="replace")
    sources = list(dict.fromkeys(re.findall(r"^\S+\.o\s*:\s*(\S+\.(?:cu|cpp|cxx|cc|c))\s*$", text, re.M)))
    standard = re.search(r"-?-std=\S+", text)
    defines = re.findall(r"^ALL_CCFLAGS \+=.*?(-D\w+)", text, re.M)
    if re.search(r"-rdc=true|\s-dc\s", text):
        defines.append("-rdc=true")
    folders = re.findall(r"^INCLUDES \+= (-I[\w./]+)\s*$", text, re.M)
    libraries = re.findall(r"^LIBRARIES \+= (.*)$", text, re.M)
    return sources, ([standard.group()] if standard else []) + defines + folders, " ".join(libraries)


def copy_headers(sample, folder):
    """What a Makefile copies from the Toolkit's headers, for NVRTC to find: here they are the simulator's."""
    for name in re.findall(r'cp (?:-r )?"\$\(CUDA_PATH\)/include/(\S+)" \.', (sample / "Makefile").read_text()):
        source = ROOT / "frontends/cuda/headers" / name
        if source.is_dir():
            shutil.copytree(source, folder / name, dirs_exist_ok=True)
        else:
            shutil.copy(source, folder)


def run(command, folder, seconds, log):
    """Exit code (None: out of time), seconds, and what was printed."""
    begin = time.monotonic()
    with open(log, "wb") as out:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            subprocess.run(["kill", "-KILL", "--", f"-{process.pid}"], check=False)
            process.wait()
            code = None
    return code, time.monotonic() - begin, pathlib.Path(log).read_text(errors="replace")


def own_word(code, text):
    if code is None:
        return "out of time"
    if code == 2 and "waiv" in text.lower():  # NVIDIA's EXIT_WAIVED: the sample asks for what is not there
        return "waived"
    bad = [line for line in text.splitlines() if FAILED.search(line)]
    return "right" if code == 0 and not bad else f"exit {code}" if code else bad[0].strip()


def one_sample(sample, out, args):
    sources, options, libraries = makefile_facts(sample)
    name = f"{sample.parent.name}/{sample.name}"
    folder = out / "Samples" / name
    shutil.copytree(sample, folder, dirs_exist_ok=True)
    copy_headers(sample, folder)
    row = {"sample": name, "foreign": sorted(set(re.findall(r"-l\w+", " ".join(m.group() for m in
                                                                               re.finditer(FOREIGN, libraries)))))}
    if not sources:
        return row | {"built": "no sources in its Makefile"}
    command = [args.simrun, *sources, "-I", str(out / "Common"), *options]
    for word in libraries.split():
        if re.fullmatch(r"-l\w+", word) and word != "-lslog2":
            command.append(word)
    program = folder / "simrun_program"
    for variant, check, limit in (("plain", [], args.plain_limit), ("check", ["--check", "all"], args.check_limit)):
        if limit == 0:
            continue
        code, seconds, text = run([*command, *check, "-o", str(program)], folder, 300, folder / f"{variant}.build.log")
        if code != 0:
            first = next((line for line in text.splitlines() if "error" in line), text.splitlines()[-1] if text else "")
            return row | {"built": f"no: {first.strip()}"}
        program.unlink(missing_ok=True)
        code, seconds, text = run(["nice", *command, *check], folder, limit, folder / f"{variant}.log")
        row |= {"built": "yes", variant: own_word(code, text) if variant == "plain" or code != 3 else "findings",
                f"{variant}_s": round(seconds, 1), f"{variant}_code": code}
        if variant == "check":
            row["findings"] = sorted(set(re.findall(r"^(?:error|warning)\[[\w-]+\]", text, re.M)))
    return row


def table(rows):
    lines = ["| sample | built | plain | s | check | s | findings |", "|---|---|---|---:|---|---:|---|"]
    for row in rows:
        built = row.get("built", "") + (f" (links {' '.join(row['foreign'])})" if row["foreign"] else "")
        cells = [row["sample"], built, row.get("plain", ""), row.get("plain_s", ""), row.get("check", ""),
                 row.get("check_s", ""), " ".join(row.get("findings", []))]
        lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--simrun", default=ROOT / "build/bin/simrun")
    parser.add_argument("--only", default="")
    parser.add_argument("--plain-limit", type=float, default=60)
    parser.add_argument("--check-limit", type=float, default=120)
    args = parser.parse_args()
    args.simrun = str(pathlib.Path(args.simrun).resolve())
    out = args.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    shutil.copytree(args.examples / "Common", out / "Common", dirs_exist_ok=True)
    record = out / "rows.json"
    rows = {row["sample"]: row for row in json.loads(record.read_text())} if record.exists() else {}
    for makefile in sorted(args.examples.glob("Samples/*/*/Makefile")):
        sample = makefile.parent
        if not any(text in f"{sample.parent.name}/{sample.name}" for text in args.only.split(",")):
            continue
        row = one_sample(sample, out, args)
        print(table([row]).splitlines()[-1], flush=True)
        rows[row["sample"]] = row
        record.write_text(json.dumps([rows[name] for name in sorted(rows)], indent=1))
        (out / "table.md").write_text(table([rows[name] for name in sorted(rows)]))


if __name__ == "__main__":
    main()
