#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fault_programs.sh SIMRUN MODULE BACKEND: exit code and message of each program in fault_programs.cpp.
set -u
simrun=$1 module=$2 backend=$3
unset SIMT_BACKEND
failed=0

# wants CODE TEXT PROGRAM [OPTION...]
wants() {
  local code=$1 text=$2 said result
  shift 2
  said=$(timeout 60 "$simrun" "$@" --module "$module" --backend "$backend" 2>&1 </dev/null)
  result=$?
  ((result == 77)) && exit 77
  if ((result != code)); then
    echo "FAIL $*: exit $result, wanted $code"
  elif [[ ${said//[[:space:]]/ } != *$text* ]]; then
    echo "FAIL $*: nothing says '$text'"
  else
    echo "ok   $*: exit $result"
    return
  fi
  echo "$said"
  failed=1
}

wants 0 good good
wants 4 trap_kernel trap
wants 4 wild_kernel wild
wants 4 hang_kernel hang --timeout 2
wants 2 whale whale
[[ $backend == sim ]] && wants 3 'the elements of one launch are not ordered' pairs --check races
wants 0 good good # a new process finds the device as it was
exit "$failed"
