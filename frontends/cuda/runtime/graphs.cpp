// SPDX-License-Identifier: Apache-2.0
// Graphs of CUDA programs: capture, instantiation, launch; the backend keeps and replays the work.
#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>
#include <backends/sim/frontend.hpp>

#include "state.hpp"
#include "stream_numbers.hpp"

using namespace simt_cuda;

namespace {
simt::backend::graph_handle number_of(cudaGraph_t g) { return reinterpret_cast<std::uintptr_t>(g); }
simt::backend::graph_exec_handle number_of(cudaGraphExec_t e) { return reinterpret_cast<std::uintptr_t>(e); }
}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode) {
  return guarded([&] { simt::backend::begin_capture(stream_number(s)); });
}
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* graph) {
  *graph = nullptr;
  return guarded([&] { *graph = reinterpret_cast<cudaGraph_t>(simt::backend::end_capture(stream_number(s))); });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t s, cudaStreamCaptureStatus* status) {
  return guarded([&] {
    *status = simt::backend::capturing(stream_number(s)) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (nodes != nullptr) return fail(cudaErrorNotSupported);
  return guarded([&] { *count = simt::backend::graph_nodes(number_of(graph)); });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  return guarded([&] { *exec = reinterpret_cast<cudaGraphExec_t>(simt::backend::instantiate(number_of(graph))); });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t* error_node, char* log,
                                 std::size_t log_bytes) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && log_bytes > 0) *log = 0;
  return cudaGraphInstantiate(exec, graph, 0ull);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  return cudaGraphInstantiate(exec, graph, 0ull);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t s) {
  const simt::backend::calling_from user(__builtin_return_address(0));
  return guarded([&] {
    try {
      simt::backend::launch_graph(number_of(exec), stream_number(s));
    } catch (const simt::sim::kernel_fault& e) {
      kernel_died(error_of(e.why()));
    }
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return guarded([&] { simt::backend::destroy_graph(number_of(graph)); });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return guarded([&] { simt::backend::destroy_graph_exec(number_of(exec)); });
}
