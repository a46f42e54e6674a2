// SPDX-License-Identifier: Apache-2.0
#include <mutex>

#include <backends/sim/capture.hpp>

#include "state.hpp"

cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t);
const char* cudaGetErrorString(cudaError_t);

namespace simt_cuda {
namespace {
thread_local cudaError_t last = cudaSuccess;
cudaError_t sticky = cudaSuccess, deferred = cudaSuccess;
std::string failure;
bool failure_seen = false;
std::mutex mutex;

struct description {
  cudaError_t code;
  const char* name;
  const char* text;
};
// Names and texts are those of the CUDA runtime API reference.
constexpr description kErrors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver", "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorMissingConfiguration, "cudaErrorMissingConfiguration", "__global__ function call is not configured"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorDeviceUninitialized, "cudaErrorDeviceUninitialized", "invalid device context"},
    {cudaErrorPeerAccessUnsupported, "cudaErrorPeerAccessUnsupported", "peer access is not supported between these two devices"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorIllegalState, "cudaErrorIllegalState", "the operation cannot be performed in the present state"},
    {cudaErrorSymbolNotFound, "cudaErrorSymbolNotFound", "named symbol not found"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {cudaErrorPeerAccessAlreadyEnabled, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    {cudaErrorPeerAccessNotEnabled, "cudaErrorPeerAccessNotEnabled", "peer access has not been enabled"},
    {cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered"},
    {cudaErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered", "part or all of the requested memory range is already mapped"},
    {cudaErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered", "pointer does not correspond to a registered memory region"},
    {cudaErrorHardwareStackError, "cudaErrorHardwareStackError", "hardware stack error"},
    {cudaErrorIllegalInstruction, "cudaErrorIllegalInstruction", "an illegal instruction was encountered"},
    {cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress", "misaligned address"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    {cudaErrorNotPermitted, "cudaErrorNotPermitted", "operation not permitted"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"},
    {cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated", "operation failed due to a previous error during capture"},
    {cudaErrorStreamCaptureMerge, "cudaErrorStreamCaptureMerge", "operation would result in a merge of separate capture sequences"},
    {cudaErrorStreamCaptureUnmatched, "cudaErrorStreamCaptureUnmatched", "capture was not ended in the same stream as it began"},
    {cudaErrorStreamCaptureUnjoined, "cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work"},
    {cudaErrorStreamCaptureIsolation, "cudaErrorStreamCaptureIsolation", "dependency created on uncaptured work in another stream"},
    {cudaErrorStreamCaptureImplicit, "cudaErrorStreamCaptureImplicit", "operation would make the legacy stream depend on a capturing blocking stream"},
    {cudaErrorCapturedEvent, "cudaErrorCapturedEvent", "operation not permitted on an event last recorded in a capturing stream"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
};
}  // namespace

cudaError_t fail(cudaError_t e) {
  if (e != cudaSuccess) last = e;
  return e;
}
cudaError_t fail(const simt::error& e) {
  if (const int code = simt::backend::take_capture_error(); code != 0) return fail(static_cast<cudaError_t>(code));
  switch (e.kind()) {
    case simt::error_kind::out_of_memory: return fail(cudaErrorMemoryAllocation);
    case simt::error_kind::launch_limit: return fail(cudaErrorInvalidConfiguration);
    case simt::error_kind::unavailable: return fail(cudaErrorNoDevice);
    case simt::error_kind::unsupported: return fail(cudaErrorNotSupported);
    case simt::error_kind::device_fault: return fail(cudaErrorLaunchFailure);
    case simt::error_kind::invalid_argument: break;
  }
  return fail(cudaErrorInvalidValue);
}
cudaError_t sticky_error() { return sticky; }
void kernel_died(cudaError_t e) {
  if (deferred == cudaSuccess) deferred = e;
}
bool kernel_was_lost() { return deferred != cudaSuccess; }
cudaError_t wait_for_device() {
  if (deferred != cudaSuccess && sticky == cudaSuccess) sticky = last = deferred;
  return sticky;
}
void launch_failed(cudaError_t e, const std::string& why) {
  last = e;
  std::lock_guard lock(mutex);
  if (failure.empty()) {
    failure = why;
    failure_seen = false;
  }
}
std::string unseen_failure() { return failure_seen ? std::string() : failure; }

}  // namespace simt_cuda

cudaError_t cudaGetLastError() {
  simt_cuda::failure_seen = true;
  if (simt_cuda::sticky != cudaSuccess) return simt_cuda::sticky;
  const cudaError_t e = simt_cuda::last;
  simt_cuda::last = cudaSuccess;
  return e;
}
cudaError_t cudaPeekAtLastError() {
  simt_cuda::failure_seen = true;
  return simt_cuda::sticky != cudaSuccess ? simt_cuda::sticky : simt_cuda::last;
}
const char* cudaGetErrorName(cudaError_t e) {
  for (const auto& d : simt_cuda::kErrors)
    if (d.code == e) return d.name;
  return "unrecognized error code";
}
const char* cudaGetErrorString(cudaError_t e) {
  for (const auto& d : simt_cuda::kErrors)
    if (d.code == e) return d.text;
  return "unrecognized error code";
}
