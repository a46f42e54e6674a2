#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang-tidy 14 on the named sources, or on all of the simulator's side: about ten seconds a file.
#   scripts/tidy.sh [FILE...]
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
exec python3 "$root/tests/structure/tidy.py" "${SIMT_BUILD_DIR:-$root/build}" "$@"
