#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# read_or_compile.sh BUILD TARGETS COMPILER WORD...: a compiler launcher. Sources of TARGETS (a,b,c) are only read by the
# compiler, for what it has to say of them; their objects are those of BUILD, where another compiler has made them.
build=$1 targets=${2//,/|}
shift 2
words=() object=''
for ((i = 1; i <= $#; i++)); do
  if [[ ${!i} == -o ]]; then
    ((i++))
    object=${!i}
  else
    words+=("${!i}")
  fi
done
if [[ $object =~ /CMakeFiles/($targets)[.]dir/ && -f $build/$object ]]; then
  "${words[@]}" -fsyntax-only && cp "$build/$object" "$object"
  exit
fi
if command -v ccache >/dev/null; then exec env CCACHE_SLOPPINESS=pch_defines,time_macros ccache "$@"; fi
exec "$@"
