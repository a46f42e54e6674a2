// SPDX-License-Identifier: Apache-2.0
// Streams and events of the driver API are the runtime's.
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
