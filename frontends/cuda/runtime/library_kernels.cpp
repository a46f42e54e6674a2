// SPDX-License-Identifier: Apache-2.0
// Modules as the runtime API's libraries: the driver's modules, loaded in its name.
#include "driver.hpp"

namespace simt_cuda {
namespace {

// The driver's errors have the runtime's numbers. A thread that uses the runtime has a context.
cudaError_t as_runtime(CUresult e) { return e == CUDA_SUCCESS ? cudaSuccess : fail(static_cast<cudaError_t>(e)); }
template <class Call>
cudaError_t by_driver(Call call) {
  if (const cudaError_t e = guarded([] {}); e != cudaSuccess) return e;
  if (const CUresult e = cuInit(0); e != CUDA_SUCCESS) return as_runtime(e);
  return as_runtime(call());
}

}  // namespace

cudaError_t library_global(void** p, std::size_t* bytes, cudaLibrary_t l, const char* name) {
  const simt::backend::calling_from user(__builtin_return_address(0));
  return by_driver([&] {
    CUdeviceptr at = 0;
    const CUresult e = cuLibraryGetGlobal(&at, bytes, l, name);
    if (e == CUDA_SUCCESS && p != nullptr) *p = as_pointer(at);
    return e;
  });
}
cudaError_t launch_library_kernel(cudaKernel_t k, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                  cudaStream_t s, bool cooperative) {
  const simt::backend::calling_from user(__builtin_return_address(0));
  return by_driver([&] {
    CUfunction f = nullptr;
    if (const CUresult e = cuKernelGetFunction(&f, k); e != CUDA_SUCCESS) return e;
    const auto bytes = static_cast<unsigned>(shared);
    return cooperative
               ? cuLaunchCooperativeKernel(f, grid.x, grid.y, grid.z, block.x, block.y, block.z, bytes, s, arguments)
               : cuLaunchKernel(f, grid.x, grid.y, grid.z, block.x, block.y, block.z, bytes, s, arguments, nullptr);
  });
}

}  // namespace simt_cuda

using namespace simt_cuda;

cudaError_t cudaLibraryLoadData(cudaLibrary_t* l, const void* code, cudaJitOption* options, void** values,
                                unsigned int count, cudaLibraryOption*, void**, unsigned int) {
  return by_driver([&] {  // the options have the driver's numbers
    return cuLibraryLoadData(l, code, reinterpret_cast<CUjit_option*>(options), values, count, nullptr, nullptr, 0);
  });
}
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* l, const char* file, cudaJitOption* options, void** values,
                                    unsigned int count, cudaLibraryOption*, void**, unsigned int) {
  return by_driver([&] {
    return cuLibraryLoadFromFile(l, file, reinterpret_cast<CUjit_option*>(options), values, count, nullptr, nullptr, 0);
  });
}
cudaError_t cudaLibraryUnload(cudaLibrary_t l) {
  return by_driver([&] { return cuLibraryUnload(l); });
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* k, cudaLibrary_t l, const char* name) {
  return by_driver([&] { return cuLibraryGetKernel(k, l, name); });
}
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t k, cudaFuncAttribute attribute, int value, int) {
  return by_driver([&] {
    CUfunction f = nullptr;
    if (const CUresult e = cuKernelGetFunction(&f, k); e != CUDA_SUCCESS) return e;
    return cuFuncSetAttribute(f, static_cast<CUfunction_attribute>(attribute), value);
  });
}
