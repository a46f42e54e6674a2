// SPDX-License-Identifier: Apache-2.0
// Several values that a stream writes or waits for by one call of the driver (cuStreamBatchMemOp): what the waiting
// stream does comes after what the writing one did before.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void produce(int* values) { values[threadIdx.x] = threadIdx.x; }
__global__ void add(const int* values, int* sum) {
  int all = 0;
  for (int i = 0; i < 32; ++i) all += values[i];
  *sum = all;
}

int main() {
  int *values, *sum;
  unsigned* flags;
  cudaStream_t first, second;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMalloc(&flags, 16);
  cudaMemset(flags, 0, 16);
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaDeviceSynchronize();

  produce<<<1, 32, 0, first>>>(values);
  CUstreamBatchMemOpParams writes[3] = {};
  writes[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
  writes[0].writeValue.address = reinterpret_cast<CUdeviceptr>(flags + 2);
  writes[0].writeValue.value64 = 1ull << 40;
  writes[1].operation = CU_STREAM_MEM_OP_BARRIER;
  writes[2].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  writes[2].writeValue.address = reinterpret_cast<CUdeviceptr>(flags);
  writes[2].writeValue.value = 7;
  CUresult r = cuStreamBatchMemOp(first, 3, writes, 0);
  CUstreamBatchMemOpParams waits[1] = {};
  waits[0].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  waits[0].waitValue.address = reinterpret_cast<CUdeviceptr>(flags);
  waits[0].waitValue.value = 7;
  waits[0].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  if (r == CUDA_SUCCESS) r = cuStreamBatchMemOp(second, 1, waits, 0);
  add<<<1, 1, 0, second>>>(values, sum);
  int result = 0;
  unsigned long long wide = 0;
  cudaMemcpyAsync(&result, sum, sizeof result, cudaMemcpyDeviceToHost, second);
  cudaMemcpyAsync(&wide, flags + 2, sizeof wide, cudaMemcpyDeviceToHost, second);
  cudaStreamSynchronize(second);
  std::printf("result %d, sum %d, wide %llu\n", static_cast<int>(r), result, wide);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(values);
  cudaFree(sum);
  cudaFree(flags);
}
