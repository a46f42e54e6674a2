#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds parts of this tree with another compiler than the rest, and runs their tests.
# usage: with_compiler.sh CXX SOURCE_DIR BUILD BINARY_DIR TOOL TESTS TARGET...; TESTS: a regular expression for ctest
# BUILD: that of the rest. What writes reports is taken from there; it holds no kernel, and is only read here.
# TOOL: the simrun that these tests run, made by the compiler of the rest; '' where they run none, or the one that is
# among the targets. It would take a third of this build, and no kernel is compiled into it: its sources are only read.
# Exit codes: 0 they passed; 77 the compiler is not installed, or LLVM's headers of its version are not.
set -u
compiler=$1 source=$2 build=$3 binary=$4 tool=$5 tests=$6
shift 6
version=${compiler#clang++-}
if ! command -v "$compiler" >/dev/null || [[ $version != "$compiler" && ! -d /usr/lib/llvm-$version/include/llvm ]]; then
  echo "$compiler is not installed, or its headers (llvm-$version-dev) are not"
  exit 77
fi
mkdir -p "$binary/bin" || exit 1
reports=simt_report,simt_report_files,simt_symbolize,simt_profile,simt_check_counters

# read_sources TARGET FOLDERS: the compiler reads the target's sources below these folders and writes nothing. What it
# says comes behind a line that looks like ninja's.
read_sources() {
  local line said
  ninja -C "$binary" -t commands "$1" | grep -E " -c [^ ]*/($2)/" | sed 's/ -MD .* -o [^ ]*/ -fsyntax-only/' |
    while IFS= read -r line; do
      said=$(cd "$binary" && eval "$line" 2>&1) || { printf 'FAILED: %s\n%s\n' "$line" "$said" && return 1; }
    done
}

# The tool finds modules and libraries by its own place, so a copy here takes this build's.
take_tool() {
  [[ -n $tool ]] || return 0
  read_sources simrun 'cli|frontends/cuda/(driver|translate)' && rm -f "$binary/bin/simrun" && cp "$tool" "$binary/bin/simrun"
}

{
  CXX=$compiler cmake -S "$source" --preset default -B "$binary" -DSIMT_BUILD_CUDA=OFF -DSIMT_BUILD_BENCH=OFF \
    -DSIMT_RANDOM_KERNELS=8 "-DCMAKE_CXX_COMPILER_LAUNCHER=$source/tests/compile/read_or_compile.sh;$build;$reports" &&
    ninja -C "$binary" -j 1 "$@" &&
    take_tool
} >"$binary/with_compiler.log" 2>&1 || {
  grep -A 30 -m 1 '^FAILED' "$binary/with_compiler.log" || tail -n 40 "$binary/with_compiler.log"
  exit 1
}
exec ctest --test-dir "$binary" -R "$tests" --output-on-failure --no-tests=error
