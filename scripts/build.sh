# SPDX-License-Identifier: Apache-2.0
# Brings a build up to date without a word where it is. Sourced by ./simrun and tests/run.
#
# ensure_built ROOT STAMP TARGET... builds the targets into $SIMT_BUILD_DIR (default ROOT/build) unless the stamp of
# that name, or one of a build that made more, is newer than every source; without a stamp ('') ninja decides. The stamp
# has the time at which the build began, so an edit made during a build counts; its text is ROOT, so a moved tree is
# configured again. One build runs at a time; others wait for its lock, and say so after a second. What is up to date
# waits for nobody. Progress goes to standard error, everything else into simt-build.log.

say() { echo "simrun: $*" >&2; }

build_directory() { echo "${SIMT_BUILD_DIR:-$1/build}"; }

# sources_of ROOT STAMP: the files and folders that its targets are made of, one a line.
sources_of() {
  local root=$1 stem name folders=(CMakeLists.txt CMakePresets.json cmake scripts sim backends frontends cli)
  case $2 in
    .stamp-tests) folders+=(kernels tests) ;;
    .stamp-tool | .first-tool | .stamp-cuda-source*) ;;
    .stamp-sim | .stamp-check | .stamp-simrun | .stamp-simrun-cuda | .stamp-replay) folders+=(kernels) ;;
    *) # .stamp-STEM-VARIANT, .first-STEM-VARIANT: of one built-in program
      stem=${2#.*-}
      folders+=(kernels/CMakeLists.txt kernels/single "kernels/${stem%-*}.cpp")
      for name in "$root"/kernels/*.hpp; do folders+=("kernels/${name##*/}"); done
      ;;
  esac
  for name in "${folders[@]}"; do
    [[ ! -e $root/$name ]] || echo "$root/$name"
  done
}

# stamps_for STAMP BUILD: the stamps of builds that made what it stands for.
stamps_for() {
  case $1 in
    .stamp-tool) (cd "$2" 2>/dev/null && compgen -G '.stamp-*' | grep -v '[.]new$') ;;
    .first-tool) (cd "$2" 2>/dev/null && compgen -G '.first-*' | grep -v '[.]new$') ;;
    .stamp-sim | .stamp-check) printf '%s\n' "$1" .stamp-simrun .stamp-simrun-cuda .stamp-replay .stamp-tests ;;
    .stamp-simrun | .stamp-cuda-source) printf '%s\n' "$1" .stamp-replay .stamp-tests ;;
    .stamp-cuda-source-*) printf '%s\n' "$1" .stamp-cuda-source .stamp-replay .stamp-tests ;;
    .stamp-replay) printf '%s\n' "$1" .stamp-tests ;;
    *) echo "$1" ;;
  esac
}

# is_fresh ROOT STAMP: whether nothing that it is made of is newer than one of the stamps for it. Directories count: a
# file that came or went changes them.
is_fresh() {
  local root=$1 build name written sources
  [[ -n $2 ]] || return 1
  build=$(build_directory "$root")
  mapfile -t sources < <(sources_of "$root" "$2")
  while read -r name; do
    [[ -f $build/$name ]] && read -r written <"$build/$name" && [[ $written == "$root" ]] || continue
    [[ -n $(find "${sources[@]}" -newer "$build/$name" -not -name '*.md' -print -quit) ]] || return 0
  done < <(stamps_for "$2" "$build")
  return 1
}

# Jobs at a time: one a core, but no more than one a GiB of free memory.
build_jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo 2>/dev/null)
  ((memory = ${memory:-1} < 1 ? 1 : memory))
  echo $((cores < memory ? cores : memory))
}

configure() {
  local root=$1 build=$2 log=$3 fresh=()
  if [[ -f $build/CMakeCache.txt && ! -f $build/build.ninja ]] ||
    ! grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
    fresh=(--fresh) # begun and never ended, or made for another place
  fi
  say "configuring"
  (cd "$root" && CXX=$SIMT_CXX cmake --preset default -B "$build" "${fresh[@]}") </dev/null >>"$log" 2>&1 && return
  say "CMake failed; its last lines (all of them: $log):"
  tail -n 25 "$log" >&2
  return 2
}

# time_left SECONDS DONE ALL: ", about N s left" after so many seconds and steps. Steps take as long as those before them
# on the average, so it is a guess; none is made early, nor of no step: ninja's first lines count 0.
time_left() {
  (($1 >= 5 && $2 > 0 && $2 < $3)) || return 0
  echo ", about $(($1 * ($3 - $2) / $2)) s left"
}

# Shows ninja's lines as one line that counts on a terminal, as a line for each quarter elsewhere.
show_progress() {
  local line done_steps all_steps quarter last=0 begin=$SECONDS percent left
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    done_steps=${BASH_REMATCH[1]} all_steps=${BASH_REMATCH[2]}
    ((percent = done_steps * 100 / all_steps))
    left=$(time_left $((SECONDS - begin)) "$done_steps" "$all_steps")
    if [[ -t 2 ]]; then
      printf '\r\033[Ksimrun: building %d %%%s' "$percent" "$left" >&2
    else
      ((quarter = done_steps * 4 / all_steps, quarter > last)) || continue
      last=$quarter
      say "built $percent %$left"
    fi
  done
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
}

# compile BUILD LOG TARGET...: a target that this configuration does not have is left out (no simulator, no cuda).
compile() {
  local build=$1 log=$2 result name targets=()
  shift 2
  for name in "$@"; do
    grep -qE "^build $name( .*)?: " "$build/build.ninja" && targets+=("$name")
  done
  say "building (log: $log)"
  : >"$log.build"
  NINJA_STATUS='[%f/%t] ' ninja -C "$build" -j "$(build_jobs)" "${targets[@]}" </dev/null 2>&1 |
    tee "$log.build" | show_progress
  result=${PIPESTATUS[0]}
  cat "$log.build" >>"$log"
  if ((result != 0)); then
    say "the build failed:"
    # From the first failure on, where there is one, without the compiler's command lines; the rest is in the log.
    if grep -q '^FAILED:' "$log.build"; then
      awk '/^FAILED:/ { shown = 1; print; getline; next } shown' "$log.build" | cut -c 1-400 | head -n 60 >&2
    else
      tail -n 20 "$log.build" >&2
    fi
    say "all of it: $log"
  fi
  rm -f "$log.build"
  return $((result != 0 ? 2 : 0))
}

# wait_for_lock ROOT STAMP BUILD: takes the lock of file descriptor 9. Returns 1 without it where the other build has made
# what the stamp stands for.
wait_for_lock() {
  local root=$1 stamp=$2 build=$3 holder said=''
  until flock -w 1 9; do
    ! is_fresh "$root" "$stamp" || return 1
    [[ -z $said ]] || continue
    read -r holder <"$build/.lock"
    say "waits for the build of PID ${holder:-unknown}"
    said=yes
  done
}

# answers_beside_build BUILD ARGUMENT...: whether another build runs, and the tool of the build before it can answer this
# command line meanwhile. It is tried, because ninja may be about to replace the tool or what it loads.
answers_beside_build() {
  local build=$1 tool=$1/bin/$2
  shift 2
  [[ -x $tool && -f $build/.lock ]] && ! flock -n "$build/.lock" true || return 1
  "$tool" "$@" </dev/null >/dev/null 2>&1
}

ensure_built() {
  local root=$1 stamp=$2 build log
  shift 2
  is_fresh "$root" "$stamp" && return
  build=$(build_directory "$root")
  if ! mkdir -p "$build" 2>/dev/null || [[ ! -w $build ]]; then
    say "cannot write to $build; set SIMT_BUILD_DIR to a folder for the build"
    return 2
  fi
  log=$build/simt-build.log
  exec 9>>"$build/.lock"
  if wait_for_lock "$root" "$stamp" "$build" && ! is_fresh "$root" "$stamp"; then
    echo "$$" >"$build/.lock"
    : >"$log"
    [[ -z $stamp ]] || echo "$root" >"$build/$stamp.new"
    source "$root/scripts/dependencies.sh"
    ensure_dependencies "$root" "$log" || return
    if [[ ! -f $build/build.ninja ]] || ! grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
      configure "$root" "$build" "$log" || return
    fi
    compile "$build" "$log" "$@" || return
    [[ -z $stamp ]] || mv "$build/$stamp.new" "$build/$stamp"
  fi
  exec 9>&-
}
