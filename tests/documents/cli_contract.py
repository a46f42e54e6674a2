#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cli_contract.py ROOT SIMRUN: docs/cli.md against the tool: commands, options, rules, exit codes, in both directions."""
import pathlib
import re
import subprocess
import sys

VERBS_WITH_OPTIONS = ["run", "test", "bench", "compare", "profile", "debug"]


def said_by(simrun, *words):
    done = subprocess.run([simrun, *words], capture_output=True, text=True, timeout=60)
    return done.stdout


def options_in(text):
    return set(re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", text))


def section(document, title):
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", document, re.M | re.S)
    if not found:
        sys.exit(f"docs/cli.md has no section '{title}'")
    return found[1]


def compare(what, document, tool, problems):
    problems += [f"{what}: docs/cli.md has {x}, the tool does not" for x in sorted(document - tool)]
    problems += [f"{what}: the tool has {x}, docs/cli.md does not" for x in sorted(tool - document)]
    return len(document | tool)


def main():
    root, simrun = pathlib.Path(sys.argv[1]), sys.argv[2]
    document = (root / "docs/cli.md").read_text()
    problems, count = [], 0

    tool_options = set()
    for verb in VERBS_WITH_OPTIONS:
        tool_options |= set(re.findall(r"^ +(--[a-z-]+)", said_by(simrun, verb, "--help"), re.M))
    in_tables = set()
    for row in re.findall(r"^\| (`--.*?) \|", section(document, "Options").replace("\\|", ""), re.M):
        in_tables |= options_in(row)
    count += compare("options", in_tables, tool_options - {"--help"}, problems)

    help_text = said_by(simrun, "--help")
    command = r"simrun (\[run\]|APP\.cu|[a-z]+)(?= |$)"
    in_document = set(re.findall("^" + command, section(document, "Commands"), re.M))
    in_tool = set(re.findall("^  " + command, help_text.split("Try:")[0], re.M))
    count += compare("commands", in_document, in_tool, problems)

    rules = set(re.findall(r"`([a-z-]+)`", section(document, "Rules")))
    explained = set(re.findall(r"^([a-z]+(?:-[a-z]+)*)  ", said_by(simrun, "explain"), re.M))
    count += compare("rules", rules, explained, problems)

    codes = set(re.findall(r"^\| (\d+) \|", section(document, "Output and exit codes"), re.M))
    told = re.findall(r"\b(\d+) (?:clean|wrong|usage|findings|crash|backend)", help_text.replace("\n", " "))
    count += compare("exit codes", codes, set(told), problems)

    for problem in problems:
        print(problem)
    print(f"{count} names compared, {len(problems)} problems")
    return 1 if problems or count < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
