// SPDX-License-Identifier: Apache-2.0
// Fetches from textures, reads and writes of surfaces, by the formulas of the Programming Guide ("Texture Fetching"):
// coordinates of linear filtering have 8 bits of fraction, as on a GPU.
#pragma once

#include <simt/small_float_bits.hpp>

#include "device_functions.hpp"
#include "runtime_api_arrays.hpp"

namespace simt_cuda {

#ifdef SIMT_VARIANT_CHECK
// Unwatched, word by word: the description lies in the host's memory, and memcpy is watched everywhere. The words may
// alias the members: in loops this is inlined, and readers of the copy must see what was written here.
[[gnu::noinline]] SIMT_UNWATCHED inline image image_of(unsigned long long object) {
  using word [[gnu::may_alias]] = unsigned;
  static_assert(sizeof(image) % sizeof(word) == 0);
  image copy;
  for (std::size_t i = 0; i < sizeof(image) / sizeof(word); ++i)
    reinterpret_cast<volatile word*>(&copy)[i] = reinterpret_cast<const volatile word*>(object)[i];
  return copy;
}
#else
inline const image& image_of(unsigned long long object) { return *reinterpret_cast<const image*>(object); }
#endif

// IEC 61966-2-1: from the curve that colours are stored by to light.
inline float linear_of_srgb(unsigned char v) {
  const float x = static_cast<float>(v) / 255.0f;
  return x <= 0.04045f ? x / 12.92f : ::powf((x + 0.055f) / 1.055f, 2.4f);
}

// One channel of a texel in memory as a number of type C.
// Inlined, as what touches memory here is: the earlier side of a race is a code address, which has its line in the
// kernel.
template <class C>
[[gnu::always_inline]] inline C channel_at(const image& i, const std::byte* texel, int channel) {
  const int bits = i.desc.x;
  const std::byte* p = texel + channel * bits / 8;
  noncoherent(p, static_cast<std::size_t>(bits) / 8);
  const bool normalized = i.how.readMode == cudaReadModeNormalizedFloat;
  if (i.desc.f == cudaChannelFormatKindFloat) {
    if (bits == 32) return static_cast<C>(*reinterpret_cast<const float*>(p));
    return static_cast<C>(simt::detail::half_value(*reinterpret_cast<const unsigned short*>(p)));
  }
  if (i.desc.f == cudaChannelFormatKindUnsigned) {
    if (bits == 8) {
      const auto v = *reinterpret_cast<const unsigned char*>(p);
      if (normalized && i.how.sRGB != 0 && channel < 3) return static_cast<C>(linear_of_srgb(v));
      return normalized ? static_cast<C>(static_cast<float>(v) / 255.0f) : static_cast<C>(v);
    }
    if (bits == 16) {
      const auto v = *reinterpret_cast<const unsigned short*>(p);
      return normalized ? static_cast<C>(static_cast<float>(v) / 65535.0f) : static_cast<C>(v);
    }
    return static_cast<C>(*reinterpret_cast<const unsigned int*>(p));
  }
  const auto from_minus_one = [](float v) { return v < -1.0f ? -1.0f : v; };
  if (bits == 8) {
    const auto v = *reinterpret_cast<const signed char*>(p);
    return normalized ? static_cast<C>(from_minus_one(static_cast<float>(v) / 127.0f)) : static_cast<C>(v);
  }
  if (bits == 16) {
    const auto v = *reinterpret_cast<const short*>(p);
    return normalized ? static_cast<C>(from_minus_one(static_cast<float>(v) / 32767.0f)) : static_cast<C>(v);
  }
  return static_cast<C>(*reinterpret_cast<const int*>(p));
}

// An index brought into 0 .. n-1, or -1: the border.
inline int addressed(long long i, int n, cudaTextureAddressMode mode, bool normalized) {
  if (i >= 0 && i < n) return static_cast<int>(i);
  if (mode == cudaAddressModeBorder) return -1;
  if (normalized && mode == cudaAddressModeWrap) return static_cast<int>(((i % n) + n) % n);
  if (normalized && mode == cudaAddressModeMirror) {
    const long long period = 2LL * n, at = ((i % period) + period) % period;
    return static_cast<int>(at < n ? at : period - 1 - at);
  }
  return i < 0 ? 0 : n - 1;
}

template <class T>
struct texel_parts {
  using channel = typename channels_of<T>::type;
  channel c[4];
  T value() const {
    if constexpr (channels_of<T>::count == 1 && !requires(T v) { v.x; }) {
      return c[0];
    } else {
      T v;
      v.x = c[0];
      if constexpr (channels_of<T>::count > 1) v.y = c[1];
      if constexpr (channels_of<T>::count > 2) v.z = c[2];
      if constexpr (channels_of<T>::count > 3) v.w = c[3];
      return v;
    }
  }
};

template <class C>
[[gnu::always_inline]] inline C texel_channel(const image& i, int x, int y, int z, int channel) {
  const int channels = 1 + (i.desc.y > 0) + (i.desc.z > 0) + (i.desc.w > 0);
  if (x < 0 || y < 0 || z < 0) return static_cast<C>(i.how.borderColor[channel]);
  if (channel >= channels) return static_cast<C>(0);
  return channel_at<C>(i,
                       i.data + static_cast<std::size_t>(z) * i.slice + static_cast<std::size_t>(y) * i.pitch +
                           static_cast<std::size_t>(x) * static_cast<std::size_t>(i.element_bytes),
                       channel);
}

// Of linear memory nothing is read, and the result is 0, as on an H100.
// `axes` coordinates; `layer` stands for the last where the texture has layers, and is not filtered.
template <class T>
[[gnu::always_inline]] inline texel_parts<T> fetch_level(const image& i, int axes, float x, float y, float z,
                                                         int layer) {
  using C = typename channels_of<T>::type;
  const float at[3] = {x, y, z};
  const int size[3] = {i.width, i.height > 0 ? i.height : 1, i.depth > 0 ? i.depth : 1};
  const bool normalized = i.how.normalizedCoords != 0;
  texel_parts<T> out{};
  if (i.is_memory) return out;
  long long first[3] = {0, 0, 0};
  float part[3] = {0, 0, 0};
  const bool linear = i.how.filterMode == cudaFilterModeLinear;
  for (int a = 0; a < axes; ++a) {
    const float scaled = normalized ? at[a] * static_cast<float>(size[a]) : at[a];
    if (linear) {
      const auto fixed = static_cast<long long>(__builtin_floorf((scaled - 0.5f) * 256.0f + 0.5f));
      first[a] = fixed >> 8;
      part[a] = static_cast<float>(fixed & 255) / 256.0f;
    } else {
      first[a] = static_cast<long long>(__builtin_floorf(scaled));
    }
  }
  const auto index = [&](int a, long long k) {
    return a < axes ? addressed(k, size[a], i.how.addressMode[a], normalized) : 0;
  };
  const int fixed_layer = layer < 0 ? 0 : layer >= size[2] ? size[2] - 1 : layer;
  for (int c = 0; c < channels_of<T>::count; ++c) {
    if (!linear) {
      out.c[c] =
          texel_channel<C>(i, index(0, first[0]), index(1, first[1]), axes == 3 ? index(2, first[2]) : fixed_layer, c);
      continue;
    }
    float sum = 0;
    for (int corner = 0; corner < 1 << axes; ++corner) {
      float weight = 1;
      long long k[3];
      for (int a = 0; a < 3; ++a) {
        const int up = corner >> a & 1;
        k[a] = first[a] + up;
        if (a < axes) weight *= up != 0 ? part[a] : 1.0f - part[a];
      }
      if (weight == 0) continue;
      sum += weight * static_cast<float>(texel_channel<float>(i, index(0, k[0]), index(1, k[1]),
                                                              axes == 3 ? index(2, k[2]) : fixed_layer, c));
    }
    out.c[c] = static_cast<C>(sum);
  }
  return out;
}

// Of a mipmapped array: what lies between two levels has 8 bits of fraction, too.
template <class T>
texel_parts<T> fetch_levels(const image& i, int axes, float x, float y, float z, int layer, float lod) {
  const auto within = [](float v, float low, float high) { return v < low ? low : v > high ? high : v; };
  lod = within(lod + i.how.mipmapLevelBias, i.how.minMipmapLevelClamp, i.how.maxMipmapLevelClamp);
  const auto fixed = static_cast<int>(within(lod, 0, static_cast<float>(i.level_count - 1)) * 256.0f);
  const auto level = [&](int n) {
    return fetch_level<T>(image_of(reinterpret_cast<unsigned long long>(i.levels + n)), axes, x, y, z, layer);
  };
  if (i.how.mipmapFilterMode == cudaFilterModePoint) return level((fixed + 128) >> 8);
  texel_parts<T> out = level(fixed >> 8);
  if ((fixed & 255) == 0) return out;
  using C = typename channels_of<T>::type;
  const texel_parts<T> smaller = level((fixed >> 8) + 1);
  const float part = static_cast<float>(fixed & 255) / 256.0f;
  for (int c = 0; c < channels_of<T>::count; ++c)
    out.c[c] = static_cast<C>(static_cast<float>(out.c[c]) * (1.0f - part) + static_cast<float>(smaller.c[c]) * part);
  return out;
}
template <class T>
[[gnu::always_inline]] inline T fetch(unsigned long long object, int axes, float x, float y, float z, int layer,
                                      float lod = 0) {
  const image& i = image_of(object);
  return (i.levels == nullptr ? fetch_level<T>(i, axes, x, y, z, layer) : fetch_levels<T>(i, axes, x, y, z, layer, lod))
      .value();
}
// The level at which fetches that are so far apart to two sides lie a texel apart, along the longer axis of the ellipse
// that the two span. Exact where they are orthogonal; else an H100 takes a value near it (2.63 for 2.60).
inline float level_of(unsigned long long object, int axes, float3 dx, float3 dy) {
  const image& i = image_of(object);
  if (i.levels == nullptr) return 0;
  const float size[3] = {static_cast<float>(i.width), axes > 1 ? static_cast<float>(i.height) : 0.0f,
                         axes > 2 ? static_cast<float>(i.depth) : 0.0f};
  const float a[3] = {dx.x * size[0], dx.y * size[1], dx.z * size[2]},
              b[3] = {dy.x * size[0], dy.y * size[1], dy.z * size[2]};
  float aa = 0, bb = 0, ab = 0;
  for (int k = 0; k < 3; ++k) aa += a[k] * a[k], bb += b[k] * b[k], ab += a[k] * b[k];
  const float longer = 0.5f * (aa + bb + __builtin_sqrtf((aa - bb) * (aa - bb) + 4 * ab * ab));
  return __builtin_rintf(0.5f * __builtin_log2f(longer) * 256.0f) / 256.0f;
}

// tex1Dfetch: an element of linear memory; outside it is 0.
template <class T>
[[gnu::always_inline]] inline T fetch_linear(unsigned long long object, int x) {
  const image& i = image_of(object);
  using C = typename channels_of<T>::type;
  texel_parts<T> out{};
  for (int c = 0; c < channels_of<T>::count; ++c)
    out.c[c] = x < 0 || x >= i.width ? C(0) : texel_channel<C>(i, x, 0, 0, c);
  return out.value();
}

// tex2Dgather: one channel of the four texels that linear filtering would take, counterclockwise from the lower left
// (PTX ISA, "tld4").
template <class T>
T gather(unsigned long long object, float x, float y, int channel) {
  const image& i = image_of(object);
  using C = typename channels_of<T>::type;
  const float at[2] = {x, y};
  const int size[2] = {i.width, i.height > 0 ? i.height : 1};
  const bool normalized = i.how.normalizedCoords != 0;
  int k[2][2];
  for (int a = 0; a < 2; ++a) {
    const float scaled = normalized ? at[a] * static_cast<float>(size[a]) : at[a];
    const auto first = static_cast<long long>(__builtin_floorf((scaled - 0.5f) * 256.0f + 0.5f)) >> 8;
    for (int up = 0; up < 2; ++up) k[a][up] = addressed(first + up, size[a], i.how.addressMode[a], normalized);
  }
  texel_parts<T> out{};
  if (i.is_memory) return out.value();
  static constexpr int kRight[4] = {0, 1, 1, 0}, kLow[4] = {1, 1, 0, 0};
  for (int t = 0; t < 4; ++t) out.c[t] = texel_channel<C>(i, k[0][kRight[t]], k[1][kLow[t]], 0, channel);
  return out.value();
}

// The face of a cube that a direction meets, and where.
struct cube_place {
  int face;
  float x, y;
};
inline cube_place place_on_cube(float x, float y, float z) {
  const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
  float m, s, t;
  int face;
  if (ax >= ay && ax >= az) {
    m = ax, face = x < 0, s = x < 0 ? z : -z, t = -y;
  } else if (ay >= az) {
    m = ay, face = 2 + (y < 0), s = x, t = y < 0 ? -z : z;
  } else {
    m = az, face = 4 + (z < 0), s = z < 0 ? -x : x, t = -y;
  }
  return {face, (s / m + 1.0f) / 2.0f, (t / m + 1.0f) / 2.0f};
}

template <class T>
T fetch_cube(unsigned long long object, float x, float y, float z, int layer, float lod) {
  const cube_place p = place_on_cube(x, y, z);
  return fetch<T>(object, 2, p.x, p.y, 0, layer * 6 + p.face, lod);
}

// Where the bytes of a surface's element are; null outside, where reads give 0 and writes do nothing.
inline std::byte* surface_place(const image& i, int x, int y, int z, std::size_t bytes, cudaSurfaceBoundaryMode mode) {
  const int row = i.width * i.element_bytes, rows = i.height > 0 ? i.height : 1, layers = i.depth > 0 ? i.depth : 1;
  const bool inside = x >= 0 && x + static_cast<int>(bytes) <= row && y >= 0 && y < rows && z >= 0 && z < layers;
  if (!inside) {
    if (mode == cudaBoundaryModeTrap) __trap();
    if (mode == cudaBoundaryModeZero) return nullptr;
    const auto into = [](int v, int n) { return v < 0 ? 0 : v >= n ? n - 1 : v; };
    x = into(x, row - static_cast<int>(bytes) + 1);
    y = into(y, rows);
    z = into(z, layers);
  }
  return i.data + static_cast<std::size_t>(z) * i.slice + static_cast<std::size_t>(y) * i.pitch +
         static_cast<std::size_t>(x);
}
template <class T>
[[gnu::always_inline]] inline T surface_read(unsigned long long object, int x, int y, int z,
                                             cudaSurfaceBoundaryMode mode) {
  const image& i = image_of(object);
  const std::byte* const p = surface_place(i, x, y, z, sizeof(T), mode);
  return p == nullptr ? T{} : *reinterpret_cast<const T*>(p);
}
template <class T>
[[gnu::always_inline]] inline void surface_write(const T& v, unsigned long long object, int x, int y, int z,
                                                 cudaSurfaceBoundaryMode mode) {
  const image& i = image_of(object);
  std::byte* const p = surface_place(i, x, y, z, sizeof(T), mode);
  if (p != nullptr) *reinterpret_cast<T*>(p) = v;
}

}  // namespace simt_cuda

// Each in the forms of CUDA: the value returned, or stored through a pointer; and with an answer whether the texels are
// resident, which all are here, for there are no sparse arrays.
#define SIMT_UNPACK(...) __VA_ARGS__
#define SIMT_TEXTURE(name, parameters, arguments, call)                          \
  template <class T>                                                             \
  inline T name(cudaTextureObject_t t, SIMT_UNPACK parameters) {                 \
    return simt_cuda::call;                                                      \
  }                                                                              \
  template <class T>                                                             \
  inline void name(T* to, cudaTextureObject_t t, SIMT_UNPACK parameters) {       \
    *to = name<T>(t, SIMT_UNPACK arguments);                                     \
  }                                                                              \
  template <class T>                                                             \
  inline T name(cudaTextureObject_t t, SIMT_UNPACK parameters, bool* resident) { \
    *resident = true;                                                            \
    return name<T>(t, SIMT_UNPACK arguments);                                    \
  }
SIMT_TEXTURE(tex1Dfetch, (int x), (x), fetch_linear<T>(t, x))
SIMT_TEXTURE(tex1D, (float x), (x), fetch<T>(t, 1, x, 0, 0, 0))
SIMT_TEXTURE(tex2D, (float x, float y), (x, y), fetch<T>(t, 2, x, y, 0, 0))
SIMT_TEXTURE(tex3D, (float x, float y, float z), (x, y, z), fetch<T>(t, 3, x, y, z, 0))
SIMT_TEXTURE(tex1DLayered, (float x, int layer), (x, layer), fetch<T>(t, 1, x, 0, 0, layer))
SIMT_TEXTURE(tex2DLayered, (float x, float y, int layer), (x, y, layer), fetch<T>(t, 2, x, y, 0, layer))
SIMT_TEXTURE(tex1DLod, (float x, float lod), (x, lod), fetch<T>(t, 1, x, 0, 0, 0, lod))
SIMT_TEXTURE(tex2DLod, (float x, float y, float lod), (x, y, lod), fetch<T>(t, 2, x, y, 0, 0, lod))
SIMT_TEXTURE(tex3DLod, (float x, float y, float z, float lod), (x, y, z, lod), fetch<T>(t, 3, x, y, z, 0, lod))
SIMT_TEXTURE(tex1DLayeredLod, (float x, int layer, float lod), (x, layer, lod), fetch<T>(t, 1, x, 0, 0, layer, lod))
SIMT_TEXTURE(tex2DLayeredLod, (float x, float y, int layer, float lod), (x, y, layer, lod),
             fetch<T>(t, 2, x, y, 0, layer, lod))
SIMT_TEXTURE(tex1DGrad, (float x, float dx, float dy), (x, dx, dy),
             fetch<T>(t, 1, x, 0, 0, 0, simt_cuda::level_of(t, 1, {dx, 0, 0}, {dy, 0, 0})))
SIMT_TEXTURE(tex2DGrad, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy),
             fetch<T>(t, 2, x, y, 0, 0, simt_cuda::level_of(t, 2, {dx.x, dx.y, 0}, {dy.x, dy.y, 0})))
SIMT_TEXTURE(tex3DGrad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
             fetch<T>(t, 3, x, y, z, 0, simt_cuda::level_of(t, 3, {dx.x, dx.y, dx.z}, {dy.x, dy.y, dy.z})))
SIMT_TEXTURE(tex1DLayeredGrad, (float x, int layer, float dx, float dy), (x, layer, dx, dy),
             fetch<T>(t, 1, x, 0, 0, layer, simt_cuda::level_of(t, 1, {dx, 0, 0}, {dy, 0, 0})))
SIMT_TEXTURE(tex2DLayeredGrad, (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy),
             fetch<T>(t, 2, x, y, 0, layer, simt_cuda::level_of(t, 2, {dx.x, dx.y, 0}, {dy.x, dy.y, 0})))
SIMT_TEXTURE(texCubemap, (float x, float y, float z), (x, y, z), fetch_cube<T>(t, x, y, z, 0, 0))
SIMT_TEXTURE(texCubemapLod, (float x, float y, float z, float lod), (x, y, z, lod), fetch_cube<T>(t, x, y, z, 0, lod))
SIMT_TEXTURE(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer),
             fetch_cube<T>(t, x, y, z, layer, 0))
SIMT_TEXTURE(texCubemapLayeredLod, (float x, float y, float z, int layer, float lod), (x, y, z, layer, lod),
             fetch_cube<T>(t, x, y, z, layer, lod))
#undef SIMT_TEXTURE
template <class T>
inline T tex2Dgather(cudaTextureObject_t t, float x, float y, int channel = 0) {
  return simt_cuda::gather<T>(t, x, y, channel);
}
template <class T>
inline void tex2Dgather(T* to, cudaTextureObject_t t, float x, float y, int channel = 0) {
  *to = tex2Dgather<T>(t, x, y, channel);
}

#define SIMT_SURFACE(name, coordinates, places)                                  \
  template <class T>                                                             \
  inline T name##read(cudaSurfaceObject_t s, SIMT_UNPACK coordinates,            \
                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    return simt_cuda::surface_read<T>(s, SIMT_UNPACK places, mode);              \
  }                                                                              \
  template <class T>                                                             \
  inline void name##read(T* to, cudaSurfaceObject_t s, SIMT_UNPACK coordinates,  \
                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
    *to = simt_cuda::surface_read<T>(s, SIMT_UNPACK places, mode);               \
  }                                                                              \
  template <class T>                                                             \
  inline void name##write(T v, cudaSurfaceObject_t s, SIMT_UNPACK coordinates,   \
                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    simt_cuda::surface_write(v, s, SIMT_UNPACK places, mode);                    \
  }
SIMT_SURFACE(surf1D, (int x), (x, 0, 0))
SIMT_SURFACE(surf2D, (int x, int y), (x, y, 0))
SIMT_SURFACE(surf3D, (int x, int y, int z), (x, y, z))
SIMT_SURFACE(surf1DLayered, (int x, int layer), (x, 0, layer))
SIMT_SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer))
SIMT_SURFACE(surfCubemap, (int x, int y, int face), (x, y, face))
SIMT_SURFACE(surfCubemapLayered, (int x, int y, int layer_face), (x, y, layer_face))
#undef SIMT_UNPACK
#undef SIMT_SURFACE
