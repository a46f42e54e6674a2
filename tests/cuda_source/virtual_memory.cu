// Virtual memory of the driver API: two pieces of memory side by side in one range, used by the runtime API's kernels.
// With nvcc: -lcuda
#include <cuda.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                            \
  do {                                                                         \
    if (const CUresult result = call; result != CUDA_SUCCESS) {                \
      std::printf("%s: error %d, line %d\n", #call, int(result), __LINE__);    \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

__global__ void count_up(int* data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) data[i] = i;
}

int main() {
  CHECK(cuInit(0));
  cudaSetDevice(0);
  cudaFree(nullptr);  // the runtime's context is the driver's
  CUcontext context = nullptr;
  CHECK(cuCtxGetCurrent(&context));
  std::printf("a context: %d\n", context != nullptr);
  CUmemAllocationProp kind = {};
  kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  kind.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  kind.location.id = 0;
  std::size_t piece = 0;
  CHECK(cuMemGetAllocationGranularity(&piece, &kind, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUdeviceptr range = 0;
  std::printf("odd size: %d\n", cuMemAddressReserve(&range, piece + 1, 0, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAddressReserve(&range, 2 * piece, 0, 0, 0));
  CUmemGenericAllocationHandle halves[2];
  for (int i = 0; i < 2; ++i) {
    CHECK(cuMemCreate(&halves[i], piece, &kind, 0));
    CHECK(cuMemMap(range + i * piece, piece, 0, halves[i], 0));
  }
  CUmemAllocationProp asked = {};
  CHECK(cuMemGetAllocationPropertiesFromHandle(&asked, halves[1]));
  std::printf("pinned on device %d: %d\n", asked.location.id, asked.type == CU_MEM_ALLOCATION_TYPE_PINNED);
  std::printf("mapped twice: %d\n", cuMemMap(range, piece, 0, halves[1], 0) != CUDA_SUCCESS);
  for (int i = 0; i < 2; ++i) CHECK(cuMemRelease(halves[i]));
  CUmemAccessDesc access = {};
  access.location = kind.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CHECK(cuMemSetAccess(range, 2 * piece, &access, 1));
  int* data = reinterpret_cast<int*>(range);
  const int count = static_cast<int>(2 * piece / sizeof(int));
  count_up<<<8, 256>>>(data, count);
  int last = 0, middle = 0;
  CHECK(cuMemcpyDtoH(&middle, range + piece, sizeof middle));
  cudaMemcpy(&last, data + count - 1, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", middle == count / 2, last == count - 1);
  std::printf("still mapped: %d\n", cuMemAddressFree(range, 2 * piece) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemUnmap(range, 2 * piece));

  // Memory that nobody wrote, and memory that moves to another place with what is in it.
  CUmemGenericAllocationHandle unused, moved;
  CHECK(cuMemCreate(&unused, piece, &kind, 0));
  CHECK(cuMemCreate(&moved, piece, &kind, 0));
  CHECK(cuMemMap(range, piece, 0, unused, 0));
  CHECK(cuMemMap(range + piece, piece, 0, moved, 0));
  CHECK(cuMemSetAccess(range, 2 * piece, &access, 1));
  count_up<<<1, 256>>>(data + piece / sizeof(int), 256);
  cudaDeviceSynchronize();
  CHECK(cuMemUnmap(range, 2 * piece));
  CHECK(cuMemRelease(unused));
  CHECK(cuMemMap(range, piece, 0, moved, 0));
  CHECK(cuMemSetAccess(range, piece, &access, 1));
  cudaMemcpy(&last, data + 255, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("moved: %d\n", last);
  CHECK(cuMemUnmap(range, piece));
  CHECK(cuMemRelease(moved));
  CHECK(cuMemAddressFree(range, 2 * piece));
}
