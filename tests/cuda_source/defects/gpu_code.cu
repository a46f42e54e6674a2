// code: 7
// says: the image is PTX; the simulator runs no code of a GPU: make the module with .simrun FILE.cu -ptx
// says: PTX: CUDA_ERROR_NO_BINARY_FOR_GPU, cubin: CUDA_ERROR_NO_BINARY_FOR_GPU, text: CUDA_ERROR_INVALID_IMAGE
// says: the image is a cubin
// Code of a GPU cannot run here.
#include <cuda.h>

#include <cstdio>

int main() {
  cuInit(0);
  CUcontext context;
  cuCtxCreate(&context, nullptr, 0, 0);
  const char* const images[] = {".version 8.0\n.target sm_90\n.address_size 64\n", "\177ELF and what follows",
                                "a text of nobody"};
  const char* names[3] = {};
  CUmodule module = nullptr;
  for (int i = 0; i < 3; ++i) cuGetErrorName(cuModuleLoadData(&module, images[i]), &names[i]);
  std::printf("PTX: %s, cubin: %s, text: %s\n", names[0], names[1], names[2]);
  return 7;
}
