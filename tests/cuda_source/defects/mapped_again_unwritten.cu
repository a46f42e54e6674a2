// SPDX-License-Identifier: Apache-2.0
// Memory that a kernel wrote in part is mapped at another place: what was not written before is unwritten there, too.
// options: --check all
// code: 3
// says: uninitialized-read.: read of range.2098176., which nothing has written
// says: mapped_again_unwritten.cu:14
// says: 1 error
#include <cuda.h>
__global__ void count_up(int* data) { data[threadIdx.x] = threadIdx.x; }
__global__ void add_up(const int* data, int n, int* sum) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s +=
        data[i];
  *sum = s;
}
int main() {
  cuInit(0);
  int* sum;
  cudaMalloc(&sum, sizeof(int));
  CUmemAllocationProp kind = {};
  kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  kind.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemAccessDesc access = {};
  access.location = kind.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  size_t piece;
  cuMemGetAllocationGranularity(&piece, &kind, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  CUdeviceptr range;
  CUmemGenericAllocationHandle memory;
  cuMemAddressReserve(&range, 2 * piece, 0, 0, 0);
  cuMemCreate(&memory, piece, &kind, 0);
  cuMemMap(range, piece, 0, memory, 0);
  cuMemSetAccess(range, piece, &access, 1);
  count_up<<<1, 256>>>(reinterpret_cast<int*>(range));
  cudaDeviceSynchronize();
  cuMemUnmap(range, piece);
  cuMemMap(range + piece, piece, 0, memory, 0);
  cuMemSetAccess(range + piece, piece, &access, 1);
  add_up<<<1, 1>>>(reinterpret_cast<int*>(range + piece), 257, sum);
  cudaDeviceSynchronize();
  cuMemUnmap(range + piece, piece);
  cuMemRelease(memory);
  cuMemAddressFree(range, 2 * piece);
  cudaFree(sum);
}
