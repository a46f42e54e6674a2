#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Which commands of ./simrun go on while another build holds the lock, and what those that wait say (scripts/build.sh).
# A copy of the launcher runs in a tree of empty sources, with a tool that only prints its words.
# usage: one_build_test.sh ROOT
set -u
unset SIMT_BACKEND SIMT_MODULE_DIR
scratch=$(mktemp -d)
root=$scratch/root build=$scratch/build
export SIMT_BUILD_DIR=$build
mkdir -p "$root"/{cmake,sim,backends,frontends,cli,kernels/single,tests} "$build/bin"
cp -r "$1/simrun" "$1/scripts" "$root"
sed -i 's|/dev/nvidiactl|/dev/none|' "$root/scripts/what_to_build.sh" # with a GPU there is more to build
echo '"--detect-races"' >"$root/cli/options.cpp"
touch "$root"/{CMakeLists.txt,CMakePresets.json,sim/a.cpp,kernels/CMakeLists.txt,tests/a.cpp}
for name in hist scan; do
  echo '    {.name = "'$name'", .summary = "empty"}' >"$root/kernels/$name.cpp"
done
find "$root" -exec touch -d '-1 hour' {} +
passed=0 failed=0

# tool LINE: what bin/simrun, bin/simrun_builtin and bin/simrun_first do.
tool() {
  local name
  for name in simrun simrun_builtin simrun_first; do
    printf '#!/bin/sh\n%s\n' "$1" >"$build/bin/tool.new"
    chmod +x "$build/bin/tool.new" && mv "$build/bin/tool.new" "$build/bin/$name"
  done
}
stamp() { echo "$root" >"$build/.stamp-$1"; }
edit() { touch -d '+1 hour' "$root/$1"; }
fresh_tree() {
  rm -f "$build"/.stamp-*
  find "$root" -exec touch -d '-1 hour' {} +
  tool 'echo "tool $*"'
}

# Another build: a process that holds the lock until it is ended.
(
  exec 9>>"$build/.lock"
  flock 9
  echo "$BASHPID" >"$build/.lock"
  touch "$build/held"
  exec sleep 600 >/dev/null
) &
holder=$!
trap 'kill $holder; rm -rf "$scratch"' EXIT
until [[ -e $build/held ]]; do sleep 0.05; done

# runs TEXT ARGUMENT...: what ./simrun prints, both streams. What waits is ended a moment after it has said so.
runs() {
  local wanted=$1 got='' pid
  shift
  : >"$scratch/said" # not the last one's, which would be read before the process has begun
  timeout 20 "$root/simrun" "$@" </dev/null >"$scratch/said" 2>&1 &
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    [[ $wanted != "$waits" || $(<"$scratch/said") != "$waits" ]] || { sleep 0.3 && kill "$pid"; }
    sleep 0.02
  done 2>/dev/null
  wait "$pid" 2>/dev/null
  got=$(<"$scratch/said")
  if [[ $got == "$wanted" ]]; then
    ((++passed))
  else
    ((++failed))
    echo "simrun $*: \"$got\" instead of \"$wanted\""
  fi
}
waits="simrun: waits for the build of PID $holder"

fresh_tree
stamp cuda-source
runs 'tool a.cu --detect-races' a.cu --detect-races # up to date
runs 'tool explain race-global' explain race-global # the tool came with it
edit kernels/hist.cpp
runs 'tool b.cu' b.cu # no part of that
runs "$waits" hist
edit sim/a.cpp
runs "$waits" a.cu
# What only asks, asks the tool of the last build.
runs 'tool --help' --help
runs 'tool list' list
runs 'tool explain race-global' explain race-global
runs 'tool run --help' run --help
tool 'exit 2'
runs "$waits" list # half built, or its modules are missing

fresh_tree
stamp cuda-source-sim
runs 'tool a.cu' a.cu
runs "$waits" a.cu --detect-races
runs "$waits" -c a.cu
stamp cuda-source-check
runs 'tool a.cu --detect-races' a.cu --detect-races

fresh_tree
stamp hist-sim
runs 'tool hist --bins 3' hist --bins 3
runs "$waits" --detect-races hist
edit kernels/scan.cpp
runs 'tool hist' hist
runs "$waits" scan
edit kernels/hist.cpp
runs "$waits" hist

fresh_tree
stamp tests
runs 'tool --detect-races hist' --detect-races hist
edit tests/a.cpp
runs 'tool --detect-races hist' --detect-races hist # of the programs nothing has changed
runs 'tool test' test

# What waits goes on as soon as the other build has made what it needs, though that builds on.
fresh_tree
(sleep 1.5 && stamp cuda-source) &
runs "$waits
tool a.cu" a.cu
wait $!

echo "$passed passed, $failed failed"
exit $((failed > 0))
