#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run_searches.sh SIMRUN SOURCES FOLDER: searches over schedules of CUDA source, whose runs are processes. The time of
# --explore ends the run that it is in; an exit code that differs is found, and found again where it is played back.
set -u
simrun=$1 sources=$2 folder=$3
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 1
export SIMT_CACHE_DIR=$folder/cache
failed=0
problem() { echo "$1"; failed=1; }

"$simrun" "$sources/slow_when_repeated.cu" --check races -- built >first.txt 2>&1 || problem "the plain run: $(<first.txt)"
start=$SECONDS
"$simrun" "$sources/slow_when_repeated.cu" --check races --explore time=3s -- seen >slow.txt 2>&1
[ $((SECONDS - start)) -lt 45 ] || problem "time=3s took $((SECONDS - start)) s"
grep -q "explored in 3 s, and not to the end: 1 run of 2 threads" slow.txt || problem "time=3s: $(<slow.txt)"
"$simrun" "$sources/slow_when_repeated.cu" --check races --explore time=1s --record none.json -- seen >none.txt 2>&1
[ $? = 2 ] || problem "a search without a run that ends is no clean one: $(<none.txt)"
grep -q "no run came to its end in 1 s" none.txt || problem "none: $(<none.txt)"

for how in "--explore bound=1" "--schedule pct --schedules 60"; do
  "$simrun" "$sources/message_by_exit_code.cu" --check barrier --memory-model ptx $how --record record.json >found.txt 2>&1
  [ $? = 3 ] || problem "$how: $(<found.txt)"
  "$simrun" replay record.json --json again.json >again.txt 2>&1
  [ $? = 1 ] || problem "$how, played back: $(<again.txt)"
  grep -q "the program ends with exit code 8, and in its first run with 7" again.json || problem "$how: $(<again.json)"
  cmp record.json again.json || problem "$how: the report that was played back differs"
done
exit $failed
