#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Thread-local variables of a module are in the room that glibc keeps for modules opened later: 1,664 bytes for all of
# them. A module that needs more is not opened ("cannot allocate memory in static TLS block"), so tables of a thread live
# behind a pointer. usage: thread_locals.sh MODULE...
set -u
passed=0 failed=0
for module in "$@"; do
  size=$(readelf -lW "$module" | awk '$1 == "TLS" { print $6 }')
  if ((${size:-0} <= 1400)); then
    ((++passed))
  else
    ((++failed))
    echo "$module: $((size)) bytes of thread-local variables, at most 1400"
    readelf -sW "$module" | awk '$4 == "TLS" && $3 > 64 { print "  " $3 " " $8 }' | sort -rnu
  fi
done
echo "$passed passed, $failed failed"
exit $((failed > 0))
