// SPDX-License-Identifier: Apache-2.0
// CUB's device-wide functions, each asked first how much memory it wants.
#include <cub/cub.cuh>

#include <cstdio>
#include <vector>

cub::CachingDeviceAllocator g_allocator(true);

struct Even {
  __host__ __device__ bool operator()(const int &a) const { return a % 2 == 0; }
};

template <class Call>
void with_storage(Call call) {
  void *temp = NULL;
  size_t bytes = 0;
  CubDebugExit(call(temp, bytes));
  CubDebugExit(g_allocator.DeviceAllocate(&temp, bytes));
  CubDebugExit(call(temp, bytes));
  CubDebugExit(g_allocator.DeviceFree(temp));
}
int first_of(const int *d) {
  int v;
  cudaMemcpy(&v, d, sizeof v, cudaMemcpyDeviceToHost);
  return v;
}

int main() {
  const int n = 3000;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = (i * 7919 + 13) % 1009 - 500;
  int *in, *out, *values, *values_out, *count;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&values_out, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaMemcpy(values, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);

  with_storage([=](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, in, count, n); });
  std::printf("sum %d", first_of(count));
  with_storage([=](void *t, size_t &b) { return cub::DeviceReduce::Min(t, b, in, count, n); });
  std::printf(", least %d", first_of(count));
  with_storage([=](void *t, size_t &b) { return cub::DeviceScan::InclusiveSum(t, b, in, out, n); });
  std::printf(", scanned %d\n", first_of(out + n - 1));
  with_storage([=](void *t, size_t &b) { return cub::DeviceRadixSort::SortPairs(t, b, in, out, values, values_out, n); });
  std::printf("sorted %d (%d) to %d (%d)\n", first_of(out), first_of(values_out), first_of(out + n - 1), first_of(values_out + n - 1));
  int *lengths = values;
  with_storage([=](void *t, size_t &b) { return cub::DeviceRunLengthEncode::Encode(t, b, out, values_out, lengths, count, n); });
  std::printf("runs %d, first %d times %d\n", first_of(count), first_of(lengths), first_of(values_out));
  with_storage([=](void *t, size_t &b) { return cub::DeviceSelect::If(t, b, in, out, count, n, Even()); });
  std::printf("even %d, second %d\n", first_of(count), first_of(out + 1));
  cub::DoubleBuffer<int> keys(in, out);
  with_storage([&](void *t, size_t &b) { return cub::DeviceRadixSort::SortKeysDescending(t, b, keys, n); });
  std::printf("descending %d to %d\n", first_of(keys.Current()), first_of(keys.Current() + n - 1));
  with_storage([&](void *t, size_t &b) { return cub::DeviceHistogram::HistogramEven(t, b, keys.Current(), values, 5, -500, 500, n); });
  std::printf("histogram %d %d\n", first_of(values), first_of(values + 3));
  cudaFree(in);
  cudaFree(out);
  cudaFree(values);
  cudaFree(values_out);
  cudaFree(count);
  return 0;
}
