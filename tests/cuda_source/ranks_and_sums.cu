// SPDX-License-Identifier: Apache-2.0
// Tiles that are loaded by ranks, some threads taking no part; products with neighbours in registers; sums of warps that are
// used behind a barrier by one lane; a thread that is noted on a way past a shuffle. All of them run as loops.
#include <cstdio>
#include <vector>

constexpr int kSide = 16, kBlocks = 5, kCells = kSide * kSide * 4;

// Of 12 x 12 elements, not all threads have one; of 20 x 20, some have two.
template <int tile_side>
__global__ void by_ranks(const int* in, int* out) {
  __shared__ int tile[tile_side][tile_side];
  const int rank = threadIdx.y * blockDim.x + threadIdx.x;
  int last = static_cast<int>(blockIdx.x) * 3;
  for (int i = rank; i < tile_side * tile_side; i += blockDim.x * blockDim.y) {
    tile[i / tile_side][i % tile_side] = in[(i * 7 + blockIdx.x) % kCells];
    last = i;
  }
  __syncthreads();
  out[blockIdx.x * kSide * kSide + rank] = tile[threadIdx.x % tile_side][threadIdx.y % tile_side] * 1000 + last;
}

// A thread has 4 x 4 elements of a product.
__global__ void product(const int* a, const int* b, int* c) {
  __shared__ float left[8][64], right[8][64];
  const int tx = threadIdx.x, ty = threadIdx.y, rank = ty * kSide + tx;
  float sums[4][4] = {};
  for (int k0 = 0; k0 < 16; k0 += 8) {
    for (int i = rank; i < 8 * 64; i += kSide * kSide) {
      left[i / 64][i % 64] = static_cast<float>(a[(k0 * 64 + i) % kCells]);
      right[i / 64][i % 64] = static_cast<float>(b[(k0 * 64 + i + 5) % kCells]);
    }
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) sums[i][j] += left[k][ty * 4 + i] * right[k][tx * 4 + j];
    __syncthreads();
  }
  float all = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) all += sums[i][j] * (i * 4 + j);
  c[blockIdx.x * kSide * kSide + rank] = static_cast<int>(all) + static_cast<int>(blockIdx.x);
}

__device__ float block_sum(float v, float* shared) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  __syncthreads();
  if (lane == 0) shared[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? shared[lane] : 0.0f;
  if (warp == 0)
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x == 0) shared[0] = v;
  __syncthreads();
  return shared[0];
}
__global__ void two_sums(const int* in, int* out, int n) {
  __shared__ float shared[32];
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += in[i] + blockIdx.x;
  const float mean = block_sum(sum, shared) / n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) squares += (in[i] - mean) * (in[i] - mean);
  out[blockIdx.x * kSide * kSide + threadIdx.x] = static_cast<int>(block_sum(squares, shared) * 64) + threadIdx.x;
}

int main() {
  int *in, *out;
  constexpr int kAll = kBlocks * kSide * kSide;
  cudaMalloc(&in, kCells * sizeof(int));
  cudaMalloc(&out, kAll * sizeof(int));
  std::vector<int> values(kCells), results(kAll);
  for (int i = 0; i < kCells; ++i) values[i] = i * 7 % 31;
  cudaMemcpy(in, values.data(), kCells * sizeof(int), cudaMemcpyHostToDevice);
  const auto show = [&](const char* what) {
    cudaMemcpy(results.data(), out, kAll * sizeof(int), cudaMemcpyDeviceToHost);
    unsigned sum = 0;
    for (const int v : results) sum = sum * 31 + static_cast<unsigned>(v);
    std::printf("%s %u, first %d\n", what, sum, results[0]);
  };
  const dim3 square(kSide, kSide);
  by_ranks<12><<<kBlocks, square>>>(in, out);
  show("by_ranks 12");
  by_ranks<20><<<kBlocks, square>>>(in, out);
  show("by_ranks 20");
  product<<<kBlocks, square>>>(in, in, out);
  show("product");
  for (const int n : {kCells, 300, 7}) {
    two_sums<<<kBlocks, kSide * kSide>>>(in, out, n);
    show("two_sums");
  }
  cudaFree(in);
  cudaFree(out);
}
