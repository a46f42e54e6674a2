// SPDX-License-Identifier: Apache-2.0
// A reduction of memory that nobody wrote, and a function object that reads outside: the algorithm is named.
// options: --check all
// code: 3
// says: error.uninitialized-read.*values.0.
// says: in thrust::reduce
// says: error.out-of-bounds.
// says: thrust_unwritten.cu:16 in shift::operator
#include <thrust/device_ptr.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>

struct shift {
  int *x;
  __device__ void operator()(int i) const { x[i] = i + 1; }
};

int main() {
  int *values, *few;
  cudaMalloc(&values, 100 * sizeof(int));
  cudaMalloc(&few, 100 * sizeof(int));
  thrust::device_ptr<int> first(values);
  const int sum = thrust::reduce(first, first + 100);
  thrust::for_each(thrust::device, thrust::make_counting_iterator(0), thrust::make_counting_iterator(101), shift{few});
  cudaFree(values);
  cudaFree(few);
  return sum == 12345 ? 1 : 0;
}
