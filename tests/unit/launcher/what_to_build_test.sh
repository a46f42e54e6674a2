#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What ./simrun builds for which command line, and which options it refuses before (scripts/what_to_build.sh,
# scripts/unknown_option.sh). usage: what_to_build_test.sh ROOT
set -u
root=$1
source "$root/scripts/build.sh"
source "$root/scripts/what_to_build.sh"
source "$root/scripts/unknown_option.sh"
unset SIMT_BACKEND SIMT_MODULE_DIR
has_gpu() { return 1; } # whatever machine the test runs on
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export SIMT_BUILD_DIR=$scratch
passed=0 failed=0

# wants TARGETS MODULES ARGUMENT...: MODULES is the folder's name below lib/simt/single, or -.
wants() {
  local wanted=$1 folder=$2 got
  shift 2
  what_to_build "$root" "$scratch" "$@"
  got="${targets[*]}"
  [[ $folder == - ]] && folder='' || folder=$scratch/lib/simt/single/$folder
  # What runs is among what is built.
  if [[ $got == "$wanted" && $modules == "$folder" && " $got all " =~ \ ($tool|all)\  ]]; then
    ((++passed))
  else
    ((++failed))
    echo "simrun $*: builds \"$got\", modules \"$modules\"; wanted \"$wanted\", \"$folder\""
  fi
}

wants 'simrun_first single.hist.sim' hist hist
wants 'simrun_first single.hist.check' hist --detect-races hist-racy
wants 'simrun_first single.hist.check' hist run hist --schedule random --seed 7
wants 'simrun_first single.hist.check' hist hist --check=all
wants 'simrun_builtin single.matmul_tiled.sim' matmul_tiled bench matmul-tiled-256 --repeat 3
wants 'simrun_builtin single.hist.sim' hist --json out.json hist
for beyond in '--sarif f' '--junit=f' '--html f' '--record f' --plot '--format gcc' '--new-since f' --explore --explore=bound=1 \
  '--schedule pct' --schedule=pct '--unit warp' '--depth 3' '--memory-model ptx'; do
  # shellcheck disable=SC2086
  wants 'simrun_builtin single.hist.check' hist --detect-races hist $beyond
done
wants 'simrun_first single.hist.check' hist --detect-races hist -- --plot
wants 'simrun kernels.sim' - hsit
wants 'simrun kernels.check' - --check all hsit
wants 'simrun kernels.sim' - --json saxpy hist # which of them is the program?
wants 'simrun kernels.sim' - list
wants 'simrun_builtin single.hist.check' hist profile hist --json out.json
wants 'simrun simt_cuda_libraries.check' - profile app.cu
wants 'simrun kernels.sim kernels.check' - test hist
wants 'simrun kernels.sim kernels.check simt_cuda_libraries' - replay report.json
wants 'simrun kernels.sim kernels.check simt_cuda_libraries' - campaign plan.toml
wants 'simrun_builtin' - merge a.json b.json
wants 'simrun_first' -
wants 'simrun_first' - --help
wants 'simrun_first' - run --help
wants 'simrun_builtin' - bench --help
wants 'simrun_first single.hist.sim' hist hist --help
wants 'simrun_builtin' - explain race-shared
wants 'simrun_first' - --version
wants 'simrun_builtin single.hist.debug' hist debug hist-racy --block 1 --thread 3
wants 'simrun simt_cuda_libraries' - debug app.cu --thread 3
wants 'simrun_builtin' - debug mine --module build/libmine.debug.so
wants 'simrun_builtin' - mine --module build/libmine.sim.so
wants 'simrun simt_cuda_libraries.check' - app.cu --check all -- hist
wants 'simrun simt_cuda_libraries.check' - --schedules 3 app.cu
wants 'simrun simt_cuda_libraries.sim' - app.cu -o app -- --check -c
wants 'simrun simt_cuda_libraries' - -c app.cu
wants 'simrun simt_cuda_libraries' - app.cu --memory-model ptx
# A larger tool that is there does what the smaller one would be built for.
echo "$root" >"$scratch/.stamp-scan-sim" && touch -d '+1 hour' "$scratch/.stamp-scan-sim"
wants 'simrun_builtin single.hist.check' hist --detect-races hist
wants 'simrun_builtin' - --help
mv "$scratch/.stamp-scan-sim" "$scratch/.first-scan-sim"
wants 'simrun_first single.hist.check' hist --detect-races hist
wants 'simrun_builtin single.hist.check' hist --detect-races hist --plot
wants 'simrun_first' - --help
rm "$scratch/.first-scan-sim"
SIMT_MODULE_DIR=/elsewhere wants 'simrun kernels.sim' - hist
echo "$root" >"$scratch/.stamp-simrun" && touch -d '+1 hour' "$scratch/.stamp-simrun"
wants 'simrun kernels.sim' - hist # everything is there already
mv "$scratch/.stamp-simrun" "$scratch/.stamp-tests"
wants 'all' - hist

# left TEXT SECONDS DONE ALL: what is said of the time left.
left() {
  local got
  got=$(time_left "$2" "$3" "$4" 2>&1)
  if [[ $got == "$1" ]]; then
    ((++passed))
  else
    ((++failed))
    echo "time left after $2 s and $3 of $4 steps: \"$got\""
  fi
}
left ', about 30 s left' 10 1 4
left '' 4 1 4
left '' 60 0 2
left '' 60 4 4

# Options that are refused before anything is built.
# says TEXT ARGUMENT...: TEXT is what is said of the option, or nothing where none is refused.
says() {
  local wanted=$1 got=''
  shift
  what_to_build "$root" "$scratch" "$@"
  [[ -z $program ]] || got=$(refuse_unknown_option "$root" "$program" "${stems[0]}" "$@" 2>&1)
  if [[ $got == "${wanted:+simrun: $wanted \`simrun ${program:-} --help\` lists them.}" ]]; then
    ((++passed))
  else
    ((++failed))
    echo "simrun $*: says \"$got\""
  fi
}
says 'unknown option --gird for hist; did you mean --grid?' hist --gird 3
says 'unknown option --detect-rases for hist-racy; did you mean --detect-races?' --detect-rases hist-racy
says 'unknown option --sample for hist; did you mean --samples?' bench hist --sample=7
says 'unknown option --detect for hist; did you mean --detect-races?' hist --detect
says 'unknown option --zzzz for hist.' hist --zzzz
says 'unknown option --bins for saxpy.' saxpy --bins 3 # an option of another program
says '' hist --samples 100 --bins=7 --grid 2,2 --detect-races --json - -q
says '' profile hist --registers
says '' bench hist --repeat 3
says '' hist -- --gird
says '' app.cu --gird hist
says '' mine --module libmine.sim.so --gird hist

# Programs that there are not.
# no_program TEXT ARGUMENT...: TEXT is what is said of the program, or nothing where the tool is asked.
no_program() {
  local wanted=$1 got
  shift
  got=$(refuse_unknown_program "$root" "$@" 2>&1)
  if [[ $got == "${wanted:+simrun: $wanted \`simrun list\` shows them all.}" ]]; then
    ((++passed))
  else
    ((++failed))
    echo "simrun $*: says \"$got\""
  fi
}
no_program 'there is no program "hits"; did you mean hist?' hits
no_program 'there is no program "redcue"; did you mean reduce?' run --detect-races redcue
no_program 'there is no program "zzzzzz".' bench zzzzzz --repeat 3
no_program '' --repeat nosuch hist # may be the option's value
no_program '' hist --samples nosuch
no_program '' ./nosuch
# No verb is a program's name, whatever the tool's table has.
for verb in $(sed -n 's/^ *{"\([a-z]*\)", "simrun.*/\1/p' "$root/cli/verbs.cpp"); do
  no_program '' "$verb"
  what_to_build "$root" "$scratch" "$verb" hsit
  [[ $verb =~ ^(run|bench|profile)$ || $stamp != .stamp-sim || $asks == yes ]] || {
    ((++failed))
    echo "simrun $verb: is no verb for the launcher"
  }
done

rm -f "$scratch"/.stamp-*
if { command -v nvcc || [[ -x /usr/local/cuda/bin/nvcc ]]; } >/dev/null; then
  has_gpu() { return 0; } # then programs may run there
  wants 'simrun simt_cuda_libraries.sim' - app.cu
  wants 'simrun kernels.sim kernels.check kernels.cuda' - list
  wants 'simrun kernels.sim kernels.check kernels.cuda' - hist --backend cuda
  wants 'simrun_first single.hist.check' hist --detect-races hist # nobody asks for the GPU
fi

echo "$passed passed, $failed failed"
exit $((failed > 0))
