// SPDX-License-Identifier: Apache-2.0
// Two programs of NVRTC as one module, by cuLinkAddData and by nvJitLink: a kernel of one calls a function and reads a
// variable of the other.
#include <cuda.h>
#include <nvJitLink.h>
#include <nvrtc.h>
#include <cstdio>
#include <string>
#include <vector>

const char *kKernel =
    "extern __device__ float twice(float);\n"
    "extern __device__ int shift;\n"
    "extern \"C\" __global__ void fill(float *out, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) out[i] = twice(i) + shift;\n"
    "}\n";
const char *kFunction =
    "__device__ int shift = 5;\n"
    "__device__ float twice(float x) { return 2 * x; }\n";

std::string compiled(const char *source, const char *name, std::vector<const char *> options) {
  nvrtcProgram p;
  nvrtcCreateProgram(&p, source, name, 0, nullptr, nullptr);
  if (nvrtcCompileProgram(p, static_cast<int>(options.size()), options.data()) != NVRTC_SUCCESS) {
    size_t bytes;
    nvrtcGetProgramLogSize(p, &bytes);
    std::string log(bytes, ' ');
    nvrtcGetProgramLog(p, &log[0]);
    printf("not compiled: %s\n", log.c_str());
  }
  const bool lto = std::string(options[0]) == "-dlto";
  size_t bytes = 0;
  lto ? nvrtcGetLTOIRSize(p, &bytes) : nvrtcGetPTXSize(p, &bytes);
  std::string text(bytes, ' ');
  lto ? nvrtcGetLTOIR(p, &text[0]) : nvrtcGetPTX(p, &text[0]);
  nvrtcDestroyProgram(&p);
  return text;
}

void run(const char *what, const void *image) {
  CUmodule m;
  CUfunction f;
  CUdeviceptr out;
  const CUresult loaded = cuModuleLoadData(&m, image);
  if (loaded != CUDA_SUCCESS) {
    printf("%s: not loaded, %d\n", what, loaded);
    return;
  }
  cuModuleGetFunction(&f, m, "fill");
  int n = 100;
  cuMemAlloc(&out, n * sizeof(float));
  void *arguments[] = {&out, &n};
  cuLaunchKernel(f, 2, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr);
  std::vector<float> h(n);
  cuMemcpyDtoH(h.data(), out, n * sizeof(float));
  printf("%s: %g %g\n", what, h[0], h[n - 1]);
  cuMemFree(out);
  cuModuleUnload(m);
}

int main() {
  CUdevice device;
  CUcontext context;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);

  const std::vector<const char *> rdc = {"--relocatable-device-code=true", "--gpu-architecture=compute_90"};
  const std::string a = compiled(kKernel, "kernel.cu", rdc), b = compiled(kFunction, "function.cu", rdc);
  CUlinkState state;
  cuLinkCreate(0, nullptr, nullptr, &state);
  cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char *>(a.data()), a.size(), "kernel", 0, nullptr, nullptr);
  cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char *>(b.data()), b.size(), "function", 0, nullptr, nullptr);
  void *image = nullptr;
  size_t bytes = 0;
  printf("cuLinkComplete: %d\n", cuLinkComplete(state, &image, &bytes));
  run("cuLink", image);
  cuLinkDestroy(state);

  const std::vector<const char *> dlto = {"-dlto", "--relocatable-device-code=true", "-arch=compute_90"};
  const std::string x = compiled(kKernel, "kernel.cu", dlto), y = compiled(kFunction, "function.cu", dlto);
  nvJitLinkHandle link;
  const char *options[] = {"-lto", "-arch=sm_90"};
  printf("create: %d\n", nvJitLinkCreate(&link, 2, options));
  nvJitLinkAddData(link, NVJITLINK_INPUT_LTOIR, x.data(), x.size(), "kernel");
  nvJitLinkAddData(link, NVJITLINK_INPUT_LTOIR, y.data(), y.size(), "function");
  printf("complete: %d\n", nvJitLinkComplete(link));
  nvJitLinkGetLinkedCubinSize(link, &bytes);
  std::vector<char> cubin(bytes);
  nvJitLinkGetLinkedCubin(link, cubin.data());
  std::size_t log_bytes = 0;
  nvJitLinkGetInfoLogSize(link, &log_bytes);
  std::vector<char> log(log_bytes + 1, 'x');
  nvJitLinkGetInfoLog(link, log.data());
  printf("log: as long as was said: %d\n", log[log_bytes] == 'x');
  nvJitLinkDestroy(&link);
  run("nvJitLink", cubin.data());
  cuDevicePrimaryCtxRelease(device);
  return 0;
}
