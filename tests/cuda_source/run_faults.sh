#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run_faults.sh SIMRUN SOURCE FOLDER: SOURCE has one race (exit code 3). A cached program that is empty, cut off or not
# executable is built again; ten runs at once share a new cache; little stack, little memory and a full disk end with a
# line that says so, and leave nothing half-written.
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
# runs CODE WHAT COMMAND...: its exit code is one of CODE (3 or 2,3), and it says nothing of a crash.
runs() {
  local codes=$1 what=$2 code=0
  shift 2
  "$@" >out 2>&1 || code=$?
  [[ ,$codes, == *,$code,* ]] || fail "$what: exit code $code"
  ! grep -qiE 'crash|terminate called|core dumped|Segmentation|Aborted' out || fail "$what: speaks of a crash"
  ((code == 3)) || [[ $(grep -c . out) -le 4 ]] || fail "$what: more than a few lines"
  last=$code
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

runs 2,3 "a small stack" bash -c 'ulimit -s 100; exec "$@"' - "${check[@]}"
rm -rf cache
runs 2,3 "a small stack, building" bash -c 'ulimit -s 100; exec "$@"' - "${check[@]}"
for kilobytes in 100000 400000 1000000; do
  rm -rf cache
  runs 2 "memory of $kilobytes KiB" bash -c 'ulimit -v '$kilobytes'; exec "$@"' - "$simrun" "$source" --detect-races
done

# A disk of its own, as root or in a name space of the user's.
enter=(unshare -m)
"${enter[@]}" true 2>/dev/null || enter=(unshare -rm)
if "${enter[@]}" bash -c 'mkdir -p full && mount -t tmpfs -o size=64k none full' 2>/dev/null; then
  mkdir -p full
  on_full_disk='mount -t tmpfs -o size=$1 none full; shift; "$@"; code=$?; find full -type f -o -name "*.work"; exit $code'
  rm -rf cache
  SIMT_CACHE_DIR=$folder/full/cache runs 2 "no room for the cache" "${enter[@]}" bash -c "$on_full_disk" - 200k "${check[@]}"
  grep -qiE 'no space left|cannot write|room' out || fail "no room for the cache: not said"
  ! grep -qE '[.]work|program$' out || fail "no room for the cache: something is left"
  runs 3 "the program" "${check[@]}"
  runs 2,3 "no room for the report" "${enter[@]}" bash -c "$on_full_disk" - 4k "${check[@]}" --json full/report.json
  grep -q 'cannot write .*full/report.json: No space left' out || fail "no room for the report: not said"
  ! grep -q '^full/' out || fail "no room for the report: something is left"
else
  echo "no disk of its own can be mounted here: not tried"
fi
echo "each said what it lacked"
