// SPDX-License-Identifier: Apache-2.0
// What a backend gives to the host API: memory, copies, streams, events, devices. Host only.
//
// backends/sim and backends/cuda define these functions; <simt/simt.hpp> builds buffer, stream and event on them.
// Every function throws simt::error when it cannot do what was asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <simt/dim3.hpp>
#include <simt/error.hpp>

namespace simt {

// Limits and facts of a device (CUDA: cudaDeviceProp).
struct device_properties {
  std::string name;
  bool simulated = true;
  int compute_major = 9, compute_minor = 0;
  int warp_size = 32;
  int multiprocessors = 0;
  std::int64_t max_threads_per_block = 1024;
  dim3 max_block{1024, 1024, 64};
  dim3 max_grid{2147483647, 65535, 65535};
  std::int64_t max_threads_per_multiprocessor = 2048;
  std::int64_t max_blocks_per_multiprocessor = 32;
  std::int64_t shared_bytes_per_block = 48 * 1024;         // without opting in
  std::int64_t shared_bytes_per_block_optin = 227 * 1024;  // what a dynamic size may reach
  std::int64_t shared_bytes_per_multiprocessor = 228 * 1024;
  std::int64_t registers_per_block = 65536;
  std::int64_t constant_bytes = 64 * 1024;
  std::int64_t global_bytes = 0;
  std::int64_t l2_bytes = 0;
  int clock_khz = 0;
  bool cooperative_launch = true;
  bool cluster_launch = true;
  int max_cluster_blocks = 8;
};

// For reports: what a piece of device memory is called and holds.
struct memory_label {
  std::string name;
  std::string type;  // "float"
  std::size_t element_bytes = 1;
  std::vector<std::int64_t> extents;  // slowest first
};

enum class copy_kind : std::uint8_t { host_to_device, device_to_host, device_to_device, host_to_host };

namespace backend {

using stream_handle = std::uintptr_t;  // 0: the default stream
using event_handle = std::uintptr_t;
using graph_handle = std::uintptr_t;
using graph_exec_handle = std::uintptr_t;

std::string name();         // "sim" or "cuda"
std::string unavailable();  // why no device answers; empty: one does

int device_count();
device_properties properties(int device);
void select_device(int device);
int selected_device();
// Free and total bytes of the selected device.
std::pair<std::size_t, std::size_t> memory_info();

void* allocate(std::size_t bytes, const memory_label& label);
void free(void* device_pointer) noexcept(false);
// Device memory that comes into being and ends as work of a stream; other streams must be ordered after the one and
// before the other.
void* allocate_async(std::size_t bytes, const memory_label& label, stream_handle s);
void free_async(void* device_pointer, stream_handle s);
// Memory that host and device reach by one address; `free` takes it back. Ordering is the caller's business.
void* allocate_managed(std::size_t bytes, const memory_label& label);
// Host memory that kernels reach too, and that copies may use without waiting.
void* allocate_pinned(std::size_t bytes, const memory_label& label = {});
void free_pinned(void* host_pointer);

// Copies `bytes`; returns when the host may reuse both sides if `wait`, else when it is enqueued.
void copy(void* to, const void* from, std::size_t bytes, copy_kind kind, stream_handle stream, bool wait);
// Where a variable of SIMT_DEVICE_VARIABLE or SIMT_CONSTANT lies on the selected device.
void* variable_address(const void* variable);
void fill(void* device_pointer, int byte, std::size_t bytes, stream_handle stream);

stream_handle create_stream(bool non_blocking, int priority);
void destroy_stream(stream_handle s);
int stream_priority(stream_handle s);
std::pair<int, int> stream_priorities();  // lowest and highest; lower numbers run first
void synchronize_stream(stream_handle s);
bool stream_idle(stream_handle s);
void stream_wait_event(stream_handle s, event_handle e);
void stream_host_callback(stream_handle s, std::function<void()> call);
void synchronize_device();

event_handle create_event(bool timing);
void destroy_event(event_handle e);
void record_event(event_handle e, stream_handle s);
void synchronize_event(event_handle e);
bool event_done(event_handle e);
float elapsed_ms(event_handle start, event_handle stop);

// Graphs: between begin and end, work on `s` and on streams that wait for it is kept, not run.
void begin_capture(stream_handle s);
graph_handle end_capture(stream_handle s);
bool capturing(stream_handle s);
std::size_t graph_nodes(graph_handle g);
graph_exec_handle instantiate(graph_handle g);
void launch_graph(graph_exec_handle e, stream_handle s);
void destroy_graph(graph_handle g);
void destroy_graph_exec(graph_exec_handle e);

}  // namespace backend
}  // namespace simt
