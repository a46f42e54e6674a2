// SPDX-License-Identifier: Apache-2.0
// Copies that nobody waits for: of a pipeline, of its C functions, and of a group. Each is told what waits for it.
// options: --check all
// code: 3
// says: wait for the copy \(pipe.consumer_wait\(\) behind pipe.producer_commit\(\)\)
// says: wait for the copy \(__pipeline_wait_prior\(0\) behind __pipeline_commit\(\)\)
// says: wait for the copy \(cg::wait\(block\)\) between line 36 and line 38
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

__global__ void of_a_pipeline(const int* in, int* out) {
  __shared__ int s[128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, s, in, sizeof(int) * 128, pipe);
  pipe.producer_commit();
  block.sync();
  out[threadIdx.x] = s[127 - threadIdx.x];
}

__global__ void by_functions(const int* in, int* out) {
  __shared__ int s[128];
  __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  out[threadIdx.x] = s[threadIdx.x];
}

__global__ void of_a_group(const int* in, int* out) {
  __shared__ int s[128];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, sizeof(int) * 128);
  block.sync();
  out[threadIdx.x] = s[127 - threadIdx.x];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 512), cudaMalloc(&out, 512);
  cudaMemset(in, 0, 512);
  of_a_pipeline<<<1, 128>>>(in, out);
  by_functions<<<1, 128>>>(in, out);
  of_a_group<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in), cudaFree(out);
}
