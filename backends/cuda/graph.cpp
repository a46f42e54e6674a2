// SPDX-License-Identifier: Apache-2.0
// backend.hpp on the CUDA runtime: graphs by stream capture.
#include <fmt/format.h>

#include <backends/cuda/faults.hpp>
#include <simt/backend.hpp>

namespace simt::backend {

using gpu::check;
using gpu::enter;

namespace {
cudaStream_t stream_of(stream_handle s) { return reinterpret_cast<cudaStream_t>(s); }
constexpr const char* kAdvice =
    "while a stream is being captured nothing may wait for it, and streams that took part must be joined before the "
    "end";
}  // namespace

// Relaxed: other calls of this API (allocations, frees) stay allowed, as on the simulator.
void begin_capture(stream_handle s) {
  enter("begin_capture");
  check(cudaStreamBeginCapture(stream_of(s), cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture",
        "the default stream cannot be captured, nor one that is being captured already");
}
graph_handle end_capture(stream_handle s) {
  enter("end_capture");
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream_of(s), &graph), "cudaStreamEndCapture", kAdvice);
  return reinterpret_cast<graph_handle>(graph);
}
bool capturing(stream_handle s) {
  enter("capturing");
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const cudaError_t e = cudaStreamIsCapturing(stream_of(s), &status);
  if (e == cudaErrorStreamCaptureImplicit) {  // the default stream, while a blocking stream is being captured
    cudaGetLastError();
    return false;
  }
  check(e, "cudaStreamIsCapturing");
  return status != cudaStreamCaptureStatusNone;
}
std::size_t graph_nodes(graph_handle g) {
  enter("graph_nodes");
  std::size_t count = 0;
  check(cudaGraphGetNodes(reinterpret_cast<cudaGraph_t>(g), nullptr, &count), "cudaGraphGetNodes");
  return count;
}
graph_exec_handle instantiate(graph_handle g) {
  enter("instantiate");
  cudaGraphExec_t exec = nullptr;
  check(cudaGraphInstantiateWithFlags(&exec, reinterpret_cast<cudaGraph_t>(g), 0), "cudaGraphInstantiateWithFlags");
  return reinterpret_cast<graph_exec_handle>(exec);
}
void launch_graph(graph_exec_handle e, stream_handle s) {
  enter("launch_graph");
  if (capturing(s))
    throw error(
        error_kind::unsupported,
        "a graph cannot be launched into a capture; capture its work again, or launch the two one after the other");
  gpu::note_launch("a graph");
  check(cudaGraphLaunch(reinterpret_cast<cudaGraphExec_t>(e), stream_of(s)), "cudaGraphLaunch");
}
void destroy_graph(graph_handle g) {
  if (g != 0 && gpu::usable()) cudaGraphDestroy(reinterpret_cast<cudaGraph_t>(g));
}
void destroy_graph_exec(graph_exec_handle e) {
  if (e != 0 && gpu::usable()) cudaGraphExecDestroy(reinterpret_cast<cudaGraphExec_t>(e));
}

}  // namespace simt::backend
