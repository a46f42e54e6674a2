#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare_reports.py A B: outputs in the JSON reports of folder A against those of the same programs in folder B.

A report holds a digest of each output: number of elements, sum, first elements. Integers must be equal; floats may
differ by 1e-4 of their size, because fused multiply-adds and the order of atomic sums differ. Programs whose result
the host does not check ("unchecked") or finds wrong on either side are named and left out.
"""
import json
import pathlib
import sys


def same(a, b, integral):
    return a == b if integral else abs(a - b) <= 1e-4 * max(abs(a), abs(b), 1e-6)


def main():
    first, second = map(pathlib.Path, sys.argv[1:3])
    failed = compared = 0
    for path in sorted(first.glob("*.json")):
        name, other = path.stem, second / path.name
        if not other.exists():
            print(f"{name}: only in {first}")
            continue
        try:
            a, b = json.loads(path.read_text()), json.loads(other.read_text())
        except ValueError as error:
            print(f"{name}: {error}")
            failed += 1
            continue
        statuses = a["result"]["status"], b["result"]["status"]
        if statuses != ("match", "match"):
            print(f"{name}: left out, results {statuses[0]}, {statuses[1]}")
            continue
        compared += 1
        for output, x in a["result"]["outputs"].items():
            y = b["result"]["outputs"].get(output)
            integral = all(float(v).is_integer() for v in x["head"]) and float(x["sum"]).is_integer()
            wrong = (
                "missing" if y is None
                else "count" if x["count"] != y["count"]
                else "sum" if not same(x["sum"], y["sum"], integral)
                else "first elements" if not all(same(p, q, integral) for p, q in zip(x["head"], y["head"]))
                else None
            )
            if wrong:
                failed += 1
                print(f"{name}: {output} differs: {wrong}: {x} {y}")
    print(f"{compared} programs compared, {failed} outputs differ")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
