// SPDX-License-Identifier: Apache-2.0
// Bitonic sort: in shared memory for pieces, global merges between.
#include <algorithm>
#include <cstdio>
#include <vector>
typedef unsigned int uint;
#define SHARED_SIZE_LIMIT 512U
__device__ inline void Comparator(uint &keyA, uint &valA, uint &keyB, uint &valB, uint dir) {
  uint t;
  if ((keyA > keyB) == dir) {
    t = keyA; keyA = keyB; keyB = t;
    t = valA; valA = valB; valB = t;
  }
}
__global__ void bitonicSortShared1(uint *d_DstKey, uint *d_DstVal, uint *d_SrcKey, uint *d_SrcVal) {
  __shared__ uint s_key[SHARED_SIZE_LIMIT];
  __shared__ uint s_val[SHARED_SIZE_LIMIT];
  d_SrcKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  d_SrcVal += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  d_DstKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  d_DstVal += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  s_key[threadIdx.x + 0] = d_SrcKey[0];
  s_val[threadIdx.x + 0] = d_SrcVal[0];
  s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_SrcKey[(SHARED_SIZE_LIMIT / 2)];
  s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_SrcVal[(SHARED_SIZE_LIMIT / 2)];
  for (uint size = 2; size < SHARED_SIZE_LIMIT; size <<= 1) {
    uint ddd = (threadIdx.x & (size / 2)) != 0;
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride], s_val[pos + stride], ddd);
    }
  }
  uint ddd = blockIdx.x & 1;
  for (uint stride = SHARED_SIZE_LIMIT / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride], s_val[pos + stride], ddd);
  }
  __syncthreads();
  d_DstKey[0] = s_key[threadIdx.x + 0];
  d_DstVal[0] = s_val[threadIdx.x + 0];
  d_DstKey[(SHARED_SIZE_LIMIT / 2)] = s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)];
  d_DstVal[(SHARED_SIZE_LIMIT / 2)] = s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)];
}
__global__ void bitonicMergeGlobal(uint *d_Key, uint *d_Val, uint arrayLength, uint size, uint stride, uint dir) {
  uint global_comparatorI = blockIdx.x * blockDim.x + threadIdx.x;
  uint comparatorI = global_comparatorI & (arrayLength / 2 - 1);
  uint ddd = dir ^ ((comparatorI & (size / 2)) != 0);
  uint pos = 2 * global_comparatorI - (global_comparatorI & (stride - 1));
  uint keyA = d_Key[pos + 0], valA = d_Val[pos + 0];
  uint keyB = d_Key[pos + stride], valB = d_Val[pos + stride];
  Comparator(keyA, valA, keyB, valB, ddd);
  d_Key[pos + 0] = keyA;
  d_Val[pos + 0] = valA;
  d_Key[pos + stride] = keyB;
  d_Val[pos + stride] = valB;
}
int main() {
  const uint N = 4096, DIR = 1;
  std::vector<uint> key(N), val(N);
  for (uint i = 0; i < N; i++) key[i] = (i * 2654435761u) >> 8, val[i] = i;
  std::vector<uint> keys = key;
  uint *dk, *dv, *ok, *ov;
  cudaMalloc(&dk, N * 4); cudaMalloc(&dv, N * 4); cudaMalloc(&ok, N * 4); cudaMalloc(&ov, N * 4);
  cudaMemcpy(dk, key.data(), N * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(dv, val.data(), N * 4, cudaMemcpyHostToDevice);
  bitonicSortShared1<<<N / SHARED_SIZE_LIMIT, SHARED_SIZE_LIMIT / 2>>>(ok, ov, dk, dv);
  for (uint size = 2 * SHARED_SIZE_LIMIT; size <= N; size <<= 1)
    for (unsigned stride = size / 2; stride > 0; stride >>= 1)
      bitonicMergeGlobal<<<N / 512, 256>>>(ok, ov, N, size, stride, DIR);
  cudaMemcpy(key.data(), ok, N * 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(val.data(), ov, N * 4, cudaMemcpyDeviceToHost);
  bool sorted = std::is_sorted(key.begin(), key.end()), kept = true;
  for (uint i = 0; i < N; i++) kept = kept && keys[val[i]] == key[i];
  printf("sorted %d, values follow keys %d\n", sorted, kept);
  cudaFree(dk); cudaFree(dv); cudaFree(ok); cudaFree(ov);
}
