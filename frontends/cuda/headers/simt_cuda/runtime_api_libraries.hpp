// SPDX-License-Identifier: Apache-2.0
// Of the runtime API: modules that are loaded as libraries, parameters of functions, entry points of the driver,
// copies in batches, objects that graphs keep. Part of runtime_api.hpp.
#pragma once

#include "known_kernels.hpp"
#include "launch.hpp"
#include "runtime_api_memory.hpp"

typedef struct CUlib_st* cudaLibrary_t;
typedef struct CUkern_st* cudaKernel_t;
typedef struct CUfunc_st* cudaFunction_t;
enum cudaJitOption : int {
  cudaJitMaxRegisters = 0,
  cudaJitThreadsPerBlock = 1,
  cudaJitWallTime = 2,
  cudaJitInfoLogBuffer = 3,
  cudaJitInfoLogBufferSizeBytes = 4,
  cudaJitErrorLogBuffer = 5,
  cudaJitErrorLogBufferSizeBytes = 6,
  cudaJitOptimizationLevel = 7,
  cudaJitFallbackStrategy = 10,
  cudaJitGenerateDebugInfo = 11,
  cudaJitLogVerbose = 12,
  cudaJitGenerateLineInfo = 13,
  cudaJitCacheMode = 14,
  cudaJitPositionIndependentCode = 30,
  cudaJitMinCtaPerSm = 31,
  cudaJitMaxThreadsPerBlock = 32,
  cudaJitOverrideDirectiveValues = 33
};
enum cudaJit_CacheMode : int { cudaJitCacheOptionNone = 0, cudaJitCacheOptionCG, cudaJitCacheOptionCA };
enum cudaJit_Fallback : int { cudaPreferPtx = 0, cudaPreferBinary };
enum cudaLibraryOption : int { cudaLibraryHostUniversalFunctionAndDataTable = 0, cudaLibraryBinaryIsPreserved = 1 };
cudaError_t cudaLibraryLoadData(cudaLibrary_t* l, const void* code, cudaJitOption* options, void** values,
                                unsigned int count, cudaLibraryOption* more, void** more_values,
                                unsigned int more_count);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* l, const char* file, cudaJitOption* options, void** values,
                                    unsigned int count, cudaLibraryOption* more, void** more_values,
                                    unsigned int more_count);
cudaError_t cudaLibraryUnload(cudaLibrary_t l);
cudaError_t cudaLibraryGetKernel(cudaKernel_t* k, cudaLibrary_t l, const char* name);
namespace simt_cuda {
cudaError_t library_global(void** p, std::size_t* bytes, cudaLibrary_t l, const char* name);
cudaError_t launch_library_kernel(cudaKernel_t k, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                  cudaStream_t s, bool cooperative);
}  // namespace simt_cuda
template <class T>
cudaError_t cudaLibraryGetGlobal(T** p, std::size_t* bytes, cudaLibrary_t l, const char* name) {
  return simt_cuda::library_global(reinterpret_cast<void**>(p), bytes, l, name);
}
template <class T>
cudaError_t cudaLibraryGetManaged(T** p, std::size_t* bytes, cudaLibrary_t l, const char* name) {
  return simt_cuda::library_global(reinterpret_cast<void**>(p), bytes, l, name);
}
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t k, cudaFuncAttribute attribute, int value, int device);
inline cudaError_t cudaLaunchKernel(cudaKernel_t k, dim3 grid, dim3 block, void** arguments, std::size_t shared = 0,
                                    cudaStream_t s = nullptr) {
  return simt_cuda::launch_library_kernel(k, grid, block, arguments, shared, s, false);
}
inline cudaError_t cudaLaunchCooperativeKernel(cudaKernel_t k, dim3 grid, dim3 block, void** arguments,
                                               std::size_t shared = 0, cudaStream_t s = nullptr) {
  return simt_cuda::launch_library_kernel(k, grid, block, arguments, shared, s, true);
}
template <class... P>
cudaError_t cudaFuncGetParamInfo(void (*f)(P...), std::size_t index, std::size_t* offset, std::size_t* bytes) {
  const simt_cuda::kernel_calls calls = simt_cuda::calls_of(f);
  return simt_cuda::parameter_of(&calls, index, offset, bytes);
}
inline cudaError_t cudaFuncGetParamInfo(const void* f, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return simt_cuda::parameter_of(simt_cuda::known_kernel(f), index, offset, bytes);
}
// Functions of the driver API that stand for kernels of the program.
namespace simt_cuda {
cudaError_t function_of_kernel(cudaFunction_t* f, const void* kernel);
}
template <class F>
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* f, F* kernel) {
  return simt_cuda::function_of_kernel(f, simt_cuda::kernel_address(kernel));
}
template <class F>
cudaError_t cudaGetKernel(cudaKernel_t* k, F* kernel) {
  return simt_cuda::function_of_kernel(reinterpret_cast<cudaFunction_t*>(k), simt_cuda::kernel_address(kernel));
}

// ---- functions of the driver API by name ----
enum cudaDriverEntryPointQueryResult : int {
  cudaDriverEntryPointSuccess = 0,
  cudaDriverEntryPointSymbolNotFound = 1,
  cudaDriverEntryPointVersionNotSufficent = 2
};
enum cudaGetDriverEntryPointFlags : int {
  cudaEnableDefault = 0,
  cudaEnableLegacyStream = 1,
  cudaEnablePerThreadDefaultStream = 2
};
cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* result = nullptr);
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned int version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* result = nullptr);
template <class F>
requires(!std::is_void_v<F>) cudaError_t
    cudaGetDriverEntryPoint(const char* name, F** function, unsigned long long flags,
                            cudaDriverEntryPointQueryResult* result = nullptr) {
  return cudaGetDriverEntryPoint(name, reinterpret_cast<void**>(function), flags, result);
}

// ---- many at once, on a stream: each is one of the stream's works, in the order of the list ----
enum cudaMemcpySrcAccessOrder : int {
  cudaMemcpySrcAccessOrderInvalid = 0,
  cudaMemcpySrcAccessOrderStream = 1,
  cudaMemcpySrcAccessOrderDuringApiCall = 2,
  cudaMemcpySrcAccessOrderAny = 3
};
enum cudaMemcpyFlags : int { cudaMemcpyFlagDefault = 0, cudaMemcpyFlagPreferOverlapWithCompute = 1 };
struct cudaMemcpyAttributes {
  cudaMemcpySrcAccessOrder srcAccessOrder;
  cudaMemLocation srcLocHint, dstLocHint;
  unsigned int flags;
};
namespace simt_cuda {
cudaError_t copy_batch(void* const* to, const void* const* from, const std::size_t* bytes, std::size_t count,
                       const cudaMemcpyAttributes* attributes, const std::size_t* first, std::size_t attribute_count,
                       cudaStream_t s);
}  // namespace simt_cuda
// CUDA 13's form, and CUDA 12's, which says where it failed. Lists of pointers of any type.
template <class To, class From>
cudaError_t cudaMemcpyBatchAsync(To* const* to, From* const* from, const std::size_t* bytes, std::size_t count,
                                 cudaMemcpyAttributes* attributes, std::size_t* first, std::size_t attribute_count,
                                 cudaStream_t s) {
  return simt_cuda::copy_batch(reinterpret_cast<void* const*>(const_cast<std::remove_const_t<To>* const*>(to)),
                               reinterpret_cast<const void* const*>(from), bytes, count, attributes, first,
                               attribute_count, s);
}
template <class To, class From>
cudaError_t cudaMemcpyBatchAsync(To* const* to, From* const* from, const std::size_t* bytes, std::size_t count,
                                 cudaMemcpyAttributes* attributes, std::size_t* first, std::size_t attribute_count,
                                 std::size_t* failed, cudaStream_t s) {
  if (failed != nullptr) *failed = ~std::size_t{0};  // none of its own
  return cudaMemcpyBatchAsync(to, from, bytes, count, attributes, first, attribute_count, s);
}
cudaError_t cudaMemPrefetchBatchAsync(void** p, std::size_t* bytes, std::size_t count, cudaMemLocation* where,
                                      std::size_t* first, std::size_t where_count, unsigned long long flags,
                                      cudaStream_t s);
struct cudaMemcpy3DPeerParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  int srcDevice;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  int dstDevice;
  cudaExtent extent;
};
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p);
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t s = nullptr);
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* where, cudaMemAllocationType type);
cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* where, cudaMemAllocationType type);
cudaError_t cudaMemSetMemPool(cudaMemLocation* where, cudaMemAllocationType type, cudaMemPool_t pool);

// ---- objects of the host that live as long as somebody has a reference ----
typedef struct CUuserObject_st* cudaUserObject_t;
enum cudaUserObjectFlags : int { cudaUserObjectNoDestructorSync = 1 };
enum cudaUserObjectRetainFlags : int { cudaGraphUserObjectMove = 1 };
cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* what, void (*destroy)(void*), unsigned int references,
                                 unsigned int flags);
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count = 1);
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count = 1);
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count = 1,
                                      unsigned int flags = 0);
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count = 1);
