// Modules are linked at run time, and none of them has a function that a kernel calls: the link fails and names it as the
// source does, and no file of the cache.
// code: 0
// says: simt: cuLinkComplete: undefined reference to 'missing.int.'
// says: nvJitLinkComplete failed: undefined reference to 'missing.int.'
#include <cuda.h>
#include <nvJitLink.h>
#include <nvrtc.h>
#include <cstdio>
#include <string>
#include <vector>
static std::string compiled(const char *text, const char *name) {
  nvrtcProgram program;
  nvrtcCreateProgram(&program, text, name, 0, nullptr, nullptr);
  const char *options[] = {"--relocatable-device-code=true", "--gpu-architecture=compute_90"};
  nvrtcCompileProgram(program, 2, options);
  size_t bytes = 0;
  nvrtcGetPTXSize(program, &bytes);
  std::string ptx(bytes, 0);
  nvrtcGetPTX(program, ptx.data());
  nvrtcDestroyProgram(&program);
  return ptx;
}
int main() {
  cuInit(0);
  CUcontext context;
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxSetCurrent(context);
  std::string kernel = compiled("extern __device__ int missing(int);\n"
                                "extern \"C\" __global__ void k(int *x) { x[0] = missing(3); }\n", "kernel.cu");
  std::string other = compiled("__device__ int other(int x) { return x; }\n", "other.cu");
  CUlinkState state;
  cuLinkCreate(0, nullptr, nullptr, &state);
  cuLinkAddData(state, CU_JIT_INPUT_PTX, kernel.data(), kernel.size(), "kernel", 0, nullptr, nullptr);
  cuLinkAddData(state, CU_JIT_INPUT_PTX, other.data(), other.size(), "other", 0, nullptr, nullptr);
  void *image = nullptr;
  size_t bytes = 0;
  const bool refused = cuLinkComplete(state, &image, &bytes) != CUDA_SUCCESS;
  cuLinkDestroy(state);

  nvJitLinkHandle link;
  const char *options[] = {"-arch=sm_90"};
  nvJitLinkCreate(&link, 1, options);
  nvJitLinkAddData(link, NVJITLINK_INPUT_PTX, kernel.data(), kernel.size(), "kernel");
  nvJitLinkAddData(link, NVJITLINK_INPUT_PTX, other.data(), other.size(), "other");
  if (nvJitLinkComplete(link) == NVJITLINK_SUCCESS) return 1;
  nvJitLinkGetErrorLogSize(link, &bytes);
  std::vector<char> log(bytes);
  nvJitLinkGetErrorLog(link, log.data());
  printf("nvJitLinkComplete failed: %s\n", log.data());
  nvJitLinkDestroy(&link);
  return refused ? 0 : 1;
}
