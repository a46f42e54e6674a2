// SPDX-License-Identifier: Apache-2.0
// Names of functions with the number of their form, as older sources and tables of entry points have them. Here each
// function has one form, or forms that differ by their parameters. Part of driver_api.hpp.
#pragma once

#define cuArray3DCreate_v2 cuArray3DCreate
#define cuArray3DGetDescriptor_v2 cuArray3DGetDescriptor
#define cuArrayCreate_v2 cuArrayCreate
#define cuArrayGetDescriptor_v2 cuArrayGetDescriptor
#define cuCtxCreate_v3 cuCtxCreate
#define cuCtxCreate_v4 cuCtxCreate
#define cuCtxPopCurrent_v2 cuCtxPopCurrent
#define cuCtxPushCurrent_v2 cuCtxPushCurrent
#define cuDeviceGetUuid_v2 cuDeviceGetUuid
#define cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxRelease
#define cuDevicePrimaryCtxSetFlags_v2 cuDevicePrimaryCtxSetFlags
#define cuDeviceTotalMem_v2 cuDeviceTotalMem
#define cuEventDestroy_v2 cuEventDestroy
#define cuEventElapsedTime_v2 cuEventElapsedTime
#define cuGraphAddDependencies_v2 cuGraphAddDependencies
#define cuGraphGetEdges_v2 cuGraphGetEdges
#define cuGraphInstantiate_v2 cuGraphInstantiate
#define cuGraphNodeGetDependencies_v2 cuGraphNodeGetDependencies
#define cuGraphNodeGetDependentNodes_v2 cuGraphNodeGetDependentNodes
#define cuGraphRemoveDependencies_v2 cuGraphRemoveDependencies
#define cuLinkAddData_v2 cuLinkAddData
#define cuLinkAddFile_v2 cuLinkAddFile
#define cuLinkCreate_v2 cuLinkCreate
#define cuMemAllocHost_v2 cuMemAllocHost
#define cuMemAllocPitch_v2 cuMemAllocPitch
#define cuMemGetInfo_v2 cuMemGetInfo
#define cuMemHostGetDevicePointer_v2 cuMemHostGetDevicePointer
#define cuMemHostRegister_v2 cuMemHostRegister
#define cuMemcpy2DUnaligned_v2 cuMemcpy2DUnaligned
#define cuMemcpyAtoD_v2 cuMemcpyAtoD
#define cuMemcpyAtoH_v2 cuMemcpyAtoH
#define cuMemcpyDtoA_v2 cuMemcpyDtoA
#define cuMemcpyHtoA_v2 cuMemcpyHtoA
#define cuMemsetD2D16_v2 cuMemsetD2D16
#define cuMemsetD2D32_v2 cuMemsetD2D32
#define cuMemsetD2D8_v2 cuMemsetD2D8
#define cuStreamDestroy_v2 cuStreamDestroy
