// SPDX-License-Identifier: Apache-2.0
// Ways past different barriers that clang makes share code, asserts and prints: all of them run as loops.
#include <cassert>
#include <cstdio>
#include <vector>

constexpr int kThreads = 128, kBlocks = 8, kCount = kThreads * kBlocks;

__global__ void both_arms(const int* in, int* out, int n) {
  __shared__ int s[kThreads];
  const int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  const bool full = (blockIdx.x + 1) * kThreads <= n;
  if (full) {
    s[t] = in[i];
    __syncthreads();
    out[i] = s[kThreads - 1 - t];
  } else {
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n) out[i] = s[t];
  }
}

__device__ int block_sum(int v, int* s) {
  const int t = threadIdx.x;
  s[t] = v;
  __syncthreads();
  for (int d = kThreads / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  return s[0];
}
__global__ void sum_in_arms(const int* in, int* out, int n, int mode) {
  __shared__ int s[kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (mode == 0) {
    const int r = block_sum(i < n ? in[i] : 0, s);
    if (threadIdx.x == 0) out[blockIdx.x] = r;
  } else if (mode == 1) {
    const int r = block_sum(i < n ? 2 * in[i] : 0, s);
    if (threadIdx.x == 0) out[blockIdx.x] = r;
  } else {
    const int r = block_sum(1, s);
    if (threadIdx.x < 1) out[blockIdx.x] = r;
  }
}

template <int Size>
__device__ void last_steps(int* s, int t) {
  if (Size >= 256) {
    if (t < 128) s[t] += s[t + 128];
    __syncthreads();
  }
  if (Size >= 128) {
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
  }
  if (t < 32) s[t] += s[t + 32] * 3;
}
__global__ void switch_of_sizes(const int* in, int* out) {
  __shared__ int s[512];
  s[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  switch (blockDim.x) {
    case 64: last_steps<64>(s, threadIdx.x); break;
    case 128: last_steps<128>(s, threadIdx.x); break;
    case 256: last_steps<256>(s, threadIdx.x); break;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

__global__ void return_in_arms(const int* in, int* out, int n, bool reverse) {
  __shared__ int s[kThreads];
  const int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  s[t] = i < n ? in[i] : 0;
  if (reverse) {
    __syncthreads();
    if (i < n) out[i] = s[kThreads - 1 - t];
    return;
  }
  __syncthreads();
  if (i >= n) return;
  out[i] = s[t] + 1;
}

__global__ void prints_and_asserts(const int* in, int* out, int n) {
  __shared__ int s[kThreads];
  const int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  assert(i >= n || in[i] >= 0);
  if (i < n && in[i] > 1000) printf("%d is too large\n", in[i]);
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  if (i == 5) printf("thread %d has %d\n", t, s[kThreads - 1 - t]);
  if (i < n) out[i] = s[kThreads - 1 - t];
}

// The stores of both arms become one for the compiler, which is reached in three ways.
__device__ int sum_of(int value, int* s) {
  s[threadIdx.x] = value;
  __syncthreads();
  for (int d = kThreads / 2; d > 0; d /= 2) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  return s[0];
}
__global__ void alternatives(const int* in, int* out, bool negative) {
  __shared__ int s[kThreads];
  const int value = in[blockIdx.x * kThreads + threadIdx.x];
  if (!negative) {
    const int sum = sum_of(value, s);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  } else {
    const int sum = sum_of(-value, s);
    if (threadIdx.x == kThreads - 1)
      out[blockIdx.x] = sum;
    else if (threadIdx.x == 5 && sum < 0)
      out[blockIdx.x + kBlocks] = 1;
  }
}

int main() {
  int *in, *out;
  cudaMalloc(&in, kCount * sizeof(int));
  cudaMalloc(&out, kCount * sizeof(int));
  std::vector<int> values(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = i * 7 % 31;
  cudaMemcpy(in, values.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  const auto show = [&](const char* what) {
    cudaMemcpy(values.data(), out, kCount * sizeof(int), cudaMemcpyDeviceToHost);
    unsigned sum = 0;
    for (const int v : values) sum = sum * 31 + static_cast<unsigned>(v);
    std::printf("%s %u, first %d\n", what, sum, values[0]);
    cudaMemset(out, 0, kCount * sizeof(int));
  };
  cudaMemset(out, 0, kCount * sizeof(int));
  const int n = kCount - 24;
  both_arms<<<kBlocks, kThreads>>>(in, out, n);
  show("both_arms");
  for (int mode = 0; mode < 3; ++mode) {
    sum_in_arms<<<kBlocks, kThreads>>>(in, out, n, mode);
    show("sum_in_arms");
  }
  switch_of_sizes<<<kBlocks, kThreads>>>(in, out);
  show("switch_of_sizes");
  return_in_arms<<<kBlocks, kThreads>>>(in, out, n, true);
  return_in_arms<<<kBlocks, kThreads>>>(in, out, n, false);
  show("return_in_arms");
  for (const bool negative : {false, true}) {
    alternatives<<<kBlocks, kThreads>>>(in, out, negative);
    show("alternatives");
  }
  prints_and_asserts<<<kBlocks, kThreads>>>(in, out, n);
  cudaDeviceSynchronize();
  show("prints_and_asserts");
  cudaFree(in);
  cudaFree(out);
}
