#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# scale_check.sh FOLDER [WORKERS [ROUNDS]]: how checked runs get faster with workers (16), in turns with one worker, and
# the lines of the tool in FOLDER/scale.txt. Needs as many cores as workers, and simrun in build/bin (or $SIMRUN).
set -e
out=${1:?where to write} workers=${2:-16} rounds=${3:-3}
simrun=${SIMRUN:-$(dirname "$0")/../build/bin/simrun}
mkdir -p "$out"
{
  date -u
  nproc
  for round in $(seq "$rounds"); do
    for line in "saxpy --n 16777216" "hist --samples 4000000 --bins 150" "matmul-tiled --m 512 --k 512 --n 512" \
                "reduce --n 16777216 --block 256" "transpose-tiled --n 4096"; do
      for w in 1 "$workers"; do
        for e in auto fibers; do
          # shellcheck disable=SC2086  # words
          printf '%s, %s workers, %s: ' "$line" "$w" "$e"
          "$simrun" bench $line --check races --execution "$e" --workers "$w" --repeat 3 | grep kernels
        done
      done
    done
  done
} >"$out/scale.txt" 2>&1
python3 - "$out/scale.txt" <<'END'
import re, statistics, sys
times = {}
for line in open(sys.argv[1]):
    found = re.match(r"(\S+) .*, (\d+) workers, (\w+):\s+kernels\s+([\d.]+) (\w+)", line)
    if found:
        name, workers, how, number, unit = found.groups()
        scale = {"s": 1000, "ms": 1, "us": 0.001}[unit]
        times.setdefault((name, how), {}).setdefault(int(workers), []).append(float(number) * scale)
print("| program | how | 1 worker ms | all ms | faster |\n|---|---|--:|--:|--:|")
for (name, how), by in times.items():
    one, many = statistics.median(by[min(by)]), statistics.median(by[max(by)])
    print(f"| {name} | {how} | {one:.1f} | {many:.1f} | {one / many:.1f} |")
END
