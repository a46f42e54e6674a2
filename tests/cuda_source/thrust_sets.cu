// SPDX-License-Identifier: Apache-2.0
// Thrust: sets by keys, choices by stencils, iterators that a program makes itself, random engines.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/iterator_adaptor.h>
#include <thrust/iterator/iterator_facade.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/transform.h>
#include <thrust/uninitialized_copy.h>
#include <thrust/uninitialized_fill.h>
#include <thrust/zip_function.h>

#include <cstdio>

template <class V>
static void print(const char *name, const V &v, long n) {
  std::printf("%s:", name);
  for (long i = 0; i < n; ++i) std::printf(" %d", (int)v[i]);
  std::printf("\n");
}

struct is_odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct weighted {
  __host__ __device__ int operator()(int x, int y) const { return 10 * x + y; }
};

// Each element `times` times: the example of iterator_adaptor's documentation.
template <typename Iterator>
class repeat_iterator : public thrust::iterator_adaptor<repeat_iterator<Iterator>, Iterator> {
 public:
  typedef thrust::iterator_adaptor<repeat_iterator<Iterator>, Iterator> super_t;
  __host__ __device__ repeat_iterator(const Iterator &x, int n) : super_t(x), begin(x), n(n) {}
  friend class thrust::iterator_core_access;

 private:
  unsigned int n;
  const Iterator begin;
  __host__ __device__ typename super_t::reference dereference() const { return *(begin + (this->base() - begin) / n); }
};

// Squares of numbers that nobody stores.
class square_iterator
    : public thrust::iterator_facade<square_iterator, int, thrust::any_system_tag, thrust::random_access_traversal_tag, int> {
 public:
  __host__ __device__ explicit square_iterator(int at) : at_(at) {}
  friend class thrust::iterator_core_access;

 private:
  __host__ __device__ int dereference() const { return at_ * at_; }
  __host__ __device__ void increment() { ++at_; }
  __host__ __device__ void decrement() { --at_; }
  __host__ __device__ bool equal(const square_iterator &o) const { return at_ == o.at_; }
  __host__ __device__ void advance(std::ptrdiff_t n) { at_ += (int)n; }
  __host__ __device__ std::ptrdiff_t distance_to(const square_iterator &o) const { return o.at_ - at_; }
  int at_;
};

int main() {
  const int first_keys[7] = {0, 1, 2, 2, 4, 6, 7}, second_keys[5] = {1, 1, 2, 5, 8};
  thrust::device_vector<int> a(first_keys, first_keys + 7), b(second_keys, second_keys + 5), keys(12), values(12);
  thrust::device_vector<int> a_values(7, 0), b_values(5, 1);
  auto both = thrust::set_union_by_key(a.begin(), a.end(), b.begin(), b.end(), a_values.begin(), b_values.begin(), keys.begin(),
                                       values.begin());
  print("union", keys, both.first - keys.begin());
  print("whose", values, both.second - values.begin());
  both = thrust::set_intersection_by_key(a.begin(), a.end(), b.begin(), b.end(), a_values.begin(), keys.begin(), values.begin());
  print("intersection", keys, both.first - keys.begin());
  both = thrust::set_difference_by_key(thrust::device, a.begin(), a.end(), b.begin(), b.end(), a_values.begin(), b_values.begin(),
                                       keys.begin(), values.begin());
  print("difference", keys, both.first - keys.begin());
  both = thrust::set_symmetric_difference_by_key(a.begin(), a.end(), b.begin(), b.end(), a_values.begin(), b_values.begin(),
                                                 keys.begin(), values.begin());
  print("one alone", keys, both.first - keys.begin());
  print("whose", values, both.second - values.begin());
  // Descending, on the host.
  thrust::host_vector<int> down_a(a.rbegin(), a.rend()), down_b(b.rbegin(), b.rend()), down(12);
  const auto end = thrust::set_union(down_a.begin(), down_a.end(), down_b.begin(), down_b.end(), down.begin(), thrust::greater<int>());
  print("descending", down, end - down.begin());

  // What a stencil wants.
  const int flags[8] = {1, 0, 1, 1, 0, 0, 1, 0};
  thrust::device_vector<int> stencil(flags, flags + 8), x(8), y(8), z(8);
  thrust::sequence(x.begin(), x.end(), 20);
  const auto parts = thrust::partition_copy(x.begin(), x.end(), stencil.begin(), y.begin(), z.begin(), is_odd());
  print("wanted", y, parts.first - y.begin());
  print("the others", z, parts.second - z.begin());
  const auto kept = thrust::stable_partition(x.begin(), x.end(), stencil.begin(), is_odd());
  print("parted", x, 8);
  std::printf("%d wanted\n", (int)(kept - x.begin()));
  thrust::replace_if(x.begin(), x.end(), stencil.begin(), is_odd(), -1);
  print("replaced", x, 8);
  thrust::replace_copy_if(x.begin(), x.end(), stencil.begin(), y.begin(), is_odd(), 99);
  print("replaced copy", y, 8);
  const auto rest = thrust::remove_copy_if(x.begin(), x.end(), stencil.begin(), y.begin(), is_odd());
  print("without those", y, rest - y.begin());
  thrust::fill(z.begin(), z.end(), 0);
  thrust::transform_if(x.begin(), x.end(), stencil.begin(), stencil.begin(), z.begin(), weighted(), is_odd());
  print("two inputs", z, 8);
  thrust::uninitialized_fill_n(z.begin(), 3, 7);
  thrust::uninitialized_copy_n(stencil.begin(), 2, z.begin() + 6);
  print("filled", z, 8);

  // Iterators of our own.
  repeat_iterator<thrust::device_vector<int>::iterator> twice(stencil.begin(), 2), twice_end(stencil.end() - 4, 2);
  thrust::device_vector<int> repeated(16, 5);
  thrust::copy(twice, twice + 16, repeated.begin());
  print("twice", repeated, 16);
  std::printf("sum %d, last less first %d\n", thrust::reduce(twice, twice + 16), (int)(twice_end - twice));
  std::printf("squares %d\n", thrust::reduce(thrust::device, square_iterator(1), square_iterator(11)));
  auto pairs = thrust::make_zip_iterator(thrust::make_counting_iterator(0), stencil.begin());
  thrust::transform(pairs, pairs + 8, z.begin(), thrust::make_zip_function(weighted()));
  print("zipped", z, 8);

  // The numbers that the standard and the papers give as examples.
  thrust::taus88 taus;
  thrust::ranlux24 lux;
  thrust::minstd_rand park;
  taus.discard(9999);
  lux.discard(9999);
  park.discard(9999);
  std::printf("taus88 %u ranlux24 %u minstd %u\n", (unsigned)taus(), (unsigned)lux(), (unsigned)park());
  thrust::default_random_engine engine(3);
  thrust::random::normal_distribution<double> normal(10.0, 2.0);
  double sum = 0;
  for (int i = 0; i < 1000; ++i) sum += normal(engine);
  std::printf("mean near ten: %d, next number %u\n", sum > 9800 && sum < 10200, (unsigned)engine());
  return 0;
}
