#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run_faults.sh SIMRUN SOURCE FOLDER: SOURCE has one race (exit code 3). A cached program that is empty, cut off or not
# executable is built again; ten runs at once share a new cache; files that would be written over each other, names that
# look like something else, a full disk and too little stack do no harm, or end with a line that says so.
set -u
simrun=$1 source=$2 folder=$3
umount -l "$folder/full" 2>/dev/null
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
truncate -s 0 "$program" && truncate -s "$(<"$program.length")" "$program"
runs 3 "a program of zeros" "${check[@]}"
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

# says TEXT: in the last run's lines, however they are broken.
says() { tr -s '\n ' ' ' <out | grep -qF -- "$1" || fail "does not say: $1"; }
cp "$source" own.cu
runs 2 "-o names the source" "$simrun" own.cu -o ./own.cu
says "-o: ./own.cu is a source, which would be lost"
runs 2 "--json=FILE names the source" "$simrun" own.cu --detect-races --json=own.cu
cmp -s "$source" own.cu || fail "the source was written over"
runs 0 "a program is built" "$simrun" own.cu --check races -o built
runs 2 "--json FILE names the program" "$simrun" built --check races --json built
says "--json: built is the program, which would be lost"
runs 2 "two reports in one file" "$simrun" own.cu --detect-races --json a --sarif ./a
says "--json and --sarif are written to the same file, ./a"
cp own.cu '<i>&.cu'
runs 3 "a name like a tag" "$simrun" '<i>&.cu' --detect-races --quiet
cp own.cu ./-own.cu
runs 2 "a name like an option" "$simrun" -own.cu
says "write ./-own.cu for the file"
ln -s around.cu around.cu
runs 2 "a link to itself" "$simrun" around.cu
says "simrun: around.cu: Too many levels of symbolic links"
runs 2 "an unknown backend" "$simrun" own.cu --backend tpu
says 'simrun: --backend: there is no "tpu"'
runs 2 "a wrong size of the address space" env SIMT_ADDRESS_SPACE=x "$simrun" own.cu
mkdir gone
runs 2 "a working directory that is gone" bash -c 'cd gone && rmdir ../gone && exec "$@"' - "$simrun" "$source"
says "simrun: the working directory: No such file or directory"

runs 2 "a small stack" bash -c 'ulimit -s 100; exec "$@"' - "${check[@]}"
# A full disk: it is said, and nothing half-written stays. Only root may make one.
mkdir full
if mount -t tmpfs -o size=600k none full 2>/dev/null; then
  nothing_left() { [[ -z $(find full -type f) ]] || fail "$1 left a file: $(find full -type f)"; }
  runs 2 "no room in the cache" env SIMT_CACHE_DIR="$folder/full/cache" "${check[@]}"
  says "No space left on device (set SIMT_CACHE_DIR to a folder with room)"
  nothing_left "no room in the cache"
  runs 2 "no room for -o" "$simrun" own.cu -o full/app
  says "cannot write full/app: No space left on device"
  nothing_left "no room for -o"
  head -c 600k /dev/zero >full/zeros 2>/dev/null
  runs 3 "no room for a report" "${check[@]}" --json full/report.json
  says "cannot write full/report.json: No space left on device"
  [[ ! -e full/report.json ]] || fail "half a report is left"
  umount full
fi
echo "each was built again, or said what it lacked"
