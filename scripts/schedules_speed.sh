#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# schedules_speed.sh BUILD [search] [start] [mpi]: what searches and campaigns cost, each three times; all without a word.
# BUILD: a finished build, whose tests/schedules holds the programs.
#   search  of 64 threads with 21 steps each: how many runs --explore makes in ten seconds in as many processes as there
#           are cores, and how long 10,000 runs of pct take
#   start   processor time of a run that does next to nothing, of `simrun --version`, and of `true`
#   mpi     1,000 runs of a campaign over one and over two ranks: wall time, and processor time of each rank. Wall time
#           says something on a calm machine of two cores only; there it is about the longest of the ranks
set -eu
build=$(cd "$1" && pwd)
shift
simrun=$build/bin/simrun module=$build/tests/schedules/libschedule_defects.check.so
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
TIMEFORMAT='%U s user, %S s system, %R s in all'

of_many_steps() {
  "$simrun" many-steps --module "$module" --check races "$@" | tr -s ' \n' ' ' | sed 's/.*note //; s/ many-steps:.*/\n/'
}

search() {
  of_many_steps --explore bound=2,time=10s
  of_many_steps --schedule pct --schedules 10000
}

# repeat WORDS...: a hundred times.
repeat() {
  for ((i = 0; i < 100; i++)); do "$@" >/dev/null; done
}

# campaign RANKS: 1,000 runs, one at a time in each rank, results thrown away. Says each rank's times: where all of a rank's
# is longer than its processor's, somebody else had the core, or it waited.
campaign() {
  rm -rf results
  mpirun --allow-run-as-root --oversubscribe -n "$1" bash -c \
    'TIMEFORMAT="  a rank: %U s user, %S s system, %R s in all"; time "$0" campaign plan.toml --jobs 1 --output results >>log.txt 2>&1' \
    "$simrun" || cat log.txt
}

write_plan() {
  cat >plan.toml <<END
check = "races"
module = "$module"
schedules = ["random 1-1000"]
[[run]]
program = "last-block-fixed"
END
}

for what in ${*:-search start mpi}; do
  for round in 1 2 3; do
    case $what in
      search) echo "search, $round:" && time search ;;
      start)
        echo "100 runs, $round:" && time repeat "$simrun" last-block --module "$module" --check races
        echo "100 times --version, $round:" && time repeat "$simrun" --version
        echo "100 times true, $round:" && time repeat /bin/true
        ;;
      mpi)
        write_plan
        for ranks in 1 2; do echo "campaign, ranks: $ranks, $round:" && time campaign "$ranks"; done
        ;;
      *) echo "what is $what?" && exit 2 ;;
    esac
  done
done
