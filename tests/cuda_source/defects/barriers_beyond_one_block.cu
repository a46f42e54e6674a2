// SPDX-License-Identifier: Apache-2.0
// A barrier's place where the block around both accesses does not say it: between calls that are not inlined, in a
// function whose call is guarded, between the two branches of an if, at the head of a do loop, behind a body without
// braces, within one line, and in lines that the lanes of a warp take step by step. Its clean twin, with the fixes
// applied, is calls_as_advised.cu.
// options: --check races --json -
// code: 3
// says: race-shared.*"line": 19,
// says: between line 26 and line 27 of by_calls"
// says: between line 31 and line 32; the branch at line 38 around the call keeps threads from it: let all threads make the call
// says: make two branches of the one at line 44, with a barrier \(__syncthreads\(\)\) between them, to which all threads come: first the branch of line 47, behind the barrier that of line 45"
// says: at the beginning of the loop's body, in front of line 57: other threads still read the condition at line 63 of the turn before"
// says: at the end of the loop's body, behind line 73, in braces that the body needs then: no thread may begin its next turn
// says: in line 77 between .\"s\[t\] = a\[t\];.\" and .\"a\[t\] = s\[63 - t\];.\"
// says: in line 85, line 86 and those like them, read the other lane's element into a variable, put __syncwarp\(0x0000ffff\) behind that
#include <cuda_runtime.h>

__device__ __noinline__ void put(int* s, int v) {
  s[threadIdx.x] = v;
}
__device__ __noinline__ int neighbour(const int* s) {
  return s[(threadIdx.x + 1) % blockDim.x];
}
__global__ void by_calls(int* a) {
  __shared__ int s[64];
  put(s, a[threadIdx.x]);
  a[threadIdx.x] = neighbour(s);
}

__device__ int mirrored(int* s, int v) {
  s[threadIdx.x] = v;
  return s[63 - threadIdx.x];
}
__global__ void guarded_call(int* a, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x < n) a[threadIdx.x] = mirrored(s, a[threadIdx.x]);
}

__global__ void roles(int* a) {
  __shared__ int s[32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x >= 32)
    a[lane] = s[31 - lane];
  else
    s[lane] = a[lane + 32];
}

__global__ void relax(int* d) {
  __shared__ int changed;
  int t = threadIdx.x;
  d[t] = t == 0 ? 0 : 1000;
  __syncthreads();
  do {
    // Some may still look at the flag of the turn before.
    if (t == 0) changed = 0;
    __syncthreads();
    int v = t > 0 ? d[t - 1] + 1 : 0;
    __syncthreads();
    if (v < d[t]) d[t] = v, changed = 1;
    __syncthreads();
  } while (changed);
}

__global__ void tree(int* a) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int d = 32; d > 0; d /= 2)
    // No braces: what is put behind this line is outside of the loop.
    if (t < d) s[t] += s[t + d];
  if (t == 0) a[0] = s[0];
}

__global__ void on_one_line(int* a) { __shared__ int s[64]; int t = threadIdx.x; s[t] = a[t]; a[t] = s[63 - t]; }

__global__ void last_lanes(int* a) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  if (t < 16) {
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
  }
  if (t == 0) a[0] = s[0];
}

int main() {
  int* a;
  cudaMalloc(&a, 64 * sizeof(int));
  cudaMemset(a, 0, 64 * sizeof(int));
  by_calls<<<1, 64>>>(a);
  guarded_call<<<1, 64>>>(a, 60);
  roles<<<1, 64>>>(a);
  tree<<<1, 64>>>(a);
  on_one_line<<<1, 64>>>(a);
  last_lanes<<<1, 32>>>(a);
  relax<<<1, 64>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a);
}
