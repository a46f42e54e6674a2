// SPDX-License-Identifier: Apache-2.0
// Streams and events. Work is done at once in the order of the calls; checks judge by what streams and events order.
#include <atomic>
#include <map>
#include <utility>

#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>
#include <backends/sim/frontend.hpp>

#include "state.hpp"
#include "stream_numbers.hpp"

using namespace simt_cuda;

namespace {
struct stream_facts {
  unsigned int flags = 0;
  int priority = 0;
  std::map<int, cudaStreamAttrValue> set{};  // attributes, by their numbers
};
std::map<cudaStream_t, stream_facts> facts;
// Handles that the backend does not know are CUDA's invalid resource handles.
template <class F>
cudaError_t with_handle(F&& call) {
  ensure_started();
  if (sticky_error() != cudaSuccess) return sticky_error();
  try {
    call();
    return cudaSuccess;
  } catch (const simt::error& e) {
    if (const int capture = simt::backend::take_capture_error(); capture != 0)
      return fail(static_cast<cudaError_t>(capture));
    return fail(cudaErrorInvalidResourceHandle, e);
  }
}
thread_local bool query_is_unheeded = false;

}  // namespace

void simt_cuda::unheeded_query() { query_is_unheeded = true; }

// cudaStreamPerThread: an ordinary stream of each host thread, which waits for the legacy stream and is waited for by
// it (CUDA Runtime API, stream synchronization behavior).
simt::backend::stream_handle simt_cuda::stream_of_this_thread() {
  ensure_started();
  thread_local const simt::backend::stream_handle own = simt::backend::create_stream(false, 0);
  return own;
}

void simt_cuda::use_stream_per_thread() { null_is_per_thread = true; }

cudaStream_t simt_cuda::new_stream_of_kernels() {
  static std::atomic<std::uintptr_t> next{kFirstOfKernels};
  return reinterpret_cast<cudaStream_t>(next++);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned int flags, int priority) {
  if (on_device()) {  // what kernels launch runs in the order of the launches; checks judge by its stream
    *s = new_stream_of_kernels();
    return cudaSuccess;
  }
  return guarded([&] {
    *s = stream_pointer(simt::backend::create_stream((flags & cudaStreamNonBlocking) != 0, priority));
    facts[*s] = {flags, priority, {}};
  });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned int flags) {
  return cudaStreamCreateWithPriority(s, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* s) { return cudaStreamCreateWithPriority(s, 0, 0); }
cudaError_t cudaStreamDestroy(cudaStream_t s) {
  if (on_device()) return cudaSuccess;
  return with_handle([&] {
    simt::backend::retire_stream(stream_number(s));
    facts.erase(s);
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t s) {
  return after_wait(with_handle([&] { simt::backend::synchronize_stream(stream_number(s)); }));
}
cudaError_t cudaStreamQuery(cudaStream_t s) {
  const bool heeded = !std::exchange(query_is_unheeded, false);
  return after_wait(with_handle([&] {
    const auto number = stream_number(s);
    if (heeded) simt::backend::stream_idle(number);
  }));
}
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned int) {
  if (on_device()) {
    simt::frontend::kernel_streams_meet();
    return cudaSuccess;
  }
  return with_handle([&] { simt::backend::stream_wait_event(stream_number(s), event_number(e)); });
}
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t call, void* data, unsigned int) {
  return with_handle(
      [&] { simt::backend::stream_host_callback(stream_number(s), [=] { call(s, sticky_error(), data); }); });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t call, void* data) {
  return with_handle([&] { simt::backend::stream_host_callback(stream_number(s), [=] { call(data); }); });
}
cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned int* flags) {
  *flags = facts.count(s) ? facts[s].flags : 0;
  return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t s, int* priority) {
  *priority = facts.count(s) ? facts[s].priority : 0;
  return cudaSuccess;
}
cudaError_t cudaStreamGetDevice(cudaStream_t, int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamGetId(cudaStream_t s, unsigned long long* id) {
  *id = reinterpret_cast<std::uintptr_t>(s);
  return cudaSuccess;
}
// Attributes of streams are hints for caches and waiting: kept, they change no result.
cudaError_t cudaStreamSetAttribute(cudaStream_t s, cudaStreamAttrID attribute, const cudaStreamAttrValue* value) {
  if (value == nullptr) return fail(cudaErrorInvalidValue);
  if (attribute == cudaLaunchAttributePriority && facts.count(s)) facts[s].priority = value->priority;
  if (attribute != cudaLaunchAttributePriority) facts[s].set[attribute] = *value;
  return cudaSuccess;
}
cudaError_t cudaStreamGetAttribute(cudaStream_t s, cudaStreamAttrID attribute, cudaStreamAttrValue* value) {
  if (value == nullptr) return fail(cudaErrorInvalidValue);
  *value = {};
  const auto known = facts.find(s);
  if (attribute == cudaLaunchAttributePriority && known != facts.end()) value->priority = known->second.priority;
  if (attribute == cudaLaunchAttributeSynchronizationPolicy) value->syncPolicy = cudaSyncPolicyAuto;
  if (known != facts.end() && known->second.set.count(attribute)) *value = known->second.set[attribute];
  return cudaSuccess;
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  const auto known = facts.find(from);
  if (known != facts.end()) facts[to].set = known->second.set;
  return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
  std::swap(*mode, current);
  return cudaSuccess;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, std::size_t, unsigned int) { return cudaSuccess; }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned int flags) {
  return guarded([&] { *e = event_pointer(simt::backend::create_event((flags & cudaEventDisableTiming) == 0)); });
}
cudaError_t cudaEventCreate(cudaEvent_t* e) { return cudaEventCreateWithFlags(e, 0); }
cudaError_t cudaEventCreate(cudaEvent_t* e, unsigned int flags) { return cudaEventCreateWithFlags(e, flags); }
cudaError_t cudaEventDestroy(cudaEvent_t e) {
  return with_handle([&] {
    if (!simt::backend::event_exists(event_number(e)))
      throw simt::error(simt::error_kind::invalid_argument, "this event does not exist");
    simt::backend::destroy_event(event_number(e));
  });
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
  return with_handle([&] { simt::backend::record_event(event_number(e), stream_number(s)); });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned int) { return cudaEventRecord(e, s); }
cudaError_t cudaEventSynchronize(cudaEvent_t e) {
  return after_wait(with_handle([&] { simt::backend::synchronize_event(event_number(e)); }));
}
cudaError_t cudaEventQuery(cudaEvent_t e) {
  const bool heeded = !std::exchange(query_is_unheeded, false);
  return after_wait(with_handle([&] {
    const auto number = event_number(e);
    if (heeded) simt::backend::event_done(number);
  }));
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t stop) {
  return after_wait(with_handle([&] { *ms = simt::backend::elapsed_ms(event_number(start), event_number(stop)); }));
}
