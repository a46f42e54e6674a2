#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# aarch64.sh [FOLDER]: compiles the simulator for aarch64 in FOLDER (default: build-aarch64) and runs there, under
# qemu-user: the engine's tests, the detector's tests, and hist-racy, whose races must be found.
# Needs g++-aarch64-linux-gnu and qemu-user; arm64 libraries are unpacked into FOLDER (aarch64_root.sh).
set -eu
cd "$(dirname "$0")/.."
folder=$(mkdir -p "${1:-build-aarch64}" && cd "${1:-build-aarch64}" && pwd)
for program in aarch64-linux-gnu-g++ qemu-aarch64 cmake ninja; do
  command -v "$program" > /dev/null || {
    echo "aarch64.sh: $program is missing (Debian, Ubuntu: apt-get install g++-aarch64-linux-gnu qemu-user cmake ninja-build)" >&2
    exit 77
  }
done
scripts/aarch64_root.sh "$folder"
root=$folder/root
build=$folder/build
cmake -S . -B "$build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/aarch64.cmake" -DSIMT_AARCH64_ROOT="$root" \
  -DCMAKE_BUILD_TYPE=Release -DSIMT_BUILD_SIM=ON -DSIMT_BUILD_CUDA=OFF -DSIMT_BUILD_BENCH=OFF -DSIMT_NATIVE=OFF
ninja -C "$build" -j "${SIMT_JOBS:-2}" check_unit single.hist.check simrun engine_tests.sim
emulate="qemu-aarch64 -L $root"
export SIMT_ADDRESS_SPACE=32 # qemu-user keeps some 24 bytes for each page that is reserved
failed=0
# A case that needs the processor's speed, or what qemu-user does not give, is left out by name.
$emulate "$build/bin/check_unit" || failed=1
$emulate "$build/bin/engine_tests.sim" || failed=1
found=$(SIMT_MODULE_DIR=$build/lib/simt/single/hist $emulate "$build/bin/simrun" hist-racy --samples 20000 --check all) && code=0 || code=$?
echo "$found"
if [ "$code" -ne 3 ] || ! echo "$found" | grep -q 'race'; then
  echo "aarch64.sh: hist-racy ended with $code, and its races must be found (3)" >&2
  failed=1
fi
[ "$failed" -eq 0 ] && echo "aarch64: all passed"
exit "$failed"
