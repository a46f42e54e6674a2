#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run_little_memory.sh SIMRUN SOURCE FOLDER: under `ulimit -v` a program reserves less; where that does not fit,
# either, it says what it lacks, in one line, and ends with 2. SIMT_ADDRESS_SPACE is such a limit, too.
set -u
simrun=$1 source=$2 folder=$3
export SIMT_CACHE_DIR=$folder/cache
mkdir -p "$folder"
"$simrun" "$source" --detect-races -o "$folder/app" || exit 1
for command in "$simrun $source --detect-races" "$folder/app"; do
  output=$(ulimit -v 4000000 && $command 2>&1)
  code=$?
  if ((code != 2)) || [[ $output == *crashed* || $output != *"is \`ulimit -v\` set?"* || $output == *"no findings"* ]]; then
    echo "exit code $code: $output"
    exit 1
  fi
  for limit in 'ulimit -v 14000000' 'export SIMT_ADDRESS_SPACE=16'; do
    output=$($limit && $command 2>&1)
    code=$?
    if ((code != 3)) || [[ $output != *"race-global"* ]]; then
      echo "$limit: exit code $code: $output"
      exit 1
    fi
  done
  output=$(SIMT_ADDRESS_SPACE=1O $command 2>&1)
  code=$?
  if ((code != 2)) || [[ $output != *"SIMT_ADDRESS_SPACE must be a number of GiB, at least 16, got '1O'"* ]]; then
    echo "exit code $code: $output"
    exit 1
  fi
done
