// SPDX-License-Identifier: Apache-2.0
// CUB's device-wide functions: choices, partitions in three, histograms of channels, merges, sorts of segments, results
// that a later kernel reads as initial value.
#include <cub/cub.cuh>

#include <cstdio>
#include <initializer_list>
#include <vector>

struct Odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct Below {
  int limit;
  __host__ __device__ bool operator()(int x) const { return x < limit; }
};
struct Less {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};
struct Plus {
  __host__ __device__ int operator()(int a, int b) const { return a + b; }
};
struct SameTens {
  __host__ __device__ bool operator()(int a, int b) const { return a / 10 == b / 10; }
};
struct AddTo {
  int *sum;
  __device__ void operator()(int x) const { atomicAdd(sum, x); }
};
struct Difference {
  __host__ __device__ int operator()(int a, int b) const { return a - b; }
};

template <class Call>
static void with_storage(Call call) {
  void *temp = NULL;
  size_t bytes = 0;
  CubDebugExit(call(temp, bytes));
  CubDebugExit(cudaMalloc(&temp, bytes));
  CubDebugExit(call(temp, bytes));
  CubDebugExit(cudaFree(temp));
}
template <class T>
static T *on_device(std::initializer_list<T> all) {
  T *p;
  cudaMalloc(&p, all.size() * sizeof(T));
  cudaMemcpy(p, all.begin(), all.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
template <class T>
static void print(const char *name, const T *d, int n) {
  std::vector<T> h(n);
  cudaMemcpy(h.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
  std::printf("%s:", name);
  for (T v : h) std::printf(" %d", (int)v);
  std::printf("\n");
}
static int first_of(const int *d) {
  int v;
  cudaMemcpy(&v, d, sizeof v, cudaMemcpyDeviceToHost);
  return v;
}

int main() {
  const int n = 12;
  int *in = on_device({3, 4, 8, 1, 11, 20, 25, 27, 31, 30, 7, 2});
  int *flags = on_device({1, 2, 3, 0, 5, 0, 0, 1, 1, 2, 0, 3});
  int *out, *second, *third, *count, *both;
  for (int **p : {&out, &second, &third, &count, &both}) cudaMalloc(p, 64 * sizeof(int));

  with_storage([=](void *t, size_t &b) { return cub::DeviceSelect::FlaggedIf(t, b, in, flags, out, count, n, Odd()); });
  print("odd flags", out, first_of(count));
  cudaMemcpy(both, in, n * sizeof(int), cudaMemcpyDeviceToDevice);
  with_storage([=](void *t, size_t &b) { return cub::DeviceSelect::Flagged(t, b, both, flags, count, n); });
  print("flagged, in place", both, first_of(count));
  cudaMemcpy(both, in, n * sizeof(int), cudaMemcpyDeviceToDevice);
  with_storage([=](void *t, size_t &b) { return cub::DeviceSelect::If(t, b, both, count, n, Odd()); });
  print("odd, in place", both, first_of(count));
  with_storage([=](void *t, size_t &b) {
    return cub::DeviceSelect::UniqueByKey(t, b, in, flags, out, second, count, n);
  });
  print("all differ", out, first_of(count));
  with_storage([=](void *t, size_t &b) {
    return cub::DevicePartition::If(t, b, in, out, second, third, count, n, Below{5}, Below{26});
  });
  const int small = first_of(count), middle = first_of(count + 1);
  print("small", out, small);
  print("middle", second, middle);
  print("large", third, n - small - middle);

  // Pixels of four channels, of which three count; two rows of three pixels, with a gap.
  unsigned char *pixels = on_device<unsigned char>({0, 10, 200, 9, 50, 20, 100, 9, 99, 255, 0, 9, 7, 7, 7, 7,   //
                                                    1, 11, 201, 9, 51, 21, 101, 9, 98, 254, 3, 9, 7, 7, 7, 7});
  int *histograms[3] = {out, second, third};
  int levels[3] = {3, 5, 3};
  int lower[3] = {0, 0, 0}, upper[3] = {100, 256, 256};
  with_storage([&](void *t, size_t &b) {
    return cub::DeviceHistogram::MultiHistogramEven<4, 3>(t, b, pixels, histograms, levels, lower, upper, 3, 2, 16);
  });
  print("red", out, 2);
  print("green", second, 4);
  print("blue", third, 2);
  with_storage([&](void *t, size_t &b) {
    return cub::DeviceHistogram::MultiHistogramEven<4, 3>(t, b, pixels, histograms, levels, lower, upper, 3);
  });
  print("green of a row", second, 4);
  int *edges = on_device({0, 5, 10, 30});
  with_storage([=](void *t, size_t &b) { return cub::DeviceHistogram::HistogramRange(t, b, in, out, 4, edges, n); });
  print("by edges", out, 3);
  with_storage([=](void *t, size_t &b) {
    return cub::DeviceHistogram::HistogramEven(t, b, in, out, 4, 0, 30, 3, 3, 4 * sizeof(int));
  });
  print("rows of three", out, 3);

  int *low = on_device({1, 4, 4, 9}), *low_values = on_device({10, 11, 12, 13});
  int *high = on_device({0, 4, 7, 9, 12}), *high_values = on_device({20, 21, 22, 23, 24});
  with_storage([=](void *t, size_t &b) { return cub::DeviceMerge::MergeKeys(t, b, low, 4, high, 5, out); });
  print("merged", out, 9);
  with_storage([=](void *t, size_t &b) {
    return cub::DeviceMerge::MergePairs(t, b, low, low_values, 4, high, high_values, 5, out, second);
  });
  print("merged values", second, 9);
  with_storage([=](void *t, size_t &b) { return cub::DeviceMergeSort::SortKeysCopy(t, b, in, out, n, Less()); });
  print("sorted copy", out, n);
  with_storage([=](void *t, size_t &b) {
    return cub::DeviceMergeSort::SortPairsCopy(t, b, in, flags, out, second, n, Less());
  });
  print("with values", second, n);

  int *begins = on_device({0, 4, 4, 9, 12});
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaDeviceSynchronize();
  with_storage([=](void *t, size_t &b) {
    return cub::DeviceSegmentedSort::StableSortKeysDescending(t, b, in, out, n, 4, begins, begins + 1, stream);
  });
  cudaStreamSynchronize(stream);
  print("segments down", out, n);
  with_storage([=](void *t, size_t &b) {
    return cub::DeviceSegmentedSort::SortPairs(t, b, in, out, flags, second, n, 4, begins, begins + 1);
  });
  print("segments up", out, n);
  print("their values", second, n);
  cudaMemcpy(both, in, n * sizeof(int), cudaMemcpyDeviceToDevice);
  cub::DoubleBuffer<int> keys(both, out);
  with_storage([&](void *t, size_t &b) {
    return cub::DeviceSegmentedRadixSort::SortKeys(t, b, keys, n, 4, begins, begins + 1, 0, 5);
  });
  print("five bits", keys.Current(), n);
  cub::KeyValuePair<int, int> *best;
  cudaMalloc(&best, 4 * sizeof *best);
  int *nonempty = on_device({0, 4, 9, 12});
  with_storage([=](void *t, size_t &b) {
    return cub::DeviceSegmentedReduce::ArgMax(t, b, in, best, 3, nonempty, nonempty + 1);
  });
  print("largest of segments", (int *)best, 6);
  with_storage([=](void *t, size_t &b) {
    return cub::DeviceSegmentedReduce::ArgMin(t, b, in, best, 3, nonempty, nonempty + 1);
  });
  print("least of segments", (int *)best, 6);

  // The sum of one call is where the next one begins.
  with_storage([=](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, in, count, n); });
  with_storage([=](void *t, size_t &b) {
    return cub::DeviceScan::ExclusiveScan(t, b, in, out, Plus(), cub::FutureValue<int>(count), n);
  });
  print("from the sum on", out, n);
  cudaMemcpy(both, in, n * sizeof(int), cudaMemcpyDeviceToDevice);
  with_storage([=](void *t, size_t &b) { return cub::DeviceScan::InclusiveScan(t, b, both, Plus(), n); });
  print("in place", both, n);
  with_storage([=](void *t, size_t &b) {
    return cub::DeviceAdjacentDifference::SubtractLeft(t, b, both, n, Difference());
  });
  print("and back", both, n);
  cudaMemset(count, 0, sizeof(int));
  cub::DeviceFor::ForEachCopyN(in, n, AddTo{count});
  cub::DeviceFor::ForEachCopy(in, in + 3, AddTo{count});
  std::printf("added %d\n", first_of(count));
  cub::DeviceTransform::Transform(cuda::std::make_tuple(in, flags), out, n, Plus());
  print("sums", out, n);
  for (int *p : {in, flags, out, second, third, count, both, edges, low, low_values, high, high_values, begins, nonempty}) cudaFree(p);
  cudaFree(pixels);
  cudaFree(best);
  cudaStreamDestroy(stream);
  return 0;
}
