// SPDX-License-Identifier: Apache-2.0
// Virtual memory of the driver API. A reservation is device memory from the start; a handle has a size, and what was
// last in it. Mapping moves that into the range, unmapping takes it out again, so that memory may be mapped at another
// place later; at two places at a time it cannot be. The copies are made in device memory: so checks know which bytes
// nobody wrote.
#include <map>
#include <mutex>

#include "driver.hpp"

using namespace simt_cuda;

namespace {

constexpr std::size_t kGranularity = std::size_t{2} << 20U;

struct physical {
  std::size_t bytes = 0;
  CUmemAllocationProp properties = {};
  bool released = false;  // goes when it is mapped nowhere
  bool mapped = false;
  void* kept = nullptr;  // of an unmapped one, what was in it; null: it was never mapped
};
struct mapping {
  std::size_t bytes;
  CUmemGenericAllocationHandle handle;
};
std::mutex virtual_mutex;
std::map<CUdeviceptr, std::size_t> reservations;
std::map<CUdeviceptr, mapping> mappings;
std::map<CUmemGenericAllocationHandle, physical> handles;
CUmemGenericAllocationHandle last_handle = 0;

// Whether [p, p + bytes) lies in one of them.
template <class Ranges, class Size>
bool lies_in(const Ranges& ranges, CUdeviceptr p, std::size_t bytes, Size size) {
  auto next = ranges.upper_bound(p);
  if (next == ranges.begin()) return false;
  const auto& [begin, what] = *--next;
  return bytes <= size(what) && p - begin <= size(what) - bytes;
}

// The caller need not wait for anything before it uses the bytes on another stream.
CUresult move(void* to, const void* from, std::size_t bytes) {
  if (const cudaError_t e = cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice); e != cudaSuccess)
    return as_driver(e);
  return as_driver(cudaStreamSynchronize(nullptr));
}

bool is_multiple(std::size_t bytes) { return bytes != 0 && bytes % kGranularity == 0; }

}  // namespace

CUresult cuMemGetAllocationGranularity(std::size_t* bytes, const CUmemAllocationProp* p,
                                       CUmemAllocationGranularity_flags) {
  if (bytes == nullptr || p == nullptr || p->type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  if (p->location.type != CU_MEM_LOCATION_TYPE_DEVICE || p->location.id != 0) return CUDA_ERROR_INVALID_DEVICE;
  *bytes = kGranularity;
  return CUDA_SUCCESS;
}
CUresult cuMemAddressReserve(CUdeviceptr* p, std::size_t bytes, std::size_t, CUdeviceptr, unsigned long long flags) {
  SIMT_DRIVER_CALL;
  if (p == nullptr || !is_multiple(bytes) || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  void* memory = nullptr;
  if (const cudaError_t e = allocate_for(&memory, bytes, kDeviceMemory); e != cudaSuccess) return as_driver(e);
  *p = as_device(memory);
  std::lock_guard lock(virtual_mutex);
  reservations[*p] = bytes;
  return CUDA_SUCCESS;
}
CUresult cuMemAddressFree(CUdeviceptr p, std::size_t bytes) {
  SIMT_DRIVER_CALL;
  {
    std::lock_guard lock(virtual_mutex);
    const auto it = reservations.find(p);
    if (it == reservations.end() || it->second != bytes) return CUDA_ERROR_INVALID_VALUE;
    const auto mapped = mappings.lower_bound(p);
    if (mapped != mappings.end() && mapped->first < p + bytes) return CUDA_ERROR_INVALID_VALUE;
    reservations.erase(it);
  }
  return as_driver(cudaFree(as_pointer(p)));
}
CUresult cuMemCreate(CUmemGenericAllocationHandle* h, std::size_t bytes, const CUmemAllocationProp* p,
                     unsigned long long flags) {
  SIMT_DRIVER_CALL;
  if (h == nullptr || p == nullptr || !is_multiple(bytes) || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (p->type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  if (p->location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_NOT_SUPPORTED;
  if (p->location.id != 0) return CUDA_ERROR_INVALID_DEVICE;
  if (p->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE) return CUDA_ERROR_NOT_SUPPORTED;
  std::size_t left = 0, all = 0;
  cudaMemGetInfo(&left, &all);
  if (bytes > all) return CUDA_ERROR_OUT_OF_MEMORY;
  std::lock_guard lock(virtual_mutex);
  physical& memory = handles[*h = ++last_handle];
  memory.bytes = bytes;
  memory.properties = *p;
  memory.properties.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_NONE;  // as a GPU without it answers
  return CUDA_SUCCESS;
}
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* p, CUmemGenericAllocationHandle h) {
  SIMT_DRIVER_CALL;
  std::lock_guard lock(virtual_mutex);
  const auto it = handles.find(h);
  if (p == nullptr || it == handles.end() || it->second.released) return CUDA_ERROR_INVALID_VALUE;
  *p = it->second.properties;
  return CUDA_SUCCESS;
}
CUresult cuMemRelease(CUmemGenericAllocationHandle h) {
  SIMT_DRIVER_CALL;
  std::lock_guard lock(virtual_mutex);
  const auto it = handles.find(h);
  if (it == handles.end() || it->second.released) return CUDA_ERROR_INVALID_VALUE;
  it->second.released = true;
  if (it->second.mapped) return CUDA_SUCCESS;
  const cudaError_t e = cudaFree(it->second.kept);
  handles.erase(it);
  return as_driver(e);
}
CUresult cuMemMap(CUdeviceptr p, std::size_t bytes, std::size_t offset, CUmemGenericAllocationHandle h,
                  unsigned long long flags) {
  SIMT_DRIVER_CALL;
  std::lock_guard lock(virtual_mutex);
  const auto it = handles.find(h);
  if (it == handles.end() || it->second.released || flags != 0 || !is_multiple(bytes)) return CUDA_ERROR_INVALID_VALUE;
  if (!lies_in(reservations, p, bytes, [](std::size_t s) { return s; })) return CUDA_ERROR_INVALID_VALUE;
  const auto next = mappings.lower_bound(p);
  if ((next != mappings.end() && next->first < p + bytes) ||
      lies_in(mappings, p, 1, [](const mapping& m) { return m.bytes; }))
    return CUDA_ERROR_INVALID_VALUE;
  physical& memory = it->second;
  if (offset != 0 || bytes != memory.bytes || memory.mapped) return CUDA_ERROR_NOT_SUPPORTED;
  if (memory.kept != nullptr) {
    if (const CUresult r = move(as_pointer(p), memory.kept, bytes); r != CUDA_SUCCESS) return r;
    if (const cudaError_t e = cudaFree(memory.kept); e != cudaSuccess) return as_driver(e);
    memory.kept = nullptr;
  }
  memory.mapped = true;
  mappings[p] = {bytes, h};
  return CUDA_SUCCESS;
}
CUresult cuMemUnmap(CUdeviceptr p, std::size_t bytes) {
  SIMT_DRIVER_CALL;
  std::lock_guard lock(virtual_mutex);
  std::size_t covered = 0;
  auto end = mappings.find(p);
  for (; end != mappings.end() && end->first == p + covered && covered < bytes; ++end) covered += end->second.bytes;
  if (covered != bytes || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  for (auto it = mappings.find(p); it != end; it = mappings.erase(it)) {
    physical& memory = handles[it->second.handle];
    memory.mapped = false;
    if (memory.released) {
      handles.erase(it->second.handle);
      continue;
    }
    if (const cudaError_t e = allocate_for(&memory.kept, memory.bytes, kDeviceMemory); e != cudaSuccess)
      return as_driver(e);
    if (const CUresult r = move(memory.kept, as_pointer(it->first), memory.bytes); r != CUDA_SUCCESS) return r;
  }
  return CUDA_SUCCESS;
}
CUresult cuMemSetAccess(CUdeviceptr p, std::size_t bytes, const CUmemAccessDesc* wanted, std::size_t count) {
  SIMT_DRIVER_CALL;
  if (wanted == nullptr || count == 0 || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  for (std::size_t i = 0; i < count; ++i) {
    if (wanted[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE || wanted[i].location.id != 0)
      return CUDA_ERROR_INVALID_DEVICE;
    if (wanted[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) return CUDA_ERROR_NOT_SUPPORTED;
  }
  std::lock_guard lock(virtual_mutex);
  for (CUdeviceptr at = p; at < p + bytes;) {  // all of it must be mapped
    auto next = mappings.upper_bound(at);
    if (next == mappings.begin()) return CUDA_ERROR_INVALID_VALUE;
    --next;
    if (at >= next->first + next->second.bytes) return CUDA_ERROR_INVALID_VALUE;
    at = next->first + next->second.bytes;
  }
  return CUDA_SUCCESS;
}
