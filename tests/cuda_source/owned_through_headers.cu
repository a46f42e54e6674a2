// SPDX-License-Identifier: Apache-2.0
// defects/leak_through_headers.cu with owners: nothing is left at the end.
#include <curand.h>
#include <thrust/device_vector.h>

#include <cstdio>
#include <memory>

using numbers = thrust::device_vector<float>;
int main() {
  const auto few = std::make_unique<numbers>(100);
  const auto many = std::make_unique<numbers>(300);
  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandGenerateUniform(generator, thrust::raw_pointer_cast(many->data()), many->size());
  std::printf("%zu\n", few->size() + many->size());
  curandDestroyGenerator(generator);
  return 0;
}
