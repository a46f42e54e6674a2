#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the plugin with one version of LLVM, the tests of this folder with its clang, and runs them as loops.
# usage: with_clang.sh VERSION SOURCE_DIR BINARY_DIR [all]; all: the tool and its programs, too.
# Exit codes: 0 they passed; 77 that version is not installed.
set -u
version=$1 source=$2 binary=$3 targets=(loops.sim loops_random.sim) tests='^loops(_random)?\.sim'
[[ ${4:-} != all ]] || targets+=(simrun kernels.sim kernels.check random_races.sim random_races.check checked_loops.check) tests='^(checked_)?loops'
if ! command -v "clang++-$version" >/dev/null || [[ ! -d /usr/lib/llvm-$version/include/llvm ]]; then
  echo "clang-$version and llvm-$version-dev are not installed"
  exit 77
fi
mkdir -p "$binary" || exit 1
{
  CXX=clang++-$version cmake -S "$source" --preset default -B "$binary" -DSIMT_LOOPS=ON -DSIMT_BUILD_CUDA=OFF \
    -DSIMT_BUILD_BENCH=OFF &&
    ninja -C "$binary" -j 1 "${targets[@]}"
} >"$binary/with_clang.log" 2>&1 || {
  tail -n 40 "$binary/with_clang.log"
  exit 1
}
exec ctest --test-dir "$binary" -R "$tests" --output-on-failure --no-tests=error
