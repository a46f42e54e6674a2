// SPDX-License-Identifier: Apache-2.0
// CUB: items of a warp loaded, exchanged, sorted and stored; scans by keys, differences, many copies at once.
#include <cub/cub.cuh>

#include <cstdio>
#include <vector>

struct Larger {
  __device__ bool operator()(int a, int b) const { return a > b; }
};
struct Less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};

const int kItems = 4, kThreads = 64;

template <int Lanes>
__global__ void warps(const int *in, int *striped, int *sorted, int *values, int *largest) {
  typedef cub::WarpLoad<int, kItems, cub::WARP_LOAD_TRANSPOSE, Lanes> Load;
  typedef cub::WarpStore<int, kItems, cub::WARP_STORE_STRIPED, Lanes> StoreStriped;
  typedef cub::WarpStore<int, kItems, cub::WARP_STORE_TRANSPOSE, Lanes> Store;
  typedef cub::WarpExchange<int, kItems, Lanes> Exchange;
  typedef cub::WarpMergeSort<int, kItems, Lanes, int> Sort;
  typedef cub::WarpReduce<int, Lanes> Reduce;
  const int groups = kThreads / Lanes;
  __shared__ union {
    typename Load::TempStorage load;
    typename StoreStriped::TempStorage store_striped;
    typename Store::TempStorage store;
    typename Exchange::TempStorage exchange;
    typename Sort::TempStorage sort;
    typename Reduce::TempStorage reduce;
  } temp[groups];
  const int group = threadIdx.x / Lanes, first = group * Lanes * kItems;
  int items[kItems], turned[kItems], places[kItems];
  Load(temp[group].load).Load(in + first, items);
  __syncwarp();
  Exchange(temp[group].exchange).BlockedToStriped(items, turned);
  __syncwarp();
  StoreStriped(temp[group].store_striped).Store(striped + first, turned);
  __syncwarp();
  for (int i = 0; i < kItems; ++i) places[i] = first + threadIdx.x % Lanes * kItems + i;
  int sum = 0;
  for (int i = 0; i < kItems; ++i) sum += items[i];
  const int most = Reduce(temp[group].reduce).Reduce(sum, cub::Max());
  if (threadIdx.x % Lanes == 0) largest[group] = most;
  __syncwarp();
  Sort(temp[group].sort).Sort(items, places, Larger());
  __syncwarp();
  Store(temp[group].store).Store(sorted + first, items);
  __syncwarp();
  Store(temp[group].store).Store(values + first, places);
}

template <class Call>
static void with_storage(Call call) {
  void *temp = NULL;
  size_t bytes = 0;
  CubDebugExit(call(temp, bytes));
  CubDebugExit(cudaMalloc(&temp, bytes));
  CubDebugExit(call(temp, bytes));
  CubDebugExit(cudaFree(temp));
}
static void print(const char *name, const int *d, std::initializer_list<int> which) {
  std::printf("%s:", name);
  for (int i : which) {
    int v;
    cudaMemcpy(&v, d + i, sizeof v, cudaMemcpyDeviceToHost);
    std::printf(" %d", v);
  }
  std::printf("\n");
}

int main() {
  const int n = kThreads * kItems;
  std::vector<int> h(n), same(n);
  int *in, *keys, *out, *second, *third, *largest;
  for (int i = 0; i < n; ++i) h[i] = (i * 37 + 11) % 101;
  for (int i = 0; i < n; ++i) same[i] = i / 50;
  for (int **p : {&in, &keys, &out, &second, &third, &largest}) cudaMalloc(p, n * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(keys, same.data(), n * sizeof(int), cudaMemcpyHostToDevice);

  warps<32><<<1, kThreads>>>(in, out, second, third, largest);
  print("as it was", out, {0, 1, 2, 130, 255});
  print("sorted", second, {0, 1, 127, 128, 255});
  print("from", third, {0, 1, 127, 128, 255});
  print("largest", largest, {0, 1});
  warps<16><<<1, kThreads>>>(in, out, second, third, largest);
  print("by sixteen", second, {0, 63, 64, 255});
  print("largest", largest, {0, 3});

  with_storage([=](void *t, size_t &b) { return cub::DeviceScan::InclusiveSumByKey(t, b, keys, in, out, n); });
  print("sums by key", out, {0, 49, 50, 255});
  with_storage([=](void *t, size_t &b) { return cub::DeviceScan::ExclusiveSumByKey(t, b, keys, in, out, n); });
  print("before them", out, {0, 49, 50, 255});
  with_storage([=](void *t, size_t &b) { return cub::DeviceScan::InclusiveScanByKey(t, b, keys, in, out, cub::Max(), n); });
  print("largest so far", out, {0, 49, 50, 255});
  with_storage([=](void *t, size_t &b) { return cub::DeviceScan::ExclusiveScanByKey(t, b, keys, in, out, cub::Min(), 7, n); });
  print("least before", out, {0, 49, 50, 255});
  with_storage([=](void *t, size_t &b) { return cub::DeviceAdjacentDifference::SubtractLeftCopy(t, b, in, out, n); });
  print("left differences", out, {0, 1, 2, 255});
  with_storage([=](void *t, size_t &b) { return cub::DeviceAdjacentDifference::SubtractRightCopy(t, b, in, out, n); });
  print("right differences", out, {0, 1, 254, 255});
  for (int *p : {in, keys, out, second, third, largest}) cudaFree(p);
  return 0;
}
