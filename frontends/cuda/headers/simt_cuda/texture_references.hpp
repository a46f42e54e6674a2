// SPDX-License-Identifier: Apache-2.0
// Texture and surface references, which CUDA had until version 11: file-scope variables that the host binds to memory
// and kernels fetch from by name. Each is a texture object that binding makes, with the fields as they are then.
//
// `texture` and `surface` are words of programs, too, so the names stand here apart; the translator writes them where a
// program declares none of its own (translate/older_names.cpp).
#pragma once

#include <climits>
#include <type_traits>

#include "runtime_api.hpp"
#include "runtime_api_arrays.hpp"
#include "textures.hpp"

struct textureReference {
  int normalized = 0;
  cudaTextureFilterMode filterMode = cudaFilterModePoint;
  cudaTextureAddressMode addressMode[3] = {};
  cudaChannelFormatDesc channelDesc{};
  int sRGB = 0;
  unsigned int maxAnisotropy = 0;
  cudaTextureFilterMode mipmapFilterMode = cudaFilterModePoint;
  float mipmapLevelBias = 0, minMipmapLevelClamp = 0, maxMipmapLevelClamp = 0;
  int disableTrilinearOptimization = 0;
};
struct surfaceReference {
  cudaChannelFormatDesc channelDesc{};
};

namespace simt_cuda {

// What a reference is bound to. Kernels read it here, in the host's memory, as they read a launch's arguments:
// unwatched.
struct bound_object {
  mutable unsigned long long object = 0;

#ifdef SIMT_VARIANT_CHECK
  [[gnu::noinline]] SIMT_UNWATCHED unsigned long long in_kernel() const {
    return *const_cast<const volatile unsigned long long*>(&object);
  }
#else
  unsigned long long in_kernel() const { return object; }
#endif
};

struct texture_reference : textureReference, bound_object {
  explicit texture_reference(cudaTextureReadMode m) : read_mode(m) {}
  cudaTextureReadMode read_mode;

  cudaError_t bind(const cudaResourceDesc& to) const {
    if (const cudaError_t e = unbind(); e != cudaSuccess) return e;
    cudaTextureDesc how{};
    for (int i = 0; i < 3; ++i) how.addressMode[i] = addressMode[i];
    how.filterMode = filterMode;
    how.readMode = read_mode;
    how.sRGB = sRGB;
    how.normalizedCoords = normalized;
    how.maxAnisotropy = maxAnisotropy;
    how.mipmapFilterMode = mipmapFilterMode;
    how.mipmapLevelBias = mipmapLevelBias;
    how.minMipmapLevelClamp = minMipmapLevelClamp;
    how.maxMipmapLevelClamp = maxMipmapLevelClamp;
    return cudaCreateTextureObject(&object, &to, &how, nullptr);
  }
  cudaError_t unbind() const {
    const unsigned long long old = object;
    object = 0;
    return old == 0 ? cudaSuccess : cudaDestroyTextureObject(old);
  }
};

template <class T, int Type = cudaTextureType1D, cudaTextureReadMode Mode = cudaReadModeElementType>
struct texture : texture_reference {
  explicit texture(int norm = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
                   cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(norm, filter, address, cudaCreateChannelDesc<T>()) {}
  texture(int norm, cudaTextureFilterMode filter, cudaTextureAddressMode address, cudaChannelFormatDesc desc)
      : texture_reference(Mode) {
    normalized = norm;
    filterMode = filter;
    for (cudaTextureAddressMode& a : addressMode) a = address;
    channelDesc = desc;
  }
};

struct surface_reference : surfaceReference, bound_object {
  operator unsigned long long() const { return in_kernel(); }  // kernels call the functions of surface objects
  cudaError_t bind(cudaArray_const_t array) const {
    const unsigned long long old = object;
    object = 0;
    if (old != 0)
      if (const cudaError_t e = cudaDestroySurfaceObject(old); e != cudaSuccess) return e;
    cudaResourceDesc to{};
    to.resType = cudaResourceTypeArray;
    to.res.array.array = const_cast<cudaArray_t>(array);
    return cudaCreateSurfaceObject(&object, &to);
  }
};
template <class T, int Type = cudaSurfaceType1D>
struct surface : surface_reference {};

inline const texture_reference& whole(const textureReference* r) { return *static_cast<const texture_reference*>(r); }

// What a fetch gives: numbers from 0 to 1 where the reference asks for them.
template <class T, cudaTextureReadMode Mode>
struct fetched {
  using type = T;
};
template <class T>
requires requires(T v) { v.x; }
struct fetched<T, cudaReadModeNormalizedFloat> {
  template <int N, class = void>
  struct floats {
    using type = float4;
  };
  template <class U>
  struct floats<1, U> {
    using type = float1;
  };
  template <class U>
  struct floats<2, U> {
    using type = float2;
  };
  using type = typename floats<channels_of<T>::count>::type;
};
template <class T>
requires(!requires(T v) { v.x; }) struct fetched<T, cudaReadModeNormalizedFloat> {
  using type = float;
};

}  // namespace simt_cuda

// The offset is of memory that is not aligned as a GPU wants it; here all is.
inline cudaError_t cudaBindTexture(std::size_t* offset, const textureReference* t, const void* memory,
                                   const cudaChannelFormatDesc* desc, std::size_t bytes = UINT_MAX) {
  if (t == nullptr || desc == nullptr) return cudaErrorInvalidValue;
  if (offset != nullptr) *offset = 0;
  cudaResourceDesc to{};
  to.resType = cudaResourceTypeLinear;
  to.res.linear.devPtr = const_cast<void*>(memory);
  to.res.linear.desc = *desc;
  to.res.linear.sizeInBytes = bytes;
  return simt_cuda::whole(t).bind(to);
}
inline cudaError_t cudaBindTexture2D(std::size_t* offset, const textureReference* t, const void* memory,
                                     const cudaChannelFormatDesc* desc, std::size_t width, std::size_t height,
                                     std::size_t pitch) {
  if (t == nullptr || desc == nullptr) return cudaErrorInvalidValue;
  if (offset != nullptr) *offset = 0;
  cudaResourceDesc to{};
  to.resType = cudaResourceTypePitch2D;
  to.res.pitch2D.devPtr = const_cast<void*>(memory);
  to.res.pitch2D.desc = *desc;
  to.res.pitch2D.width = width;
  to.res.pitch2D.height = height;
  to.res.pitch2D.pitchInBytes = pitch;
  return simt_cuda::whole(t).bind(to);
}
inline cudaError_t cudaBindTextureToArray(const textureReference* t, cudaArray_const_t array,
                                          const cudaChannelFormatDesc* = nullptr) {
  if (t == nullptr) return cudaErrorInvalidValue;
  cudaResourceDesc to{};
  to.resType = cudaResourceTypeArray;
  to.res.array.array = const_cast<cudaArray_t>(array);
  return simt_cuda::whole(t).bind(to);
}
inline cudaError_t cudaBindTextureToMipmappedArray(const textureReference* t, cudaMipmappedArray_const_t array,
                                                   const cudaChannelFormatDesc* = nullptr) {
  if (t == nullptr) return cudaErrorInvalidValue;
  cudaResourceDesc to{};
  to.resType = cudaResourceTypeMipmappedArray;
  to.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(array);
  return simt_cuda::whole(t).bind(to);
}
inline cudaError_t cudaUnbindTexture(const textureReference* t) {
  return t == nullptr ? cudaErrorInvalidValue : simt_cuda::whole(t).unbind();
}
inline cudaError_t cudaGetTextureAlignmentOffset(std::size_t* offset, const textureReference*) {
  if (offset != nullptr) *offset = 0;
  return offset == nullptr ? cudaErrorInvalidValue : cudaSuccess;
}
inline cudaError_t cudaGetTextureReference(const textureReference** to, const void* symbol) {
  *to = static_cast<const simt_cuda::texture_reference*>(symbol);
  return symbol == nullptr ? cudaErrorInvalidTexture : cudaSuccess;
}
inline cudaError_t cudaBindSurfaceToArray(const surfaceReference* s, cudaArray_const_t array,
                                          const cudaChannelFormatDesc* = nullptr) {
  return s == nullptr ? cudaErrorInvalidValue : static_cast<const simt_cuda::surface_reference*>(s)->bind(array);
}

#define SIMT_TYPES class T, int Type, cudaTextureReadMode Mode
#define SIMT_REFERENCE const simt_cuda::texture<T, Type, Mode>&
template <SIMT_TYPES>
cudaError_t cudaBindTexture(std::size_t* offset, SIMT_REFERENCE t, const void* memory,
                            const cudaChannelFormatDesc& desc, std::size_t bytes = UINT_MAX) {
  return cudaBindTexture(offset, &t, memory, &desc, bytes);
}
template <SIMT_TYPES>
cudaError_t cudaBindTexture(std::size_t* offset, SIMT_REFERENCE t, const void* memory, std::size_t bytes = UINT_MAX) {
  return cudaBindTexture(offset, &t, memory, &t.channelDesc, bytes);
}
template <SIMT_TYPES>
cudaError_t cudaBindTexture2D(std::size_t* offset, SIMT_REFERENCE t, const void* memory,
                              const cudaChannelFormatDesc& desc, std::size_t width, std::size_t height,
                              std::size_t pitch) {
  return cudaBindTexture2D(offset, &t, memory, &desc, width, height, pitch);
}
template <SIMT_TYPES>
cudaError_t cudaBindTexture2D(std::size_t* offset, SIMT_REFERENCE t, const void* memory, std::size_t width,
                              std::size_t height, std::size_t pitch) {
  return cudaBindTexture2D(offset, &t, memory, &t.channelDesc, width, height, pitch);
}
template <SIMT_TYPES>
cudaError_t cudaBindTextureToArray(SIMT_REFERENCE t, cudaArray_const_t array, const cudaChannelFormatDesc& desc) {
  return cudaBindTextureToArray(&t, array, &desc);
}
template <SIMT_TYPES>
cudaError_t cudaBindTextureToArray(SIMT_REFERENCE t, cudaArray_const_t array) {
  return cudaBindTextureToArray(&t, array);
}
template <SIMT_TYPES>
cudaError_t cudaBindTextureToMipmappedArray(SIMT_REFERENCE t, cudaMipmappedArray_const_t array) {
  return cudaBindTextureToMipmappedArray(&t, array);
}
template <SIMT_TYPES>
cudaError_t cudaBindTextureToMipmappedArray(SIMT_REFERENCE t, cudaMipmappedArray_const_t array,
                                            const cudaChannelFormatDesc& desc) {
  return cudaBindTextureToMipmappedArray(&t, array, &desc);
}
template <SIMT_TYPES>
cudaError_t cudaUnbindTexture(SIMT_REFERENCE t) {
  return cudaUnbindTexture(&t);
}
template <SIMT_TYPES>
cudaError_t cudaGetTextureAlignmentOffset(std::size_t* offset, SIMT_REFERENCE t) {
  return cudaGetTextureAlignmentOffset(offset, &t);
}
template <class T, int Type>
cudaError_t cudaBindSurfaceToArray(const simt_cuda::surface<T, Type>& s, cudaArray_const_t array) {
  return cudaBindSurfaceToArray(&s, array);
}
template <class T, int Type>
cudaError_t cudaBindSurfaceToArray(const simt_cuda::surface<T, Type>& s, cudaArray_const_t array,
                                   const cudaChannelFormatDesc& desc) {
  return cudaBindSurfaceToArray(&s, array, &desc);
}

// The fetches: those of texture objects, with the element type that the reference has.
#define SIMT_FETCH(name, parameters, arguments)                                                           \
  template <SIMT_TYPES>                                                                                   \
  [[gnu::always_inline]] inline typename simt_cuda::fetched<T, Mode>::type name(SIMT_REFERENCE t,         \
                                                                                SIMT_UNPACK parameters) { \
    return name<typename simt_cuda::fetched<T, Mode>::type>(t.in_kernel(), SIMT_UNPACK arguments);        \
  }
#define SIMT_UNPACK(...) __VA_ARGS__
SIMT_FETCH(tex1Dfetch, (int x), (x))
SIMT_FETCH(tex1D, (float x), (x))
SIMT_FETCH(tex2D, (float x, float y), (x, y))
SIMT_FETCH(tex3D, (float x, float y, float z), (x, y, z))
SIMT_FETCH(tex1DLayered, (float x, int layer), (x, layer))
SIMT_FETCH(tex2DLayered, (float x, float y, int layer), (x, y, layer))
SIMT_FETCH(tex1DLod, (float x, float lod), (x, lod))
SIMT_FETCH(tex2DLod, (float x, float y, float lod), (x, y, lod))
SIMT_FETCH(tex3DLod, (float x, float y, float z, float lod), (x, y, z, lod))
SIMT_FETCH(tex1DLayeredLod, (float x, int layer, float lod), (x, layer, lod))
SIMT_FETCH(tex2DLayeredLod, (float x, float y, int layer, float lod), (x, y, layer, lod))
SIMT_FETCH(tex1DGrad, (float x, float dx, float dy), (x, dx, dy))
SIMT_FETCH(tex2DGrad, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy))
SIMT_FETCH(tex3DGrad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy))
SIMT_FETCH(tex1DLayeredGrad, (float x, int layer, float dx, float dy), (x, layer, dx, dy))
SIMT_FETCH(tex2DLayeredGrad, (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy))
SIMT_FETCH(texCubemap, (float x, float y, float z), (x, y, z))
SIMT_FETCH(texCubemapLod, (float x, float y, float z, float lod), (x, y, z, lod))
SIMT_FETCH(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer))
SIMT_FETCH(texCubemapLayeredLod, (float x, float y, float z, int layer, float lod), (x, y, z, layer, lod))
#undef SIMT_FETCH
#undef SIMT_UNPACK
template <SIMT_TYPES>
auto tex2Dgather(SIMT_REFERENCE t, float x, float y, int channel = 0) {
  using channel_type = typename simt_cuda::channels_of<typename simt_cuda::fetched<T, Mode>::type>::type;
  using four = decltype([] {
    if constexpr (std::is_same_v<channel_type, float>)
      return float4{};
    else if constexpr (std::is_same_v<channel_type, unsigned char>)
      return uchar4{};
    else if constexpr (std::is_same_v<channel_type, unsigned>)
      return uint4{};
    else
      return int4{};
  }());
  return tex2Dgather<four>(t.in_kernel(), x, y, channel);
}
#undef SIMT_TYPES
#undef SIMT_REFERENCE
