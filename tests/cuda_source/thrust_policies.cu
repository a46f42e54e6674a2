// Functions for any execution policy, a policy of the program's own, textures as an iterator; prints the same on a GPU.
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/type_traits/integer_sequence.h>

#include <cstdio>

// For any policy.
template <class Derived, class I>
int sorted_sum(const thrust::detail::execution_policy_base<Derived>& exec, I first, I last) {
  thrust::sort(exec, first, last);
  return thrust::reduce(thrust::detail::derived_cast(thrust::detail::strip_const(exec)), first, last);
}

struct own_policy : thrust::device_execution_policy<own_policy> {};

__global__ void k(cub::TexObjInputIterator<int> t, int* out) { out[threadIdx.x] = t[threadIdx.x] + *(t + 1); }

int main() {
  thrust::device_vector<int> v(8);
  for (int i = 0; i < 8; ++i) v[i] = (i * 5) % 8;
  const int sum = sorted_sum(thrust::device, v.begin(), v.end());
  std::printf("%d %d\n", sum, (int)v[7]);
  cudaStream_t s;
  cudaStreamCreate(&s);
  std::printf("%d\n", sorted_sum(thrust::cuda::par.on(s), v.begin(), v.end()));
  cudaStreamDestroy(s);
  own_policy mine;
  std::printf("%d\n", thrust::reduce(mine, v.begin(), v.end()));
  cub::TexObjInputIterator<int> t;
  t.BindTexture(thrust::raw_pointer_cast(v.data()), 8 * sizeof(int));
  thrust::device_vector<int> out(8);
  k<<<1, 8>>>(t, thrust::raw_pointer_cast(out.data()));
  std::printf("%d %d\n", (int)out[0], (int)out[7]);
  t.UnbindTexture();
  int a[] = {1, 3, 5, 7}, b[] = {2, 3, 4};
  int2 c;
  cub::MergePathSearch(4, a, b, 4, 3, c);
  std::printf("%d %d\n", c.x, c.y);
  using back = thrust::make_reversed_index_sequence<3>;
  std::printf("%d %d\n", std::is_same<back, thrust::index_sequence<2, 1, 0>>::value, (int)thrust::is_trivially_relocatable<int>::value);
}
