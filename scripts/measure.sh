#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Check against sim over the bench programs, in one run: medians of the launches, and their ratio, as a Markdown table
# (docs/performance.md).
#   scripts/measure.sh [WORKERS] [REPEAT]
set -u
place=$(mktemp -d) || exit
trap 'rm -rf "$place"' EXIT
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tool=${SIMRUN:-$root/build/bin/simrun}
workers=${1:-2}
repeat=${2:-5}
programs=("saxpy --n 16777216" "mult --n 16777216" "reduce --n 16777216 --block 256" "matmul --m 512 --k 512 --n 512"
  "matmul-tiled --m 512 --k 512 --n 512" "hist --samples 1000000 --bins 150" "transpose-tiled --n 4096" "nbody --n 4096")
echo "| program | sim ms (min - max) | check ms (min - max) | check / sim |"
echo "|---|--:|--:|--:|"
for program in "${programs[@]}"; do
  # shellcheck disable=SC2086
  "$tool" bench $program --workers "$workers" --repeat "$repeat" --quiet --json "$place/sim.json" >/dev/null || exit
  # shellcheck disable=SC2086
  "$tool" bench $program --workers "$workers" --repeat 3 --check races --quiet --json "$place/check.json" \
    >/dev/null || exit
  python3 - "$program" "$place" <<'PY'
import json, sys
s, c = (json.load(open(f"{sys.argv[2]}/{v}.json"))["kernel_ms"] for v in ("sim", "check"))
ratio = c["median"] / s["median"]
sim = f"{s['median']:.1f} ({s['min']:.1f} - {s['max']:.1f})"
check = f"{c['median']:.0f} ({c['min']:.0f} - {c['max']:.0f})"
print(f"| {sys.argv[1]} | {sim} | {check} | {ratio:.1f} |")
open(f"{sys.argv[2]}/ratios", "a").write(f"{ratio}\n")
PY
done
python3 - "$place" <<'PY'
import math, sys
r = [float(x) for x in open(f"{sys.argv[1]}/ratios")]
print(f"\nGeometric mean {math.exp(sum(map(math.log, r)) / len(r)):.1f}, worst {max(r):.1f}.")
PY
