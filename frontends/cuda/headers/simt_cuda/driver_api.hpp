// SPDX-License-Identifier: Apache-2.0
// The functions of the driver API (frontends/cuda/runtime/driver_*.cpp, modules.cpp). Parameters have no names: a
// program may have macros of any name before it includes cuda.h.
#pragma once

#include "driver_types.hpp"
#include "driver_arrays.hpp"
#include "driver_graphs.hpp"
#include "driver_further.hpp"
#include "driver_forms.hpp"
#include "driver_rarer.hpp"
#include "tensor_maps.hpp"

// ---- start, errors, devices
CUresult cuInit(unsigned int);
CUresult cuDriverGetVersion(int*);
CUresult cuGetErrorName(CUresult, const char**);
CUresult cuGetErrorString(CUresult, const char**);
CUresult cuDeviceGetCount(int*);
CUresult cuDeviceGet(CUdevice*, int);
CUresult cuDeviceGetName(char*, int, CUdevice);
CUresult cuDeviceGetUuid(CUuuid*, CUdevice);
CUresult cuDeviceTotalMem(std::size_t*, CUdevice);
CUresult cuDeviceGetAttribute(int*, CUdevice_attribute, CUdevice);
CUresult cuDeviceGetProperties(CUdevprop*, CUdevice);
CUresult cuDeviceComputeCapability(int*, int*, CUdevice);
CUresult cuDeviceGetPCIBusId(char*, int, CUdevice);
CUresult cuDeviceGetByPCIBusId(CUdevice*, const char*);
CUresult cuDeviceCanAccessPeer(int*, CUdevice, CUdevice);

// ---- contexts
struct CUctxCreateParams;
CUresult cuCtxCreate(CUcontext*, unsigned int, CUdevice);
CUresult cuCtxCreate(CUcontext*, CUctxCreateParams*, unsigned int, CUdevice);
CUresult cuCtxDestroy(CUcontext);
CUresult cuCtxGetCurrent(CUcontext*);
CUresult cuCtxSetCurrent(CUcontext);
CUresult cuCtxPushCurrent(CUcontext);
CUresult cuCtxPopCurrent(CUcontext*);
CUresult cuCtxGetDevice(CUdevice*);
CUresult cuCtxGetFlags(unsigned int*);
CUresult cuCtxGetApiVersion(CUcontext, unsigned int*);
CUresult cuCtxGetLimit(std::size_t*, CUlimit);
CUresult cuCtxSetLimit(CUlimit, std::size_t);
CUresult cuCtxGetCacheConfig(CUfunc_cache*);
CUresult cuCtxSetCacheConfig(CUfunc_cache);
CUresult cuCtxGetStreamPriorityRange(int*, int*);
CUresult cuCtxSynchronize();
CUresult cuDevicePrimaryCtxRetain(CUcontext*, CUdevice);
CUresult cuDevicePrimaryCtxRelease(CUdevice);
CUresult cuDevicePrimaryCtxSetFlags(CUdevice, unsigned int);
CUresult cuDevicePrimaryCtxGetState(CUdevice, unsigned int*, int*);

// ---- memory
CUresult cuMemGetInfo(std::size_t*, std::size_t*);
CUresult cuMemAlloc(CUdeviceptr*, std::size_t);
CUresult cuMemAllocPitch(CUdeviceptr*, std::size_t*, std::size_t, std::size_t, unsigned int);
CUresult cuMemAllocManaged(CUdeviceptr*, std::size_t, unsigned int);
CUresult cuMemAllocAsync(CUdeviceptr*, std::size_t, CUstream);
CUresult cuMemAllocHost(void**, std::size_t);
CUresult cuMemHostAlloc(void**, std::size_t, unsigned int);
CUresult cuMemFree(CUdeviceptr);
CUresult cuMemFreeAsync(CUdeviceptr, CUstream);
CUresult cuMemFreeHost(void*);
CUresult cuMemHostGetDevicePointer(CUdeviceptr*, void*, unsigned int);
CUresult cuMemHostRegister(void*, std::size_t, unsigned int);
CUresult cuMemHostUnregister(void*);
CUresult cuPointerGetAttribute(void*, CUpointer_attribute, CUdeviceptr);
CUresult cuMemcpy(CUdeviceptr, CUdeviceptr, std::size_t);
CUresult cuMemcpyAsync(CUdeviceptr, CUdeviceptr, std::size_t, CUstream);
CUresult cuMemcpyHtoD(CUdeviceptr, const void*, std::size_t);
CUresult cuMemcpyDtoH(void*, CUdeviceptr, std::size_t);
CUresult cuMemcpyDtoD(CUdeviceptr, CUdeviceptr, std::size_t);
CUresult cuMemcpyHtoDAsync(CUdeviceptr, const void*, std::size_t, CUstream);
CUresult cuMemcpyDtoHAsync(void*, CUdeviceptr, std::size_t, CUstream);
CUresult cuMemcpyDtoDAsync(CUdeviceptr, CUdeviceptr, std::size_t, CUstream);
CUresult cuMemcpy2D(const CUDA_MEMCPY2D*);
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D*);
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D*, CUstream);
CUresult cuMemsetD8(CUdeviceptr, unsigned char, std::size_t);
CUresult cuMemsetD16(CUdeviceptr, unsigned short, std::size_t);
CUresult cuMemsetD32(CUdeviceptr, unsigned int, std::size_t);
CUresult cuMemsetD8Async(CUdeviceptr, unsigned char, std::size_t, CUstream);
CUresult cuMemsetD16Async(CUdeviceptr, unsigned short, std::size_t, CUstream);
CUresult cuMemsetD32Async(CUdeviceptr, unsigned int, std::size_t, CUstream);
CUresult cuMemsetD2D8(CUdeviceptr, std::size_t, unsigned char, std::size_t, std::size_t);

// ---- virtual memory
CUresult cuMemGetAllocationGranularity(std::size_t*, const CUmemAllocationProp*, CUmemAllocationGranularity_flags);
CUresult cuMemAddressReserve(CUdeviceptr*, std::size_t, std::size_t, CUdeviceptr, unsigned long long);
CUresult cuMemAddressFree(CUdeviceptr, std::size_t);
CUresult cuMemCreate(CUmemGenericAllocationHandle*, std::size_t, const CUmemAllocationProp*, unsigned long long);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp*, CUmemGenericAllocationHandle);
CUresult cuMemRelease(CUmemGenericAllocationHandle);
CUresult cuMemMap(CUdeviceptr, std::size_t, std::size_t, CUmemGenericAllocationHandle, unsigned long long);
CUresult cuMemUnmap(CUdeviceptr, std::size_t);
CUresult cuMemSetAccess(CUdeviceptr, std::size_t, const CUmemAccessDesc*, std::size_t);

// ---- streams and events
CUresult cuStreamCreate(CUstream*, unsigned int);
CUresult cuStreamCreateWithPriority(CUstream*, unsigned int, int);
CUresult cuStreamDestroy(CUstream);
CUresult cuStreamSynchronize(CUstream);
CUresult cuStreamQuery(CUstream);
CUresult cuStreamWaitEvent(CUstream, CUevent, unsigned int = 0);
CUresult cuStreamAddCallback(CUstream, CUstreamCallback, void*, unsigned int);
CUresult cuLaunchHostFunc(CUstream, CUhostFn, void*);
CUresult cuEventCreate(CUevent*, unsigned int);
CUresult cuEventDestroy(CUevent);
CUresult cuEventRecord(CUevent, CUstream);
CUresult cuEventSynchronize(CUevent);
CUresult cuEventQuery(CUevent);
CUresult cuEventElapsedTime(float*, CUevent, CUevent);

// ---- modules and kernels
CUresult cuModuleLoad(CUmodule*, const char*);
CUresult cuModuleLoadData(CUmodule*, const void*);
CUresult cuModuleLoadDataEx(CUmodule*, const void*, unsigned int, CUjit_option*, void**);
CUresult cuModuleLoadFatBinary(CUmodule*, const void*);
CUresult cuModuleUnload(CUmodule);
CUresult cuModuleGetFunction(CUfunction*, CUmodule, const char*);
CUresult cuModuleGetGlobal(CUdeviceptr*, std::size_t*, CUmodule, const char*);
CUresult cuLibraryLoadData(CUlibrary*, const void*, CUjit_option*, void**, unsigned int, CUlibraryOption*, void**,
                           unsigned int);
CUresult cuLibraryLoadFromFile(CUlibrary*, const char*, CUjit_option*, void**, unsigned int, CUlibraryOption*, void**,
                               unsigned int);
CUresult cuLibraryUnload(CUlibrary);
CUresult cuLibraryGetKernel(CUkernel*, CUlibrary, const char*);
CUresult cuLibraryGetModule(CUmodule*, CUlibrary);
CUresult cuLibraryGetGlobal(CUdeviceptr*, std::size_t*, CUlibrary, const char*);
CUresult cuKernelGetFunction(CUfunction*, CUkernel);
CUresult cuLinkCreate(unsigned int, CUjit_option*, void**, CUlinkState*);
CUresult cuLinkAddData(CUlinkState, CUjitInputType, void*, std::size_t, const char*, unsigned int, CUjit_option*,
                       void**);
CUresult cuLinkAddFile(CUlinkState, CUjitInputType, const char*, unsigned int, CUjit_option*, void**);
CUresult cuLinkComplete(CUlinkState, void**, std::size_t*);
CUresult cuLinkDestroy(CUlinkState);
CUresult cuLaunchKernel(CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,
                        unsigned int, CUstream, void**, void**);
CUresult cuLaunchCooperativeKernel(CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,
                                   unsigned int, unsigned int, CUstream, void**);
CUresult cuFuncGetAttribute(int*, CUfunction_attribute, CUfunction);
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int);
CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache);
CUresult cuFuncGetName(const char**, CUfunction);
CUresult cuFuncGetModule(CUmodule*, CUfunction);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int*, CUfunction, int, std::size_t);
CUresult cuOccupancyMaxPotentialBlockSize(int*, int*, CUfunction, CUoccupancyB2DSize, std::size_t, int);

#define cuMemAlloc_v2 cuMemAlloc
#define cuMemFree_v2 cuMemFree
#define cuMemcpyHtoD_v2 cuMemcpyHtoD
#define cuMemcpyDtoH_v2 cuMemcpyDtoH
#define cuMemcpyDtoD_v2 cuMemcpyDtoD
#define cuModuleGetGlobal_v2 cuModuleGetGlobal
#define cuCtxDestroy_v2 cuCtxDestroy
