// SPDX-License-Identifier: Apache-2.0
// Operations of whole warps as CUDA programs write them: all of these kernels run as loops (tests/compile/cuda_loops.py).
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <vector>
namespace cg = cooperative_groups;
#define FULL_MASK 0xffffffffu

__inline__ __device__ int warp_reduce_sum(int val) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) val += __shfl_down_sync(FULL_MASK, val, offset);
  return val;
}
__inline__ __device__ int block_reduce_sum(int val) {
  static __shared__ int shared[32];
  int lane = threadIdx.x % warpSize;
  int wid = threadIdx.x / warpSize;
  val = warp_reduce_sum(val);
  if (lane == 0) shared[wid] = val;
  __syncthreads();
  val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
  if (wid == 0) val = warp_reduce_sum(val);
  return val;
}
__global__ void device_reduce(const int *in, int *out, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  sum = block_reduce_sum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}
__global__ void warp_scan(const int *in, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int v = in[i];
  for (int d = 1; d < 32; d *= 2) {
    const int up = __shfl_up_sync(FULL_MASK, v, d);
    if (lane >= d) v += up;
  }
  out[i] = v;
}
__global__ void votes(const int *in, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned odd = __ballot_sync(FULL_MASK, in[i] & 1);
  int v = __popc(odd & ((1u << (threadIdx.x & 31)) - 1));
  if (__any_sync(FULL_MASK, in[i] == 7)) v += 100;
  if (__all_sync(FULL_MASK, in[i] >= 0)) v += 1000;
  out[i] = v + static_cast<int>(__reduce_max_sync(FULL_MASK, in[i] % 13));
}
__global__ void exchange(const int *in, int *out) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncwarp();
  const int v = s[t ^ 1];
  __syncwarp();
  s[t] = v + s[t];
  cg::this_thread_block().sync();
  out[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t];
}
template <int Size>
__global__ void tiles(const int *in, int *out) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[i];
  for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_xor(v, d);
  tile.sync();
  out[i] = v + cg::reduce(tile, in[i], cg::greater<int>()) + static_cast<int>(tile.thread_rank());
}

// Rows whose ends are read, of elements that say where to go on. In a row's last turn, some lanes take part.
__global__ void where_elements_say(const int *in, int *out, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  const int begin = in[row] * 3, end = begin + in[row + 1] % 67;
  int sum = 1;
  for (int k = begin + lane; k < end; k += 32) sum = sum * 3 + in[in[k] * 7] * in[k + 1];
  for (int k = begin + lane; k <= end; k += 32) sum += in[in[in[k]]] ^ in[in[k + 1] + in[row]];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(FULL_MASK, sum, d) * d;
  out[row * 32 + lane] = sum;
}
__global__ void up_to_the_last(const int *in, int *out, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  const int last = in[row + 7];
  int sum = lane;
  for (int k = in[row] + lane; k <= last; k += 32) sum = sum * 5 + in[k];
  sum ^= warp_reduce_sum(sum);
  out[row * 32 + lane] = sum;
}
// A loop of each thread, in a file with volatile data.
__global__ void volatile_tail(const int *in, int *out, int n) {
  __shared__ int sums[128];
  const int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t, mine = 0;
  while (i < n) {
    mine += in[i];
    i += blockDim.x * gridDim.x;
  }
  sums[t] = mine;
  __syncthreads();
  if (t < 64) sums[t] += sums[t + 64];
  __syncthreads();
  if (t < 32) {
    volatile int *s = sums;
    int v = s[t] + s[t + 32];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (t == 0) out[blockIdx.x] = v;
  }
}

int main() {
  const int n = 4096;
  std::vector<int> host(n), back(n);
  for (int i = 0; i < n; ++i) host[i] = (i * 37) % 101;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  const auto show = [&](const char *what) {
    cudaMemcpy(back.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) sum = sum * 31u + static_cast<unsigned>(back[i]);
    printf("%s %u, first %d\n", what, sum, back[0]);
    cudaMemset(out, 0, n * sizeof(int));
  };
  cudaMemset(out, 0, n * sizeof(int));
  device_reduce<<<8, 128>>>(in, out, n);
  show("device_reduce");
  warp_scan<<<n / 256, 256>>>(in, out);
  show("warp_scan");
  votes<<<n / 96, 96>>>(in, out, n / 96 * 96);
  show("votes");
  exchange<<<n / 256, 256>>>(in, out);
  show("exchange");
  tiles<32><<<n / 128, 128>>>(in, out);
  show("tiles<32>");
  tiles<8><<<n / 128, 128>>>(in, out);
  show("tiles<8>");
  where_elements_say<<<n / 128, 128>>>(in, out, n / 32 - 3);
  show("where_elements_say");
  up_to_the_last<<<n / 128, 128>>>(in, out, n / 32 - 3);
  show("up_to_the_last");
  volatile_tail<<<8, 128>>>(in, out, n);
  show("volatile_tail");
  cudaFree(in);
  cudaFree(out);
}
