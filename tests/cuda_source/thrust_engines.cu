// SPDX-License-Identifier: Apache-2.0
// What Thrust's engines and distributions say of themselves, references made from pointers, memory by the tag of its
// system, and an operator for CUB that takes its operands by reference.
#include <cub/cub.cuh>
#include <thrust/device_ptr.h>
#include <thrust/device_reference.h>
#include <thrust/device_vector.h>
#include <thrust/memory.h>
#include <thrust/random.h>
#include <thrust/sequence.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>

#include <cstdio>

// A number in [0, 1] for each index, by the engine's own bounds.
struct part_of_range {
  __host__ __device__ int operator()(int i) const {
    thrust::default_random_engine engine;
    engine.discard(i);
    const float x = static_cast<float>(engine()) / thrust::default_random_engine::max;
    return x >= 0 && x <= 1;
  }
};

struct difference {
  template <class T>
  __host__ __device__ T operator()(T& left, T& right) {
    return left - right;
  }
};

__global__ void differences(int* data) {
  using neighbours = cub::BlockAdjacentDifference<int, 64>;
  __shared__ typename neighbours::TempStorage storage;
  int items[2] = {data[2 * threadIdx.x], data[2 * threadIdx.x + 1]};
  neighbours(storage).SubtractLeft(items, items, difference());
  data[2 * threadIdx.x] = items[0];
  data[2 * threadIdx.x + 1] = items[1];
}

int main() {
  constexpr int kCount = 128;
  thrust::uniform_int_distribution<int> dice(1, 6), other(1, 4);
  thrust::uniform_real_distribution<float> part(0.5f, 2.0f);
  thrust::normal_distribution<float> bell(1.0f, 2.0f);
  std::printf("dice %d %d %d %d %d\n", dice.a(), dice.b(), (dice.min)(), (dice.max)(), dice == other);
  std::printf("part %g %g\n", part.a(), part.b());
  std::printf("bell %g %g\n", bell.mean(), bell.stddev());
  std::printf("engines %lu %lu %lu\n", static_cast<unsigned long>(thrust::minstd_rand::min),
              static_cast<unsigned long>(thrust::minstd_rand::max), static_cast<unsigned long>(thrust::taus88::max));

  thrust::device_vector<int> v(kCount);
  thrust::tabulate(v.begin(), v.end(), part_of_range());
  int inside = 0;
  for (int i = 0; i < kCount; ++i) inside += v[i];
  std::printf("inside %d\n", inside);

  thrust::device_ptr<int> first = v.data();
  thrust::device_reference<int> number(first);
  number = 7;
  number += 1;
  std::printf("number %d\n", static_cast<int>(v[0]));

  thrust::sequence(v.begin(), v.end(), 5, 3);
  thrust::transform(v.begin(), v.end(), v.begin(), cuda::std::identity{});
  differences<<<1, kCount / 2>>>(thrust::raw_pointer_cast(v.data()));
  std::printf("differences %d %d %d\n", static_cast<int>(v[0]), static_cast<int>(v[1]), static_cast<int>(v[127]));

  const thrust::device_system_tag system;
  thrust::pointer<int, thrust::device_system_tag> memory = thrust::malloc<int>(system, 4);
  *memory = 11;
  std::printf("memory %d\n", static_cast<int>(*memory));
  thrust::free(system, memory);
  auto room = thrust::get_temporary_buffer<int>(system, 16);
  *room.first = 12;
  std::printf("room %d %d\n", static_cast<int>(*room.first), room.second >= 16);
  thrust::return_temporary_buffer(system, room.first, room.second);
}
