// options: --check all
// code: 3
// says: error.out-of-bounds.
// says: d_data
// says: limits.cu:3
// A module's kernel writes behind memory of the driver API.
#include <cuda.h>
#include <nvrtc.h>

#include <string>

int main() {
  nvrtcProgram program;
  nvrtcCreateProgram(&program,
                     "extern \"C\" __global__ void fill(int* data, int count) {\n"
                     "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                     "  if (i <= count) data[i] = i;\n"
                     "}\n",
                     "limits.cu", 0, nullptr, nullptr);
  if (nvrtcCompileProgram(program, 0, nullptr) != NVRTC_SUCCESS) return 1;
  std::size_t size = 0;
  nvrtcGetPTXSize(program, &size);
  std::string ptx(size, ' ');
  nvrtcGetPTX(program, ptx.data());
  nvrtcDestroyProgram(&program);
  cuInit(0);
  CUcontext context;
  cuCtxCreate(&context, nullptr, 0, 0);
  CUmodule module;
  CUfunction fill;
  cuModuleLoadData(&module, ptx.data());
  cuModuleGetFunction(&fill, module, "fill");
  CUdeviceptr d_data;
  cuMemAlloc(&d_data, 100 * sizeof(int));
  int count = 100;
  void* arguments[] = {&d_data, &count};
  cuLaunchKernel(fill, 1, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr);
  cuCtxSynchronize();
  cuMemFree(d_data);
}
