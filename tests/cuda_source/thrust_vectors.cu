// SPDX-License-Identifier: Apache-2.0
// Thrust as tutorials use it: vectors, fancy iterators, sorts, reductions, scans, function objects of the program.
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include <cstdio>
#include <iostream>
#include <iterator>

struct saxpy {
  const float a;
  saxpy(float a) : a(a) {}
  __host__ __device__ float operator()(const float &x, const float &y) const { return a * x + y; }
};
struct length {
  template <class Tuple>
  __host__ __device__ void operator()(Tuple t) {
    thrust::get<2>(t) = thrust::get<0>(t) * thrust::get<0>(t) + thrust::get<1>(t);
  }
};
struct is_even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

__global__ void add_one(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}

int main() {
  const int N = 1000;
  thrust::host_vector<int> h(N);
  for (int i = 0; i < N; ++i) h[i] = (i * 7919) % 1009;
  thrust::device_vector<int> d = h;
  thrust::sort(d.begin(), d.end());
  thrust::copy(d.begin(), d.end(), h.begin());
  bool sorted = true;
  for (int i = 1; i < N; ++i) sorted = sorted && h[i - 1] <= h[i];
  std::printf("sorted %d, from %d to %d, sum %d\n", sorted, (int)d[0], (int)d[N - 1], thrust::reduce(d.begin(), d.end()));

  add_one<<<4, 256>>>(thrust::raw_pointer_cast(d.data()), N);
  std::printf("kernel: sum %d, largest %d\n", thrust::reduce(d.begin(), d.end(), 0, thrust::plus<int>()),
              (int)*thrust::max_element(d.begin(), d.end()));

  thrust::device_vector<float> x(N), y(N, 2.0f), z(N);
  thrust::sequence(x.begin(), x.end());
  thrust::transform(x.begin(), x.end(), y.begin(), z.begin(), saxpy(3.f));
  std::printf("saxpy: %g %g\n", (float)z[0], (float)z[999]);
  thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin(), z.begin())),
                   thrust::make_zip_iterator(thrust::make_tuple(x.end(), y.end(), z.end())), length());
  std::printf("zip: %g, squares %g\n", (float)z[10],
              thrust::transform_reduce(y.begin(), y.end(), thrust::square<float>(), 0.0f, thrust::plus<float>()));

  thrust::device_vector<int> keys(10), values(10), run_keys(10), run_sums(10);
  for (int i = 0; i < 10; ++i) {
    keys[i] = (i * 7) % 5;
    values[i] = i;
  }
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin(), thrust::greater<int>());
  for (int i = 0; i < 10; ++i) std::printf("%d:%d ", (int)keys[i], (int)values[i]);
  auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), run_keys.begin(), run_sums.begin());
  std::printf("\nruns %d:", (int)(ends.first - run_keys.begin()));
  for (int i = 0; i < 5; ++i) std::printf(" %d=%d", (int)run_keys[i], (int)run_sums[i]);
  std::printf("\n");

  thrust::exclusive_scan(thrust::device, values.begin(), values.end(), values.begin());
  thrust::copy(values.begin(), values.end(), std::ostream_iterator<int>(std::cout, " "));
  std::cout << std::endl;

  auto evens = thrust::count_if(thrust::make_counting_iterator(0), thrust::make_counting_iterator(101), is_even());
  thrust::device_vector<int> chosen(N);
  auto last = thrust::copy_if(thrust::make_counting_iterator(0), thrust::make_counting_iterator(20), chosen.begin(), is_even());
  auto end = thrust::unique(keys.begin(), keys.end());
  std::printf("evens %d, chosen %d, kinds %d\n", (int)evens, (int)(last - chosen.begin()), (int)(end - keys.begin()));
  thrust::device_vector<int> map(3);
  map[0] = 2, map[1] = 0, map[2] = 4;
  int picked = thrust::reduce(thrust::make_permutation_iterator(chosen.begin(), map.begin()),
                              thrust::make_permutation_iterator(chosen.begin(), map.end()));
  int squares = thrust::reduce(thrust::make_transform_iterator(chosen.begin(), thrust::square<int>()),
                               thrust::make_transform_iterator(chosen.begin() + 5, thrust::square<int>()));
  std::printf("picked %d, squares %d, constants %d\n", picked, squares,
              thrust::reduce(thrust::make_constant_iterator(4), thrust::make_constant_iterator(4) + 25));
  return 0;
}
