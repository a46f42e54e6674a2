// SPDX-License-Identifier: Apache-2.0
// A defect of each kind in one program, for compilers that build few programs: `NAME` shows the defect, `NAME clean` its
// twin, which differs in the line that asks for D. What must be found (run_kinds.py; options, exit code, text;
// g++ stores 16 bytes at once, which ends the kernel):
// kind: race_shared     | --check races | 3 | error[race-shared]
// kind: race_global     | --check races | 3 | error[race-global]
// kind: race_stream     | --check races | 3 | error[race-global]
// kind: race_scope      | --check races | 3 | error[race-scope]
// kind: missing_fence   | --check all | 3 | error[missing-fence]
// kind: lanes           | --check races | 3 | error[race-shared]
// kind: unset           | --check all | 3 | error[uninitialized-read]
// kind: past_the_end    | --check all | 3 | error[out-of-bounds]
// kind: freed           | --check all | 3 | error[use-after-free]
// kind: misaligned      | --check all | [34] | error[misaligned
// kind: promised        | --check all | 0 | warning[misaligned]
// kind: null_pointer    | --check all | 4 | error[host-memory]
// kind: constant        | --check memory | 4 | error[constant-write]
// kind: anothers_local  | --check all | 3 | error[host-memory]
// kind: branch          | --check all | 3 | error[barrier-divergence]
// kind: early_return    | --check all | 0 | warning[barrier-early-exit]
// kind: grid_return     | --check all | 3 | error[barrier-
// kind: masked_shuffle  | --check barrier | 0 | warning[warp-mask]
// kind: assertion       | --check all | 4 | Assertion `i < 100` failed
// kind: assertion       | | 4 | Assertion `i < 100` failed
// kind: division        | --check all | 4 | error[division-by-zero]
// kind: division        | | 4 | error[division-by-zero]
// kind: never_set       | --check all | 4 | error[hang]
// kind: never_freed     | --check all | 3 | error[leak]
// kind: ticket          | --check races --explore bound=1 | 3 | error[nondeterministic-output]
// kind: older_value     | --check races --explore bound=1 --memory-model ptx | 4 | error[device-trap]
// kind: thrown          | --check all | 1 | a word of the host
// kind: own_code        | | 7 |
#include <cooperative_groups.h>
#include <cub/cub.cuh>
#include <cuda/barrier>
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace cg = cooperative_groups;

// Words of zero; freed behind the launch.
static int* words(int n) {
  int* p = nullptr;
  cudaMalloc(&p, n * sizeof(int));
  cudaMemset(p, 0, n * sizeof(int));
  return p;
}

template <bool D>
__global__ void race_shared(int* x) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  if (!D) __syncthreads();
  x[threadIdx.x] = s[63 - threadIdx.x];
}

template <bool D>
__global__ void race_global(int* x) {
  x[D ? threadIdx.x : blockIdx.x * 64 + threadIdx.x] = blockIdx.x;
}

template <bool D>
__global__ void race_scope(int* x) {
  if (blockIdx.x == 0) {
    x[0] = 42;
    if (D) __threadfence_block(); else __threadfence();
    atomicExch(&x[1], 1);
  } else {
    while (atomicAdd(&x[1], 0) == 0) {
    }
    __threadfence();
    x[2] = x[0];
  }
}

template <bool D>
__global__ void missing_fence(volatile int* x) {
  if (blockIdx.x == 0) {
    x[0] = 42;
    if (!D) __threadfence();
    x[1] = 1;
  } else {
    while (x[1] == 0) {
    }
    __threadfence();
    x[2] = x[0];
  }
}

template <bool D>
__global__ void lanes(int* x) {
  __shared__ int s[64];
  s[threadIdx.x] = __shfl_xor_sync(0xffffffff, threadIdx.x, 1);
  if (!D) __syncwarp();
  x[threadIdx.x] = s[threadIdx.x ^ 1];
}

__global__ void add_one(int* x) { x[threadIdx.x] += 1; }

template <bool D>
__global__ void past_the_end(int* x) {
  if (threadIdx.x < 63 || D) x[threadIdx.x + 1] = 1;
}

template <bool D>
__global__ void misaligned(int* x) {
  *reinterpret_cast<int4*>(x + (D ? 1 : 4)) = make_int4(1, 2, 3, 4);
}

// A promise of multiples of 16 bytes about an array that is declared for 4.
template <bool D>
__global__ void promised(int* x) {
  __shared__ alignas(D ? 4 : 16) int row[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> copied;
  if (threadIdx.x == 0) init(&copied, 64);
  __syncthreads();
  cuda::memcpy_async(cg::this_thread_block(), row, x, cuda::aligned_size_t<16>(sizeof row), copied);
  copied.arrive_and_wait();
  x[64 + threadIdx.x] = row[63 - threadIdx.x];
}

__constant__ int weights[64];
template <bool D>
__global__ void constant(int* x) {
  int* to = D ? const_cast<int*>(weights) : x;
  to[threadIdx.x] = weights[threadIdx.x];
}

template <bool D>
__global__ void anothers_local(int* x) {
  __shared__ const int* shared;
  __shared__ int common;
  int mine = threadIdx.x + 10;
  if (threadIdx.x == 0) common = 3, shared = D ? &mine : &common;
  __syncthreads();
  x[threadIdx.x] = *shared;
  __syncthreads();
  x[threadIdx.x] += mine;
}

template <bool D>
__global__ void branch(int* x) {
  if (!D || threadIdx.x < 16) __syncthreads();
  x[threadIdx.x] = 1;
}

template <bool D>
__global__ void early_return(int* x) {
  if (D && threadIdx.x >= 40) return;
  x[threadIdx.x] = 1;
  __syncthreads();
  x[threadIdx.x] += 1;
}

template <bool D>
__global__ void grid_return(int* x) {
  if (D && threadIdx.x < 5) return;
  x[blockIdx.x * 32 + threadIdx.x] = 1;
  cg::this_grid().sync();
  x[(1 - blockIdx.x) * 32 + threadIdx.x] += 1;
}

template <bool D>
__global__ void masked_shuffle(int* x) {
  int v = threadIdx.x;
  if (threadIdx.x < 16) v += __shfl_down_sync(0x0000ffff, v, 8, D ? 32 : 16);
  __shared__ typename cub::WarpReduce<int>::TempStorage sums;
  x[threadIdx.x] = cub::WarpReduce<int>(sums).Sum(v);
}

template <bool D>
__global__ void assertion(int* x) {
  const int i = blockIdx.x * 64 + threadIdx.x + (D ? 0 : -30);
  assert(i < 100);
  x[blockIdx.x * 64 + threadIdx.x] = i;
}

__global__ void division(int* x) { x[threadIdx.x] = 1000 / x[threadIdx.x]; }

template <bool D>
__global__ void never_set(int* x) {
  if (threadIdx.x == 0) {
    while (atomicAdd(&x[0], 0) == 0) {
    }
  } else if (!D) {
    atomicExch(&x[0], 1);
  }
}

template <bool D>
__global__ void ticket(int* parts, int* tickets, int* sum) {
  int before = D ? atomicAdd(tickets, 1) : 0;
  atomicExch(&parts[blockIdx.x], 21);
  if (!D) before = atomicAdd(tickets, 1);
  if (before == 1) *sum = atomicAdd(&parts[0], 0) + atomicAdd(&parts[1], 0);
}

template <bool D>
__global__ void older_value(volatile int* x) {
  if (blockIdx.x == 0) {
    x[0] = 42;
    if (!D) __threadfence();
    x[1] = 1;
  } else {
    while (x[1] == 0) continue;
    if (!D) __threadfence();
    const int value = x[0];
    x[2] = value;
    assert(value == 42);
  }
}

template <bool D>
int show(const char* name) {
  const auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
  int* x = is("unset") ? nullptr : words(256);
  int code = 0;
  if (is("race_shared")) race_shared<D><<<1, 64>>>(x);
  if (is("race_global")) race_global<D><<<4, 64>>>(x);
  if (is("race_stream")) {
    cudaStream_t s[2];
    for (cudaStream_t& one : s) cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    for (const int i : {0, 1}) add_one<<<1, 64, 0, s[D ? i : 0]>>>(x);
    for (const cudaStream_t one : s) cudaStreamSynchronize(one), cudaStreamDestroy(one);
  }
  if (is("race_scope")) race_scope<D><<<2, 1>>>(x);
  if (is("missing_fence")) missing_fence<D><<<2, 1>>>(x);
  if (is("lanes")) lanes<D><<<1, 64>>>(x);
  if (is("unset")) {
    cudaMalloc(&x, 256);
    if (!D) cudaMemset(x, 0, 256);
    add_one<<<1, 64>>>(x);
  }
  if (is("past_the_end")) {
    int* const small = words(64);
    past_the_end<D><<<1, 64>>>(small);
    cudaDeviceSynchronize();
    cudaFree(small);
  }
  if (is("freed")) {
    int* const y = words(64);
    if (D) cudaFree(y);
    add_one<<<1, 64>>>(y);
    cudaDeviceSynchronize();
    if (!D) cudaFree(y);
  }
  if (is("misaligned")) misaligned<D><<<1, 1>>>(x);
  if (is("promised")) promised<D><<<1, 64>>>(x);
  if (is("null_pointer")) add_one<<<1, 64>>>(D ? nullptr : x);
  if (is("constant")) constant<D><<<1, 64>>>(x);
  if (is("anothers_local")) anothers_local<D><<<1, 64>>>(x);
  if (is("branch")) branch<D><<<1, 64>>>(x);
  if (is("early_return")) early_return<D><<<1, 64>>>(x);
  if (is("grid_return")) {
    void* arguments[] = {&x};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_return<D>), dim3(2), dim3(32), arguments, 0, nullptr);
  }
  if (is("masked_shuffle")) masked_shuffle<D><<<1, 32>>>(x);
  if (is("assertion")) assertion<D><<<2, 64>>>(x);
  if (is("division")) {
    int by[64];
    for (int i = 0; i < 64; ++i) by[i] = D && i == 9 ? 0 : 1;
    cudaMemcpy(x, by, sizeof by, cudaMemcpyHostToDevice);
    division<<<1, 64>>>(x);
  }
  if (is("never_set")) never_set<D><<<1, 2>>>(x);
  if (is("never_freed") && D) words(8);
  if (is("ticket")) {
    ticket<D><<<2, 1>>>(x, x + 2, x + 3);
    int sum = 0;
    cudaMemcpy(&sum, x + 3, sizeof sum, cudaMemcpyDeviceToHost);
    code = sum == 42 ? 0 : 1;
  }
  if (is("older_value")) older_value<D><<<2, 1>>>(x);
  if (is("thrown")) {
    try {
      if (D) throw std::runtime_error("a word of the host");
    } catch (const std::runtime_error& e) {
      std::puts(e.what());
      code = 1;
    }
  }
  if (is("own_code")) code = D ? 7 : 0;
  cudaDeviceSynchronize();
  cudaFree(x);
  return code;
}

int main(int count, char** arguments) {
  if (count < 2) return 9;
  return count == 2 ? show<true>(arguments[1]) : show<false>(arguments[1]);
}
