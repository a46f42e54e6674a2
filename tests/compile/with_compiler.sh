#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds parts of this tree with another compiler than the rest, and runs their tests.
# usage: with_compiler.sh CXX SOURCE_DIR BINARY_DIR TESTS TARGET...; TESTS: a regular expression for ctest
# Exit codes: 0 they passed; 77 the compiler is not installed, or LLVM's headers of its version are not.
set -u
compiler=$1 source=$2 binary=$3 tests=$4
shift 4
version=${compiler#clang++-}
if ! command -v "$compiler" >/dev/null || [[ $version != "$compiler" && ! -d /usr/lib/llvm-$version/include/llvm ]]; then
  echo "$compiler is not installed, or its headers (llvm-$version-dev) are not"
  exit 77
fi
mkdir -p "$binary" || exit 1
{
  CXX=$compiler cmake -S "$source" --preset default -B "$binary" -DSIMT_BUILD_CUDA=OFF -DSIMT_BUILD_BENCH=OFF \
    -DSIMT_RANDOM_KERNELS=8 &&
    ninja -C "$binary" -j 1 "$@"
} >"$binary/with_compiler.log" 2>&1 || {
  grep -A 30 -m 1 '^FAILED' "$binary/with_compiler.log" || tail -n 40 "$binary/with_compiler.log"
  exit 1
}
exec ctest --test-dir "$binary" -R "$tests" --output-on-failure --no-tests=error
