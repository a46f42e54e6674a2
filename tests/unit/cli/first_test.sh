#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whether simrun_first does what scripts/what_to_build.sh gives it to do as simrun does it: each option of a run that it
# gets, with each of its choices, and its help. What it does not get, it must lack; else it could have had it.
# usage: first_test.sh ROOT SIMRUN SIMRUN_FIRST MODULE PROGRAM
set -u
root=$1 simrun=$2 first=$3 module=$4 program=$5
source "$root/scripts/what_to_build.sh"
is_fresh() { return 1; } # as in a new clone
has_gpu() { return 1; }
unset SIMT_BACKEND SIMT_MODULE_DIR
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit
passed=0 failed=0
fail() {
  ((++failed))
  echo "$*"
}

# output TOOL WORD...: what it prints on both streams and its exit code, without times.
output() {
  "$@" </dev/null 2>&1 | sed -E 's/[0-9.]+ m?s\b/TIME/g; s/simrun_(first|builtin)/simrun/g'
  echo "code ${PIPESTATUS[0]}"
}
lacks() { "$first" "$@" </dev/null 2>&1 | grep -q 'build simrun_builtin, as ./simrun does'; }

# tried WORD...: behind the program.
tried() {
  rm -f file
  : >empty
  if beyond_first_report "$program" "$@"; then
    # Alone these are refused by either tool, or change nothing.
    [[ $1 =~ ^--(unit|depth|memory-model)$ || "$*" == '--format text' ]] || lacks "$program" --module "$module" "$@" ||
      { fail "simrun_first has $*, and a larger tool is built for it"; return; }
  elif [[ $(output "$first" "$program" --module "$module" "$@") != "$(output "$simrun" "$program" --module "$module" "$@")" ]]; then
    { fail "simrun $program $*: simrun_first says: $(output "$first" "$program" --module "$module" "$@")"; return; }
  fi
  ((++passed))
}

# "--NAME CHOICE..." a line, as completion has them.
choices=$("$simrun" completion bash | sed -n "s/^    \(--[a-z-]*\)) COMPREPLY=(.*-W '\([^']*\)'.*/\1 \2/p")
while read -r name value; do
  case $value in
    '') tried "$name" ;;
    N | SECONDS | D | BYTES) tried "$name" 1 && tried "$name" nonsense ;;
    FILE) [[ $name == --module ]] || tried "$name" "$([[ $name == --suppress ]] && echo empty || echo file)" ;;
    X*) tried "$name" 2 && tried "$name" 2,0 ;;
    '['*) tried "$name" ;;
    *)
      for choice in $(sed -n "s/^$name //p" <<<"$choices"); do
        [[ "$name $choice" == '--backend cuda' ]] || tried "$name" "$choice"
      done
      ;;
  esac
done < <("$simrun" run --help | sed -nE 's/^  (--[a-z-]+)(, -[a-z])?( ([A-Z[][^ ]*))?( .*|$)/\1 \4/p')
((passed > 40)) || fail "only $passed options were found in the help of run"

for words in '' --help --version 'run --help' "$program --module $module --help" "nosuch --module $module" '--gird' '--check rases'; do
  # shellcheck disable=SC2086
  if [[ $(output "$first" $words) == "$(output "$simrun" $words)" ]]; then ((++passed)); else fail "simrun_first $words: says something else"; fi
done
for verb in $(sed -n 's/^ *{"\([a-z]*\)", "simrun.*/\1/p' "$root/cli/verbs.cpp"); do
  [[ $verb != run ]] || continue
  if lacks "$verb" hist; then ((++passed)); else fail "simrun_first $verb: is not refused"; fi
  what_to_build "$root" "$scratch" "$verb" hist
  [[ $tool != simrun_first ]] || fail "simrun $verb hist: gets simrun_first"
done

echo "$passed passed, $failed failed"
exit $((failed > 0))
