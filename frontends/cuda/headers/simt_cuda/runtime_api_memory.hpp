// SPDX-License-Identifier: Apache-2.0
// Memory of the runtime API: allocation, copies, fills, pools, symbols. Part of runtime_api.hpp.
#pragma once

#include "runtime_types.hpp"
#include "thread.hpp"

namespace simt_cuda {
// What the translator puts before a call whose result the program throws away.
void note_ignored_failure(const char* call, cudaError_t e);  // the caller's line is the call's
struct ignored_result {
  const char* call;
  [[gnu::always_inline]] inline void operator=(cudaError_t e) const {
    if (e != cudaSuccess) note_ignored_failure(call, e);
  }
};

// Before a query whose answer the program throws away: this thread's next one orders nothing.
void unheeded_query();

// The name of the allocation that is made next by this thread.
void name_next(const char* name);
template <class P>
P named(const char* name, P p) {
  name_next(name);
  return p;
}
// What a program cast to void**, with the type that the cast hid. The cast also let write what is const there (a
// member, in a const function), and took places that hold no pointer.
template <class P>
auto behind_cast(P* p) {
  using stored = std::remove_cv_t<P>;
  if constexpr (std::is_pointer_v<stored>)
    return const_cast<stored*>(p);
  else
    return (void**)p;
}
inline void** behind_cast(std::uintptr_t p) { return reinterpret_cast<void**>(p); }
// What the host means by the address of a __device__ or __constant__ variable; other addresses are what they are.
const void* shadow_of_address(const void* p);
template <class T>
auto shadow_of(T&& v) {
  using value = std::decay_t<T>;
  if constexpr (std::is_pointer_v<value> && !std::is_function_v<std::remove_pointer_t<value>>)
    return (value)shadow_of_address(const_cast<const void*>(static_cast<const volatile void*>(v)));
  else
    return value(v);
}
// In device, managed or pinned memory: kernels may use it.
bool is_device_address(const void* p);
bool is_constant_address(const void* p);
cudaError_t allocate(void** p, std::size_t bytes, const char* type, std::size_t element_bytes, int kind);
enum : int { kDeviceMemory = 0, kManagedMemory = 1, kPinnedMemory = 2 };
// A call of the host sets the pointer at `p`. Where that is a __device__ variable, it is the host's shadow on a GPU: a
// plain run says so, once for each.
void note_set_pointer(const void* p);
// Names of types that nearly every program allocates: spelled with the headers, which are read once for many programs.
inline void spell_usual_types() {
  const auto spell = []<class... T>(T*...) { (static_cast<void>(simt::zero_ended_type_name<T>()), ...); };
  spell(static_cast<float*>(nullptr), static_cast<double*>(nullptr), static_cast<int*>(nullptr),
        static_cast<unsigned*>(nullptr), static_cast<char*>(nullptr), static_cast<unsigned char*>(nullptr));
}
// The pointer is set here, in the program's own code, so that checks see who writes it.
template <class T>
[[gnu::always_inline]] inline cudaError_t allocate_typed(T** p, std::size_t bytes, int kind) {
  void* made = nullptr;
  cudaError_t e = cudaSuccess;
  if constexpr (std::is_void_v<T>)
    e = allocate(p == nullptr ? nullptr : &made, bytes, "", 1, kind);
  else
    e = allocate(p == nullptr ? nullptr : &made, bytes, simt::zero_ended_type_name<std::remove_cv_t<T>>(), sizeof(T),
                 kind);
  if (e != cudaSuccess) {
    // A program that goes on uses what its pointer was before: null, often, which the compiler would take for a place
    // that is never come to.
    asm volatile("" : : "r"(p) : "memory");
    return e;
  }
#if !defined(SIMT_VARIANT_CHECK)
  note_set_pointer(p);
#endif
  *p = static_cast<T*>(made);
  return e;
}
// What was just allocated counts as made by work of the stream.
cudaError_t make_on_stream(void* p, std::size_t bytes, cudaStream_t s);
template <class T>
[[gnu::always_inline]] inline cudaError_t allocate_typed_on(T** p, std::size_t bytes, cudaStream_t s) {
  const cudaError_t e = allocate_typed(p, bytes, kDeviceMemory);
  return e != cudaSuccess || *p == nullptr ? e : make_on_stream(const_cast<std::remove_cv_t<T>*>(*p), bytes, s);
}
}  // namespace simt_cuda

cudaError_t cudaFree(void* p);
cudaError_t cudaFreeHost(void* p);
cudaError_t cudaHostRegister(void* p, std::size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void* p);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host);
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t s = nullptr);
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t s = nullptr);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t s = nullptr);
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t s = nullptr);
cudaError_t cudaMemset(void* p, int byte, std::size_t bytes);
cudaError_t cudaMemsetAsync(void* p, int byte, std::size_t bytes, cudaStream_t s = nullptr);
cudaError_t cudaMemset2D(void* p, std::size_t pitch, int byte, std::size_t width, std::size_t height);
cudaError_t cudaMemset2DAsync(void* p, std::size_t pitch, int byte, std::size_t width, std::size_t height,
                              cudaStream_t s = nullptr);
cudaError_t cudaMemset3D(cudaPitchedPtr p, int byte, cudaExtent extent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int byte, cudaExtent extent, cudaStream_t s = nullptr);
cudaError_t cudaMallocPitch(void** p, std::size_t* pitch, std::size_t width, std::size_t height);
cudaError_t cudaMalloc3D(cudaPitchedPtr* p, cudaExtent extent);
cudaError_t cudaFreeAsync(void* p, cudaStream_t s);
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* props);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access, std::size_t count);
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location);
cudaError_t cudaMemRangeGetAttribute(void* data, std::size_t bytes, cudaMemRangeAttribute attribute, const void* p,
                                     std::size_t count);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t bytes);
cudaError_t cudaMemPrefetchAsync(const void* p, std::size_t bytes, int device, cudaStream_t s = nullptr);
cudaError_t cudaMemPrefetchAsync(const void* p, std::size_t bytes, cudaMemLocation where, unsigned int flags,
                                 cudaStream_t s = nullptr);
cudaError_t cudaMemAdvise(const void* p, std::size_t bytes, cudaMemoryAdvise advice, int device);
cudaError_t cudaMemAdvise(const void* p, std::size_t bytes, cudaMemoryAdvise advice, cudaMemLocation where);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* p);
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaMalloc(T** p, std::size_t bytes) {
  return simt_cuda::allocate_typed(p, bytes, simt_cuda::kDeviceMemory);
}
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaMallocManaged(T** p, std::size_t bytes,
                                                            unsigned int = cudaMemAttachGlobal) {
  return simt_cuda::allocate_typed(p, bytes, simt_cuda::kManagedMemory);
}
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaMallocHost(T** p, std::size_t bytes, unsigned int = 0) {
  return simt_cuda::allocate_typed(p, bytes, simt_cuda::kPinnedMemory);
}
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaHostAlloc(T** p, std::size_t bytes, unsigned int) {
  return simt_cuda::allocate_typed(p, bytes, simt_cuda::kPinnedMemory);
}
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaMallocAsync(T** p, std::size_t bytes, cudaStream_t s) {
  return simt_cuda::allocate_typed_on(p, bytes, s);
}
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaMallocAsync(T** p, std::size_t bytes, cudaMemPool_t, cudaStream_t s) {
  return simt_cuda::allocate_typed_on(p, bytes, s);
}
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaMallocFromPoolAsync(T** p, std::size_t bytes, cudaMemPool_t,
                                                                  cudaStream_t s) {
  return simt_cuda::allocate_typed_on(p, bytes, s);
}
template <class T>
cudaError_t cudaMallocPitch(T** p, std::size_t* pitch, std::size_t width, std::size_t height) {
  return cudaMallocPitch(reinterpret_cast<void**>(p), pitch, width, height);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}

// Symbols are references to device memory here, so a symbol's address is its device address. A pointer to const void is
// no symbol, but the address of one, as functions of a program hand it on; any other pointer is a variable itself.
namespace simt_cuda {
struct symbol_place {
  const void* at;  // no device memory: there is no such symbol
  std::size_t bytes;
};
// Constants keep their names for the compiler (`__device__ const int kRows = 4;`): their memory of the device is asked
// for. What is none is its own place.
const void* place_of_constant(const void* image);
symbol_place place_of_variable(const void* address);
template <class T>
symbol_place place_of_symbol(const T& symbol) {
  return {place_of_constant((const void*)&symbol), sizeof(T)};  // whatever its qualifiers are
}
inline symbol_place place_of_symbol(const void* address) { return place_of_variable(address); }
cudaError_t copy_to_symbol(symbol_place symbol, const void* from, std::size_t bytes, std::size_t offset,
                           cudaMemcpyKind kind, cudaStream_t s, bool wait);
cudaError_t copy_from_symbol(void* to, symbol_place symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                             cudaStream_t s, bool wait);
cudaError_t address_of_symbol(void** p, symbol_place symbol);
cudaError_t size_of_symbol(std::size_t* bytes, symbol_place symbol);
}  // namespace simt_cuda
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes,
                                                             std::size_t offset = 0,
                                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return simt_cuda::copy_to_symbol(simt_cuda::place_of_symbol(symbol), from, bytes, offset, kind, nullptr, true);
}
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes,
                                                                  std::size_t offset = 0,
                                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                                  cudaStream_t s = nullptr) {
  return simt_cuda::copy_to_symbol(simt_cuda::place_of_symbol(symbol), from, bytes, offset, kind, s, false);
}
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes,
                                                               std::size_t offset = 0,
                                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return simt_cuda::copy_from_symbol(to, simt_cuda::place_of_symbol(symbol), bytes, offset, kind, nullptr, true);
}
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes,
                                                                    std::size_t offset = 0,
                                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                                    cudaStream_t s = nullptr) {
  return simt_cuda::copy_from_symbol(to, simt_cuda::place_of_symbol(symbol), bytes, offset, kind, s, false);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void** p, const T& symbol) {
  return simt_cuda::address_of_symbol(p, simt_cuda::place_of_symbol(symbol));
}
template <class P, class T>
requires(!std::is_void_v<P>) cudaError_t cudaGetSymbolAddress(P** p, const T& symbol) {
  void* place = nullptr;
  const cudaError_t e = simt_cuda::address_of_symbol(&place, simt_cuda::place_of_symbol(symbol));
  if (e == cudaSuccess) *p = static_cast<P*>(place);
  return e;
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T& symbol) {
  return simt_cuda::size_of_symbol(bytes, simt_cuda::place_of_symbol(symbol));
}
