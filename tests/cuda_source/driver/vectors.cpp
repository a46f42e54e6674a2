// The driver API as a program of the host uses it. With nvcc: scale_kernel.cu to scale_kernel64.fatbin, and -lcuda.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

static void check(CUresult result, const char* call, int line) {
  if (result == CUDA_SUCCESS) return;
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  std::printf("line %d: %s: %s, %s\n", line, call, name, text);
  std::exit(1);
}
#define CHECK(call) check(call, #call, __LINE__)
#define SAYS(call, error) std::printf("%s: %s\n", #call, (call) == (error) ? #error : "another result")

static CUmodule module_of(const char* file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  CUmodule module = nullptr;
  char log[200] = "?";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER};
  void* values[] = {reinterpret_cast<void*>(sizeof log), log};
  CHECK(cuModuleLoadDataEx(&module, text.str().c_str(), 2, options, values));
  std::printf("log: '%s'\n", log);
  return module;
}

int main(int argc, char** argv) {
  CUcontext context = nullptr, other = nullptr, current = nullptr;
  CUdeviceptr in = 0, out = 0;
  int count = 0;
  SAYS(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
  CHECK(cuInit(0));
  SAYS(cuMemAlloc(&in, 16), CUDA_ERROR_INVALID_CONTEXT);
  CUdevice device = 0;
  CHECK(cuDeviceGetCount(&count));
  SAYS(cuDeviceGet(&device, count), CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuDeviceGet(&device, 0));
  int warp = 0, virtual_memory = 0;
  CHECK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  CHECK(cuDeviceGetAttribute(&virtual_memory, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
  std::printf("warps of %d, virtual memory %d\n", warp, virtual_memory);
  CHECK(cuCtxCreate(&context, nullptr, 0, device));
  CHECK(cuDevicePrimaryCtxRetain(&other, device));
  CHECK(cuCtxPushCurrent(other));
  CHECK(cuCtxPopCurrent(&current));
  std::printf("popped: %d\n", current == other);
  CHECK(cuCtxGetCurrent(&current));
  std::printf("current: %d\n", current == context);

  CUmodule module = module_of(argc > 1 ? argv[1] : "scale_kernel64.fatbin");
  CUfunction scale = nullptr, reversed = nullptr, total = nullptr, set = nullptr;
  CHECK(cuModuleGetFunction(&scale, module, "scale"));
  CHECK(cuModuleGetFunction(&reversed, module, "reversed"));
  CHECK(cuModuleGetFunction(&total, module, "total"));
  CHECK(cuModuleGetFunction(&set, module, "_Z3setIiEvPT_S0_"));
  SAYS(cuModuleGetFunction(&set, module, "nothing"), CUDA_ERROR_NOT_FOUND);

  constexpr int kCount = 100;
  std::vector<float> values(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = static_cast<float>(i);
  CHECK(cuMemAlloc(&in, kCount * sizeof(float)));
  CHECK(cuMemAlloc(&out, kCount * sizeof(float)));
  CHECK(cuMemcpyHtoD(in, values.data(), kCount * sizeof(float)));
  CUdeviceptr offsets = 0;
  std::size_t bytes = 0;
  CHECK(cuModuleGetGlobal(&offsets, &bytes, module, "offsets"));
  const float offset[4] = {1, 2, 3, 4};
  CHECK(cuMemcpyHtoD(offsets, offset, bytes));

  // Parameters as pointers, and in a buffer with the gaps that their alignment asks for.
  struct weights {
    char tag;
    double factor;
  } w = {'b', 2};
  int size = kCount;
  void* pointers[] = {&in, &size, &out, &w};
  CHECK(cuLaunchKernel(scale, 4, 1, 1, 32, 1, 1, 0, nullptr, pointers, nullptr));
  CHECK(cuMemcpyDtoH(values.data(), out, kCount * sizeof(float)));
  std::printf("scale: %g %g %g\n", values[0], values[1], values[99]);
  unsigned char buffer[64];
  w = {'d', -1};
  std::memcpy(buffer, &out, 8);
  std::memcpy(buffer + 8, &size, 4);
  std::memcpy(buffer + 16, &in, 8);
  std::memcpy(buffer + 24, &w, 16);
  std::size_t used = 40;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &used, CU_LAUNCH_PARAM_END};
  CHECK(cuLaunchKernel(scale, 4, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
  CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH(values.data(), in, kCount * sizeof(float)));
  std::printf("again: %g %g %g\n", values[0], values[1], values[99]);

  SAYS(cuLaunchKernel(scale, 1, 1, 1, 2048, 1, 1, 0, nullptr, pointers, nullptr), CUDA_ERROR_INVALID_VALUE);
  SAYS(cuLaunchKernel(nullptr, 1, 1, 1, 32, 1, 1, 0, nullptr, pointers, nullptr), CUDA_ERROR_INVALID_HANDLE);
  void* of_reversed[] = {&in};
  SAYS(cuLaunchKernel(reversed, 1, 1, 1, 100, 1, 1, 64 * 1024, nullptr, of_reversed, nullptr),
       CUDA_ERROR_INVALID_VALUE);
  CHECK(cuFuncSetAttribute(reversed, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 * 1024));
  CHECK(cuLaunchKernel(reversed, 1, 1, 1, 100, 1, 1, 64 * 1024, nullptr, of_reversed, nullptr));
  CHECK(cuMemcpyDtoH(values.data(), in, kCount * sizeof(float)));
  std::printf("reversed: %g %g\n", values[0], values[99]);
  int threads = 0, blocks = 0;
  CHECK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale));
  CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 1024, 0));
  std::printf("up to %d threads, %d blocks\n", threads, blocks);

  // Streams, events and values that are set.
  CUstream stream = nullptr;
  CUevent begin = nullptr, end = nullptr;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  CUdeviceptr numbers = 0, sums = 0, all = 0;
  CHECK(cuMemAlloc(&numbers, 256 * sizeof(int)));
  CHECK(cuMemAlloc(&sums, 4 * sizeof(int)));
  CHECK(cuMemAllocManaged(&all, sizeof(int), CU_MEM_ATTACH_GLOBAL));
  CHECK(cuEventRecord(begin, stream));
  CHECK(cuMemsetD32Async(numbers, 3, 256, stream));
  CHECK(cuMemsetD8Async(sums, 0, 4 * sizeof(int), stream));
  CHECK(cuMemsetD32Async(all, 0, 1, stream));
  void* of_total[] = {&numbers, &sums, &all};
  CHECK(cuLaunchCooperativeKernel(total, 4, 1, 1, 64, 1, 1, 0, stream, of_total));
  CHECK(cuEventRecord(end, stream));
  CHECK(cuStreamSynchronize(stream));
  float ms = -1;
  CHECK(cuEventElapsedTime(&ms, begin, end));
  std::printf("total: %d, time %d\n", *reinterpret_cast<int*>(all), ms >= 0);

  // A window of a picture.
  CUDA_MEMCPY2D window = {};
  float picture[3 * 5] = {};
  window.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  window.srcDevice = in;
  window.srcPitch = 10 * sizeof(float);
  window.srcY = 1;
  window.srcXInBytes = 2 * sizeof(float);
  window.dstMemoryType = CU_MEMORYTYPE_HOST;
  window.dstHost = picture;
  window.dstPitch = 5 * sizeof(float);
  window.WidthInBytes = 2 * sizeof(float);
  window.Height = 3;
  CHECK(cuMemcpy2D(&window));
  std::printf("window: %g %g %g %g\n", picture[0], picture[1], picture[2], picture[11]);
  CUmemorytype kind = CU_MEMORYTYPE_HOST;
  CHECK(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, in));
  std::printf("kind: %d\n", kind == CU_MEMORYTYPE_DEVICE);

  for (const CUdeviceptr p : {in, out, numbers, sums, all}) CHECK(cuMemFree(p));
  CHECK(cuEventDestroy(begin));
  CHECK(cuEventDestroy(end));
  CHECK(cuStreamDestroy(stream));
  CHECK(cuModuleUnload(module));
  SAYS(cuModuleGetFunction(&set, module, "scale"), CUDA_ERROR_INVALID_HANDLE);
  CHECK(cuCtxDestroy(context));
  SAYS(cuMemAlloc(&in, 16), CUDA_ERROR_INVALID_CONTEXT);
}
