// options: --check all
// code: 3
// says: 1: 4 5
// says: error.race-shared.: write and read of sums.32. are not ordered
// says: add.cu:5
// A missing barrier in a kernel that is compiled at run time.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <vector>

const char* const kSource = R"(
extern "C" __global__ void neighbours(int* out) {
  __shared__ int sums[128];
  sums[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = sums[threadIdx.x] + sums[(threadIdx.x + 1) % 128];
})";

int main() {
  nvrtcProgram program;
  nvrtcCreateProgram(&program, kSource, "add.cu", 0, nullptr, nullptr);
  if (nvrtcCompileProgram(program, 0, nullptr) != NVRTC_SUCCESS) return 1;
  std::size_t size = 0;
  nvrtcGetCUBINSize(program, &size);
  std::vector<char> cubin(size);
  nvrtcGetCUBIN(program, cubin.data());
  nvrtcDestroyProgram(&program);
  cuInit(0);
  CUcontext context;
  cuCtxCreate(&context, nullptr, 0, 0);
  CUmodule module;
  CUfunction kernel;
  if (cuModuleLoadData(&module, cubin.data()) != CUDA_SUCCESS) return 1;
  cuModuleGetFunction(&kernel, module, "neighbours");
  CUdeviceptr out;
  cuMemAlloc(&out, 128 * sizeof(int));
  void* arguments[] = {&out};
  cuLaunchKernel(kernel, 1, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr);
  int result[128];
  cuMemcpyDtoH(result, out, sizeof result);
  std::printf("1: 4 5\n");
  cuMemFree(out);
  cuCtxDestroy(context);
}
