// SPDX-License-Identifier: Apache-2.0
// CUDA arrays, texture and surface objects. An array is device memory without gaps, row behind row; what a GPU does to
// keep neighbours together changes no result.
#include <algorithm>
#include <cstring>
#include <vector>

#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>
#include <backends/sim/frontend.hpp>

#include "state.hpp"

struct cudaArray {
  void* memory;
  cudaChannelFormatDesc desc;
  cudaExtent extent;
  unsigned int flags;
};
struct cudaMipmappedArray {
  std::vector<cudaArray_t> levels;  // from the largest
};

using namespace simt_cuda;
using simt::backend::calling_from;

namespace {
std::size_t element_bytes(const cudaChannelFormatDesc& d) {
  return static_cast<std::size_t>(d.x + d.y + d.z + d.w) / 8;
}
std::size_t at_least_one(std::size_t n) { return n == 0 ? 1 : n; }
std::size_t pitch_of(const cudaArray& a) { return a.extent.width * element_bytes(a.desc); }

struct place {
  char* at;
  std::size_t pitch, room, rows;  // bytes that are left in the row, rows that are left
};
place place_in(cudaArray_const_t a, std::size_t x, std::size_t y) {
  const std::size_t pitch = pitch_of(*a), rows = at_least_one(a->extent.height) * at_least_one(a->extent.depth);
  if (x > pitch || y > rows) return {nullptr, pitch, 0, 0};
  return {static_cast<char*>(a->memory) + y * pitch + x, pitch, pitch - x, rows - y};
}
// From an array to an array the kind says nothing of the sides.
bool to_device(cudaMemcpyKind k) {
  return k == cudaMemcpyHostToDevice || k == cudaMemcpyDeviceToDevice || k == cudaMemcpyDefault;
}

cudaError_t rows_to_array(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                          std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t s, bool wait) {
  if (to == nullptr) return fail(cudaErrorInvalidResourceHandle);
  const place p = place_in(to, x, y);
  if (!to_device(kind) || width > p.room || height > p.rows) return fail(cudaErrorInvalidValue);
  return wait ? cudaMemcpy2D(p.at, p.pitch, from, pitch, width, height, kind)
              : cudaMemcpy2DAsync(p.at, p.pitch, from, pitch, width, height, kind, s);
}
cudaError_t rows_from_array(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x, std::size_t y,
                            std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t s, bool wait) {
  if (from == nullptr) return fail(cudaErrorInvalidResourceHandle);
  const place p = place_in(from, x, y);
  if (kind == cudaMemcpyHostToDevice || width > p.room || height > p.rows) return fail(cudaErrorInvalidValue);
  return wait ? cudaMemcpy2D(to, pitch, p.at, p.pitch, width, height, kind)
              : cudaMemcpy2DAsync(to, pitch, p.at, p.pitch, width, height, kind, s);
}

// Of linear copies: they go on in the next row.
std::size_t room_from(const place& p) { return p.rows * p.pitch - (p.pitch - p.room); }
cudaError_t linear(void* to, const void* from, std::size_t room, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t s,
                   bool wait) {
  if (bytes > room) return fail(cudaErrorInvalidValue);
  return wait ? cudaMemcpy(to, from, bytes, kind) : cudaMemcpyAsync(to, from, bytes, kind, s);
}

// What a handle stands for. Device code reads the first part.
struct image_object {
  image seen;
  cudaResourceDesc resource{};
  cudaResourceViewDesc view{};
  std::vector<image> levels{};  // of a mipmapped array
};

void describe(image& i, const cudaArray& a) {
  i.data = static_cast<std::byte*>(a.memory);
  i.desc = a.desc;
  i.width = static_cast<int>(a.extent.width);
  i.height = static_cast<int>(a.extent.height);
  i.depth = static_cast<int>(a.extent.depth);
  i.pitch = pitch_of(a);
  i.slice = i.pitch * at_least_one(a.extent.height);
  i.element_bytes = static_cast<int>(element_bytes(a.desc));
}

cudaError_t describe(image_object& o, const cudaResourceDesc& r) {
  image& i = o.seen;
  o.resource = r;
  switch (r.resType) {
    case cudaResourceTypeArray: {
      const cudaArray_t a = r.res.array.array;
      if (a == nullptr) return cudaErrorInvalidResourceHandle;
      describe(i, *a);
      break;
    }
    case cudaResourceTypeMipmappedArray: {
      const cudaMipmappedArray_t a = r.res.mipmap.mipmap;
      if (a == nullptr) return cudaErrorInvalidResourceHandle;
      describe(i, *a->levels.front());
      for (const cudaArray_t level : a->levels) describe(o.levels.emplace_back(), *level);
      break;
    }
    case cudaResourceTypeLinear:
      i.data = static_cast<std::byte*>(r.res.linear.devPtr);
      i.desc = r.res.linear.desc;
      if (element_bytes(i.desc) == 0) return cudaErrorInvalidChannelDescriptor;
      i.width = static_cast<int>(r.res.linear.sizeInBytes / element_bytes(i.desc));
      break;
    case cudaResourceTypePitch2D:
      i.data = static_cast<std::byte*>(r.res.pitch2D.devPtr);
      i.desc = r.res.pitch2D.desc;
      i.width = static_cast<int>(r.res.pitch2D.width);
      i.height = static_cast<int>(r.res.pitch2D.height);
      i.pitch = r.res.pitch2D.pitchInBytes;
      break;
    default:
      return cudaErrorInvalidValue;
  }
  i.element_bytes = static_cast<int>(element_bytes(i.desc));
  return i.data == nullptr || !simt::frontend::is_device_address(i.data) ? cudaErrorInvalidValue : cudaSuccess;
}

// The format of a view that shows texels as they are.
int own_format(const cudaChannelFormatDesc& d) {
  const int channels = 1 + (d.y != 0) + (d.w != 0);
  if (d.f == cudaChannelFormatKindFloat)
    return (d.x == 16 ? cudaResViewFormatHalf1 : cudaResViewFormatFloat1) + channels - 1;
  const int width = d.x == 8 ? 0 : d.x == 16 ? 6 : 12;
  return cudaResViewFormatUnsignedChar1 + width + (d.f == cudaChannelFormatKindSigned ? 3 : 0) + channels - 1;
}
// Some levels or layers of an array; false where the view is of another kind.
bool look_at(image_object& o, const cudaResourceViewDesc& v) {
  // Elements of another kind, of the same channels and sizes.
  cudaChannelFormatDesc seen_as = o.seen.desc;
  for (const cudaChannelFormatKind kind :
       {cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat}) {
    cudaChannelFormatDesc d = o.seen.desc;
    d.f = kind;
    const bool exists = kind != cudaChannelFormatKindFloat || d.x >= 16;
    if (v.format != cudaResViewFormatNone && exists && v.format == own_format(d)) seen_as = d;
  }
  if (v.format != cudaResViewFormatNone && v.format != own_format(seen_as)) return false;
  o.seen.desc = seen_as;
  for (image& level : o.levels) level.desc = seen_as;
  const auto narrow = [&](image& i) {
    if (v.lastLayer < v.firstLayer || static_cast<int>(v.lastLayer) >= std::max(i.depth, 1)) return false;
    if (v.lastLayer == 0) return true;
    i.data += v.firstLayer * i.slice;
    i.depth = static_cast<int>(v.lastLayer - v.firstLayer + 1);
    return true;
  };
  if (o.levels.empty()) return v.lastMipmapLevel == 0 && narrow(o.seen);
  if (v.lastMipmapLevel < v.firstMipmapLevel || v.lastMipmapLevel >= o.levels.size()) return false;
  o.levels.erase(o.levels.begin() + v.lastMipmapLevel + 1, o.levels.end());
  o.levels.erase(o.levels.begin(), o.levels.begin() + v.firstMipmapLevel);
  if (!std::ranges::all_of(o.levels, narrow)) return false;
  o.seen = o.levels.front();
  return true;
}
}  // namespace

namespace simt_cuda {
std::size_t array_bytes(const cudaChannelFormatDesc& d, cudaExtent e) {
  return e.width * at_least_one(e.height) * at_least_one(e.depth) * element_bytes(d);
}
cudaError_t keep_array(cudaArray_t* to, void* memory, const cudaChannelFormatDesc& desc, cudaExtent extent,
                       unsigned int flags) {
  if (memory == nullptr) return fail(cudaErrorInvalidValue);
  *to = new cudaArray{memory, desc, extent, flags};
  return cudaSuccess;
}
}  // namespace simt_cuda

namespace simt_cuda {
// The place of a box in an array, as copies of boxes have it: in bytes.
bool array_side(cudaArray_t a, const cudaPos& pos, cudaPitchedPtr& p, std::size_t& element) {
  element = element_bytes(a->desc);
  p = {static_cast<char*>(a->memory), pitch_of(*a), a->extent.width, at_least_one(a->extent.height)};
  return pos.x <= a->extent.width;
}
}  // namespace simt_cuda

cudaError_t cudaFreeArray(cudaArray_t a) {
  if (a == nullptr) return cudaSuccess;
  const cudaError_t e = cudaFree(a->memory);
  delete a;
  return e;
}
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* a, const cudaChannelFormatDesc* desc, cudaExtent extent,
                                     unsigned int levels, unsigned int flags) {
  const calling_from user(__builtin_return_address(0));
  if (a == nullptr || desc == nullptr || extent.width == 0) return fail(cudaErrorInvalidValue);
  const bool layered = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  std::size_t largest = std::max(extent.width, extent.height);
  if (!layered) largest = std::max(largest, extent.depth);
  auto* const made = new cudaMipmappedArray;
  const auto half = [](std::size_t n) { return n == 0 ? 0 : at_least_one(n / 2); };
  for (;; largest /= 2) {  // as many as asked for, at most down to one texel
    void* memory = nullptr;
    cudaArray_t level = nullptr;
    cudaError_t e = allocate_for(&memory, array_bytes(*desc, extent), kDeviceMemory);
    if (e == cudaSuccess) e = keep_array(&level, memory, *desc, extent, flags);
    if (e != cudaSuccess) {
      cudaFreeMipmappedArray(made);
      return e;
    }
    made->levels.push_back(level);
    if (made->levels.size() >= levels || largest <= 1) break;
    extent = {half(extent.width), half(extent.height), layered ? extent.depth : half(extent.depth)};
  }
  *a = made;
  return cudaSuccess;
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* a, cudaMipmappedArray_const_t from, unsigned int level) {
  if (from == nullptr) return fail(cudaErrorInvalidResourceHandle);
  if (a == nullptr || level >= from->levels.size()) return fail(cudaErrorInvalidValue);
  *a = from->levels[level];
  return cudaSuccess;
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t a) {
  if (a == nullptr) return cudaSuccess;
  cudaError_t first = cudaSuccess;
  for (const cudaArray_t level : a->levels)
    if (const cudaError_t e = cudaFreeArray(level); first == cudaSuccess) first = e;
  delete a;
  return first;
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned int* flags, cudaArray_t a) {
  if (a == nullptr) return fail(cudaErrorInvalidResourceHandle);
  if (desc != nullptr) *desc = a->desc;
  if (extent != nullptr) *extent = a->extent;
  if (flags != nullptr) *flags = a->flags;
  return cudaSuccess;
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t a) {
  if (a == nullptr) return fail(cudaErrorInvalidResourceHandle);
  *desc = a->desc;
  return cudaSuccess;
}
cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t bytes,
                              cudaMemcpyKind kind) {
  const calling_from user(__builtin_return_address(0));
  const place p = place_in(to, x, y);
  return linear(p.at, from, room_from(p), bytes, kind, nullptr, true);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t s) {
  const calling_from user(__builtin_return_address(0));
  const place p = place_in(to, x, y);
  return linear(p.at, from, room_from(p), bytes, kind, s, false);
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t bytes,
                                cudaMemcpyKind kind) {
  const calling_from user(__builtin_return_address(0));
  const place p = place_in(from, x, y);
  return linear(to, p.at, room_from(p), bytes, kind, nullptr, true);
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t s) {
  const calling_from user(__builtin_return_address(0));
  const place p = place_in(from, x, y);
  return linear(to, p.at, room_from(p), bytes, kind, s, false);
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from,
                                   std::size_t x, std::size_t y, std::size_t bytes, cudaMemcpyKind) {
  const calling_from user(__builtin_return_address(0));
  if (to == nullptr || from == nullptr) return fail(cudaErrorInvalidResourceHandle);
  const place source = place_in(from, x, y), target = place_in(to, to_x, to_y);
  return linear(target.at, source.at, std::min(room_from(source), room_from(target)), bytes, cudaMemcpyDeviceToDevice,
                nullptr, true);
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  const calling_from user(__builtin_return_address(0));
  return rows_to_array(to, x, y, from, pitch, width, height, kind, nullptr, true);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t s) {
  const calling_from user(__builtin_return_address(0));
  return rows_to_array(to, x, y, from, pitch, width, height, kind, s, false);
}
cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x, std::size_t y,
                                  std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  const calling_from user(__builtin_return_address(0));
  return rows_from_array(to, pitch, from, x, y, width, height, kind, nullptr, true);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x,
                                       std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                       cudaStream_t s) {
  const calling_from user(__builtin_return_address(0));
  return rows_from_array(to, pitch, from, x, y, width, height, kind, s, false);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from,
                                     std::size_t x, std::size_t y, std::size_t width, std::size_t height,
                                     cudaMemcpyKind) {
  const calling_from user(__builtin_return_address(0));
  if (to == nullptr || from == nullptr) return fail(cudaErrorInvalidResourceHandle);
  const place source = place_in(from, x, y);
  if (width > source.room || height > source.rows) return fail(cudaErrorInvalidValue);
  return rows_to_array(to, to_x, to_y, source.at, source.pitch, width, height, cudaMemcpyDeviceToDevice, nullptr, true);
}

// Objects are descriptions in the host's memory; their address is the handle.
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* t, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* how, const cudaResourceViewDesc* view) {
  ensure_started();
  if (t == nullptr || resource == nullptr || how == nullptr) return fail(cudaErrorInvalidValue);
  image_object o;
  if (const cudaError_t e = describe(o, *resource); e != cudaSuccess) return fail(e);
  image& i = o.seen;
  if (view != nullptr && !look_at(o, *view)) {
    std::fprintf(stderr, "simt: views of a texture whose channels are of other sizes are not supported\n");
    return fail(cudaErrorNotSupported);
  }
  const bool floats = i.desc.f == cudaChannelFormatKindFloat;
  if (how->filterMode == cudaFilterModeLinear && !floats && how->readMode != cudaReadModeNormalizedFloat)
    return fail(cudaErrorInvalidFilterSetting);
  if (how->readMode == cudaReadModeNormalizedFloat && !floats && i.desc.x == 32)
    return fail(cudaErrorInvalidNormSetting);
  if (view != nullptr) o.view = *view;
  i.how = *how;
  i.is_memory = resource->resType == cudaResourceTypeLinear;
  for (image& level : o.levels) level.how = *how;
  auto* const made = new image_object(std::move(o));
  if (!made->levels.empty()) {
    made->seen.levels = made->levels.data();
    made->seen.level_count = static_cast<int>(made->levels.size());
  }
  *t = reinterpret_cast<cudaTextureObject_t>(made);
  return cudaSuccess;
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t t) {
  delete reinterpret_cast<image_object*>(t);
  return cudaSuccess;
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t t) {
  *resource = reinterpret_cast<image_object*>(t)->resource;
  return cudaSuccess;
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* how, cudaTextureObject_t t) {
  *how = reinterpret_cast<image_object*>(t)->seen.how;
  return cudaSuccess;
}
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view, cudaTextureObject_t t) {
  if (view == nullptr || t == 0) return fail(cudaErrorInvalidValue);
  *view = reinterpret_cast<image_object*>(t)->view;
  return cudaSuccess;
}
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t s) {
  return cudaGetTextureObjectResourceDesc(resource, s);
}
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* elements, const cudaChannelFormatDesc* desc, int device) {
  if (elements == nullptr || desc == nullptr) return fail(cudaErrorInvalidValue);
  if (device != 0) return fail(cudaErrorInvalidDevice);
  const int bytes = (desc->x + desc->y + desc->z + desc->w) / 8;
  if (bytes <= 0) return fail(cudaErrorInvalidChannelDescriptor);
  *elements = std::size_t{1} << 28;
  return cudaSuccess;
}
cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements* r, cudaArray_t array, int device) {
  if (r == nullptr || array == nullptr) return fail(cudaErrorInvalidValue);
  if (device != 0) return fail(cudaErrorInvalidDevice);
  cudaChannelFormatDesc desc;
  cudaExtent extent;
  unsigned int flags = 0;
  if (const cudaError_t e = cudaArrayGetInfo(&desc, &extent, &flags, array); e != cudaSuccess) return e;
  constexpr std::size_t kPage = 65536;
  *r = {(array_bytes(desc, extent) + kPage - 1) / kPage * kPage, kPage, {}};
  return cudaSuccess;
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* s, const cudaResourceDesc* resource) {
  ensure_started();
  if (s == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray)
    return fail(cudaErrorInvalidValue);
  image_object o;
  if (const cudaError_t e = describe(o, *resource); e != cudaSuccess) return fail(e);
  *s = reinterpret_cast<cudaSurfaceObject_t>(new image_object(o));
  return cudaSuccess;
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t s) { return cudaDestroyTextureObject(s); }
