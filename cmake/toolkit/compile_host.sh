#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# compile_host.sh SIMRUN COMPILER WORD...: how CMake calls the compilers of C and C++ in a project built by
# ../simrun_toolchain.cmake. A source that reads a header of CUDA's, by whatever way, is compiled by SIMRUN, which has
# those headers; any other by COMPILER, as if this were not there.
set -u
simrun=$1
shift

# reads_cuda_header COMPILER WORD...: -MG lists headers that are not there, too.
reads_cuda_header() {
  local words=() skip=''
  for word in "$@"; do
    if [[ -n $skip ]]; then
      skip=''
      continue
    fi
    case $word in
      -o | -MT | -MQ | -MF) skip=yes ;;
      -c | -MD | -MMD) ;;
      *) words+=("$word") ;;
    esac
  done
  "${words[@]}" -M -MG 2>/dev/null | tr -s ' \\' '\n' |
    grep -qE '(^|/)((cuda|cuda_runtime|cuda_runtime_api|driver_types|vector_types|cuda_fp16|cuda_bf16|cooperative_groups|nvrtc|curand|curand_kernel|cublas|cublas_v2|cublasLt|cufft|cufftw|cusparse|cusolver[A-Za-z]*)\.h|(thrust|cub)/.*)$'
}

if [[ " $* " == *" -c "* ]] && reads_cuda_header "$@"; then
  shift
  exec "$simrun" "$@"
fi
exec "$@"
