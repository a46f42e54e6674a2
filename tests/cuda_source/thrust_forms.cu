// SPDX-License-Identifier: Apache-2.0
// Rarer algorithms of Thrust: copying forms, merges with values, positions in ordered ranges.
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#include <cstdio>
#include <vector>

struct is_even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

static void print(const char* name, const thrust::device_vector<int>& v, int count) {
  std::printf("%s:", name);
  for (int i = 0; i < count; ++i) std::printf(" %d", static_cast<int>(v[i]));
  std::printf("\n");
}

int main() {
  const std::vector<int> some = {1, 1, 2, 2, 2, 5, 7, 7};
  const thrust::device_vector<int> a(some);
  thrust::device_vector<int> b(16), c(16);

  auto starts = thrust::unique_by_key_copy(a.begin(), a.end(), thrust::make_counting_iterator(0),
                                           thrust::make_discard_iterator(), b.begin());
  print("starts of runs", b, static_cast<int>(starts.second - b.begin()));
  auto kept = thrust::remove_copy(a.begin(), a.end(), b.begin(), 2);
  print("without 2", b, static_cast<int>(kept - b.begin()));
  thrust::replace_copy(a.begin(), a.end(), b.begin(), 7, 70);
  print("7 replaced", b, 8);
  thrust::replace_copy_if(thrust::device, a.begin(), a.end(), b.begin(), is_even(), -1);
  print("even replaced", b, 8);
  auto parts = thrust::stable_partition_copy(a.begin(), a.end(), b.begin(), c.begin(), is_even());
  print("even", b, static_cast<int>(parts.first - b.begin()));
  print("odd", c, static_cast<int>(parts.second - c.begin()));

  const std::vector<int> places = {7, 5, 3, 1}, wanted = {1, 0, 1, 0};
  const thrust::device_vector<int> map(places), stencil(wanted);
  thrust::fill(b.begin(), b.end(), 9);
  thrust::gather_if(map.begin(), map.end(), stencil.begin(), a.begin(), b.begin());
  print("gathered", b, 4);

  const std::vector<int> left = {1, 4, 6}, right = {2, 4, 5};
  const thrust::device_vector<int> l(left), r(right);
  thrust::merge_by_key(l.begin(), l.end(), r.begin(), r.end(), thrust::make_counting_iterator(0),
                       thrust::make_counting_iterator(10), b.begin(), c.begin());
  print("merged keys", b, 6);
  print("their values", c, 6);

  print("sorted until", map, static_cast<int>(thrust::is_sorted_until(map.begin(), map.end()) - map.begin()));
  std::printf("partitioned: %d %d\n", thrust::is_partitioned(l.begin(), l.end(), is_even()),
              thrust::is_partitioned(r.begin(), r.begin() + 2, is_even()));
  std::printf("point: %d\n",
              static_cast<int>(thrust::partition_point(r.begin(), r.end(), is_even()) - r.begin()));
  auto range = thrust::equal_range(a.begin(), a.end(), 2);
  std::printf("range of 2: %d to %d\n", static_cast<int>(range.first - a.begin()),
              static_cast<int>(range.second - a.begin()));
}
