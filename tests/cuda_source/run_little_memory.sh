#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run_little_memory.sh SIMRUN SOURCE FOLDER: under `ulimit -v` a program says what it lacks, in one line, and ends with 2.
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
done
