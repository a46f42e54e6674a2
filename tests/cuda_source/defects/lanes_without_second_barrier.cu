// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp that meet once in each turn of a loop, where they have to meet twice: the fix names the other place.
// options: --check all
// code: 3
// says: the loop's body, behind line 17: line 15 belongs to the loop's next turn
// says: write behind the barrier, and put another at
// says: put __syncwarp.. at the end of the loop's body, behind line 52: line 50 belongs to the
// says: 3 errors;
#include <cuda_runtime.h>
template <bool Right>
__global__ void exchange(const float* in, float* out) {
  __shared__ float s[32];
  float v = in[threadIdx.x];
  for (int o = 16; o > 0; o /= 2) {
    s[threadIdx.x] = v;
    __syncwarp();
    v += s[(threadIdx.x + o) % 32];
    if (Right) __syncwarp();
  }
  out[threadIdx.x] = v;
}
__global__ void all_add(const float* in, float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[t], s[t + 32] = 0;
  __syncwarp();
  for (int o = 16; o > 0; o >>= 1) {
    s[t] += s[t + o];
  }
  if (t == 0) *out = s[0];
}
__global__ void all_add_right(const float* in, float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[t], s[t + 32] = 0;
  __syncwarp();
  for (int o = 16; o > 0; o >>= 1) {
    const float v = s[t + o];
    __syncwarp();
    s[t] += v;
    __syncwarp();
  }
  if (t == 0) *out = s[0];
}
template <bool Right>
__global__ void rows_of_warps(const float* in, float* out, int n) {
  __shared__ float s[2][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int row = warp; row < n; row += 2) {
    s[warp][lane] = in[row * 32 + lane];
    __syncwarp();
    out[row * 32 + lane] = s[warp][31 - lane];
    if (Right) __syncwarp();
  }
}
int main() {
  float *in, *out, h[128] = {};
  cudaMalloc(&in, sizeof h), cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  exchange<true><<<1, 32>>>(in, out), all_add_right<<<1, 32>>>(in, out);
  exchange<false><<<1, 32>>>(in, out), all_add<<<1, 32>>>(in, out);
  rows_of_warps<true><<<1, 64>>>(in, out, 4), rows_of_warps<false><<<1, 64>>>(in, out, 4);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(in), cudaFree(out);
}
