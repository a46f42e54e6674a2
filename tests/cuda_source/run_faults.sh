#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run_faults.sh SIMRUN SOURCE FOLDER: SOURCE has one race (exit code 3). A cached program that is empty, cut off or not
# executable is built again; ten runs at once share a new cache; too little stack ends with a line that says so.
set -u
simrun=$1 source=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
export SIMT_CACHE_DIR=$folder/cache

fail() {
  echo "$*"
  tail -n 20 out 2>/dev/null
  exit 1
}
# runs CODE WHAT COMMAND...: that is its exit code, and it says nothing of a crash.
runs() {
  local wanted=$1 what=$2 code=0
  shift 2
  "$@" >out 2>&1 || code=$?
  ((code == wanted)) || fail "$what: exit code $code"
  ! grep -qiE 'crash|terminate called|core dumped|Segmentation|Aborted' out || fail "$what: speaks of a crash"
  ((code == 3)) || [[ $(grep -c . out) -le 4 ]] || fail "$what: more than a few lines"
}
check=("$simrun" "$source" --detect-races --quiet)

runs 3 "first run" "${check[@]}"
program=$(find cache/cuda -type f -size +100k -perm -100 | head -n 1)
[[ -n $program ]] || fail "no program in the cache"
: >"$program"
runs 3 "an empty program" "${check[@]}"
truncate -s 5000 "$program"
runs 3 "a program that is cut off" "${check[@]}"
chmod -x "$program"
runs 3 "a program that is not executable" "${check[@]}"
rm "$program.length"
runs 3 "a program without its length" "${check[@]}"

rm -rf cache
for k in 1 2 3 4 5 6 7 8 9 10; do
  ("${check[@]}" >"at-once-$k" 2>&1; echo $? >"code-$k") &
done
wait
for k in 1 2 3 4 5 6 7 8 9 10; do
  [[ $(<"code-$k") == 3 ]] || { cp "at-once-$k" out && fail "one of ten at once: exit code $(<"code-$k")"; }
done

runs 2 "a small stack" bash -c 'ulimit -s 100; exec "$@"' - "${check[@]}"
echo "each was built again, or said what it lacked"
