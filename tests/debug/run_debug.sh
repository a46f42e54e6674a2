#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sessions of simrun debug. usage: run_debug.sh SIMRUN SOURCE.cu MODULE_FOLDER WORK; ends with 77 where there is no gdb
# that may trace.
set -u
simrun=$1 source=$2 modules=$3 work=$4
if ! gdb -batch -ex 'python print(1)' -ex run --args true >/dev/null 2>&1; then
  echo "no gdb with Python here, or it may not trace"
  exit 77
fi
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
export SIMT_CACHE_DIR=$work/cache SIMT_MODULE_DIR=$modules
unset SIMT_GDB SIMT_BACKEND SIMT_STACK SIMT_WORKERS
failed=0 name=''

session() { # session NAME ARGUMENT...: the output, in $got
  name=$1
  shift
  got=$("$simrun" debug "$@" 2>&1 </dev/null)
  code=$?
}
says() { grep -qE -- "$1" <<<"$got" || wrong "does not say /$1/"; }
never_says() { ! grep -qE -- "$1" <<<"$got" || wrong "says /$1/"; }
ends_with() { ((code == $1)) || wrong "ends with $code, not $1"; }
wrong() {
  failed=1
  echo "$name: $1"
  echo "$got" | sed 's/^/    /'
}

session 'the first kernel that has the thread' "$source" --block 2 --thread 5 --batch --ex 'print threadIdx.x'
says '^thread \(5,0,0\) of block \(2,0,0\) of kernel fill$'
says '= 5$'
ends_with 0

session 'a kernel by name, and who waits' "$source" --block 1 --thread 3 --kernel sums --batch --ex 'info simt threads' \
  --ex 'print i' --ex 'break 13 if $simt_is("2,0,0", "7,0,0")' --ex continue --ex 'info simt thread' --ex 'print i'
says '^thread \(3,0,0\) of block \(1,0,0\) of kernel sums$'
says 'sums.cu:[89]'
says '^\* \(1,0,0\) +\(3,0,0\) +runs$'
says '^  \(1,0,0\) +\(0,0,0\) to \(2,0,0\) +waits at the block.s barrier$'
says '^  \(1,0,0\) +\(4,0,0\) to \(63,0,0\) +(has not begun|can go on)$'
says '^thread \(7,0,0\) of block \(2,0,0\) of kernel sums$'
says '= 7$'
never_says 'simt_debug_reached'

session 'fewer threads than the launch before had' "$source" --block 1 --thread 12 --kernel few --batch \
  --ex 'info simt threads' --ex continue
says '^  \(1,0,0\) +\(0,0,0\) to \(11,0,0\) +waits at the block.s barrier$'
says '^\* \(1,0,0\) +\(12,0,0\) +runs$'
says '^  \(1,0,0\) +\(13,0,0\) to \(19,0,0\) +(has not begun|can go on)$'
says 'first sum 2016'

session 'calls end with the kernel' "$source" --block 1 --thread 3 --kernel sums --batch --ex 'echo calls:\n' --ex bt \
  --ex 'echo all:\n' --ex 'bt -no-filters'
calls=$(sed -n '/^calls:/,/^all:/p' <<<"$got")
[[ $(grep -c '^#' <<<"$calls") == 1 ]] || wrong 'shows other frames than the kernel'
grep -qE '^#0 +sums \(threadIdx=' <<<"$calls" || wrong 'does not call the kernel by its name'
says '^#[0-9]+ .*fiber_main'

session 'no such thread' "$source" --block 4 --thread 5 --kernel sums --batch
says 'no launch of sums had thread \(5,0,0\) of block \(4,0,0\)'
says 'first sum 2016'
ends_with 1

session 'the clean twin: it runs to its end' "$source" --batch --ex 'delete' --ex continue
says 'first sum 2016'

session 'a program of a module' counter-racy --block 1 --thread 3 --batch --ex 'info args' --ex 'info simt thread'
says '^thread \(3,0,0\) of block \(1,0,0\) of kernel counter'
says 'kernels/counter.cpp:[0-9]+'

session 'its launch in another shape' counter-racy --launch-block 8 --grid 2 --block 1 --thread 7 --batch \
  --ex 'info simt threads'
says '^\* \(1,0,0\) +\(7,0,0\) +runs$'
never_says '\(8,0,0\)'

session 'mistakes' "$source" --thread 1,x --batch
says 'thread: .*is not X, X,Y or X,Y,Z'
ends_with 2
session 'no such option' "$source" --check all
says 'unknown option --check'
ends_with 2
COLUMNS=200 SIMT_GDB=no-such-gdb session 'no gdb' "$source" --thread 1
says 'debug needs no-such-gdb, which is not installed. On Debian and Ubuntu: sudo apt-get install'
ends_with 2
SIMT_MODULE_DIR=$work session 'no module for debugging' counter --thread 1
says 'has no debug variant'
ends_with 77
((failed == 0)) && echo "all sessions as they should be"
exit $failed
