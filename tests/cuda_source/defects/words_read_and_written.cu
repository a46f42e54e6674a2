// SPDX-License-Identifier: Apache-2.0
// Each thread reads a word and then writes it: no barrier and no second launch goes between, so the advice is one atomic
// operation, with what takes its value. Its clean twin, with the fixes applied, is words_as_advised.cu.
// options: --check races --json -
// code: 3
// says: race-global.*"line": 31,
// says: the read at line 30 and the write at line 31 one atomic operation: base = atomicAdd\(count, 1\)"
// says: operation at line 38 instead of reading it at line 37: at = atomicAdd\(&taken, 1\)"
// says: the read at line 45 and the write at line 46 one atomic operation: old = atomicAdd\(&bins\[b\], 1\)"
// says: the read and the write one atomic operation: atomicAdd\(&bins\[key\[t\]\], 1\)"
// says: the read and the write one atomic operation: atomicMax\(&best\[0\], key\[t\]\)"
// says: the test at line 58 and the write at line 59 one atomic operation: test what atomicCAS\(&slots\[s\], ..., k\) gives
// says: atomicExch\(\(unsigned long long\*\)&head, \(unsigned long long\)n\), which gives the value that was there before"
// says: each of these updates one atomic operation: atomicAdd\(&sum\[0\], key\[t\]\) at line 73, atomicAdd\(&sum\[0\], -key\[t\]\) at line 75
// says: make the update at line 81 atomic, too: atomicAdd\(&sum\[1\], 1\)
// says: use the flag by atomic operations: atomicExch\(&found, 1\) at line 93, and atomicAdd\(&found, 0\) to read it at line 92"
// says: hold a lock around the test at line 100 and all that depends on it
// says: a loop with atomicCAS on the bits of top\[0\] \(__float_as_int\)"
#include <cuda_runtime.h>

struct node {
  node* next;
};
__device__ int taken;
__device__ node* head;

__global__ void take(int* count, int* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;

  int base = *count;
  *count += 1;
  out[base] = t;
}

__global__ void take_late(int* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int at = taken;
  atomicAdd(&taken, 1);
  out[at] = t;
}

__global__ void tally(const int* key, int* bins) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int b = key[t];
  int old = bins[b];
  bins[b] = old + 1;
}
__global__ void tally_at_once(const int* key, int* bins) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  bins[key[t]] = bins[key[t]] + 1;
}
__global__ void largest(const int* key, int* best) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  best[0] = max(best[0], key[t]);
}
__global__ void insert(const int* key, int* slots) {
  int k = key[blockIdx.x * blockDim.x + threadIdx.x] + 1, s = k % 16;
  while (slots[s] != 0 && slots[s] != k) s = (s + 1) % 16;
  slots[s] = k;
}

__global__ void push(node* nodes) {
  node* n = nodes + blockIdx.x * blockDim.x + threadIdx.x;
  n->next = head;
  head = n;
}


__global__ void two_ways(const int* key, int* sum) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;

  if (key[t] > 3)
    sum[0] += key[t];
  else
    sum[0] -= key[t];
}
__global__ void beside_an_atomic(const int* key, int* sum) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  // One that is atomic does not make the other so.
  if (key[t] == 0)
    sum[1]++;
  else
    atomicAdd(&sum[1], key[t]);
}

__global__ void search(const int* key, int* out, int n) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {

    if (found) break;
    if (key[i] == 6) found = 1;
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = found;
}
__global__ void largest_with_place(const int* key, int* best) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (key[t] > best[2]) {
    best[2] = key[t];
    best[3] = t;
  }
}
__global__ void highest(const float* level, float* top) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (level[t] > top[0]) top[0] = level[t];
}

int main() {
  int h[128], *key, *words;
  float g[128], *level, *top;
  node* nodes;
  for (int i = 0; i < 128; ++i) h[i] = g[i] = i % 7;
  cudaMalloc(&key, sizeof(h));
  cudaMalloc(&words, 512 * sizeof(int));
  cudaMalloc(&level, sizeof(g));
  cudaMalloc(&top, sizeof(float));
  cudaMalloc(&nodes, 128 * sizeof(node));
  cudaMemcpy(key, h, sizeof(h), cudaMemcpyHostToDevice);
  cudaMemcpy(level, g, sizeof(g), cudaMemcpyHostToDevice);
  cudaMemset(words, 0, 512 * sizeof(int));
  cudaMemset(top, 0, sizeof(float));
  take<<<2, 64>>>(words, words + 256);
  take_late<<<2, 64>>>(words + 256);
  tally<<<2, 64>>>(key, words + 16);
  tally_at_once<<<2, 64>>>(key, words + 32);
  largest<<<2, 64>>>(key, words + 48);
  insert<<<2, 64>>>(key, words + 64);
  push<<<2, 64>>>(nodes);
  two_ways<<<2, 64>>>(key, words + 96);
  beside_an_atomic<<<2, 64>>>(key, words + 96);
  search<<<1, 64>>>(key, words + 112, 128);
  largest_with_place<<<2, 64>>>(key, words + 112);
  highest<<<2, 64>>>(level, top);
  cudaDeviceSynchronize();
  cudaFree(key);
  cudaFree(words);
  cudaFree(level);
  cudaFree(top);
  cudaFree(nodes);
}
