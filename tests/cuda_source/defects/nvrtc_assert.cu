// code: 4
// says: CUDA_ERROR_ASSERT
// says: limit.cu:4
// An assertion in a program of NVRTC, which needs no header for it and finds one beside its name.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <string>

int main() {
  std::string name = __FILE__;
  name = name.substr(0, name.rfind('/') + 1) + "limit.cu";
  const char* const source =
      "#include \"../driver/limit.h\"\n"
      "extern \"C\" __global__ void small() {\n"
      "  const int i = threadIdx.x;\n"
      "  assert(i < kLimit);\n"
      "}\n";
  nvrtcProgram program;
  nvrtcCreateProgram(&program, source, name.c_str(), 0, nullptr, nullptr);
  if (nvrtcCompileProgram(program, 0, nullptr) != NVRTC_SUCCESS) return 1;
  std::size_t size = 0;
  nvrtcGetPTXSize(program, &size);
  std::string ptx(size, ' ');
  nvrtcGetPTX(program, ptx.data());
  nvrtcDestroyProgram(&program);
  cuInit(0);
  CUcontext context;
  cuCtxCreate(&context, nullptr, 0, 0);
  CUlibrary library;
  CUkernel kernel;
  cuLibraryLoadData(&library, ptx.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  cuLibraryGetKernel(&kernel, library, "small");
  cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr);
  const char* text = nullptr;
  cuGetErrorName(cuCtxSynchronize(), &text);
  std::printf("%s\n", text);
}
