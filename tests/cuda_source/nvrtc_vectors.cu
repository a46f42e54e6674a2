// A vector addition that is compiled at run time, as NVIDIA's tutorials of NVRTC have it. With nvcc: -lcuda -lnvrtc
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_CU(call)                                                       \
  do {                                                                       \
    const CUresult result = call;                                            \
    if (result != CUDA_SUCCESS) {                                            \
      const char* name = nullptr;                                            \
      cuGetErrorName(result, &name);                                         \
      std::printf("%s: %s (line %d)\n", #call, name ? name : "?", __LINE__); \
      std::exit(1);                                                          \
    }                                                                        \
  } while (0)
#define CHECK_NVRTC(call)                                                              \
  do {                                                                                 \
    const nvrtcResult result = call;                                                   \
    if (result != NVRTC_SUCCESS) {                                                     \
      std::printf("%s: %s (line %d)\n", #call, nvrtcGetErrorString(result), __LINE__); \
      std::exit(1);                                                                    \
    }                                                                                  \
  } while (0)

const char* const kSource = R"(
#include "scale.h"
extern "C" __global__ void add(const float* a, const float* b, float* c, int count) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < count) c[i] = SCALE * a[i] + factor(b[i]);
}
namespace tools {
__constant__ int table[4];
__device__ int calls = 7;
template <class T, int N>
__global__ void fill(T* out, T value) {
  __shared__ T all[N];
  all[threadIdx.x] = value + static_cast<T>(table[threadIdx.x % 4]);
  __syncthreads();
  out[threadIdx.x] = all[N - 1 - threadIdx.x];
  if (threadIdx.x == 0) atomicAdd(&calls, 1);
}
}
)";
const char* const kHeader = "__device__ inline float factor(float x) { return 3 * x; }\n";

int main() {
  nvrtcProgram program;
  const char* headers[] = {kHeader};
  const char* names[] = {"scale.h"};
  CHECK_NVRTC(nvrtcCreateProgram(&program, kSource, "add.cu", 1, headers, names));
  CHECK_NVRTC(nvrtcAddNameExpression(program, "tools::fill<int, 64>"));
  CHECK_NVRTC(nvrtcAddNameExpression(program, "&tools::table"));
  CHECK_NVRTC(nvrtcAddNameExpression(program, "&tools::calls"));
  const char* lowered = nullptr;
  std::printf("%s\n", nvrtcGetErrorString(nvrtcGetLoweredName(program, "&tools::table", &lowered)));
  const char* options[] = {"--gpu-architecture=compute_90", "--std=c++17", "-D", "SCALE=2", "--fmad=false"};
  const nvrtcResult compiled = nvrtcCompileProgram(program, 5, options);
  std::size_t size = 0;
  CHECK_NVRTC(nvrtcGetProgramLogSize(program, &size));
  std::vector<char> log(size);
  CHECK_NVRTC(nvrtcGetProgramLog(program, log.data()));
  std::printf("log: '%s'\n", log.data());
  CHECK_NVRTC(compiled);
  CHECK_NVRTC(nvrtcGetPTXSize(program, &size));
  std::vector<char> ptx(size);
  CHECK_NVRTC(nvrtcGetPTX(program, ptx.data()));

  CHECK_CU(cuInit(0));
  CUdevice device;
  CUcontext context;
  CHECK_CU(cuDeviceGet(&device, 0));
  CHECK_CU(cuDevicePrimaryCtxRetain(&context, device));
  CHECK_CU(cuCtxSetCurrent(context));
  CUmodule module;
  CUfunction add, fill;
  CHECK_CU(cuModuleLoadDataEx(&module, ptx.data(), 0, nullptr, nullptr));
  CHECK_CU(cuModuleGetFunction(&add, module, "add"));

  constexpr int kCount = 1000;
  std::vector<float> a(kCount), b(kCount), c(kCount);
  for (int i = 0; i < kCount; ++i) a[i] = i, b[i] = 1000 - i;
  CUdeviceptr da, db, dc;
  CHECK_CU(cuMemAlloc(&da, kCount * sizeof(float)));
  CHECK_CU(cuMemAlloc(&db, kCount * sizeof(float)));
  CHECK_CU(cuMemAlloc(&dc, kCount * sizeof(float)));
  CHECK_CU(cuMemcpyHtoD(da, a.data(), kCount * sizeof(float)));
  CHECK_CU(cuMemcpyHtoD(db, b.data(), kCount * sizeof(float)));
  int count = kCount;
  void* arguments[] = {&da, &db, &dc, &count};
  CHECK_CU(cuLaunchKernel(add, (kCount + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK_CU(cuCtxSynchronize());
  CHECK_CU(cuMemcpyDtoH(c.data(), dc, kCount * sizeof(float)));
  int wrong = 0;
  for (int i = 0; i < kCount; ++i) wrong += c[i] != 2 * a[i] + 3 * b[i];
  std::printf("add: %d wrong, c[10] = %g\n", wrong, c[10]);

  CHECK_NVRTC(nvrtcGetLoweredName(program, "tools::fill<int, 64>", &lowered));
  std::printf("%s\n", lowered);
  CHECK_CU(cuModuleGetFunction(&fill, module, lowered));
  CUdeviceptr variable;
  CHECK_NVRTC(nvrtcGetLoweredName(program, "&tools::table", &lowered));
  CHECK_CU(cuModuleGetGlobal(&variable, &size, module, lowered));
  std::printf("%s: %zu bytes\n", lowered, size);
  const int table[4] = {0, 10, 20, 30};
  CHECK_CU(cuMemcpyHtoD(variable, table, sizeof table));
  int value = 5;
  void* of_fill[] = {&dc, &value};
  CHECK_CU(cuLaunchKernel(fill, 1, 1, 1, 64, 1, 1, 0, nullptr, of_fill, nullptr));
  int filled[64];
  CHECK_CU(cuMemcpyDtoH(filled, dc, sizeof filled));
  std::printf("fill: %d %d %d %d\n", filled[0], filled[1], filled[2], filled[63]);
  CHECK_NVRTC(nvrtcGetLoweredName(program, "&tools::calls", &lowered));
  CHECK_CU(cuModuleGetGlobal(&variable, &size, module, lowered));
  int calls = 0;
  CHECK_CU(cuMemcpyDtoH(&calls, variable, sizeof calls));
  std::printf("calls: %d\n", calls);

  // The same once more is a module with variables of its own.
  CUmodule again;
  CHECK_CU(cuModuleLoadData(&again, ptx.data()));
  CHECK_CU(cuModuleGetGlobal(&variable, &size, again, lowered));
  CHECK_CU(cuMemcpyDtoH(&calls, variable, sizeof calls));
  std::printf("calls of the second: %d\n", calls);

  CUfunction none;
  std::printf("not there: %d, %d\n", cuModuleGetFunction(&none, module, "subtract") == CUDA_ERROR_NOT_FOUND,
              cuModuleGetGlobal(&variable, &size, module, "nothing") == CUDA_ERROR_NOT_FOUND);
  CHECK_NVRTC(nvrtcDestroyProgram(&program));
  CHECK_CU(cuMemFree(da));
  CHECK_CU(cuMemFree(db));
  CHECK_CU(cuMemFree(dc));
  CHECK_CU(cuModuleUnload(again));
  CHECK_CU(cuModuleUnload(module));
  CHECK_CU(cuDevicePrimaryCtxRelease(device));
}
