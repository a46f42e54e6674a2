// SPDX-License-Identifier: Apache-2.0
// The kernels of defects/words_read_and_written.cu with the fixes applied that reports name.
#include <cstdio>

#include <cuda_runtime.h>

struct node {
  node* next;
};
__device__ int taken;
__device__ node* head;
__device__ int lock;

__global__ void take(int* count, int* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int base = atomicAdd(count, 1);
  out[base] = t;
}

__global__ void take_late(int* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int at = atomicAdd(&taken, 1);
  out[at] = t;
}

__global__ void tally(const int* key, int* bins) {
  int b = key[blockIdx.x * blockDim.x + threadIdx.x];
  int old = atomicAdd(&bins[b], 1);
  (void)old;
}
__global__ void tally_at_once(const int* key, int* bins) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[key[t]], 1);
}
__global__ void largest(const int* key, int* best) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMax(&best[0], key[t]);
}
__global__ void insert(const int* key, int* slots) {
  int k = key[blockIdx.x * blockDim.x + threadIdx.x] + 1, s = k % 16;
  for (int old; (old = atomicCAS(&slots[s], 0, k)) != 0 && old != k;) s = (s + 1) % 16;
}
__global__ void push(node* nodes) {
  node* n = nodes + blockIdx.x * blockDim.x + threadIdx.x;
  n->next = (node*)atomicExch((unsigned long long*)&head, (unsigned long long)n);
}
__global__ void length(int* out) {
  int n = 0;
  for (node* p = head; p != nullptr; p = p->next) ++n;
  *out = n;
}

__global__ void two_ways(const int* key, int* sum) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (key[t] > 3)
    atomicAdd(&sum[0], key[t]);
  else
    atomicAdd(&sum[0], -key[t]);
}
__global__ void beside_an_atomic(const int* key, int* sum) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (key[t] == 0)
    atomicAdd(&sum[1], 1);
  else
    atomicAdd(&sum[1], key[t]);
}

__global__ void search(const int* key, int* out, int n) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (atomicAdd(&found, 0)) break;
    if (key[i] == 6) atomicExch(&found, 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = found;
}
__global__ void largest_with_place(const int* key, int* best) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (bool done = false; !done;) {
    if (atomicCAS(&lock, 0, 1) != 0) continue;
    __threadfence();
    if (key[t] > best[2]) {
      best[2] = key[t];
      best[3] = t;
    }
    __threadfence();
    atomicExch(&lock, 0);
    done = true;
  }
}
__global__ void highest(const float* level, float* top) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int old = __float_as_int(0.0F), seen;
  while (__int_as_float(old) < level[t] && (seen = atomicCAS((int*)top, old, __float_as_int(level[t]))) != old) old = seen;
}

int main() {
  int h[128], *key, *words, w[512];
  float g[128], *level, *top, highest_of_all;
  node* nodes;
  for (int i = 0; i < 128; ++i) h[i] = g[i] = i % 7;
  cudaMalloc(&key, sizeof(h));
  cudaMalloc(&words, sizeof(w));
  cudaMalloc(&level, sizeof(g));
  cudaMalloc(&top, sizeof(float));
  cudaMalloc(&nodes, 128 * sizeof(node));
  cudaMemcpy(key, h, sizeof(h), cudaMemcpyHostToDevice);
  cudaMemcpy(level, g, sizeof(g), cudaMemcpyHostToDevice);
  cudaMemset(words, 0, sizeof(w));
  cudaMemset(top, 0, sizeof(float));
  take<<<2, 64>>>(words, words + 256);
  take_late<<<2, 64>>>(words + 384);
  tally<<<2, 64>>>(key, words + 16);
  tally_at_once<<<2, 64>>>(key, words + 32);
  largest<<<2, 64>>>(key, words + 48);
  insert<<<2, 64>>>(key, words + 64);
  push<<<2, 64>>>(nodes);
  length<<<1, 1>>>(words + 1);
  two_ways<<<2, 64>>>(key, words + 96);
  beside_an_atomic<<<2, 64>>>(key, words + 96);
  search<<<1, 64>>>(key, words + 112, 128);
  largest_with_place<<<2, 64>>>(key, words + 112);
  highest<<<2, 64>>>(level, top);
  cudaMemcpy(w, words, sizeof(w), cudaMemcpyDeviceToHost);
  cudaMemcpy(&highest_of_all, top, sizeof(float), cudaMemcpyDeviceToHost);
  int all = 0, later = 0, slots = 0;
  for (int i = 0; i < 128; ++i) all += w[256 + i], later += w[384 + i];
  for (int i = 0; i < 16; ++i) slots += w[64 + i] != 0;
  printf("taken %d, sums %d %d\n", w[0], all, later);
  printf("bins %d %d, of value 3: %d %d\n", w[16], w[32], w[19], w[35]);
  printf("largest %d, keys %d, list %d\n", w[48], slots, w[1]);
  printf("sums %d %d, found %d, largest %d, highest %g\n", w[96], w[97], w[112], w[114], highest_of_all);
  cudaFree(key);
  cudaFree(words);
  cudaFree(level);
  cudaFree(top);
  cudaFree(nodes);
}
