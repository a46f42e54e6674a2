// SPDX-License-Identifier: Apache-2.0
// Arrays, texture and surface objects of the driver API, made with the runtime's.
#include "driver.hpp"

using namespace simt_cuda;

namespace {

// Channels of `format`; of no bits where the format or the number of channels is none.
cudaChannelFormatDesc channels(CUarray_format format, unsigned int count) {
  int bits = 0;
  cudaChannelFormatKind kind = cudaChannelFormatKindNone;
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
      bits = 8;
      kind = cudaChannelFormatKindUnsigned;
      break;
    case CU_AD_FORMAT_UNSIGNED_INT16:
      bits = 16;
      kind = cudaChannelFormatKindUnsigned;
      break;
    case CU_AD_FORMAT_UNSIGNED_INT32:
      bits = 32;
      kind = cudaChannelFormatKindUnsigned;
      break;
    case CU_AD_FORMAT_SIGNED_INT8:
      bits = 8;
      kind = cudaChannelFormatKindSigned;
      break;
    case CU_AD_FORMAT_SIGNED_INT16:
      bits = 16;
      kind = cudaChannelFormatKindSigned;
      break;
    case CU_AD_FORMAT_SIGNED_INT32:
      bits = 32;
      kind = cudaChannelFormatKindSigned;
      break;
    case CU_AD_FORMAT_HALF:
      bits = 16;
      kind = cudaChannelFormatKindFloat;
      break;
    case CU_AD_FORMAT_FLOAT:
      bits = 32;
      kind = cudaChannelFormatKindFloat;
      break;
  }
  if (count != 1 && count != 2 && count != 4) bits = 0;
  return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 2 ? bits : 0, kind};
}
CUarray_format format_of(const cudaChannelFormatDesc& d) {
  if (d.f == cudaChannelFormatKindFloat) return d.x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
  const int first = d.f == cudaChannelFormatKindSigned ? CU_AD_FORMAT_SIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT8;
  return static_cast<CUarray_format>(first + (d.x == 32 ? 2 : d.x == 16 ? 1 : 0));
}

CUresult make(CUarray* to, const CUDA_ARRAY3D_DESCRIPTOR& d) {
  const cudaChannelFormatDesc desc = channels(d.Format, d.NumChannels);
  if (desc.x == 0 || d.Width == 0) return CUDA_ERROR_INVALID_VALUE;
  const cudaExtent extent{d.Width, d.Height, d.Depth};
  void* memory = nullptr;
  if (const CUresult e = as_driver(allocate_for(&memory, array_bytes(desc, extent), kDeviceMemory)); e != CUDA_SUCCESS)
    return e;
  return as_driver(keep_array(to, memory, desc, extent, d.Flags));
}

CUresult resource_of(cudaResourceDesc& to, const CUDA_RESOURCE_DESC& from) {
  to = {};
  to.resType = static_cast<cudaResourceType>(from.resType);
  switch (from.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      to.res.array.array = from.res.array.hArray;
      return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto& l = from.res.linear;
      to.res.linear = {as_pointer(l.devPtr), channels(l.format, l.numChannels), l.sizeInBytes};
      return CUDA_SUCCESS;
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& p = from.res.pitch2D;
      to.res.pitch2D = {as_pointer(p.devPtr), channels(p.format, p.numChannels), p.width, p.height, p.pitchInBytes};
      return CUDA_SUCCESS;
    }
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      to.res.mipmap.mipmap = from.res.mipmap.hMipmappedArray;
      return CUDA_SUCCESS;
  }
  return CUDA_ERROR_NOT_SUPPORTED;
}

unsigned int channels_in(const cudaChannelFormatDesc& d) { return 1u + (d.y != 0) + (d.z != 0) + (d.w != 0); }
CUDA_RESOURCE_DESC resource_as_driver(const cudaResourceDesc& from) {
  CUDA_RESOURCE_DESC to{};
  to.resType = static_cast<CUresourcetype>(from.resType);
  switch (from.resType) {
    case cudaResourceTypeArray:
      to.res.array.hArray = from.res.array.array;
      break;
    case cudaResourceTypeMipmappedArray:
      to.res.mipmap.hMipmappedArray = from.res.mipmap.mipmap;
      break;
    case cudaResourceTypeLinear: {
      const auto& l = from.res.linear;
      to.res.linear = {as_device(l.devPtr), format_of(l.desc), channels_in(l.desc), l.sizeInBytes};
      break;
    }
    case cudaResourceTypePitch2D: {
      const auto& p = from.res.pitch2D;
      to.res.pitch2D = {as_device(p.devPtr), format_of(p.desc), channels_in(p.desc), p.width, p.height, p.pitchInBytes};
      break;
    }
  }
  return to;
}

// Integers of 8 and 16 bits are read as fractions unless the flags ask for integers; of 32 bits there are none.
cudaTextureReadMode read_mode(const cudaResourceDesc& r, unsigned int flags) {
  cudaChannelFormatDesc d{};
  cudaArray_t array = r.res.array.array;
  if (r.resType == cudaResourceTypeMipmappedArray) cudaGetMipmappedArrayLevel(&array, r.res.mipmap.mipmap, 0);
  if (r.resType == cudaResourceTypeArray || r.resType == cudaResourceTypeMipmappedArray)
    cudaGetChannelDesc(&d, array);
  else
    d = r.resType == cudaResourceTypeLinear ? r.res.linear.desc : r.res.pitch2D.desc;
  const bool fractions = d.f != cudaChannelFormatKindFloat && d.x < 32 && (flags & CU_TRSF_READ_AS_INTEGER) == 0;
  return fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
}

}  // namespace

CUresult cuArrayCreate(CUarray* to, const CUDA_ARRAY_DESCRIPTOR* d) {
  SIMT_DRIVER_CALL;
  if (to == nullptr || d == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return make(to, {d->Width, d->Height, 0, d->Format, d->NumChannels, 0});
}
CUresult cuArray3DCreate(CUarray* to, const CUDA_ARRAY3D_DESCRIPTOR* d) {
  SIMT_DRIVER_CALL;
  return to == nullptr || d == nullptr ? CUDA_ERROR_INVALID_VALUE : make(to, *d);
}
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* to, CUarray a) {
  SIMT_DRIVER_CALL;
  cudaChannelFormatDesc d{};
  cudaExtent e{};
  unsigned int flags = 0;
  if (to == nullptr || a == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (const cudaError_t error = cudaArrayGetInfo(&d, &e, &flags, a); error != cudaSuccess) return as_driver(error);
  *to = {e.width, e.height, e.depth, format_of(d), channels_in(d), flags};
  return CUDA_SUCCESS;
}
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* to, CUarray a) {
  CUDA_ARRAY3D_DESCRIPTOR d{};
  if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult e = cuArray3DGetDescriptor(&d, a); e != CUDA_SUCCESS) return e;
  *to = {d.Width, d.Height, d.Format, d.NumChannels};
  return CUDA_SUCCESS;
}
CUresult cuArrayDestroy(CUarray a) {
  SIMT_DRIVER_CALL;
  return a == nullptr ? CUDA_ERROR_INVALID_HANDLE : as_driver(cudaFreeArray(a));
}
CUresult cuMipmappedArrayCreate(CUmipmappedArray* to, const CUDA_ARRAY3D_DESCRIPTOR* d, unsigned int levels) {
  SIMT_DRIVER_CALL;
  if (to == nullptr || d == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaChannelFormatDesc desc = channels(d->Format, d->NumChannels);
  return as_driver(cudaMallocMipmappedArray(to, &desc, {d->Width, d->Height, d->Depth}, levels, d->Flags));
}
CUresult cuMipmappedArrayGetLevel(CUarray* to, CUmipmappedArray from, unsigned int level) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGetMipmappedArrayLevel(to, from, level));
}
CUresult cuMipmappedArrayDestroy(CUmipmappedArray a) {
  SIMT_DRIVER_CALL;
  return a == nullptr ? CUDA_ERROR_INVALID_HANDLE : as_driver(cudaFreeMipmappedArray(a));
}
CUresult cuMemcpyHtoA(CUarray to, std::size_t x, const void* from, std::size_t bytes) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaMemcpyToArray(to, x, 0, from, bytes, cudaMemcpyHostToDevice));
}
CUresult cuMemcpyAtoH(void* to, CUarray from, std::size_t x, std::size_t bytes) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaMemcpyFromArray(to, from, x, 0, bytes, cudaMemcpyDeviceToHost));
}
CUresult cuMemcpyDtoA(CUarray to, std::size_t x, CUdeviceptr from, std::size_t bytes) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaMemcpyToArray(to, x, 0, as_pointer(from), bytes, cudaMemcpyDeviceToDevice));
}
CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, std::size_t x, std::size_t bytes) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaMemcpyFromArray(as_pointer(to), from, x, 0, bytes, cudaMemcpyDeviceToDevice));
}
CUresult cuTexObjectCreate(CUtexObject* to, const CUDA_RESOURCE_DESC* resource, const CUDA_TEXTURE_DESC* how,
                           const CUDA_RESOURCE_VIEW_DESC* view) {
  SIMT_DRIVER_CALL;
  if (to == nullptr || resource == nullptr || how == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaResourceDesc r{};
  if (const CUresult e = resource_of(r, *resource); e != CUDA_SUCCESS) return e;
  cudaTextureDesc t{};
  for (int i = 0; i < 3; ++i) t.addressMode[i] = static_cast<cudaTextureAddressMode>(how->addressMode[i]);
  for (int i = 0; i < 4; ++i) t.borderColor[i] = how->borderColor[i];
  t.filterMode = static_cast<cudaTextureFilterMode>(how->filterMode);
  t.readMode = read_mode(r, how->flags);
  t.normalizedCoords = (how->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  t.sRGB = (how->flags & CU_TRSF_SRGB) != 0;
  t.maxAnisotropy = how->maxAnisotropy;
  t.mipmapFilterMode = static_cast<cudaTextureFilterMode>(how->mipmapFilterMode);
  t.mipmapLevelBias = how->mipmapLevelBias;
  t.minMipmapLevelClamp = how->minMipmapLevelClamp;
  t.maxMipmapLevelClamp = how->maxMipmapLevelClamp;
  cudaResourceViewDesc v{};
  if (view != nullptr)
    v = {static_cast<cudaResourceViewFormat>(view->format),
         view->width,
         view->height,
         view->depth,
         view->firstMipmapLevel,
         view->lastMipmapLevel,
         view->firstLayer,
         view->lastLayer};
  return as_driver(cudaCreateTextureObject(to, &r, &t, view != nullptr ? &v : nullptr));
}
CUresult cuTexObjectDestroy(CUtexObject t) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaDestroyTextureObject(t));
}
CUresult cuSurfObjectCreate(CUsurfObject* to, const CUDA_RESOURCE_DESC* resource) {
  SIMT_DRIVER_CALL;
  if (to == nullptr || resource == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaResourceDesc r{};
  if (const CUresult e = resource_of(r, *resource); e != CUDA_SUCCESS) return e;
  return as_driver(cudaCreateSurfaceObject(to, &r));
}
CUresult cuSurfObjectDestroy(CUsurfObject s) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaDestroySurfaceObject(s));
}
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* to, CUtexObject t) {
  SIMT_DRIVER_CALL;
  if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaResourceDesc r{};
  const CUresult e = as_driver(cudaGetTextureObjectResourceDesc(&r, t));
  if (e == CUDA_SUCCESS) *to = resource_as_driver(r);
  return e;
}
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* to, CUsurfObject s) {
  SIMT_DRIVER_CALL;
  if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaResourceDesc r{};
  const CUresult e = as_driver(cudaGetSurfaceObjectResourceDesc(&r, s));
  if (e == CUDA_SUCCESS) *to = resource_as_driver(r);
  return e;
}
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* to, CUtexObject t) {
  SIMT_DRIVER_CALL;
  if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaTextureDesc how{};
  if (const CUresult e = as_driver(cudaGetTextureObjectTextureDesc(&how, t)); e != CUDA_SUCCESS) return e;
  *to = {};
  for (int i = 0; i < 3; ++i) to->addressMode[i] = static_cast<CUaddress_mode>(how.addressMode[i]);
  for (int i = 0; i < 4; ++i) to->borderColor[i] = how.borderColor[i];
  to->filterMode = static_cast<CUfilter_mode>(how.filterMode);
  to->flags = (how.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0u) |
              (how.normalizedCoords != 0 ? CU_TRSF_NORMALIZED_COORDINATES : 0u) | (how.sRGB != 0 ? CU_TRSF_SRGB : 0u);
  to->maxAnisotropy = how.maxAnisotropy;
  to->mipmapFilterMode = static_cast<CUfilter_mode>(how.mipmapFilterMode);
  to->mipmapLevelBias = how.mipmapLevelBias;
  to->minMipmapLevelClamp = how.minMipmapLevelClamp;
  to->maxMipmapLevelClamp = how.maxMipmapLevelClamp;
  return CUDA_SUCCESS;
}
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* to, CUtexObject t) {
  SIMT_DRIVER_CALL;
  if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaResourceViewDesc v{};
  if (const CUresult e = as_driver(cudaGetTextureObjectResourceViewDesc(&v, t)); e != CUDA_SUCCESS) return e;
  *to = {static_cast<CUresourceViewFormat>(v.format),
         v.width,
         v.height,
         v.depth,
         v.firstMipmapLevel,
         v.lastMipmapLevel,
         v.firstLayer,
         v.lastLayer,
         {}};
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetTexture1DLinearMaxWidth(std::size_t* elements, CUarray_format format, unsigned int count,
                                            CUdevice d) {
  const cudaChannelFormatDesc desc = channels(format, count);
  if (elements == nullptr || desc.x == 0) return CUDA_ERROR_INVALID_VALUE;
  return as_driver(cudaDeviceGetTexture1DLinearMaxWidth(elements, &desc, d));
}
