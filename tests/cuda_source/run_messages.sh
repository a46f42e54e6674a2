#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run_messages.sh SIMRUN FOLDER COMPILER: errors and warnings of a .cu show the line as its author wrote it, with a caret under
# the word that the compiler means, whatever was translated before it in the line.
set -u
simrun=$1 folder=$2 compiler=$3
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 1
export SIMT_CACHE_DIR=$folder/cache
failed=0

# pointed SOURCE-LINE WORD: the line with its number, and below it a caret under the first character of the word.
pointed() {
  local line=$1 word=$2 before
  before=${line%%"$word"*}
  awk -v line="$line" -v blanks="${#before}" '
    shown { caret = index($0, "^"); bar = index($0, "|"); if (caret == bar + 2 + blanks) found = 1 }
    { shown = index($0, "| " line) > 0 }
    END { exit !found }' err.txt
}

# says NAME OPTIONS TEXT WORD: of the line that holds MARK of the source, which stands on standard input.
says() {
  local name=$1 options=$2 text=$3 word=$4 line
  cat >"$name.cu"
  line=$(grep -h MARK "$name.cu" ./*.h 2>/dev/null | head -n 1)
  "$simrun" "$name.cu" $options >out.txt 2>err.txt
  if ! grep -q -e "$text" err.txt || ! pointed "$line" "$word" || grep -q 'simt_cuda::\|lambda' err.txt; then
    echo "$name:" && cat err.txt
    failed=1
  fi
}

says name "" "undeclared\|not declared" "too" <<'CU'
__global__ void k(int* a) { __shared__ int s[4]; s[threadIdx.x] = a[blockIdx.x]; a[1] = too; } // MARK
int main() { k<<<1, 1>>>(nullptr); }
CU
says arguments "" "no matching function\|too few arguments\|cannot convert" "k<<<1, 32>>>(&i, 3);" <<'CU'
__global__ void k(int* a) { a[0] = 1; }
int main() { int i = 0; k<<<1, 1>>>(&i); k<<<1, 32>>>(&i, 3); } // MARK
CU
says configuration "" "<<<grid, block, shared bytes, stream>>>" "k<<<1>>>" <<'CU'
__global__ void k(int* a) { a[0] = 1; }
int main() { k<<<1, 1>>>(nullptr); k<<<1>>>(nullptr); } // MARK
CU
says beside_a_launch "" "cudaMalloc" "cudaMalloc(d" <<'CU'
__global__ void k(float* a) { a[threadIdx.x] = 1; }
int main() { float *d, h[32]; cudaMalloc(d, 128); k<<<1, 32>>>(d); cudaMemcpy(h, d, 32, cudaMemcpyHostToDevice); } // MARK
CU
says semicolon "" "expected ';'" " } // MARK" <<'CU'
__global__ void k(int* a) { a[threadIdx.x] = 1 } // MARK
int main() { k<<<1, 1>>>(nullptr); }
CU
says semicolon_behind_a_name "" "expected ';'" " } // MARK" <<'CU'
__global__ void k(int* a) { int i = threadIdx.x; a[i] = i } // MARK
int main() { k<<<1, 1>>>(nullptr); }
CU
says from_template "" "foo" "foo" <<'CU'
template <typename T> __global__ void k(T* p) { __shared__ T s[32]; s[threadIdx.x] = *p; s[0].foo(); } // MARK
struct S { int x; };
int main() { k<<<1, 1>>>(static_cast<S*>(nullptr)); }
CU
says macro "" "cudaMalloc" "cudaMalloc(a" <<'CU'
#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) return 1; } while (0)
int main() { float* a; CHECK(cudaMalloc(&a, 4)); CHECK(cudaMalloc(a, 100)); } // MARK
CU
says asserted "" "four bytes" "sizeof(int)" <<'CU'
int main() { float* a; cudaMalloc(&a, 4); static_assert(sizeof(int) == 8, "four bytes"); } // MARK
CU
says unknown_call "" "'cudaMaloc' is not supported" "cudaMaloc" <<'CU'
int main() { float* a; cudaMaloc(&a, 4); } // MARK
CU
# A misspelt name hides no other error, and of a constant the nearest is named, too.
says beside_unknown_call "" "expected expression\|undeclared\|not declared" "other" <<'CU'
int main() { int h[4], *d;
  cudaMaloc(&d, 16);
  other = 3; // MARK
}
CU
[[ $(grep -c "'cudaMaloc' is not supported" err.txt) == 1 ]] || { echo "beside_unknown_call:" && cat err.txt && failed=1; }
says unknown_constant "" "'cudaMemcpyHostToDevise' is not supported.*the nearest that is: 'cudaMemcpyHostToDevice'" "cudaMemcpyHostToDevise" <<'CU'
int main() { int h[4], *d = nullptr; cudaMemcpy(d, h, 16, cudaMemcpyHostToDevise); } // MARK
CU
says unknown_type "" "'cudaIpcMemHandle_t' is not supported: memory and events of one process are not seen by others" "cudaIpcMemHandle_t" <<'CU'
int main() { cudaIpcMemHandle_t handle; return sizeof handle == 0; } // MARK
CU
says refused "" "must be defined" "error" <<'CU'
#error "N must be defined, MARK"
CU
says unused "-Wall" "warning: unused variable" "extra" <<'CU'
__global__ void k(int* a) { __shared__ int s[4]; s[threadIdx.x] = a[0]; int extra = 3; a[0] = s[0]; } // MARK
int main() { int* a; cudaMalloc(&a, 4); cudaMemset(a, 0, 4); k<<<1, 1>>>(a); cudaFree(a); }
CU
says noted "" "warning" "warning" <<'CU'
#warning "look here, MARK"
int main() {}
CU
says instruction "" "'foo.u32' is not supported" "foo.u32" <<'CU'
__global__ void k(int* a) { asm("mov.u32 %0, 1;" : "=r"(a[0])); asm("foo.u32 %0, 2;" : "=r"(a[0])); } // MARK
int main() {}
CU
says operand "" "no operand '%2' in 'add.u32 %0, %1, %2'" "%2;" <<'CU'
__global__ void k(int* a) { asm("add.u32 %0, %1, %2;" : "=r"(a[0]) : "r"(3)); } // MARK
int main() {}
CU
if [[ $compiler == Clang ]]; then  # g++ says the way before, and by itself gives no warnings
  says shared_too_large "" "shared_too_large.cu:1:[0-9]*: error: static shared memory is limited to 48 KiB a block" "s[threadIdx" <<'CU'
__global__ void k(float* a) { __shared__ float s[20000]; s[threadIdx.x] = a[0]; } // MARK
int main() { k<<<1, 1>>>(nullptr); }
CU
  grep -q 'In file included\|instantiation\|memory.hpp' err.txt && echo "shared_too_large:" && cat err.txt && failed=1
  says shared_by_parameter "" "shared_by_parameter.cu:1:[0-9]*: error: the size of a __shared__ array has to be a constant" "s[threadIdx" <<'CU'
__global__ void k(float* a, int n) { __shared__ float s[n]; s[threadIdx.x] = a[0]; } // MARK
int main() { k<<<1, 1>>>(nullptr, 3); }
CU
  grep -q 'note:\|memory.hpp' err.txt && echo "shared_by_parameter:" && cat err.txt && failed=1
  says compared "" "warning: equality comparison result unused" "== 3" <<'CU'
__global__ void k(int* a) { int i = a[0]; i == 3; a[1] = i; } // MARK
int main() { int* a; cudaMalloc(&a, 8); cudaMemset(a, 0, 8); k<<<1, 1>>>(a); cudaFree(a); }
CU
  says assigned "" "warning: explicitly assigning value of variable" "= n; a" <<'CU'
__global__ void k(int* a, int n) { n = n; a[0] = n; } // MARK
int main() { int* a; cudaMalloc(&a, 4); k<<<1, 1>>>(a, 1); cudaFree(a); }
CU
  says forgotten "" "warning: non-void function" "}  // MARK" <<'CU'
__device__ int sign(int x) { if (x < 0) return -1; }  // MARK
__global__ void k(int* a) { a[0] = sign(a[1]); }
int main() { int* a; cudaMalloc(&a, 8); cudaMemset(a, -1, 8); k<<<1, 1>>>(a); cudaFree(a); }
CU
fi
# Calls between host and device, which nvcc refuses (the plugin tells them).
if [[ $compiler == Clang ]]; then
  says host_function "" 'host_function.cu:2:[0-9]*: error: calling a __host__ function ("f") from a __global__ function ("k") is not allowed: declare it __host__ __device__ at host_function.cu:1' "f(3)" <<'CU'
int f(int x) { return x + 1; }
__global__ void k(int* a) { __shared__ int s[4]; s[0] = a[0]; a[1] = f(3) + s[0]; } // MARK
int main() { k<<<1, 1>>>(nullptr); }
CU
  says host_member "" '("S::get") from a __device__ function ("g")' "get();" <<'CU'
struct S { int v; int get() const { return v; } };
__device__ int g(S s) { return s.get(); } // MARK
__global__ void k(int* a) { a[0] = g(S{3}); }
int main() { k<<<1, 1>>>(nullptr); }
CU
  says host_functor "" '("F::operator()") from a __global__ function ("k<F>")' "g(3)" <<'CU'
struct F { int operator()(int x) const { return x; } };
template <class G> __global__ void k(int* a, G g) { a[0] = g(3); } // MARK
int main() { k<<<1, 1>>>((int*)nullptr, F{}); }
CU
  says device_function "" 'calling a __device__ function ("f") from a __host__ function ("main") is not allowed' "f(1)" <<'CU'
__device__ int f(int x) { return x + 1; }
__global__ void k(int* a) { a[0] = f(3); }
int main() { k<<<1, 1>>>(nullptr); return f(1); } // MARK
CU
  says device_call "" 'calling a __device__ function ("atomicAdd") from a __host__ function ("count") is not allowed' "atomicAdd" <<'CU'
__global__ void k(int* a) { atomicAdd(a, 1); }
void count(int* n) { atomicAdd(n, 1); } // MARK
int main() { int n = 0; count(&n); k<<<1, 1>>>(nullptr); }
CU
  says of_std "" 'calling a __host__ function ("std::sort") from a __global__ function ("k") is not allowed: sort on the host with thrust::sort' "std::sort" <<'CU'
#include <algorithm>
__global__ void k(int* a) { std::sort(a, a + 4); } // MARK
int main() { k<<<1, 1>>>(nullptr); }
CU
  says of_class "" '("std::vector::vector") from a __device__ function ("f") is not allowed: pass a pointer' "v(3)" <<'CU'
#include <vector>
__device__ int f() { std::vector<int> v(3); return v[0]; } // MARK
__global__ void k(int* a) { a[0] = f(); }
int main() { k<<<1, 1>>>(nullptr); }
CU
  says of_stream "" '("std::ostream::operator<<") from a __global__ function ("k") is not allowed: write with printf' "<< a[0]" <<'CU'
#include <iostream>
__global__ void k(int* a) { std::cout << a[0]; } // MARK
int main() { k<<<1, 1>>>(nullptr); }
CU
  says of_c "" 'calling a __host__ function ("rand") from a __global__ function ("k") is not allowed: draw numbers with cuRAND' "rand()" <<'CU'
#include <cstdlib>
__global__ void k(int* a) { a[0] = rand(); } // MARK
int main() { k<<<1, 1>>>(nullptr); }
CU
  says within "" 'calling a constexpr __host__ function ("std::min") from a __global__ function ("k") is not allowed: write min(a, b) or max(a, b) without std::, or give --expt-relaxed-constexpr' "std::min" <<'CU'
#include <algorithm>
__global__ void k(int* a) { auto f = [=](int x) { return std::min(x, a[1]); }; a[0] = f(3); } // MARK
int main() { k<<<1, 1>>>(nullptr); }
CU
  says of_constexpr "" 'calling a constexpr __host__ function ("sq") from a __global__ function ("k") is not allowed: declare it __host__ __device__ at of_constexpr.cu:1, or give --expt-relaxed-constexpr' "sq(a[1])" <<'CU'
constexpr int sq(int x) { return x * x; }
__global__ void k(int* a) { a[0] = sq(a[1]); } // MARK
int main() { k<<<1, 1>>>(nullptr); }
CU
  says host_variable "" 'identifier "n" is undefined in device code' "n)" <<'CU'
static int n = 5;
__global__ void k(int* a) { if (threadIdx.x < n) a[0] = 1; } // MARK
int main() { n = 6; k<<<1, 1>>>(nullptr); }
CU
  # With the option, or where cuda::std may be meant, constexpr functions are for both sides.
  cat >relaxed.cu <<'CU'
#include <algorithm>
constexpr int sq(int x) { return x * x; }
__global__ void k(int* a) { a[0] = sq(a[1]) + std::min(a[1], 3); }
int main() { k<<<1, 1>>>(nullptr); }
CU
  (echo '#include <cuda/std/utility>' && cat relaxed.cu) >for_device.cu
  "$simrun" relaxed.cu --expt-relaxed-constexpr -o relaxed 2>err.txt && "$simrun" for_device.cu -o relaxed 2>>err.txt ||
    failed=1
  [[ -s err.txt ]] && echo "relaxed:" && cat err.txt && failed=1
  says no_configuration "" 'a call of a __global__ function ("k") must be configured: write k<<<grid, block>>>(arguments)' "k(a, 2)" <<'CU'
__global__ void k(int* a, int n) { a[0] = n; }
int main() { int* a; cudaMalloc(&a, 4); if (a) k<<<1, 1>>>(a, 1); k(a, 2); } // MARK
CU
fi
# Without main(): a file of CUDA's, and one of programs of the API.
echo '__global__ void k(int* a) { a[0] = 1; }' >kernels_alone.cu
"$simrun" kernels_alone.cu 2>err.txt
grep -q 'kernels_alone.cu: there is no main() in it' err.txt || { echo "kernels_alone:" && cat err.txt && failed=1; }
cat >of_api.cu <<'CU'
#include <simt/program.hpp>
namespace {
SIMT_DEVICE void one(simt::thread t, simt::view<int> x) { x[t.grid<1>()] = 1; }
const simt::program p{{.name = "one", .summary = "ones"}, [](simt::run& r) {
  auto x = r.output("x", std::vector<int>(32));
  r.launch([&] { simt::launch<one>(r.stream(), r.cover<1>(32, 32), x); });
}};
}  // namespace
CU
"$simrun" of_api.cu 2>err.txt
grep -q 'of_api.cu: it has programs of the simulator.s own API.*--module FILE' err.txt || { echo "of_api:" && cat err.txt && failed=1; }
# What is compiled has no macros any more: parentheses of one are no reason for a warning.
cat >macro_parentheses.cu <<'CU'
#define IS_GENERAL(t) ((t)[0] == 'G')
int main(int, char** argv) { if (IS_GENERAL(argv[0])) return 1; }
CU
"$simrun" macro_parentheses.cu -o macro_parentheses 2>err.txt
grep -q warning err.txt && echo "macro_parentheses:" && cat err.txt && failed=1
# Where warnings are asked for, they are about the source, and not about options that a preprocessor has taken.
echo 'int main() {}' >asks_for_warnings.cu
"$simrun" asks_for_warnings.cu -Xcompiler -Wall -o asks_for_warnings 2>err.txt
[[ -s err.txt ]] && echo "asks_for_warnings:" && cat err.txt && failed=1
cat >part.h <<'CU'
__device__ inline int twice(int x) { return threadIdx.x * x * nothing; } // MARK
CU
says header "" "part.h:1:" "nothing" <<'CU'
#include "part.h"
int main() {}
CU
# Headers are read ahead once, whatever warnings and -O2 or -O3 are asked for; what is said stays the same.
if [[ $compiler == Clang ]]; then
  rm -rf "$SIMT_CACHE_DIR"
  echo '__global__ void k(int* a) { int unused; a[0] = 1; } int main() {}' >own_options.cu
  "$simrun" own_options.cu 2>err.txt && "$simrun" own_options.cu -O2 -Wall -g 2>>err.txt
  count=$(ls "$SIMT_CACHE_DIR"/cuda/headers-*.pch | wc -l)
  ((count == 1)) && grep -q "unused variable 'unused'" err.txt && [[ $(grep -c warning err.txt) == 1 ]] ||
    { echo "own_options: $count precompiled" && cat err.txt && failed=1; }
fi
exit $failed
