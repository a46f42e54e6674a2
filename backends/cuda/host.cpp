// SPDX-License-Identifier: Apache-2.0
// backend.hpp on the CUDA runtime: memory, copies, streams, events.
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include <fmt/format.h>

#include <backends/cuda/faults.hpp>
#include <backends/cuda/launch_log.hpp>
#include <simt/backend.hpp>

namespace simt::backend {

using gpu::check;
using gpu::enter;

namespace {

struct allocation {
  std::size_t bytes;
  std::string name;
};
struct memory_state {
  std::mutex mutex;
  std::map<std::uintptr_t, allocation> live;
};
memory_state& memory() {
  static memory_state* m = new memory_state;  // outlives static buffers of the program
  return *m;
}

cudaStream_t stream_of(stream_handle s) { return reinterpret_cast<cudaStream_t>(s); }
cudaEvent_t event_of(event_handle e) { return reinterpret_cast<cudaEvent_t>(e); }

// Refuses a range that starts in a buffer and ends behind it. Memory that did not come from allocate (CUDA's own calls)
// is left to CUDA.
void check_range(const void* p, std::size_t bytes, const char* side) {
  const auto a = reinterpret_cast<std::uintptr_t>(p);
  std::lock_guard lock(memory().mutex);
  auto it = memory().live.upper_bound(a);
  if (it == memory().live.begin()) return;
  --it;
  const std::size_t offset = a - it->first;
  if (offset >= it->second.bytes || bytes <= it->second.bytes - offset) return;
  throw error(error_kind::invalid_argument,
              fmt::format("copy: {} bytes at the {} side are more than buffer '{}' holds ({} bytes from there)", bytes,
                          side, it->second.name, it->second.bytes - offset));
}

constexpr const char* kSideAdvice = "one side of the copy is no memory of the kind that the call names";

}  // namespace

std::string name() { return "cuda"; }

std::pair<std::size_t, std::size_t> memory_info() {
  enter("memory_info");
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return {free, total};
}

namespace {
// `give`: the call of CUDA's that gets the memory, `call` its name.
template <class F>
void* allocate_with(const char* call, F&& give, std::size_t bytes, const memory_label& label) {
  void* p = nullptr;
  const cudaError_t e = give(&p, bytes ? bytes : 1);  // an empty buffer has an address of its own too
  if (e == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    const auto [free, total] = memory_info();
    throw error(
        error_kind::out_of_memory,
        fmt::format("device memory: {}{} bytes do not fit: {} of {} bytes are free ({}: cudaErrorMemoryAllocation); "
                    "use a smaller size",
                    label.name.empty() ? "" : "'" + label.name + "' of ", bytes, free, total, call));
  }
  check(e, fmt::format("{} of {} bytes", call, bytes));
  std::lock_guard lock(memory().mutex);
  memory().live[reinterpret_cast<std::uintptr_t>(p)] = {bytes, label.name};
  return p;
}
}  // namespace

void* allocate(std::size_t bytes, const memory_label& label) {
  enter("allocate");
  return allocate_with(
      "cudaMalloc", [](void** p, std::size_t n) { return cudaMalloc(p, n); }, bytes, label);
}
void* allocate_async(std::size_t bytes, const memory_label& label, stream_handle s) {
  enter("allocate_async");
  if (capturing(s))
    throw error(error_kind::unsupported,
                "memory of a stream cannot be made while the stream is being captured; make it before");
  return allocate_with(
      "cudaMallocAsync", [s](void** p, std::size_t n) { return cudaMallocAsync(p, n, stream_of(s)); }, bytes, label);
}
void* allocate_managed(std::size_t bytes, const memory_label& label) {
  enter("allocate_managed");
  return allocate_with(
      "cudaMallocManaged", [](void** p, std::size_t n) { return cudaMallocManaged(p, n); }, bytes, label);
}

namespace {
void forget(void* p) {
  std::lock_guard lock(memory().mutex);
  if (memory().live.erase(reinterpret_cast<std::uintptr_t>(p)) == 0)
    throw error(error_kind::invalid_argument,
                fmt::format("free: {} has already been freed, or is no device memory that allocate gave", p));
}
}  // namespace

void free_async(void* p, stream_handle s) {
  if (p == nullptr) return;
  if (gpu::usable() && capturing(s))
    throw error(error_kind::unsupported,
                "memory of a stream cannot be freed while the stream is being captured; free it after");
  forget(p);
  if (!gpu::usable()) return;  // gone with the context
  enter("free_async");
  const cudaError_t e = cudaFreeAsync(p, stream_of(s));
  if (e != cudaErrorCudartUnloading) check(e, "cudaFreeAsync");
}

void free(void* p) {
  if (p == nullptr) return;
  forget(p);
  if (!gpu::usable()) return;  // gone with the context
  enter("free");
  const cudaError_t e = cudaFree(p);
  // cudaFree reports what kernels before it did. A destructor calls this: the fault is kept for the next call and the
  // report, not thrown here.
  try {
    if (e != cudaErrorCudartUnloading) check(e, "cudaFree");
  } catch (const error& problem) {
    if (problem.kind() != error_kind::device_fault) throw;
  }
}

void* allocate_pinned(std::size_t bytes, const memory_label&) {
  enter("allocate_pinned");
  void* p = nullptr;
  const cudaError_t e = cudaMallocHost(&p, bytes ? bytes : 1);
  if (e == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw error(error_kind::out_of_memory,
                fmt::format("pinned host memory: {} bytes do not fit; use a smaller size", bytes));
  }
  check(e, fmt::format("cudaMallocHost of {} bytes", bytes));
  return p;
}
void free_pinned(void* p) {
  if (p == nullptr || !gpu::usable()) return;
  enter("free_pinned");
  check(cudaFreeHost(p), "cudaFreeHost");
}

void copy(void* to, const void* from, std::size_t bytes, copy_kind kind, stream_handle s, bool wait) {
  enter("copy");
  if (bytes == 0) return;
  if (kind == copy_kind::host_to_device || kind == copy_kind::device_to_device) check_range(to, bytes, "destination");
  if (kind == copy_kind::device_to_host || kind == copy_kind::device_to_device) check_range(from, bytes, "source");
  constexpr cudaMemcpyKind kKinds[] = {cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice,
                                       cudaMemcpyHostToHost};
  // A copy to pageable memory waits inside the driver, where no timeout reaches it.
  if (wait && gpu::wait_limit() > 0) gpu::wait_for(stream_of(s), false, "cudaStreamSynchronize");
  check(cudaMemcpyAsync(to, from, bytes, kKinds[static_cast<int>(kind)], stream_of(s)),
        fmt::format("cudaMemcpyAsync of {} bytes", bytes), kSideAdvice);
  if (wait) gpu::wait_for(stream_of(s), false, "cudaMemcpyAsync");
}

void* variable_address(const void* variable) {
  enter("variable_address");
  void* p = nullptr;
  check(cudaGetSymbolAddress(&p, variable), "cudaGetSymbolAddress",
        "simt::variable takes what SIMT_DEVICE_VARIABLE or SIMT_CONSTANT declared, in the source that declares it");
  return p;
}

void fill(void* p, int byte, std::size_t bytes, stream_handle s) {
  enter("fill");
  if (bytes == 0) return;
  check_range(p, bytes, "filled");
  check(cudaMemsetAsync(p, byte, bytes, stream_of(s)), fmt::format("cudaMemsetAsync of {} bytes", bytes),
        "fill takes device memory");
}

stream_handle create_stream(bool non_blocking, int priority) {
  enter("create_stream");
  cudaStream_t s = nullptr;
  check(cudaStreamCreateWithPriority(&s, non_blocking ? cudaStreamNonBlocking : cudaStreamDefault, priority),
        "cudaStreamCreateWithPriority");
  return reinterpret_cast<stream_handle>(s);
}
int stream_priority(stream_handle s) {
  enter("stream_priority");
  int priority = 0;
  check(cudaStreamGetPriority(stream_of(s), &priority), "cudaStreamGetPriority");
  return priority;
}
std::pair<int, int> stream_priorities() {
  enter("stream_priorities");
  int lowest = 0, highest = 0;
  check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "cudaDeviceGetStreamPriorityRange");
  return {lowest, highest};
}
void destroy_stream(stream_handle s) {
  if (s != 0 && gpu::usable()) cudaStreamDestroy(stream_of(s));
}
void synchronize_stream(stream_handle s) {
  enter("synchronize_stream");
  gpu::wait_for(stream_of(s), false, "cudaStreamSynchronize");
}
bool stream_idle(stream_handle s) {
  enter("stream_idle");
  const cudaError_t e = cudaStreamQuery(stream_of(s));
  if (e == cudaErrorNotReady) return false;
  check(e, "cudaStreamQuery");
  return true;
}
void stream_wait_event(stream_handle s, event_handle e) {
  enter("stream_wait_event");
  check(cudaStreamWaitEvent(stream_of(s), event_of(e), 0), "cudaStreamWaitEvent");
}
void stream_host_callback(stream_handle s, std::function<void()> call) {
  enter("stream_host_callback");
  auto owned = std::make_unique<std::function<void()>>(std::move(call));
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  check(cudaStreamGetCaptureInfo(stream_of(s), &status, &id, &graph), "cudaStreamGetCaptureInfo");
  if (status == cudaStreamCaptureStatusActive) {
    // Called at each launch of the graph: it lives as long as the graph and what was instantiated from it.
    cudaUserObject_t object = nullptr;
    const auto destroy = [](void* data) { delete static_cast<std::function<void()>*>(data); };
    check(cudaUserObjectCreate(&object, static_cast<void*>(owned.get()), destroy, 1, cudaUserObjectNoDestructorSync),
          "cudaUserObjectCreate");
    std::function<void()>* const kept = owned.release();
    check(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove), "cudaGraphRetainUserObject");
    check(cudaLaunchHostFunc(
              stream_of(s), [](void* data) { (*static_cast<std::function<void()>*>(data))(); }, kept),
          "cudaLaunchHostFunc");
    return;
  }
  const auto run = [](void* data) {
    const std::unique_ptr<std::function<void()>> taken(static_cast<std::function<void()>*>(data));
    (*taken)();
  };
  check(cudaLaunchHostFunc(stream_of(s), run, owned.get()), "cudaLaunchHostFunc");
  (void)owned.release();
}
void synchronize_device() {
  enter("synchronize_device");
  gpu::wait_for(nullptr, true, "cudaDeviceSynchronize");
}

event_handle create_event(bool timing) {
  enter("create_event");
  cudaEvent_t e = nullptr;
  check(cudaEventCreateWithFlags(&e, timing ? cudaEventDefault : cudaEventDisableTiming), "cudaEventCreateWithFlags");
  return reinterpret_cast<event_handle>(e);
}
void destroy_event(event_handle e) {
  if (gpu::usable()) cudaEventDestroy(event_of(e));
}
void record_event(event_handle e, stream_handle s) {
  enter("record_event");
  check(cudaEventRecord(event_of(e), stream_of(s)), "cudaEventRecord");
}
void synchronize_event(event_handle e) {
  enter("synchronize_event");
  check(cudaEventSynchronize(event_of(e)), "cudaEventSynchronize");
}
bool event_done(event_handle e) {
  enter("event_done");
  const cudaError_t answer = cudaEventQuery(event_of(e));
  if (answer == cudaErrorNotReady) return false;
  check(answer, "cudaEventQuery");
  return true;
}
float elapsed_ms(event_handle start, event_handle stop) {
  enter("elapsed_ms");
  float milliseconds = 0;
  const cudaError_t e = cudaEventElapsedTime(&milliseconds, event_of(start), event_of(stop));
  if (e == cudaErrorNotReady) {
    cudaGetLastError();
    throw error(error_kind::invalid_argument, "elapsed_ms: an event is not done yet; synchronize it first");
  }
  check(e, "elapsed_ms: cudaEventElapsedTime", "both events must have been recorded, and created with timing");
  return milliseconds;
}

}  // namespace simt::backend
