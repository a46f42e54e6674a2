// SPDX-License-Identifier: Apache-2.0
// Memory that a header's code allocates for the program is reported at the program's lines, each leak by itself,
// although the allocation is one place in that header. tests/cuda_source/owned_through_headers.cu frees everything.
// options: --check memory
// code: 3
// says: leak_through_headers.cu:17
// says: leak_through_headers.cu:18
// says: leak_through_headers.cu:22
// says: 3 errors
#include <curand.h>
#include <thrust/device_vector.h>

#include <cstdio>

using numbers = thrust::device_vector<float>;
int main() {
  numbers* const few = new numbers(100);
  numbers* const many = new numbers(300);
  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  // The first call makes the generator's state.
  curandGenerateUniform(generator, thrust::raw_pointer_cast(many->data()), many->size());
  std::printf("%zu\n", few->size() + many->size());
  return 0;
}
