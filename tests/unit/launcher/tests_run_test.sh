#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What tests/run builds and which tests it leaves out, by its options and by whether there is a device. ninja and ctest are
# stand-ins that tell their arguments.
set -u
source=$1 failed=0 passed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
root=$scratch/tree build=$scratch/tree/build
mkdir -p "$root/tests" "$build" "$scratch/bin"
cp -r "$source/scripts" "$root/"
sed "s|/dev/nvidiactl|$scratch/device|" "$source/tests/run" >"$root/tests/run"
printf 'build %s: phony\n' all without_nvcc simrun >"$build/build.ninja"
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$root" >"$build/CMakeCache.txt"
for name in ninja ctest; do
  printf '#!/bin/sh\nshift 2\n[ $# = 0 ] || echo "%s $*" >>"%s/said"\n' $name "$scratch" >"$scratch/bin/$name"
  chmod +x "$scratch/bin/$name"
done

# runs LINES ARGUMENT...: what ninja was asked for, and ctest, without how many jobs they may run.
runs() {
  local wanted=$1 got
  shift
  rm -f "$scratch/said" "$build"/.stamp*
  : >"$scratch/said"
  PATH=$scratch/bin:$PATH SIMT_NO_INSTALL=1 SIMT_BUILD_DIR=$build bash "$root/tests/run" "$@" >"$scratch/out" 2>&1
  got=$(sed 's/ -j [0-9]*//' "$scratch/said" | grep -v '^ninja simrun$')
  if [[ $got == "$wanted" ]]; then
    ((++passed))
  else
    ((++failed))
    echo "tests/run $*: \"$got\" instead of \"$wanted\"" && tail -n 5 "$scratch/out"
  fi
}

runs 'ninja without_nvcc
ctest --no-tests=ignore -LE ^(ci|cuda)$'
runs 'ninja without_nvcc
ninja all
ctest --no-tests=ignore' --all
touch "$scratch/device"
runs 'ninja without_nvcc
ninja all
ctest --no-tests=ignore -LE ^ci$'
grep -q 'left out: other compilers, packages and what else CI adds (--all)' "$scratch/out" || { ((++failed)) && echo "nothing says what is left out"; }
echo "$passed passed, $failed failed"
exit $((failed > 0))
