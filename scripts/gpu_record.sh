#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the cuda variant alone on a machine with a GPU, runs everything that a GPU can say about it, and records it.
#
# scripts/gpu_record.sh OUT [--simulator] [--seed FILE] [--reference DIR] [--build DIR]
#   OUT          folder for the record: summary.txt, and a log for each part
#   --seed       a script that checks programs through the tool: it runs as FILE --simrun PATH --backend cuda
#   --simulator  builds the simulator too (needs oneTBB, Boost.Context and libdw), runs the tests of all variants, and
#                compares every program's outputs on the two with `simrun compare`
#   --reference  JSON reports of the simulator (PROGRAM.json); outputs are compared with them
# Exit code: the number of parts that failed. Needs CMake, ninja, nvcc, {fmt}, CLI11, nlohmann-json, doctest; python3
# for --seed and --reference.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd) || exit 2
shift
seed='' reference='' simulator='' build=$root/build-cuda
while (($# > 0)); do
  case $1 in
    --simulator) simulator=yes; shift; continue ;;
    --seed) seed=$2 ;;
    --reference) reference=$2 ;;
    --build) build=$2 ;;
    *) echo "gpu_record: what is $1?" >&2; exit 2 ;;
  esac
  shift 2
done
summary=$out/summary.txt
failed=0
: >"$summary"
tell() { echo "$*" | tee -a "$summary"; }

# part NAME COMMAND...: runs it with a log of its own; one line in the summary.
part() {
  local name=$1 begin=$SECONDS result
  shift
  if [[ $(type -t "$1") == function ]]; then "$@"; else timeout 400 "$@"; fi >"$out/$name.log" 2>&1 </dev/null
  result=$?
  ((result == 0)) || failed=$((failed + 1))
  tell "$( ((result == 0)) && echo ok || echo "FAIL($result)") $name, $((SECONDS - begin)) s"
  return $result
}
# wants CODE NAME COMMAND...: the same for a command that must end with that exit code, within a minute.
wants() {
  local code=$1 name=$2 begin=$SECONDS result
  shift 2
  timeout 60 "$@" >"$out/$name.log" 2>&1 </dev/null
  result=$?
  ((result == code)) || failed=$((failed + 1))
  tell "$( ((result == code)) && echo ok || echo FAIL) $name: exit $result, wanted $code:" \
    "$(grep -v '^$' "$out/$name.log" | tail -1 | cut -c 1-220)"
}

build_all() {
  cmake -S "$root" --preset cuda -B "$build" && cmake --build "$build" -j "$(nproc)" -- -k 0
}
build_both() {
  cmake -S "$root" --preset default -B "$build-both" -DSIMT_BUILD_BENCH=OFF &&
    cmake --build "$build-both" -j "$(nproc)" -- -k 0
}
compare_with_reference() {
  python3 "$root/scripts/compare_reports.py" "$reference" "$out/reports"
}
program_names() {
  "$simrun" list --json - | sed -n 's/^      "name": "\(.*\)",$/\1/p'
}
run_programs() {
  local name
  mkdir -p "$out/reports"
  for name in $(program_names); do
    timeout 60 "$simrun" "$name" --backend cuda --json "$out/reports/$name.json" --quiet
    echo "$name: exit $?"
  done
}
# Programs with defects may differ, and so may the order in which warp-compact keeps its elements.
may_differ() {
  case $1 in
    *racy* | *no-sync* | *one-sync* | *guard* | *divergent* | warp-compact) return 0 ;;
    *) return 1 ;;
  esac
}
compare_outputs() {
  local name code wrong=0
  for name in $(program_names); do
    timeout 60 "$build-both/bin/simrun" compare "$name"
    code=$?
    echo "$name: exit $code"
    ((code == 0)) || may_differ "$name" || wrong=1
  done
  return $wrong
}

cd "$root" || exit 2
tell "date $(date -u +%Y-%m-%d), $(nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader)"
tell "$(nvcc --version | grep release), $(g++ --version | head -1), $(cmake --version | head -1)"
part build build_all
simrun=$build/bin/simrun
export SIMT_BUILD_DIR=$build
part tests ctest --test-dir "$build" -j 4 --output-on-failure --timeout 200 ||
  grep -E 'Test +#|ERROR|\*\*\*|tests failed' "$out/tests.log" | tail -40
part devices "$simrun" devices
part programs "$simrun" test --backend cuda --junit "$out/programs.junit.xml"
[[ -z $seed ]] || part seed-programs python3 "$seed" --simrun "$simrun" --backend cuda
part reports run_programs
[[ -z $reference ]] || part compare-with-simulator compare_with_reference
part ratios "$build/bin/cuda_ratios"

# Faults: a clear error, the exit code of docs/cli.md, no hang.
wants 77 no-device env CUDA_VISIBLE_DEVICES= "$simrun" double --backend cuda
wants 2 over-the-limits "$simrun" double --backend cuda --block 32,32,32
wants 2 too-large "$simrun" saxpy --backend cuda --n 1000000000000
wants 2 checks-refused "$simrun" double --backend cuda --check all
wants 2 schedule-refused "$simrun" double --backend cuda --schedule random

# judge_with TOOL PROGRAM: what one of compute-sanitizer's tools says of a program.
judge_with() {
  local log=$out/$1-$2.log
  timeout 100 compute-sanitizer --tool "$1" "$simrun" "$2" --backend cuda >"$log" 2>&1 </dev/null
  tell "$1 $2: $(grep -E 'RACECHECK SUMMARY|ERROR SUMMARY|Error|error' "$log" | tail -1)"
}
# compute-sanitizer as an oracle for racy programs: racecheck sees shared memory only.
if command -v compute-sanitizer >/dev/null; then
  for name in matmul-tiled matmul-tiled-one-sync matmul-tiled-no-sync; do
    judge_with racecheck "$name"
  done
  for name in matmul-tiled matmul-tiled-guard; do
    judge_with memcheck "$name"
  done
fi
if [[ -n $simulator ]]; then
  part build-both build_both
  part compare-outputs compare_outputs
  part tests-of-all-variants timeout 200 ctest --test-dir "$build-both" -j 4 -LE '^(install|slow)$' \
    --output-on-failure --timeout 150 ||
    grep -E 'Test +#|tests failed' "$out/tests-of-all-variants.log" | grep -v Passed | tail -20
fi
tell "$failed parts failed"
cat "$out/ratios.log"
exit "$failed"
