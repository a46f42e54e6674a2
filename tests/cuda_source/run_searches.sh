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

# The first run finds a race, and ends with the exit code of findings; those that find none end as the program does.
"$simrun" "$sources/sum_before_the_last.cu" --check races --explore bound=1 >found.txt 2>&1
[ $? = 3 ] && grep -q "race-global" found.txt || problem "a first run with findings: $(<found.txt)"
grep -q "ends with exit code" found.txt && problem "an exit code of findings is taken for the program's: $(<found.txt)"

# What is copied to the host and what is printed depends on who comes first; in the twins it does not. A time that is
# printed differs between any two runs, and is no finding.
for what in copied printed managed; do
  checks=all
  [ $what = managed ] && checks=races  # it is not freed
  for twin in "" -DTWIN; do
    "$simrun" "$sources/who_comes_first.cu" $twin --check $checks --explore bound=2 --strict -- $what >out.txt 2>found.txt
    code=$?
    grep -q "time: " out.txt || problem "$what $twin: the first run's output is lost: $(<out.txt)"
    grep -q "not 1 printed" found.txt || problem "$what $twin: $(<found.txt)"
    if [ -n "$twin" ]; then
      [ $code = 0 ] || problem "$what: the twin is not clean: $(<found.txt)"
    else
      [ $code = 3 ] && grep -q "nondeterministic-output" found.txt || problem "$what: $(<found.txt)"
    fi
  done
done
"$simrun" "$sources/who_comes_first.cu" --check all --explore bound=2 -- copied 2>&1 |
  grep -q "winner has a sum of 1, and 1 at its head under the order of thread numbers" || problem "no values are named"
"$simrun" "$sources/who_comes_first.cu" --check all --explore bound=2 -- printed 2>&1 | tr '\n' ' ' | tr -s ' ' |
  grep -q 'it prints "the first is 1" under the order of thread numbers, and "the first is 2" under thread 1' ||
  problem "no line is named"

# A signal ends a search with what it has found. How soon it has found something depends on the machine: where it came too
# early, it comes later once more.
for number in 2 15 1; do
  for seconds in 1 4 16; do
    rm -f report.json
    env --default-signal=INT,TERM,HUP "$simrun" "$sources/who_comes_first.cu" --check all --explore bound=all \
      --json report.json -- long >out.txt 2>found.txt &
    process=$!
    sleep $seconds
    kill -$number $process
    wait $process
    code=$?
    grep -qs "nondeterministic-output" report.json && break
  done
  [ $code = $((128 + number)) ] || problem "signal $number: the exit code"
  grep -q "\"interrupted_by\": $number" report.json || problem "signal $number: no report that is marked"
  grep -q "nondeterministic-output" report.json || problem "signal $number: what was found is lost"
  tr '\n' ' ' <found.txt | tr -s ' ' | grep -q "explored until interrupted, and not to the end: .* of 6 threads, 1 finding" ||
    problem "signal $number: what was covered: $(<found.txt)"
done
exit $failed
