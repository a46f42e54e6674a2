# SPDX-License-Identifier: Apache-2.0
# What a command line of simrun needs: a first report should not wait for programs that nobody asked for. Sourced by
# ./simrun.
#
# what_to_build ROOT BUILD ARGUMENT... sets
#   targets   of ninja
#   tool      what runs then: simrun; or what is built sooner, simrun_builtin, which knows no CUDA source, or simrun_first,
#             which runs a built-in program and shows its findings as text
#   stamp     the file in BUILD that says they are fresh
#   modules   where the tool finds the program's module, or nothing: with the others
#   program   the built-in program that is run, and in `stems` the name of its source; nothing where that is in doubt
#   asks      yes where nothing runs, but the tool answers a question: the tool of the last build may, too
# It knows verbs, names of programs and the few options below. Where it is in doubt it chooses more.

# program_sources ROOT: "NAME STEM" a line: each built-in program, and its source's name without .cpp.
program_sources() {
  sed -n 's/.*{\.name = "\([a-z0-9-]*\)".*/\1/p;T;F' "$1"/kernels/*.cpp |
    awk 'NR % 2 { name = $0; next } { sub(/.*\//, ""); sub(/\.cpp$/, ""); print name, $0 }'
}

# beyond_first_report WORD...: whether a line that runs a built-in program asks for something that simrun_first lacks
# (cli/without_the_rest.cpp).
beyond_first_report() {
  local word
  for word in "$@"; do
    case $word in
      bench | profile) return 0 ;;
      --json* | --sarif* | --junit* | --html* | --record* | --plot | --format* | --new-since*) return 0 ;;
      --explore* | pct | --schedule=pct | explore | --schedule=explore | --unit* | --depth* | --memory-model*) return 0 ;;
      --) return 1 ;;
    esac
  done
  return 1
}

# both_variants VERB WORD...: whether a line that names CUDA source may need the libraries of plain and of checked runs.
both_variants() {
  local word
  [[ $1 =~ ^(run|bench|profile|)$ ]] || return 0
  for word in "${@:2}"; do
    case $word in
      -c | -dc | --compile | --device-c | -rdc* | --relocatable-device-code*) return 0 ;; # an object holds both
      --explore* | --record* | --memory-model*) return 0 ;;
      --) return 1 ;;
    esac
  done
  return 1
}

has_gpu() { [[ -e /dev/nvidiactl ]]; }

what_to_build() {
  local root=$1 build=$2 word name stem verb='' variant=sim source='' module='' names help=''
  shift 2
  program='' stems=() asks='' tool=simrun
  names=$(program_sources "$root")
  for word in "$@"; do
    case $word in
      --detect-races | --check | --check=* | --schedule | --schedule=* | --schedules | --schedules=*) variant=check ;;
      --module | --module=*) module=yes ;;
      --help | -h) help=yes ;;
      --) break ;;
      -*) ;;
      *.cu | *.cpp | *.cxx | *.cc | *.c | *.o | *.a) source=yes ;;
      run | bench | list | test | compare | profile | replay | debug | campaign | merge | explain | devices | completion)
        [[ -n $verb ]] || verb=$word
        ;;
      *)
        while read -r name stem; do
          [[ $name != "$word" ]] || { stems+=("$stem") && program=$name; }
        done <<<"$names"
        ;;
    esac
  done

  [[ ${#stems[@]} -eq 1 && -z $source$module && $verb =~ ^(run|bench|profile|)$ ]] || program=''
  case $verb in
    list | explain | devices | completion) asks=yes ;;
    '') [[ $# -gt 1 || ! ${1:---help} =~ ^(help|--help|-h|--version)$ ]] || asks=yes ;;
  esac
  [[ -z $help || -z $verb$program || -n $source ]] || asks=yes
  [[ $verb != profile ]] || variant=check # counters need to see every access
  modules='' stamp=.stamp-tests targets=(all)
  is_fresh "$root" .stamp-tests && return # tests/run has built everything
  if [[ -n $source ]]; then
    stamp=.stamp-cuda-source targets=(simrun simt_cuda_libraries)
    both_variants "$verb" "$@" || stamp+=-$variant targets=(simrun "simt_cuda_libraries.$variant")
    return
  fi
  if [[ -n $asks && -z $program$source$module && $verb =~ ^(run|)$ ]]; then
    tool=simrun_first stamp=.first-tool targets=(simrun_first)
    is_fresh "$root" .stamp-tool || return
    tool=simrun_builtin stamp=.stamp-tool targets=(simrun_builtin)
    return
  fi
  if [[ -n $module || $verb =~ ^(explain|completion|merge)$ || (-n $asks && -z $program && ! $verb =~ ^(list|devices)$) ]]; then
    tool=simrun_builtin stamp=.stamp-tool targets=(simrun_builtin)
    return
  fi
  stamp=.stamp-simrun targets=(simrun kernels.sim kernels.check)
  # The cuda variant takes nvcc minutes: only where somebody asks for it, or for what a device here could run. A run that
  # names no backend is the simulator's, whatever is there.
  if [[ $verb != debug ]] && { [[ " $* " =~ \ (--backend[ =]cuda|compare)\  || ${SIMT_BACKEND:-} == cuda ]] ||
    { [[ $verb =~ ^(list|devices)$ ]] && has_gpu; }; } &&
    { command -v nvcc || [[ -x /usr/local/cuda/bin/nvcc ]]; } >/dev/null; then
    stamp=.stamp-simrun-cuda
    targets+=(kernels.cuda)
    return
  fi
  if [[ $verb == replay || $verb == campaign ]]; then # of programs and of CUDA source
    stamp=.stamp-replay targets+=(simt_cuda_libraries)
  elif [[ $verb == list || $verb == devices ]]; then
    stamp=.stamp-sim targets=(simrun kernels.sim)
  elif [[ $verb == debug ]]; then
    tool=simrun_builtin
    if [[ ${#stems[@]} -eq 1 ]]; then
      stamp=.stamp-${stems[0]}-debug targets=(simrun_builtin "single.${stems[0]}.debug")
      modules=$build/lib/simt/single/${stems[0]}
    else
      stamp=.stamp-tool targets=(simrun_builtin)
    fi
  elif [[ -z $verb || $verb == run || $verb == bench || $verb == profile ]]; then
    if [[ ${#stems[@]} -eq 1 && -z ${SIMT_MODULE_DIR:-} ]] && ! is_fresh "$root" .stamp-simrun; then
      tool=simrun_first stamp=.first-${stems[0]}-$variant
      if beyond_first_report "$@" || is_fresh "$root" .stamp-tool; then
        tool=simrun_builtin stamp=.stamp-${stems[0]}-$variant
      fi
      targets=("$tool" "single.${stems[0]}.$variant")
      modules=$build/lib/simt/single/${stems[0]}
      if [[ $verb == profile ]] && grep -qs "^build profile\.${stems[0]}\.check: " "$build/build.ninja"; then
        stamp=.stamp-${stems[0]}-profile targets=(simrun_builtin "profile.${stems[0]}.check")
        modules=$build/lib/simt/profile/${stems[0]}
      fi
    else
      stamp=.stamp-$variant targets=(simrun "kernels.$variant")
    fi
  fi
}
