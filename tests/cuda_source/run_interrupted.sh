#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run_interrupted.sh SIMRUN SOURCE FOLDER: endless.cu is ended by INT, TERM and HUP, in a kernel and in host code, under
# simrun and on its own: the report so far, marked as partial, and 128 + the signal. TERM while it is compiled ends the
# compiler and leaves no folder.
set -u
simrun=$1 source=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
export SIMT_CACHE_DIR=$folder/cache

fail() {
  echo "$*"
  tail -n 30 out err 2>/dev/null
  exit 1
}

# Until the program has said in `out` that its race is done; a minute at most.
wait_for_race() {
  for ((i = 0; i < 3000; i++)); do
    if grep -qs 'race done' out; then break; fi
    sleep 0.02
  done
}

# signalled NUMBER WHAT COMMAND...: runs it, waits until its race is done, sends the signal.
signalled() {
  local number=$1 what=$2 code=0
  shift 2
  rm -f out err report.json
  env --default-signal=INT,TERM,HUP "$@" >out 2>err &
  local process=$!
  wait_for_race
  sleep 0.1
  [[ ! -e report.json ]] || fail "$what: a report before the end"
  kill -"$number" $process
  wait $process || code=$?
  ((code == 128 + number)) || fail "$what: exit code $code"
  grep -q 'error\[race-global\]' err || fail "$what: the race is not in the text"
  grep -q 'the report is partial' err || fail "$what: the text does not say that it is partial"
  ! grep -q 'end:' out || fail "$what: the program went on"
  ! grep -q 'hang' err || fail "$what: what was interrupted is taken for a hang"
}

checked=("$simrun" "$source" --check all)
for number in 2 15 1; do
  signalled $number "signal $number in a kernel" "${checked[@]}" --json report.json
  grep -q '"verdict": "interrupted"' report.json && grep -q "\"interrupted_by\": $number" report.json ||
    fail "signal $number: the JSON report is not marked"
  grep -q 'kernel endless ran when the run was interrupted: thread .*endless.cu:10' report.json || fail "no place is named"
done
signalled 15 "in host code" "${checked[@]}" --json report.json -- host
# timeout(1) sends its signal twice, to the tool and to the group; which of them come together is chance. SIGALRM is what
# its clock sends it when the time is over.
for ((run = 0; run < 4; run++)); do
  rm -f out err
  timeout 60 "${checked[@]}" >out 2>err &
  process=$!
  wait_for_race
  sleep 0.1
  kill -ALRM $process
  wait $process
  (($? == 124)) || fail "timeout: no 124"
  grep -q 'the report is partial' err || fail "timeout, run $run: no report"
done
"${checked[@]}" -o app || fail "not built"
signalled 2 "a program on its own" ./app
# Where several workers are at work in the detector at once, each lets go of what it holds.
for ((run = 0; run < 20; run++)); do SIMT_WORKERS=4 signalled 2 "several workers, run $run" ./app many; done
signalled 15 "a program on its own, in host code" ./app host

rm -rf cache
"$simrun" "$source" -DN=1 >out 2>err &
process=$!
for ((i = 0; i < 300; i++)); do
  compiler=$(pgrep -f "$folder/cache/cuda/.*[.]work/0[.]ii" | head -n 1)
  [[ -z $compiler ]] || break
  sleep 0.02
done
[[ -n $compiler ]] || fail "no compiler was seen"
kill -15 $process
wait $process
(($? == 143)) || fail "while compiling: no 143"
! pgrep -f "$folder/cache/cuda/" >/dev/null || fail "the compiler goes on"
! compgen -G "cache/cuda/*.work" >/dev/null || fail "the folder of the build is left"
[[ ! -s err ]] || fail "while compiling: something was said"
echo "26 interruptions, each with what was known"
