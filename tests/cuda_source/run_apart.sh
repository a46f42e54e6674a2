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

# Device code that is linked in a step of its own, and nvcc's archives: of sources, of objects, of both.
expect 0 '' "$simrun" -arch=sm_80 -dlink scale.o sums.o -o linked.o -lcudadevrt
expect 0 '' "$simrun" main.o unit.o scale.o sums.o linked.o -lcudart -o linked
expect 0 'sum 9000 m' ./linked
expect 1 'simrun compiled it and has to link it: make CC=simrun CXX=simrun' g++ host.o linked.o
expect 0 '' "$simrun" --device-link scale.o sums.o
expect 0 '' test -s a_dlink.o
expect 0 '' "$simrun" -lib -rdc=true -DFACTOR=3 scale.cu sums.o -o libboth.a
expect 0 'no findings' "$simrun" main.o unit.o libboth.a --check all
expect 0 '' "$simrun" -lib scale.o sums.o -o libboth.a  # anew, with nothing of the old one
expect 0 '2' sh -c 'ar t libboth.a | wc -l'
expect 0 'no findings' "$simrun" main.o unit.o -L. -lboth --check all
g++ -c -x c++ - -o only.o <<<'void run(); void only_here() { run(); }'
g++ -c -x c++ - -o uses.o <<<'void only_here(); int main() { only_here(); }'
expect 0 '' "$simrun" --lib run.o only.o -o libmixed.a
expect 0 '' "$simrun" uses.o -L. -lmixed -o mixed
expect 0 '' ./mixed
expect 0 '' "$simrun" -lib run.cu
expect 0 '' test -s a.a

# Of a library of another's only its table of sections is read.
g++ -shared -fPIC -x c++ - -o libhuge.so <<<'int huge;'
truncate -s 512G libhuge.so
expect 2 'no-such-option' timeout 20 "$simrun" main.o -L. -lhuge libhuge.so --no-such-option
rm libhuge.so

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
expect 2 '-dlink takes object files, and scale.cu is a source' "$simrun" -dlink scale.cu -o linked.o
expect 2 'missing.o: no such file' "$simrun" -dlink missing.o -o linked.o
expect 2 'missing.o: no such file' "$simrun" -lib missing.o -o libof.a
expect 2 '-lib makes an archive, and another option asks for another file' "$simrun" -lib -c scale.cu -o libof.a
expect 2 'scale.cu:5:2: error' "$simrun" -lib scale.cu -o libof.a
expect 2 "scale.o is an input, which would be lost" "$simrun" -dlink scale.o -o scale.o
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
