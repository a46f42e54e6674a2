// SPDX-License-Identifier: Apache-2.0
// options: --check races -lnvrtc -lcuda
// code: 3
// says: sums.cu:3 in total
// says: 3 \|   sum\[0\] \+= threadIdx.x;
// says: atomicAdd\(&sum\[0\], threadIdx.x\)
// A kernel that the program compiles itself: its text has no file of its name, and the report shows it all the same.
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>

#include <string>

const char* const text = R"(
extern "C" __global__ void total(int* sum) {
  sum[0] += threadIdx.x;
}
)";

int main() {
  int* sum;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  nvrtcProgram program;
  nvrtcCreateProgram(&program, text, "sums.cu", 0, nullptr, nullptr);
  if (nvrtcCompileProgram(program, 0, nullptr) != NVRTC_SUCCESS) return 1;
  std::size_t bytes;
  nvrtcGetPTXSize(program, &bytes);
  std::string ptx(bytes, 0);
  nvrtcGetPTX(program, ptx.data());
  CUmodule module;
  CUfunction total;
  cuModuleLoadData(&module, ptx.c_str());
  cuModuleGetFunction(&total, module, "total");
  void* arguments[] = {&sum};
  cuLaunchKernel(total, 2, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr);
  cudaDeviceSynchronize();
  cudaFree(sum);
}
