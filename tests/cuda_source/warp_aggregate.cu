// SPDX-License-Identifier: Apache-2.0
// Warp intrinsics: aggregated atomics, butterfly and broadcast shuffles, votes, match_any, stream compaction.
#include <cstdio>
#include <vector>
#include <algorithm>
#define FULL_MASK 0xffffffff
__device__ int atomicAggInc(int *ctr) {
  unsigned int active = __activemask();
  int leader = __ffs(active) - 1;
  int change = __popc(active);
  unsigned int rank = __popc(active & ((1u << (threadIdx.x & 31)) - 1));
  int warp_res;
  if (rank == 0) warp_res = atomicAdd(ctr, change);
  warp_res = __shfl_sync(active, warp_res, leader);
  return warp_res + rank;
}
__global__ void compact(const int *in, int *out, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 0) out[atomicAggInc(count)] = in[i];
}
__inline__ __device__ int warpReduceSum(int val) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) val += __shfl_down_sync(FULL_MASK, val, offset);
  return val;
}
__inline__ __device__ int warpAllReduceSum(int val) {
  for (int mask = warpSize / 2; mask > 0; mask /= 2) val += __shfl_xor_sync(FULL_MASK, val, mask);
  return val;
}
__inline__ __device__ int blockReduceSum(int val) {
  static __shared__ int shared[32];
  int lane = threadIdx.x % warpSize;
  int wid = threadIdx.x / warpSize;
  val = warpReduceSum(val);
  if (lane == 0) shared[wid] = val;
  __syncthreads();
  val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
  if (wid == 0) val = warpReduceSum(val);
  return val;
}
__global__ void deviceReduceKernel(int *in, int *out, int N) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x) sum += in[i];
  sum = blockReduceSum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
__global__ void vote_and_match(const int *in, unsigned *ballots, int *same, int *all) {
  int i = threadIdx.x;
  unsigned b = __ballot_sync(FULL_MASK, in[i] & 1);
  unsigned m = __match_any_sync(FULL_MASK, in[i] % 5);
  if ((i & 31) == 0) ballots[i / 32] = b;
  same[i] = __popc(m);
  all[i] = __all_sync(FULL_MASK, in[i] >= 0) + 2 * __any_sync(FULL_MASK, in[i] > 90) + 4 * (warpAllReduceSum(in[i]) > 1000);
}
__global__ void broadcast_lane(int *x) {
  int v = threadIdx.x;
  v = __shfl_sync(FULL_MASK, v, 5);
  int w = __shfl_up_sync(FULL_MASK, (int)threadIdx.x, 1, 8);
  x[threadIdx.x] = v * 100 + w;
}
int main() {
  const int n = 3000;
  std::vector<int> h(n), o(n);
  for (int i = 0; i < n; ++i) h[i] = (i * 71) % 97;
  int *in, *out, *count, c, want = 0, total = 0;
  for (int v : h) want += v % 3 == 0, total += v;
  cudaMalloc(&in, n * 4); cudaMalloc(&out, n * 4); cudaMalloc(&count, 4);
  cudaMemcpy(in, h.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemset(count, 0, 4);
  compact<<<(n + 255) / 256, 256>>>(in, out, count, n);
  cudaMemcpy(&c, count, 4, cudaMemcpyDeviceToHost);
  printf("compacted %d of %d\n", c, want);
  deviceReduceKernel<<<8, 128>>>(in, out, n);
  deviceReduceKernel<<<1, 1024>>>(out, out, 8);
  cudaMemcpy(&c, out, 4, cudaMemcpyDeviceToHost);
  printf("sum %s\n", c == total ? "ok" : "wrong");
  unsigned *ballots, hb[2];
  int *same, *all, hs[64], ha[64];
  cudaMalloc(&ballots, 8); cudaMalloc(&same, 256); cudaMalloc(&all, 256);
  vote_and_match<<<1, 64>>>(in, ballots, same, all);
  cudaMemcpy(hb, ballots, 8, cudaMemcpyDeviceToHost);
  cudaMemcpy(hs, same, 256, cudaMemcpyDeviceToHost);
  cudaMemcpy(ha, all, 256, cudaMemcpyDeviceToHost);
  printf("%08x %08x %d %d %d\n", hb[0], hb[1], hs[0], hs[40], ha[63]);
  broadcast_lane<<<1, 32>>>(same);
  cudaMemcpy(hs, same, 128, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", hs[0], hs[7], hs[8]);
  for (void *p : {(void *)in, (void *)out, (void *)count, (void *)ballots, (void *)same, (void *)all}) cudaFree(p);
}
