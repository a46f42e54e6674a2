// SPDX-License-Identifier: Apache-2.0
// CUB's collectives of blocks and warps: load, sort, store, scan, reduce, in one storage with a barrier between.
#include <cub/cub.cuh>

#include <cstdio>
#include <vector>

template <int B, int N>
__global__ void sort_tile(const int *in, int *out, int *sums) {
  typedef cub::BlockLoad<int, B, N, cub::BLOCK_LOAD_TRANSPOSE> Load;
  typedef cub::BlockStore<int, B, N, cub::BLOCK_STORE_TRANSPOSE> Store;
  typedef cub::BlockRadixSort<int, B, N> Sort;
  typedef cub::BlockScan<int, B> Scan;
  typedef cub::BlockReduce<int, B> Reduce;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Sort::TempStorage sort;
    typename Scan::TempStorage scan;
    typename Reduce::TempStorage reduce;
  } temp;
  int items[N];
  const int offset = blockIdx.x * B * N;
  Load(temp.load).Load(in + offset, items);
  __syncthreads();
  Sort(temp.sort).Sort(items);
  __syncthreads();  // sorted
  Store(temp.store).Store(out + offset, items);
  __syncthreads();  // stored
  int total;
  Scan(temp.scan).ExclusiveSum(items, items, total);
  __syncthreads();  // scanned
  int firsts = Reduce(temp.reduce).Reduce(items[0], [](int a, int b) { return a < b ? b : a; });
  if (threadIdx.x == 0) {
    sums[2 * blockIdx.x] = total;
    sums[2 * blockIdx.x + 1] = firsts;
  }
}

struct running_prefix {
  int total;
  __device__ int operator()(int sum) {
    const int before = total;
    total += sum;
    return before;
  }
};
__global__ void scan_tiles(const int *in, int *out, int n) {
  typedef cub::BlockScan<int, 128> Scan;
  __shared__ typename Scan::TempStorage temp;
  running_prefix prefix = {0};
  for (int first = 0; first < n; first += 128) {
    int v = first + threadIdx.x < n ? in[first + threadIdx.x] : 0;
    Scan(temp).InclusiveSum(v, v, prefix);
    if (first + threadIdx.x < n) out[first + threadIdx.x] = v;
    __syncthreads();  // the storage is used again
  }
}

__global__ void warps(int *out) {
  typedef cub::WarpReduce<int> Reduce;
  typedef cub::WarpScan<int, 16> Scan;
  __shared__ typename Reduce::TempStorage reduce[4];
  __shared__ typename Scan::TempStorage scan[8];
  const int warp = threadIdx.x / 32;
  int place;
  const int sum = Reduce(reduce[warp]).Sum((int)threadIdx.x);
  Scan(scan[threadIdx.x / 16]).ExclusiveSum(1, place);
  if (threadIdx.x % 32 == 0) out[warp] = sum;
  if (threadIdx.x == 77) out[4] = place;
}

__global__ void histogram(const unsigned char *in, int *out) {
  typedef cub::BlockHistogram<unsigned char, 64, 4, 16, cub::BLOCK_HISTO_ATOMIC> Histogram;
  __shared__ typename Histogram::TempStorage temp;
  __shared__ int bins[16];
  unsigned char items[4];
  cub::LoadDirectStriped<64>(threadIdx.x, in, items);
  Histogram(temp).Histogram(items, bins);
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x];
}

int main() {
  const int n = 4 * 64 * 3;
  std::vector<int> h(n), r(n);
  for (int i = 0; i < n; ++i) h[i] = (i * 7919 + 13) % 1009 - 500;
  int *in, *out, *sums;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&sums, 16 * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  sort_tile<64, 3><<<4, 64>>>(in, out, sums);
  int s[16];
  cudaMemcpy(r.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(s, sums, 8 * sizeof(int), cudaMemcpyDeviceToHost);
  bool sorted = true;
  int total = 0;
  for (int i = 0; i < n; ++i) {
    sorted = sorted && (i % 192 == 0 || r[i - 1] <= r[i]);
    if (i < 192) total += h[i];
  }
  std::printf("tiles sorted %d, first sum right %d, largest first %d\n", sorted, s[0] == total, s[1]);

  scan_tiles<<<1, 128>>>(in, out, 500);
  cudaMemcpy(r.data(), out, 500 * sizeof(int), cudaMemcpyDeviceToHost);
  int sum = 0;
  bool right = true;
  for (int i = 0; i < 500; ++i) right = right && r[i] == (sum += h[i]);
  std::printf("running scan %d\n", right);

  warps<<<1, 128>>>(sums);
  cudaMemcpy(s, sums, 5 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("warps %d %d %d %d, place %d\n", s[0], s[1], s[2], s[3], s[4]);

  unsigned char letters[256], *d_letters;
  for (int i = 0; i < 256; ++i) letters[i] = (i * i) % 16;
  cudaMalloc(&d_letters, 256);
  cudaMemcpy(d_letters, letters, 256, cudaMemcpyHostToDevice);
  histogram<<<1, 64>>>(d_letters, sums);
  cudaMemcpy(s, sums, 16 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("bins %d %d %d %d\n", s[0], s[1], s[4], s[9]);
  cudaFree(in);
  cudaFree(out);
  cudaFree(sums);
  cudaFree(d_letters);
  return 0;
}
