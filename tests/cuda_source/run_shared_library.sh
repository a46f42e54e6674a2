#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run_shared_library.sh SIMRUN SOURCES FOLDER PROJECT TOOLCHAIN THREAD_LOCALS: kernels in a shared library, called from
# Python, from a program of the host's compiler, and linked by simrun; checked wherever they are called from. And a
# project's libraries as CMake makes them with BUILD_SHARED_LIBS.
set -u
simrun=$(realpath "$1") sources=$2 folder=$3 project=$4 toolchain=$(realpath "$5") thread_locals=$6
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

expect 0 '' "$simrun" -shared sums.cu -o libsums.so -MD
expect 0 'sums.cu' cat libsums.so.d
expect 0 'sums 1000.0 10.0 calls 2' python3 call.py ./libsums.so
g++ call.cpp -L. -lsums -Wl,-rpath,. -o hosted
expect 0 'sum 1000, calls 1' ./hosted

expect 0 '' "$simrun" --check all -shared sums.cu -o libchecked.so
expect 0 'sums 1000.0 10.0 calls 2' python3 call.py ./libchecked.so
expect 0 '1 passed' bash "$thread_locals" libchecked.so # or it could not be opened late
expect 0 '' "$simrun" --check all -shared -Xcompiler -fPIC -DDEFECT sums.cu -o libdefect.so
expect 3 'put a barrier (__syncthreads()) between' python3 call.py ./libdefect.so
expect 0 'sums' env SIMT_CHECK=none python3 call.py ./libdefect.so

# simrun links what the library holds, in the variant that it is asked for.
expect 0 '' "$simrun" -c call.cpp
expect 0 '' "$simrun" call.o libsums.so -o linked
mv libsums.so elsewhere.so
expect 0 'sum 1000, calls 1' ./linked
mv elsewhere.so libsums.so
expect 0 'no findings' "$simrun" call.o -L. -lsums --check all
expect 3 'sums.cu:15 in sum' "$simrun" call.o libdefect.so --check all
expect 0 '' "$simrun" -c -Xcompiler -fPIC sums.cu
expect 0 '' "$simrun" -shared sums.o -o libagain.so
expect 0 'sums 1000.0' python3 call.py ./libagain.so

expect 0 'Linking CUDA shared library libdevice.so' bash -c "cmake -G Ninja -B built -S '$project' -DBUILD_SHARED_LIBS=ON \
  '-DCMAKE_TOOLCHAIN_FILE=$toolchain' '-DCMAKE_CUDA_COMPILER=$simrun' && ninja -C built"
expect 0 'sum 9000 m' built/app

# What cannot be done is said.
expect 2 '-shared needs -o FILE' "$simrun" -shared sums.cu
expect 2 '-shared makes a library, -cubin a module' "$simrun" -shared -cubin sums.cu -o both
expect 2 'profile runs a program' "$simrun" profile -shared sums.cu -o libcounted.so
expect 2 'no such file' "$simrun" -shared missing.o -o libmissing.so
printf '#include <cuda.h>\nint load() { CUmodule m; return cuModuleLoad(&m, "x"); }\n' >loads.cu
expect 2 'a shared library that loads modules (cuda.h, nvrtc.h) is not made' "$simrun" -shared loads.cu -o libloads.so
[[ -z $(ls cache/cuda 2>/dev/null | grep library-) ]] && ((++passed)) || { ((++failed)) && echo "work is left in the cache"; }
echo "$passed passed, $failed failed"
exit $((failed > 0))
