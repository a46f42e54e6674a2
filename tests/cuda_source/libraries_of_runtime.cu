// SPDX-License-Identifier: Apache-2.0
// A module as the runtime's library, launched by it and by the driver with a structure; ranges, fills of rows, boxes,
// pools and functions by name of the driver API. With nvcc: -lcuda -lnvrtc
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define MUST(call)                                                               \
  do {                                                                           \
    const int result = (int)(call);                                              \
    if (result != 0) std::printf("line %d: %s is %d\n", __LINE__, #call, result); \
  } while (0)

const char *const kSource = R"(
__device__ int offset = 5;
extern "C" __global__ void add(int *x, short step, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) x[i] += step * i + offset;
}
)";

int main() {
  nvrtcProgram program;
  MUST(nvrtcCreateProgram(&program, kSource, "add.cu", 0, NULL, NULL));
  const char *options[] = {"--gpu-architecture=sm_90"};
  MUST(nvrtcCompileProgram(program, 1, options));
  size_t size = 0;
  MUST(nvrtcGetCUBINSize(program, &size));
  std::vector<char> image(size);
  MUST(nvrtcGetCUBIN(program, image.data()));
  MUST(nvrtcDestroyProgram(&program));

  const int n = 100;
  int *x, h[n], step_of[1];
  MUST(cudaMalloc(&x, sizeof h));
  MUST(cudaMemset(x, 0, sizeof h));
  cudaLibrary_t library;
  cudaKernel_t kernel;
  MUST(cudaLibraryLoadData(&library, image.data(), NULL, NULL, 0, NULL, NULL, 0));
  MUST(cudaLibraryGetKernel(&kernel, library, "add"));
  std::printf("no such kernel: %s\n", cudaGetErrorName(cudaLibraryGetKernel(&kernel, library, "none")));
  MUST(cudaLibraryGetKernel(&kernel, library, "add"));
  int *offset = NULL;
  size_t bytes = 0;
  MUST(cudaLibraryGetGlobal((void **)&offset, &bytes, library, "offset"));
  const int seven = 7;
  MUST(cudaMemcpy(offset, &seven, sizeof seven, cudaMemcpyHostToDevice));
  short step = 3;
  int count = n;
  void *arguments[] = {&x, &step, &count};
  MUST(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(128), arguments, 0, 0));
  MUST(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d bytes, %d %d %d\n", (int)bytes, h[0], h[1], h[99]);

  // The same kernel by the driver.
  CUfunction f;
  MUST(cuKernelGetFunction(&f, (CUkernel)kernel));
  size_t at = 0, length = 0;
  MUST(cuFuncGetParamInfo(f, 2, &at, &length));
  std::printf("the third parameter lies at %d and has %d bytes\n", (int)at, (int)length);
  CUlaunchConfig config = {};
  config.gridDimX = 4;
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.blockDimX = 32;
  MUST(cuLaunchKernelEx(&config, f, arguments, NULL));
  MUST(cudaDeviceSynchronize());
  CUdeviceptr first;
  MUST(cuMemGetAddressRange(&first, &bytes, (CUdeviceptr)(x + 40)));
  std::printf("range %d %d\n", first == (CUdeviceptr)x, (int)bytes);
  MUST(cuMemcpyDtoH(h, first, sizeof h));
  std::printf("%d %d\n", h[1], h[99]);
  MUST(cudaLibraryUnload(library));

  // Rows of five numbers, eight apart; a box of them to the host.
  CUdeviceptr rows;
  MUST(cuMemAlloc(&rows, 4 * 8 * sizeof(int)));
  MUST(cuMemsetD32(rows, 1, 4 * 8));
  MUST(cuMemsetD2D32(rows, 8 * sizeof(int), 0x01020304, 5, 3));
  MUST(cuMemsetD2D16Async(rows + 3 * 8 * sizeof(int), 8 * sizeof(int), 0x0202, 3, 1, 0));
  int box[2 * 2 * 3];
  CUDA_MEMCPY3D c = {};
  c.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  c.srcDevice = rows;
  c.srcPitch = 8 * sizeof(int);
  c.srcHeight = 2;
  c.srcXInBytes = 3 * sizeof(int);
  c.dstMemoryType = CU_MEMORYTYPE_HOST;
  c.dstHost = box;
  c.dstPitch = 3 * sizeof(int);
  c.dstHeight = 2;
  c.WidthInBytes = 3 * sizeof(int);
  c.Height = 2;
  c.Depth = 2;
  MUST(cuMemcpy3D(&c));
  std::printf("box");
  for (int v : box) std::printf(" %x", v);
  MUST(cuMemcpyDtoH(step_of, rows + 3 * 8 * sizeof(int), sizeof(int)));
  std::printf(", %x\n", step_of[0]);

  CUmemoryPool pool;
  MUST(cuDeviceGetDefaultMemPool(&pool, 0));
  CUdeviceptr pooled;
  MUST(cuMemAllocFromPoolAsync(&pooled, 64, pool, 0));
  MUST(cuMemFreeAsync(pooled, 0));
  unsigned flags = 99;
  CUstream s;
  MUST(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
  MUST(cuStreamGetFlags(s, &flags));
  CUgraph g;
  CUstreamCaptureStatus status;
  MUST(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
  MUST(cuMemsetD32Async(rows, 0, 8, s));
  MUST(cuStreamIsCapturing(s, &status));
  MUST(cuStreamEndCapture(s, &g));
  size_t nodes = 0;
  MUST(cuGraphGetNodes(g, NULL, &nodes));
  CUgraphExec exec;
  MUST(cuGraphInstantiate(&exec, g, 0));
  MUST(cuGraphLaunch(exec, s));
  MUST(cuStreamSynchronize(s));
  MUST(cuMemcpyDtoH(step_of, rows, sizeof(int)));
  std::printf("flags %u, capturing %d, nodes %d, then %d\n", flags, (int)status, (int)nodes, step_of[0]);
  MUST(cuGraphExecDestroy(exec));
  MUST(cuGraphDestroy(g));
  MUST(cuStreamDestroy(s));

  void *function = NULL;
  CUdriverProcAddressQueryResult found;
  MUST(cuGetProcAddress("cuMemFree", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
  std::printf("found %d, freed %d\n", (int)found, ((int (*)(CUdeviceptr))function)(rows));
  MUST(cudaFree(x));
  return 0;
}
