// Policies of the program's own with algorithms of their own: Thrust calls those that the program has, and its own for the
// rest. Prints the same on a GPU.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <cstdio>

namespace app {

struct telling : thrust::device_execution_policy<telling> {};

template <class I, class F>
I for_each(telling, I first, I last, F f) {
  std::printf("for_each of %d\n", static_cast<int>(last - first));
  return thrust::for_each(thrust::device, first, last, f);
}

// With a state, and for one form of an algorithm only.
struct counting : thrust::cuda::execution_policy<counting> {
  int sorts = 0;
};
template <class I>
void sort(counting& p, I first, I last) {
  ++p.sorts;
  thrust::sort(thrust::device, first, last);
}
template <class I, class T>
T reduce(counting& p, I first, I last, T init) {
  return thrust::reduce(thrust::device, first, last, init) + 1000 * p.sorts;
}

}  // namespace app

struct on_host : thrust::host_execution_policy<on_host> {};
template <class I, class T>
void fill(on_host, I first, I last, const T& v) {
  for (; first != last; ++first) *first = v + 1;
}

struct twice {
  __host__ __device__ void operator()(int& x) const { x *= 2; }
};
struct negative {
  __host__ __device__ int operator()(int x) const { return -x; }
};

int main() {
  thrust::device_vector<int> v(100);
  for (int i = 0; i < 100; ++i) v[i] = (i * 37) % 100;
  app::telling tells;
  thrust::for_each(tells, v.begin(), v.end(), twice());
  std::printf("%d\n", thrust::reduce(tells, v.begin(), v.end()));
  app::counting counts;
  thrust::sort(counts, v.begin(), v.end());
  thrust::sort(counts, v.begin(), v.begin() + 50, thrust::greater<int>());
  thrust::transform(counts, v.begin() + 50, v.end(), v.begin() + 50, negative());
  std::printf("%d %d %d, %d sorts\n", static_cast<int>(v[0]), static_cast<int>(v[49]), static_cast<int>(v[99]), counts.sorts);
  std::printf("%d %d\n", thrust::reduce(counts, v.begin(), v.end(), 0), thrust::reduce(counts, v.begin(), v.end()));
  int a[4] = {};
  thrust::fill(on_host(), a, a + 4, 6);
  std::printf("%d %d\n", a[0], thrust::reduce(on_host(), a, a + 4, 1, thrust::plus<int>()));
  return 0;
}
