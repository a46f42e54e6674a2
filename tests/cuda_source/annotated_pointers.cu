// SPDX-License-Identifier: Apache-2.0
// Pointers with a property of the cache: what they lead to is what the pointer itself leads to.
#include <cooperative_groups.h>
#include <cuda/annotated_ptr>
#include <cuda/barrier>
#include <cuda/std/type_traits>
#include <cstdio>

struct pair_of {
  int first, second;
};
using often = cuda::annotated_ptr<const int, cuda::access_property::persisting>;
using once = cuda::annotated_ptr<int, cuda::access_property::streaming>;

__global__ void sums(const int *in, int *out, const pair_of *factor, int n) {
  const often a{in};
  once to{out};
  const cuda::annotated_ptr<const pair_of, cuda::access_property::normal> f{factor};
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = a[i] * f->first + (*f).second;
}

// The property is chosen where it runs, and copied with the pointer.
__global__ void through_shared(int *data, float part) {
  __shared__ int kept[64];
  cuda::annotated_ptr<int, cuda::access_property> all{
      data, cuda::access_property{cuda::access_property::persisting{}, part, cuda::access_property::streaming{}}};
  const cuda::annotated_ptr<int, cuda::access_property::shared> near{kept};
  near[threadIdx.x] = all[threadIdx.x];
  __syncthreads();
  all[threadIdx.x] = near[63 - threadIdx.x];
  cuda::associate_access_property(data, cuda::access_property::normal{})[threadIdx.x] += 1;
}

__global__ void copied(const int *in, int *out) {
  __shared__ alignas(16) int tile[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> done;
  auto block = cooperative_groups::this_thread_block();
  if (threadIdx.x == 0) init(&done, blockDim.x);
  block.sync();
  cuda::memcpy_async(block, tile, often{in}, cuda::aligned_size_t<16>(sizeof tile), done);
  done.arrive_and_wait();
  out[threadIdx.x] = tile[threadIdx.x] - 1;
}

int main() {
  static_assert(cuda::std::is_same_v<once::value_type, int>);
  static_assert(cudaAccessProperty(cuda::access_property::persisting{}) == cudaAccessPropertyPersisting);
  int *in, *out;
  pair_of *factor;
  cudaMallocManaged(&in, 64 * sizeof(int));
  cudaMallocManaged(&out, 64 * sizeof(int));
  cudaMallocManaged(&factor, sizeof *factor);
  for (int i = 0; i < 64; ++i) in[i] = i;
  *factor = {3, 4};
  sums<<<2, 32>>>(in, out, factor, 64);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", out[0], out[1], out[63]);
  through_shared<<<1, 64>>>(in, 0.5f);
  cudaDeviceSynchronize();
  printf("%d %d\n", in[0], in[63]);
  copied<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  printf("%d %d\n", out[0], out[63]);
  const once first{out}, later{out + 7};
  printf("%d %d %d\n", int(later - first), bool(first), bool(once{}));
  cudaFree(in);
  cudaFree(out);
  cudaFree(factor);
}
