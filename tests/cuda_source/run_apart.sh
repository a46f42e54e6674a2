#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run_apart.sh SIMRUN SOURCES FOLDER TOOLCHAIN: a project with a makefile for nvcc, built by `make NVCC=simrun`: objects, an
# archive, device code that two of them share, an object of the host's compiler. One make serves plain and checked runs.
# And the same as CMake has it, with simrun's toolchain file.
set -u
simrun=$(realpath "$1") sources=$2 folder=$3 toolchain=$(realpath "$4")
failed=0 passed=0
rm -rf "$folder"
cp -r "$sources" "$folder" && cd "$folder" || exit 1
export SIMT_CACHE_DIR=$folder/cache

# expect CODE TEXT COMMAND...: its exit code, and a part of what it prints.
expect() {
  local code=$1 text=$2 output
  shift 2
  output=$("$@" 2>&1)
  if [[ $? == "$code" && $output == *"$text"* ]]; then
    ((++passed))
  else
    ((++failed))
    printf 'not %s with "%s": %s\n%s\n' "$code" "$text" "$*" "$output"
  fi
}

expect 0 '-L. -ldevice' make "NVCC=$simrun"
expect 0 'sum 9000 m' ./app
expect 0 'no findings' "$simrun" main.o unit.o -L. -ldevice --check all
expect 0 'no findings' "$simrun" unit.o main.o scale.o sums.o --check all
expect 0 'up to date' make "NVCC=$simrun"

rm sums.o
expect 0 '-DDEFECT' make "NVCC=$simrun" DEFECT=-DDEFECT
expect 3 'sums.cu:11 in sum' "$simrun" main.o unit.o -L. -ldevice --check all
expect 3 'put a barrier (__syncthreads()) between line 11 and line 15' "$simrun" main.o unit.o libdevice.a --detect-races
expect 0 '' "$simrun" main.o unit.o libdevice.a --check all -o checked
expect 3 'race-shared' ./checked
expect 0 '' "$simrun" -DFACTOR=3 -rdc=true -c scale.cu sums.cu  # beside the archive: named after their sources
expect 0 'no findings' "$simrun" main.o unit.o scale.o sums.o --check all
expect 0 '' "$simrun" -rdc=true -DFACTOR=3 -c scale.cu -o made.o -MD -MF made.d
expect 0 'sums.h' cat made.d

with_cmake() { cmake -G Ninja -B "$@" "-DCMAKE_TOOLCHAIN_FILE=$toolchain" "-DCMAKE_CUDA_COMPILER=$simrun" && ninja -C "$1"; }
expect 0 'Linking CUDA executable app' with_cmake built
expect 0 'sum 9000 m' built/app
expect 0 'devices: 1' built/query
touch sums.h
expect 0 'Building CUDA object' ninja -C built
expect 0 'no work to do' ninja -C built
expect 0 'Linking CUDA executable app' with_cmake built -DDEFECT=1
expect 3 'sums.cu:11 in sum' "$simrun" built/CMakeFiles/app.dir/*.o built/libdevice.a built/libunit.so --detect-races

expect 0 '' "$simrun" -rdc=true -DFACTOR=3 -c scale.cu -MMD -MT other.o
expect 0 'other.o:' cat scale.d
expect 3 'sums.cu:11 in sum' "$simrun" main.o unit.o -L. -l:libdevice.a -ldevice --check all
g++ -c -x c++ - -o host.o <<<'void run(); int main() { run(); }'
printf 'void run() {}\n' >run.cu
expect 0 '' "$simrun" -c run.cu
expect 1 'simrun compiled it and has to link it: make CC=simrun CXX=simrun' g++ host.o run.o
ar rc librun.a run.o
expect 0 '' "$simrun" host.o -L. -lrun -o hosted
expect 0 '' ./hosted

# What cannot be done is said.
expect 2 'scale.cu:5:2: error' "$simrun" -c scale.cu
expect 2 'sum_of(float const*, int)' "$simrun" main.o unit.o scale.o
expect 2 'there is no main()' "$simrun" scale.o sums.o
expect 2 '-c with -o takes one source' "$simrun" -c scale.cu sums.cu -o both.o
expect 2 'none is named' "$simrun" -c main.o -o none.o
expect 2 'no such file' "$simrun" main.o missing.o
expect 2 'missing.o: no such file' "$simrun" missing.o -o app
expect 2 'name its source instead' "$simrun" debug main.o unit.o libdevice.a --block 0,0,0
expect 2 'counters: name its source instead' "$simrun" profile main.o unit.o libdevice.a
ar rcT libthin.a scale.o sums.o
expect 2 'is a thin archive' "$simrun" main.o unit.o libthin.a
expect 2 '-dlink of nvcc is not supported: simrun links' "$simrun" -dlink scale.o sums.o -o linked.o
python3 - <<'EOF'
text = open("sums.o", "rb").read()
at = text.rindex(b":", 0, text.index(b"/cuda_runtime.h"))
open("older.o", "wb").write(text[:at - 1] + bytes([text[at - 1] ^ 1]) + text[at:])
open("short.o", "wb").write(text[:3000])
EOF
expect 2 'older.o was made by another simrun: make it again' "$simrun" main.o unit.o scale.o older.o
expect 2 'was not built' "$simrun" main.o unit.o scale.o short.o
echo "$passed passed, $failed failed"
exit $((failed > 0))
