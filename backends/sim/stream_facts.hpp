// SPDX-License-Identifier: Apache-2.0
// What backends/sim knows of streams and captures, for the check session and for front ends.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <simt/backend.hpp>

namespace simt::backend {
// Ordered with the default stream? True for handles that do not exist.
bool stream_is_blocking(stream_handle s);
// A stream for the nodes of one branch of a graph, beside the one that the graph is launched on.
stream_handle create_graph_branch();
// False of one that is gone; the default stream is always there.
bool stream_exists(stream_handle s);
// Also of one that is gone.
bool is_graph_branch(stream_handle s);
bool event_exists(event_handle e);
// Throws if there is no such stream, or it is captured.
void require_free_stream(stream_handle s);
// What cudaStreamDestroy does: throws if there is no such stream, or a capture began on it that has not ended. A stream
// that joined a capture later may go: its nodes stay, and if nobody waited for the last of them, the capture cannot
// end.
void retire_stream(stream_handle s);
// Memory that is there already counts as made by work of `s`.
void made_on_stream(void* device_pointer, std::size_t bytes, stream_handle s);

// ---- captures, node by node: for front ends that make graphs of their own of what a capture has kept
enum class captured_kind : std::uint8_t { kernel, copy, fill, host_call, allocation, release, graph };
struct captured_node {
  captured_kind kind{};
  std::uintptr_t pc = 0;                    // whose line the work belongs to; 0: whoever replays it
  std::function<void(stream_handle)> work;  // none: a number that was reserved
  std::vector<std::size_t> after;           // numbers of nodes of the same capture
  std::shared_ptr<void> about;              // what the caller gave along
};
// If `s` is being captured: keeps `work` and returns true. Throws where the default stream would have to wait for a
// stream that is being captured.
bool capture_work(stream_handle s, captured_kind kind, std::uintptr_t pc,
                  const std::function<void(stream_handle)>& work, std::shared_ptr<void> about = {});
// The capture that `s` takes part in, as a number of its own; 0: none.
std::uintptr_t capture_of(stream_handle s);
// What it has kept from node `first` on.
std::vector<captured_node> captured_since(stream_handle s, std::size_t first);
// A number in that capture for a node of the caller's, which other nodes can depend on.
std::size_t reserve_captured(stream_handle s);
// The nodes that the next work on `s` depends on; `keep`: beside those that it depends on already.
std::vector<std::size_t> capture_frontier(stream_handle s);
void change_capture_frontier(stream_handle s, const std::vector<std::size_t>& nodes, bool keep);
// The nodes of a graph whose capture has ended, from `first` on.
std::vector<captured_node> nodes_of(graph_handle g, std::size_t first);

// CUDA's number of the last error of a capture on this thread (cudaErrorStreamCapture...), 0 if there was none since.
int take_capture_error();
}  // namespace simt::backend
