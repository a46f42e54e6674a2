// SPDX-License-Identifier: Apache-2.0
// Streams and events of the driver API are the runtime's; values that streams write and wait for.
#include <cstdio>
#include <map>
#include <mutex>

#include "driver.hpp"

using namespace simt_cuda;

CUresult cuStreamCreate(CUstream* s, unsigned int flags) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaStreamCreateWithFlags(s, flags));
}
CUresult cuStreamCreateWithPriority(CUstream* s, unsigned int flags, int priority) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaStreamCreateWithPriority(s, flags, priority));
}
CUresult cuStreamDestroy(CUstream s) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaStreamDestroy(s));
}
CUresult cuStreamSynchronize(CUstream s) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaStreamSynchronize(s));
}
CUresult cuStreamQuery(CUstream s) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaStreamQuery(s));
}
CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned int flags) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaStreamWaitEvent(s, e, flags));
}
CUresult cuStreamAddCallback(CUstream s, CUstreamCallback call, void* data, unsigned int flags) {
  SIMT_DRIVER_CALL;
  // The runtime's callback differs in the type of its error alone, and the numbers are the same.
  return as_driver(cudaStreamAddCallback(s, reinterpret_cast<cudaStreamCallback_t>(call), data, flags));
}
CUresult cuLaunchHostFunc(CUstream s, CUhostFn call, void* data) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaLaunchHostFunc(s, call, data));
}
CUresult cuEventCreate(CUevent* e, unsigned int flags) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaEventCreateWithFlags(e, flags));
}
CUresult cuEventDestroy(CUevent e) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaEventDestroy(e));
}
CUresult cuEventRecord(CUevent e, CUstream s) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaEventRecord(e, s));
}
CUresult cuEventSynchronize(CUevent e) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaEventSynchronize(e));
}
CUresult cuEventQuery(CUevent e) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaEventQuery(e));
}
CUresult cuEventElapsedTime(float* ms, CUevent from, CUevent to) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaEventElapsedTime(ms, from, to));
}

// ---- values ----
// A wait takes over what the writing stream did before the value: it waits for the event behind the last write of it.
namespace {
std::mutex writes_mutex;
std::map<CUdeviceptr, cudaEvent_t>& last_writes() {
  static auto* const all = new std::map<CUdeviceptr, cudaEvent_t>;
  return *all;
}
CUresult note_write(CUstream s, CUdeviceptr p) {
  std::lock_guard lock(writes_mutex);
  cudaEvent_t& e = last_writes()[p];
  if (e == nullptr)
    if (const cudaError_t failed = cudaEventCreateWithFlags(&e, cudaEventDisableTiming); failed != cudaSuccess)
      return as_driver(failed);
  return as_driver(cudaEventRecord(e, s));
}
bool is_reached(std::uint64_t value, std::uint64_t wanted, unsigned int flags, bool wide) {
  switch (flags & ~static_cast<unsigned int>(CU_STREAM_WAIT_VALUE_FLUSH)) {
    case CU_STREAM_WAIT_VALUE_GEQ:  // cyclic, as counters are
      return wide ? static_cast<std::int64_t>(value - wanted) >= 0
                  : static_cast<std::int32_t>(static_cast<std::uint32_t>(value - wanted)) >= 0;
    case CU_STREAM_WAIT_VALUE_EQ:
      return value == wanted;
    case CU_STREAM_WAIT_VALUE_AND:
      return (value & wanted) != 0;
    default:
      return (~(value | wanted) & (wide ? ~0ull : 0xffffffffull)) != 0;
  }
}
// Work of a stream is done where it is enqueued. So a value that is not there yet will not come while this one waits.
template <class Word>
CUresult wait_for_value(CUstream s, CUdeviceptr p, Word wanted, unsigned int flags) {
  if (p == 0 || p % sizeof(Word) != 0) return CUDA_ERROR_INVALID_VALUE;
  if (!simt::frontend::is_device_address(as_pointer(p))) return CUDA_ERROR_INVALID_VALUE;
  {
    std::lock_guard lock(writes_mutex);
    if (const auto it = last_writes().find(p); it != last_writes().end())
      if (const cudaError_t e = cudaStreamWaitEvent(s, it->second, 0); e != cudaSuccess) return as_driver(e);
  }
  if (is_reached(*static_cast<const volatile Word*>(as_pointer(p)), wanted, flags, sizeof(Word) == 8))
    return CUDA_SUCCESS;
  std::fprintf(
      stderr,
      "simt: cuStreamWaitValue: the value is not there yet, and the simulator does a stream's work where it is "
      "enqueued; enqueue what writes the value first\n");
  return CUDA_ERROR_NOT_SUPPORTED;
}
}  // namespace

CUresult cuStreamWriteValue32(CUstream s, CUdeviceptr p, cuuint32_t value, unsigned int) {
  SIMT_DRIVER_CALL;
  if (const CUresult e = cuMemsetD32Async(p, value, 1, s); e != CUDA_SUCCESS) return e;
  return note_write(s, p);
}
CUresult cuStreamWriteValue64(CUstream s, CUdeviceptr p, cuuint64_t value, unsigned int) {
  SIMT_DRIVER_CALL;
  if (p % 8 != 0) return CUDA_ERROR_INVALID_VALUE;
  for (int half = 0; half < 2; ++half)
    if (const CUresult e = cuMemsetD32Async(p + 4 * half, static_cast<unsigned int>(value >> (32 * half)), 1, s);
        e != CUDA_SUCCESS)
      return e;
  return note_write(s, p);
}
CUresult cuStreamWaitValue32(CUstream s, CUdeviceptr p, cuuint32_t value, unsigned int flags) {
  SIMT_DRIVER_CALL;
  return wait_for_value(s, p, value, flags);
}
CUresult cuStreamWaitValue64(CUstream s, CUdeviceptr p, cuuint64_t value, unsigned int flags) {
  SIMT_DRIVER_CALL;
  return wait_for_value(s, p, value, flags);
}
