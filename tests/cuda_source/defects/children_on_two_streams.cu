// SPDX-License-Identifier: Apache-2.0
// What a block launches on one of its streams runs one after the other; nothing orders two streams, nor kernels that are
// fired and forgotten. A block that lets streams wait for each other counts as ordered.
// options: --check races
// code: 3
// says: children_on_two_streams.cu: 2 errors
// says: race-global.: two writes of two_streams.0. 
// says: race-global.: two writes of forgotten
// says: only kernels that one block launches on one stream run one after the other
#include <cuda_runtime.h>
__global__ void child(int* x, int v) { x[threadIdx.x] = v + threadIdx.x; }
__global__ void parent(int* two_streams, int* forgotten, int* one_stream, int* waits) {
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  if (blockIdx.x == 0) {
    child<<<1, 32, 0, a>>>(two_streams, 1);
    child<<<1, 32, 0, b>>>(two_streams, 2);
    child<<<1, 32, 0, cudaStreamFireAndForget>>>(forgotten, 1);
    child<<<1, 32, 0, cudaStreamFireAndForget>>>(forgotten, 2);
    child<<<1, 32, 0, a>>>(one_stream, 1);
    child<<<1, 32, 0, a>>>(one_stream, 2);
  } else {
    cudaEvent_t e;
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    child<<<1, 32, 0, a>>>(waits, 1);
    cudaEventRecord(e, a);
    cudaStreamWaitEvent(b, e, 0);
    child<<<1, 32, 0, b>>>(waits, 2);
    cudaEventDestroy(e);
  }
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}
int main() {
  int *two_streams, *forgotten, *one_stream, *waits;
  cudaMalloc(&two_streams, 32 * sizeof(int));
  cudaMalloc(&forgotten, 32 * sizeof(int));
  cudaMalloc(&one_stream, 32 * sizeof(int));
  cudaMalloc(&waits, 32 * sizeof(int));
  parent<<<2, 1>>>(two_streams, forgotten, one_stream, waits);
  const cudaError_t ended = cudaDeviceSynchronize();
  cudaFree(two_streams);
  cudaFree(forgotten);
  cudaFree(one_stream);
  cudaFree(waits);
  return ended != cudaSuccess;
}
