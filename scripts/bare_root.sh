#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bare_root.sh SUITE FOLDER [COMMAND...]: the README's commands on a bare system. Makes a root of SUITE (bookworm, trixie,
# noble, ...) in FOLDER with debootstrap, unless one is there, puts a clone of this commit into it, and runs
# `./simrun --detect-races hist` twice: from nothing, and again without the build, where the packages are installed.
# Prints wall and processor time of both. With COMMAND: runs that in the clone instead, as it was left: `tests/run PATTERN`.
#
# bare_root.sh SUITE FOLDER --compilers NAME...: for each compiler of that name (g++-13, clang++-18, ...) installs it,
# builds into build-NAME and prints a line: hist-racy's race is found at its line, the engine's and the detector's tests
# pass, and with clang the pass's tests on IR. With --compilers-quick not the engine's and the detector's tests.
#
# bare_root.sh SUITE FOLDER --package FILE.deb: installs that package by apt there and runs what it brought, far from any
# sources: built-in programs, a .cu file with a race, gdb's commands, completion. Prints a line for each.
#
# Environment: CXX, SIMT_NO_INSTALL as for ./simrun; MIRROR for debootstrap; NO_KEYRING=1 where the keyring of the
# distribution is not here: nothing is verified then. Needs root and debootstrap. Exit codes: the command's; 1 where a
# compiler fails; 77 where something is missing.
set -euo pipefail
tree=$(cd "$(dirname "$0")/.." && pwd)
(($# >= 2)) || {
  sed -n '3,18s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
suite=$1 folder=$2
shift 2
if ((EUID != 0)) || ! command -v debootstrap >/dev/null; then
  echo "bare_root.sh: must run as root and needs debootstrap (Debian, Ubuntu: apt-get install debootstrap)" >&2
  exit 77
fi

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
if [[ ! -e $folder/root/.made ]]; then
  options=(--variant=minbase ${NO_KEYRING:+--no-check-gpg})
  mirror=${MIRROR:-} script=/usr/share/debootstrap/scripts/$suite
  # A suite that this debootstrap does not know is a new one of Ubuntu; all of Ubuntu's have one script, gutsy.
  if [[ ! -e $script || $(readlink -f "$script") == */gutsy ]]; then
    options+=("--components=main,universe")
    mirror=${mirror:-http://archive.ubuntu.com/ubuntu} script=${script%/*}/gutsy
  fi
  debootstrap "${options[@]}" "$suite" "$folder" ${mirror:+"$mirror" "$script"} >"$folder.log" 2>&1 || {
    echo "bare_root.sh: debootstrap could not make $suite; its last lines (all of them: $folder.log):" >&2
    tail -n 5 "$folder.log" >&2
    exit 77
  }
  # As on an installed Ubuntu, whose newer compilers are there.
  [[ $script != */gutsy ]] || echo "deb $mirror $suite-updates main universe" >"$folder/etc/apt/sources.list.d/updates.list"
  touch "$folder/root/.made"
fi
cp /etc/resolv.conf "$folder/etc/resolv.conf"

# inside COMMAND...: runs it in the clone, with processes and mounts of its own.
inside() {
  unshare --mount --pid --fork --mount-proc="$folder/proc" chroot "$folder" \
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    ${CXX:+CXX="$CXX"} ${SIMT_NO_INSTALL:+SIMT_NO_INSTALL="$SIMT_NO_INSTALL"} \
    bash -c 'cd /root/simt && "$@"' bash "$@"
}

# measured WHAT: the README's first command. Races of hist would be the exit code 3; it has none.
measured() {
  local TIMEFORMAT="$1 ($suite): %0R s, %0U s + %0S s of processor time; load $(cut -d ' ' -f 1 /proc/loadavg) before"
  time inside ./simrun --detect-races hist
}

# In the clone, with a compiler's name and whether the long tests are left out: prints one line, returns 1 where something
# failed.
with_compiler=$(cat <<'END'
name=$1 quick=$2 build=build-$1 said='' failed=0
export SIMT_BUILD_DIR=$PWD/$build CXX=$name
packages=("${name/clang++/clang}")
[[ $name == g++* ]] || packages+=("llvm-${name#clang++-}-dev" "llvm-${name#clang++-}-tools")
mkdir -p "$build"
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}" >"$build/packages.log" 2>&1 || {
  echo "$name: not in this distribution"
  exit 0
}
tell() { said+="${said:+, }$1"; }
line=$(grep -n 'bins\[bin\] += 1' kernels/hist.cpp | cut -d : -f 1)
./simrun --detect-races hist-racy --json "$build/report.json" >"$build/hist-racy.log" 2>&1
code=$?
lines=$(python3 -c 'import json, sys
print(*{a["line"] for f in json.load(open(sys.argv[1]))["findings"] for a in f["accesses"]})' "$build/report.json" 2>&1)
if [[ $code == 3 && $lines == "$line" ]]; then tell "race of hist-racy found at line $line"
else failed=1; tell "hist-racy FAILED: exit code $code, lines $lines"; fi
tests='' targets=()
[[ -n $quick ]] || { tests='engine_tests.sim|unit.check' targets=(engine_tests.sim check_unit); }
[[ $name == g++* ]] || { tests+=${tests:+'|'}loops.ir targets+=(simt_loops); }
if [[ -n $tests ]]; then
  ninja -C "$build" "${targets[@]}" >"$build/targets.log" 2>&1 || { failed=1 && tell "build FAILED"; }
  ctest --test-dir "$build" -R "^($tests)\$" --no-tests=error >"$build/tests.log" 2>&1 || failed=1
  tell "$(sed -n 's/^ *[0-9]*\/[0-9]* Test *#[0-9]*: \([^ ]*\) [.* ]*\([A-Z][A-Za-z ]*[a-z]\) .*/\1 \2/p' "$build/tests.log" | paste -s -d , | sed 's/,/, /g')"
fi
echo "$name ($($name -dumpversion)): $said"
exit $failed
END
)

# In a root where the package's file lies: what a user does with it. Prints a line for each step, returns 1 where one fails.
with_package=$(cat <<'END'
failed=0
cd /root && export DEBIAN_FRONTEND=noninteractive
step() { # step CODE WHAT COMMAND...
  local code=$1 what=$2 output result
  shift 2
  output=$("$@" 2>&1)
  result=$?
  if ((result == code)); then echo "$what: ok"; else failed=1 && echo "$what: ends with $result, not $code:
$(tail -n 15 <<<"$output")"; fi
}
apt-get update >/dev/null 2>&1
step 0 "apt-get install" apt-get install -y --no-install-recommends "/root/$1"
cat >race.cu <<'CU'
#include <cstdio>
__global__ void shift(int* x) {
  __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
  int* x;
  cudaMalloc(&x, 256);
  cudaMemset(x, 0, 256);
  shift<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
CU
step 0 "simrun --detect-races hist" simrun --detect-races hist
step 3 "simrun --detect-races hist-racy" simrun --detect-races hist-racy
step 0 "simrun race.cu" simrun race.cu
step 3 "simrun race.cu --check all" simrun race.cu --check all
step 0 "the finding's line" bash -c 'simrun race.cu --check all --format gcc 2>&1 | grep -q "^race.cu:[45]:"'
step 0 "simrun list" bash -c 'simrun list | grep -q "^saxpy "'
step 0 "completion for bash" bash -n /usr/share/bash-completion/completions/simrun
step 0 "gdb's commands" test -r /usr/lib/simt/simt_gdb.py
step 0 "apt-get remove" apt-get remove -y simt
exit $failed
END
)
if [[ ${1:-} == --package ]]; then
  cp "$2" "$folder/root/" && mkdir -p "$folder/root/simt"
  inside bash -c "$with_package" bash "${2##*/}"
  exit
fi

if [[ ! -e $folder/root/simt/simrun ]]; then rmdir "$folder/root/simt" 2>/dev/null || true; git clone --quiet "$tree" "$folder/root/simt"; fi
if [[ ${1:-} == --compilers* ]]; then
  quick=${1#--compilers} result=0
  shift
  for name in "$@"; do inside bash -c "$with_compiler" bash "$name" "$quick" || result=1; done
  exit $result
fi
if (($# > 0)); then
  inside "$@"
  exit
fi
measured "with the installation of packages"
rm -rf "$folder/root/simt/build"
measured "packages installed"
