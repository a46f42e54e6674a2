// SPDX-License-Identifier: Apache-2.0
// Copies and moves of the runtime API in batches, copies between devices, pools by location.
#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>
#include <backends/sim/frontend.hpp>

#include "state.hpp"

namespace simt_cuda {

cudaError_t copy_batch(void* const* to, const void* const* from, const std::size_t* bytes, std::size_t count,
                       const cudaMemcpyAttributes* attributes, const std::size_t* first, std::size_t attribute_count,
                       cudaStream_t s) {
  const simt::backend::calling_from user(__builtin_return_address(0));
  if (to == nullptr || from == nullptr || bytes == nullptr || count == 0 || s == nullptr)
    return fail(cudaErrorInvalidValue);  // the default stream is not allowed there either
  if (attribute_count == 0 || attribute_count > count || attributes == nullptr || first == nullptr || first[0] != 0)
    return fail(cudaErrorInvalidValue);
  for (std::size_t k = 1; k < attribute_count; ++k)
    if (first[k] <= first[k - 1] || first[k] >= count) return fail(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i)
    if (const cudaError_t e = cudaMemcpyAsync(to[i], from[i], bytes[i], cudaMemcpyDefault, s); e != cudaSuccess)
      return e;
  return cudaSuccess;
}

}  // namespace simt_cuda

using namespace simt_cuda;

namespace {
// One device: what lies on another cannot be.
cudaError_t box_of(const cudaMemcpy3DPeerParms* p, cudaMemcpy3DParms& box) {
  if (p == nullptr) return fail(cudaErrorInvalidValue);
  if (p->srcDevice != 0 || p->dstDevice != 0) return fail(cudaErrorInvalidDevice);
  box = {};
  box.srcArray = p->srcArray;
  box.srcPos = p->srcPos;
  box.srcPtr = p->srcPtr;
  box.dstArray = p->dstArray;
  box.dstPos = p->dstPos;
  box.dstPtr = p->dstPtr;
  box.extent = p->extent;
  box.kind = cudaMemcpyDeviceToDevice;
  return cudaSuccess;
}
}  // namespace

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) {
  const simt::backend::calling_from user(__builtin_return_address(0));
  cudaMemcpy3DParms box;
  const cudaError_t e = box_of(p, box);
  return e == cudaSuccess ? cudaMemcpy3D(&box) : e;
}
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t s) {
  const simt::backend::calling_from user(__builtin_return_address(0));
  cudaMemcpy3DParms box;
  const cudaError_t e = box_of(p, box);
  return e == cudaSuccess ? cudaMemcpy3DAsync(&box, s) : e;
}
// Managed memory needs no moving here.
cudaError_t cudaMemPrefetchBatchAsync(void** p, std::size_t* bytes, std::size_t count, cudaMemLocation* where,
                                      std::size_t* first, std::size_t where_count, unsigned long long flags,
                                      cudaStream_t) {
  if (p == nullptr || bytes == nullptr || count == 0 || where == nullptr || first == nullptr || where_count == 0 ||
      where_count > count || first[0] != 0 || flags != 0)
    return fail(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i)
    if (!simt::frontend::is_device_address(p[i])) return fail(cudaErrorInvalidValue);
  return cudaSuccess;
}
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* where, cudaMemAllocationType) {
  if (pool == nullptr || where == nullptr) return fail(cudaErrorInvalidValue);
  return cudaDeviceGetDefaultMemPool(pool, where->id);
}
cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* where, cudaMemAllocationType type) {
  return cudaMemGetDefaultMemPool(pool, where, type);
}
cudaError_t cudaMemSetMemPool(cudaMemLocation* where, cudaMemAllocationType, cudaMemPool_t pool) {
  return where == nullptr || pool == nullptr ? fail(cudaErrorInvalidValue) : cudaSuccess;
}
