// SPDX-License-Identifier: Apache-2.0
// Thrust's rarer algorithms: questions about order, copies that choose, iterators that are written through, vectors in
// managed memory.
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/replace.h>
#include <thrust/sort.h>
#include <thrust/unique.h>
#include <thrust/universal_vector.h>

#include <cstdio>

template <class V>
static void print(const char *name, const V &v, int n) {
  std::printf("%s:", name);
  for (int i = 0; i < n; ++i) std::printf(" %d", (int)v[i]);
  std::printf("\n");
}

struct is_odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct squared {
  __host__ __device__ int operator()(int x) const { return x * x; }
};

__global__ void add_one(int *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}

int main() {
  const int values[10] = {1, 3, 3, 3, 5, 7, 2, 2, 8, 8};
  thrust::device_vector<int> x(values, values + 10), y(10), z(10), map(10);
  std::printf("sorted until %d, odd until %d, partitioned %d\n", (int)(thrust::is_sorted_until(x.begin(), x.end()) - x.begin()),
              (int)(thrust::partition_point(x.begin(), x.end(), is_odd()) - x.begin()),
              (int)thrust::is_partitioned(thrust::device, x.begin(), x.end(), is_odd()));
  const auto threes = thrust::equal_range(x.begin(), x.begin() + 6, 3);
  std::printf("threes from %d to %d\n", (int)(threes.first - x.begin()), (int)(threes.second - x.begin()));

  for (int i = 0; i < 10; ++i) map[i] = 9 - i;
  thrust::gather_if(map.begin(), map.end(), x.begin(), x.begin(), y.begin(), is_odd());
  print("gathered", y, 10);
  thrust::replace_copy_if(x.begin(), x.end(), y.begin(), is_odd(), 0);
  print("even ones", y, 10);
  thrust::replace_copy(thrust::device, x.begin(), x.end(), y.begin(), 3, 4);
  print("threes are four", y, 10);
  const auto ends = thrust::unique_by_key_copy(x.begin(), x.end(), map.begin(), y.begin(), z.begin());
  print("keys", y, (int)(ends.first - y.begin()));
  print("values", z, (int)(ends.second - z.begin()));
  const auto parts = thrust::stable_partition_copy(x.begin(), x.end(), y.begin(), z.begin(), is_odd());
  print("odd", y, (int)(parts.first - y.begin()));
  print("even", z, (int)(parts.second - z.begin()));

  thrust::device_vector<int> keys(10), merged(10);
  thrust::sort(x.begin() + 6, x.end());
  thrust::merge_by_key(x.begin(), x.begin() + 6, x.begin() + 6, x.end(), map.begin(), map.begin() + 6, keys.begin(), merged.begin());
  print("merged keys", keys, 10);
  print("merged values", merged, 10);

  auto squares = thrust::make_transform_output_iterator(y.begin(), squared());
  thrust::copy(x.begin(), x.end(), squares);
  print("squares", y, 10);

  // The algorithm comes after the kernel, which nobody waits for.
  thrust::universal_vector<int> shared(1000, 1);
  add_one<<<4, 256>>>(thrust::raw_pointer_cast(shared.data()), 1000);
  std::printf("sum %d\n", thrust::reduce(shared.begin(), shared.end()));
  cudaDeviceSynchronize();
  std::printf("first %d\n", (int)shared[0]);

  thrust::random::linear_congruential_engine<unsigned, 48271, 0, 2147483647> engine(7);
  std::printf("random %u\n", (unsigned)engine());
  return 0;
}
