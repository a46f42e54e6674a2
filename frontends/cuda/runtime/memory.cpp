// SPDX-License-Identifier: Apache-2.0
// Memory of the runtime API. Managed and pinned memory lie in the device's range, where the host may touch them too.
// Long because: copies, fills and symbols ask the same of an address, who a variable's shadow belongs to among it.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>
#include <vector>

#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>
#include <frontends/cuda/headers/simt_cuda/memory.hpp>
#include <backends/sim/frontend.hpp>

#include "graph_parts.hpp"
#include "outputs.hpp"
#include "result_uses.hpp"
#include "state.hpp"
#include "stream_numbers.hpp"

namespace simt_cuda {
namespace frontend = simt::frontend;
using simt::backend::calling_from;
namespace {

thread_local const char* next_name = nullptr;
thread_local cudaExtent next_shape = {};  // in elements; width 0: none is given

struct variable {
  void* at;
  const void* image;
  std::string name;
  std::size_t bytes;
  variable_kind kind;
  bool is_named_by_host = false;  // where an address was meant
  bool is_set_by_host = false;    // by an allocation, which was said
};
std::vector<variable>& variables() {
  static auto* v = new std::vector<variable>;
  return *v;
}

bool lies_in(const void* p, const void* begin, std::size_t bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(p), first = reinterpret_cast<std::uintptr_t>(begin);
  return at >= first && at - first < bytes;
}
// A side of a copy or a fill, for messages.
std::string host_memory(const void* p, const char* side, const char* call) {
  for (const variable& v : variables())
    if (lies_in(p, v.image, v.bytes))
      return std::string("the ") + side + " is the host's shadow of '" + v.name +
             "', not the variable on the device: " + call + ", or ask cudaGetSymbolAddress for its address";
  return std::string("the ") + side + " is host memory, but the direction of the copy says device memory";
}
bool is_shadow(const void* p) {
  return std::ranges::any_of(variables(),
                             [&](const variable& v) { return v.is_named_by_host && lies_in(p, v.image, v.bytes); });
}

// CUDA checks pointers against the kind it was told; cudaMemcpyDefault asks the pointers.
simt::copy_kind kind_of(void* to, const void* from, cudaMemcpyKind kind) {
  const auto bad = [](const void* p, const char* side, const char* call) {
    throw simt::error(simt::error_kind::invalid_argument, host_memory(p, side, call));
  };
  const bool to_device = frontend::is_device_address(to), from_device = frontend::is_device_address(from);
  // A copy between the shadow and other memory of the host says nothing on a GPU, and does nothing there.
  if (((kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice) && !to_device) || is_shadow(to))
    bad(to, "destination", "use cudaMemcpyToSymbol");
  if (((kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice) && !from_device) ||
      (is_shadow(from) && kind != cudaMemcpyHostToDevice))
    bad(from, "source", "use cudaMemcpyFromSymbol");
  if (to_device) return from_device ? simt::copy_kind::device_to_device : simt::copy_kind::host_to_device;
  return from_device ? simt::copy_kind::device_to_host : simt::copy_kind::host_to_host;
}

bool is_device_memory(const void* p) {
  return frontend::is_device_address(p) && frontend::facts_of(p).home == frontend::memory_home::device;
}

// The host waits for no copy within the device, nor for a fill of device memory; for a fill of pinned and managed
// memory it does. CUDA runtime API, "API synchronization behavior".
void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t s, bool wait) {
  if (bytes == 0) return;
  if (to == nullptr || from == nullptr)
    throw simt::error(simt::error_kind::invalid_argument, "a side of the copy is null");
  if (kernel_was_lost()) return;  // nothing runs on the device any more, as with CUDA
  if (wait && (kind == cudaMemcpyDeviceToDevice || (is_device_memory(to) && is_device_memory(from)))) wait = false;
  const simt::copy_kind actual = kind_of(to, from, kind);
  simt::backend::copy(to, from, bytes, actual, stream_number(s), wait);
  const bool captured = simt::backend::capturing(stream_number(s));
  if (actual == simt::copy_kind::device_to_host && !captured) note_output(from, to, bytes);
  if (frontend::is_device_address(from))
    result_copied(from, bytes, calling_from::address(__builtin_return_address(0)), captured);
}

}  // namespace

void name_next(const char* name) { next_name = name; }
void shape_next(cudaExtent extent) { next_shape = extent; }
bool is_device_address(const void* p) { return frontend::is_device_address(p); }
bool is_constant_address(const void* p) {
  return std::ranges::any_of(
      variables(), [&](const variable& v) { return v.kind == variable_kind::constant && lies_in(p, v.at, v.bytes); });
}

namespace {
// Slowest first.
std::vector<std::int64_t> extents_of(cudaExtent shape) {
  std::vector<std::int64_t> all = {static_cast<std::int64_t>(shape.width)};
  if (shape.height > 0 || shape.depth > 0)
    all.insert(all.begin(), static_cast<std::int64_t>(std::max<std::size_t>(shape.height, 1)));
  if (shape.depth > 0) all.insert(all.begin(), static_cast<std::int64_t>(shape.depth));
  return all;
}
cudaError_t allocate_at(std::uintptr_t pc, void** p, std::size_t bytes, const char* type, std::size_t element_bytes,
                        int kind) {
  const char* name = std::exchange(next_name, nullptr);
  const cudaExtent shape = std::exchange(next_shape, {});
  if (p == nullptr) return fail(cudaErrorInvalidValue);
  return guarded([&] {
    if (bytes == 0) {
      *p = nullptr;
      return;
    }
    const auto elements = static_cast<std::int64_t>(bytes / (element_bytes ? element_bytes : 1));
    simt::memory_label label{name != nullptr ? name : "", type, element_bytes, {}};
    if (elements * static_cast<std::int64_t>(element_bytes) == static_cast<std::int64_t>(bytes))
      label.extents = shape.width != 0 ? extents_of(shape) : std::vector<std::int64_t>{elements};
    // What the host writes through libraries is not seen: reads of such memory are never called uninitialised.
    const auto home = kind == kManagedMemory  ? frontend::memory_home::managed
                      : kind == kPinnedMemory ? frontend::memory_home::pinned
                                              : frontend::memory_home::device;
    *p = frontend::allocate(bytes, label, home, pc);
    if (*p == nullptr) throw simt::error(simt::error_kind::out_of_memory, "device memory does not suffice");
  });
}
}  // namespace

cudaError_t allocate(void** p, std::size_t bytes, const char* type, std::size_t element_bytes, int kind) {
  // The call was inlined down to here, so this is the user's line.
  return allocate_at(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), p, bytes, type, element_bytes,
                     kind);
}
cudaError_t allocate_for(void** p, std::size_t bytes, int kind) {
  return allocate_at(calling_from::address(__builtin_return_address(0)), p, bytes, "", 1, kind);
}

void* place_variable(const void* image, std::size_t bytes, const simt::sim::variable_label& label, variable_kind kind) {
  ensure_started();
  if (const symbol_place before = place_of_variable(image); before.at != nullptr) return const_cast<void*>(before.at);
  void* const p = frontend::place_variable(image, bytes, label,
                                           kind == variable_kind::managed || kind == variable_kind::pointer_of_host,
                                           kind == variable_kind::constant);
  variables().push_back({p, image, label.name, bytes, kind});
  return p;
}
void note_set_pointer(const void* p) {
  if (!frontend::is_device_address(p)) return;
  for (variable& v : variables()) {
    const bool has_shadow = v.kind == variable_kind::device || v.kind == variable_kind::constant;
    if (!has_shadow || v.is_set_by_host || !lies_in(p, v.at, v.bytes)) continue;
    v.is_set_by_host = true;
    std::fprintf(
        stderr,
        "simt: an allocation is stored in '%s', a variable of the device: on a GPU the host's name means a "
        "variable of the host's own, and kernels find null; allocate into a pointer of the host, and copy that "
        "with cudaMemcpyToSymbol(%s, &pointer, sizeof pointer)\n",
        v.name.c_str(), v.name.c_str());
  }
}
const void* shadow_of_address(const void* p) {
  for (variable& v : variables()) {
    if (v.kind == variable_kind::managed || !lies_in(p, v.at, v.bytes)) continue;
    if (!v.is_named_by_host) v.is_named_by_host = true;
    return static_cast<const char*>(v.image) + (static_cast<const char*>(p) - static_cast<const char*>(v.at));
  }
  return p;
}
const void* place_of_constant(const void* image) {
  for (const variable& v : variables())
    if (v.image == image) return v.at;
  return image;
}
std::size_t variable_bytes(const void* address) { return place_of_variable(address).bytes; }
symbol_place place_of_variable(const void* address) {
  for (const variable& v : variables())
    if (v.at == address || v.image == address) return {v.at, v.bytes};
  return {nullptr, 0};
}
void free_variables() {
  forget_idle_graph_memory();
  for (const variable& v : variables()) frontend::free(v.at, 0);
  variables().clear();
}

namespace {
cudaError_t check_part(const symbol_place& symbol, std::size_t bytes, std::size_t offset) {
  if (!frontend::is_device_address(symbol.at)) return cudaErrorInvalidSymbol;
  return offset > symbol.bytes || bytes > symbol.bytes - offset ? cudaErrorInvalidValue : cudaSuccess;
}
char* part_of(const symbol_place& symbol, std::size_t offset) {
  return const_cast<char*>(static_cast<const char*>(symbol.at)) + offset;
}
}  // namespace
cudaError_t copy_to_symbol(symbol_place symbol, const void* from, std::size_t bytes, std::size_t offset,
                           cudaMemcpyKind kind, cudaStream_t s, bool wait) {
  const calling_from user(__builtin_return_address(0));
  if (const cudaError_t e = check_part(symbol, bytes, offset); e != cudaSuccess) return fail(e);
  const cudaError_t e = guarded([&] { copy(part_of(symbol, offset), from, bytes, kind, s, wait); });
  return wait ? after_wait(e) : e;
}
cudaError_t copy_from_symbol(void* to, symbol_place symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                             cudaStream_t s, bool wait) {
  const calling_from user(__builtin_return_address(0));
  if (const cudaError_t e = check_part(symbol, bytes, offset); e != cudaSuccess) return fail(e);
  const cudaError_t e = guarded([&] { copy(to, part_of(symbol, offset), bytes, kind, s, wait); });
  return wait ? after_wait(e) : e;
}
cudaError_t address_of_symbol(void** p, symbol_place symbol) {
  if (const cudaError_t e = check_part(symbol, 0, 0); e != cudaSuccess) return fail(e);
  *p = part_of(symbol, 0);
  return cudaSuccess;
}
cudaError_t size_of_symbol(std::size_t* bytes, symbol_place symbol) {
  if (const cudaError_t e = check_part(symbol, 0, 0); e != cudaSuccess) return fail(e);
  *bytes = symbol.bytes;
  return cudaSuccess;
}

namespace {
cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                      std::size_t height, cudaMemcpyKind kind, cudaStream_t s, bool wait) {
  if (width > to_pitch || width > from_pitch) return fail(cudaErrorInvalidPitchValue);
  const cudaError_t e = guarded([&] {
    for (std::size_t row = 0; row < height; ++row)
      copy(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch, width, kind, s,
           wait);
  });
  return wait ? after_wait(e) : e;
}
// Positions count bytes, and elements on the side of an array; so does the width where one side is an array.
cudaError_t copy_box(const cudaMemcpy3DParms& p, cudaStream_t s, bool wait) {
  cudaPitchedPtr source = p.srcPtr, target = p.dstPtr;
  std::size_t from_element = 1, to_element = 1;
  if (p.srcArray != nullptr && !array_side(p.srcArray, p.srcPos, source, from_element))
    return fail(cudaErrorInvalidValue);
  if (p.dstArray != nullptr && !array_side(p.dstArray, p.dstPos, target, to_element))
    return fail(cudaErrorInvalidValue);
  const std::size_t width = p.extent.width * (p.srcArray != nullptr ? from_element : to_element);
  const auto start = [](const cudaPitchedPtr& side, const cudaPos& pos, std::size_t element, std::size_t z) {
    return static_cast<char*>(side.ptr) + ((pos.z + z) * side.ysize + pos.y) * side.pitch + pos.x * element;
  };
  for (std::size_t z = 0; z < p.extent.depth; ++z)
    if (const cudaError_t e =
            copy_rows(start(target, p.dstPos, to_element, z), target.pitch, start(source, p.srcPos, from_element, z),
                      source.pitch, width, p.extent.height, p.kind, s, wait);
        e != cudaSuccess)
      return e;
  return cudaSuccess;
}
// A fill through the host's name of a variable.
void refuse_shadow(const void* p) {
  if (is_shadow(p))
    throw simt::error(simt::error_kind::invalid_argument,
                      host_memory(p, "memory to fill", "copy zeros with cudaMemcpyToSymbol"));
}
cudaError_t fill_rows(void* p, std::size_t pitch, int byte, std::size_t width, std::size_t height, cudaStream_t s) {
  return guarded([&] {
    refuse_shadow(p);
    for (std::size_t row = 0; row < height; ++row)
      simt::backend::fill(static_cast<char*>(p) + row * pitch, byte, width, stream_number(s));
  });
}
// Behind a fill of `p` that is not asynchronous.
cudaError_t after_fill(cudaError_t e, const void* p) {
  if (e != cudaSuccess || is_device_memory(p)) return e;
  return guarded([&] { simt::backend::synchronize_stream(0); });
}
struct pool {
  std::uint64_t threshold = 0;
};
pool default_pool;
std::mutex registered_mutex;
std::set<void*> registered;
}  // namespace

}  // namespace simt_cuda

using namespace simt_cuda;
using simt::backend::calling_from;

namespace simt_cuda {
namespace {

// Of memory that is there.
bool is_pinned(const void* p, bool wanted) {
  if (!frontend::is_device_address(p)) return false;
  const frontend::memory_facts facts = frontend::facts_of(p);
  return facts.live && (facts.home == frontend::memory_home::pinned) == wanted;
}
cudaError_t refuse_free(const char* why) {
  return guarded([&] { throw simt::error(simt::error_kind::invalid_argument, why); });
}

cudaError_t free_memory(void* p, std::uintptr_t caller) {
  if (p == nullptr) {
    ensure_started();
    runtime_used = true;
    return after_wait(cudaSuccess);
  }
  if (release_graph_memory(p)) return after_wait(cudaSuccess);
  if (wait_for_device() != cudaSuccess) {
    frontend::free(p, caller);
    return sticky_error();
  }
  note_output_before_free(p);
  result_freed(p);
  return guarded([&] {
    if (!frontend::free(p, caller))
      throw simt::error(simt::error_kind::invalid_argument,
                        "cudaFree: no allocated device memory starts at this address");
  });
}

}  // namespace
}  // namespace simt_cuda

cudaError_t cudaFree(void* p) {
  const auto caller = calling_from::address(__builtin_return_address(0));  // for reports of double frees
  return is_pinned(p, true) ? refuse_free("cudaFree: this is pinned memory, which cudaFreeHost frees")
                            : free_memory(p, caller);
}
cudaError_t cudaFreeHost(void* p) {
  const auto caller = calling_from::address(__builtin_return_address(0));
  return is_pinned(p, false) ? refuse_free("cudaFreeHost: this is no pinned memory, cudaFree frees it")
                             : free_memory(p, caller);
}
// Registered memory stays where it is: its address is good for kernels too, as with unified addressing.
cudaError_t cudaHostRegister(void* p, std::size_t bytes, unsigned int) {
  if (p == nullptr || bytes == 0) return fail(cudaErrorInvalidValue);
  std::lock_guard lock(registered_mutex);
  if (!registered.insert(p).second) return fail(cudaErrorHostMemoryAlreadyRegistered);
  frontend::register_memory(p, bytes);
  return cudaSuccess;
}
cudaError_t cudaHostUnregister(void* p) {
  const cudaError_t before = wait_for_device();
  std::lock_guard lock(registered_mutex);
  if (registered.erase(p) == 0) return fail(cudaErrorHostMemoryNotRegistered);
  frontend::unregister_memory(p);
  return before;
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int) {
  if (!frontend::is_device_address(host) && !frontend::facts_of(host).registered) return fail(cudaErrorInvalidValue);
  *device = host;
  return cudaSuccess;
}
cudaError_t cudaHostGetFlags(unsigned int* flags, void*) {
  *flags = cudaHostAllocMapped;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total) {
  return guarded([&] { std::tie(*free_bytes, *total) = simt::backend::memory_info(); });
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const calling_from user(__builtin_return_address(0));
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return fail(cudaErrorInvalidMemcpyDirection);
  return after_wait(guarded([&] { copy(to, from, bytes, kind, nullptr, true); }));
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t s) {
  const calling_from user(__builtin_return_address(0));
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return fail(cudaErrorInvalidMemcpyDirection);
  return guarded([&] { copy(to, from, bytes, kind, s, false); });
}
cudaError_t cudaMemcpy2D(void* to, std::size_t tp, const void* from, std::size_t fp, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
  const calling_from user(__builtin_return_address(0));
  return copy_rows(to, tp, from, fp, width, height, kind, nullptr, true);
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t tp, const void* from, std::size_t fp, std::size_t width,
                              std::size_t height, cudaMemcpyKind kind, cudaStream_t s) {
  const calling_from user(__builtin_return_address(0));
  return copy_rows(to, tp, from, fp, width, height, kind, s, false);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
  const calling_from user(__builtin_return_address(0));
  return copy_box(*p, nullptr, true);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t s) {
  const calling_from user(__builtin_return_address(0));
  return copy_box(*p, s, false);
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes) {
  const calling_from user(__builtin_return_address(0));
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, cudaStream_t s) {
  const calling_from user(__builtin_return_address(0));
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, s);
}
cudaError_t cudaMemset(void* p, int byte, std::size_t bytes) {
  const calling_from user(__builtin_return_address(0));
  const cudaError_t e = guarded([&] {
    refuse_shadow(p);
    simt::backend::fill(p, byte, bytes, 0);
  });
  return after_fill(e, p);
}
cudaError_t cudaMemsetAsync(void* p, int byte, std::size_t bytes, cudaStream_t s) {
  const calling_from user(__builtin_return_address(0));
  return guarded([&] { simt::backend::fill(p, byte, bytes, stream_number(s)); });
}
cudaError_t cudaMemset2D(void* p, std::size_t pitch, int byte, std::size_t width, std::size_t height) {
  const calling_from user(__builtin_return_address(0));
  return after_fill(fill_rows(p, pitch, byte, width, height, nullptr), p);
}
cudaError_t cudaMemset2DAsync(void* p, std::size_t pitch, int byte, std::size_t width, std::size_t height,
                              cudaStream_t s) {
  const calling_from user(__builtin_return_address(0));
  return fill_rows(p, pitch, byte, width, height, s);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int byte, cudaExtent extent, cudaStream_t s) {
  const calling_from user(__builtin_return_address(0));
  for (std::size_t z = 0; z < extent.depth; ++z)
    if (const cudaError_t e =
            fill_rows(static_cast<char*>(p.ptr) + z * p.ysize * p.pitch, p.pitch, byte, extent.width, extent.height, s);
        e != cudaSuccess)
      return e;
  return cudaSuccess;
}
cudaError_t cudaMemset3D(cudaPitchedPtr p, int byte, cudaExtent extent) {
  const calling_from user(__builtin_return_address(0));
  return after_fill(cudaMemset3DAsync(p, byte, extent, nullptr), p.ptr);
}
cudaError_t cudaMallocPitch(void** p, std::size_t* pitch, std::size_t width, std::size_t height) {
  constexpr std::size_t kPitchAlignment = 512;
  *pitch = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
  return allocate(p, *pitch * height, "", 1, kDeviceMemory);
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* p, cudaExtent e) {
  p->xsize = e.width;
  p->ysize = e.height;
  return cudaMallocPitch(&p->ptr, &p->pitch, e.width, e.height * e.depth);
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* p, const cudaMemPoolProps*) {
  *p = reinterpret_cast<cudaMemPool_t>(new pool);
  return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t p) {
  if (reinterpret_cast<pool*>(p) != &default_pool) delete reinterpret_cast<pool*>(p);
  return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t p, cudaMemPoolAttr attribute, void* value) {
  if (attribute == cudaMemPoolAttrReleaseThreshold)
    reinterpret_cast<pool*>(p)->threshold = *static_cast<std::uint64_t*>(value);
  return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t p, cudaMemPoolAttr attribute, void* value) {
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      *static_cast<std::uint64_t*>(value) = reinterpret_cast<pool*>(p)->threshold;
      break;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemCurrent:
    case cudaMemPoolAttrUsedMemHigh:
      *static_cast<std::uint64_t*>(value) = frontend::bytes_in_use();
      break;
    default:
      *static_cast<int*>(value) = 1;
  }
  return cudaSuccess;
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc* access, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (access[i].location.type != cudaMemLocationTypeDevice || access[i].location.id != 0)
      return fail(cudaErrorInvalidDevice);
  return cudaSuccess;
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t, cudaMemLocation*) {
  *flags = cudaMemAccessFlagsProtReadWrite;
  return cudaSuccess;
}
// Advice is not kept: managed memory is nowhere in particular here.
cudaError_t cudaMemRangeGetAttribute(void* data, std::size_t bytes, cudaMemRangeAttribute attribute, const void* p,
                                     std::size_t) {
  if (data == nullptr || bytes < sizeof(int) || !frontend::is_device_address(p)) return fail(cudaErrorInvalidValue);
  const bool is_answer_zero = attribute == cudaMemRangeAttributeReadMostly ||
                              attribute == cudaMemRangeAttributePreferredLocationType ||
                              attribute == cudaMemRangeAttributeLastPrefetchLocationType;
  *static_cast<int*>(data) = is_answer_zero ? 0 : cudaInvalidDeviceId;
  return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) { return cudaSuccess; }
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* p, int) {
  *p = reinterpret_cast<cudaMemPool_t>(&default_pool);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* p, int) { return cudaDeviceGetDefaultMemPool(p, 0); }
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t) { return cudaSuccess; }
// Managed memory needs no moving here.
cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, int, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, cudaMemLocation, unsigned int, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaMemAdvise(const void*, std::size_t, cudaMemoryAdvise, int) { return cudaSuccess; }
cudaError_t cudaMemAdvise(const void*, std::size_t, cudaMemoryAdvise, cudaMemLocation) { return cudaSuccess; }
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* a, const void* p) {
  *a = {};
  a->hostPointer = const_cast<void*>(p);
  const frontend::memory_facts facts = frontend::facts_of(p);
  if (!frontend::is_device_address(p)) {
    if (!facts.registered) return cudaSuccess;
    a->type = cudaMemoryTypeHost;  // registered
    a->devicePointer = const_cast<void*>(p);
    return cudaSuccess;
  }
  a->type = facts.home == frontend::memory_home::pinned ? cudaMemoryTypeHost
            : facts.host_may_access                     ? cudaMemoryTypeManaged
                                                        : cudaMemoryTypeDevice;
  a->devicePointer = const_cast<void*>(p);
  if (a->type == cudaMemoryTypeDevice) a->hostPointer = nullptr;
  return cudaSuccess;
}
