#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# schedules_speed.sh BUILD [search] [start] [mpi]: what searches and campaigns cost, each three times; all without a word.
# BUILD: a finished build, whose tests/schedules holds the programs.
#   search  10,000 schedules of 64 threads with 21 steps each, in two processes: user time, and wall time
#   start   processor time of a run that does next to nothing, of `simrun --version`, and of `true`
#   mpi     1,000 runs of a campaign over one and over two ranks: wall time and processor time. Wall time says something
#           on a calm machine of two cores only; processor time says what the second rank costs
set -eu
build=$(cd "$1" && pwd)
shift
simrun=$build/bin/simrun module=$build/tests/schedules/libschedule_defects.check.so
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
TIMEFORMAT='%U s user, %S s system, %R s in all'

half_of_the_search() {
  "$simrun" many-steps --module "$module" --check races --workers 1 --schedule pct --schedules 5000 --seed "$1" >/dev/null
}

search() {
  half_of_the_search 0 &
  half_of_the_search 5000
  wait
}

# repeat WORDS...: a hundred times.
repeat() {
  for ((i = 0; i < 100; i++)); do "$@" >/dev/null; done
}

# campaign RANKS: 1,000 runs, one at a time in each rank, results thrown away.
campaign() {
  rm -rf results
  mpirun --allow-run-as-root --oversubscribe -n "$1" "$simrun" campaign plan.toml --jobs 1 --output results >log.txt 2>&1 || cat log.txt
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
