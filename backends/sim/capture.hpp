// SPDX-License-Identifier: Apache-2.0
// Capturing the work of streams into graphs on the simulator: what backend calls ask before they do their work.
//
// A capture begins on one stream and takes in every stream that waits for an event recorded in it. Each such stream is
// a branch; the work of all branches is kept in the order of the calls, which every order of events allows. The rules
// and the errors are those of CUDA (CUDA Programming Guide, "CUDA Graphs", "Creating a Graph Using Stream Capture").
#pragma once

#include <backends/sim/stream_facts.hpp>
#include <simt/backend.hpp>

namespace simt::sim {
struct launch_request;
}

namespace simt::backend {

// As capture_work (stream_facts.hpp) for a launch, whose arguments are copied.
bool capture_launch(const sim::launch_request& request);
// Throws if `s` is being captured; the capture is lost, as with CUDA. `what`: the call, "synchronize".
void refuse_captured(stream_handle s, const char* what);
// The same for calls that wait for everything.
void refuse_any_capture(const char* what);
// For a stream that is about to go: takes it out of the capture that it joined. Throws, and the capture is lost, if the
// capture began on it.
void leave_capture(stream_handle s);
// True if the record or wait was captured.
bool capture_record(event_handle e, stream_handle s);
bool capture_wait(stream_handle s, event_handle e);
// Throws if the last record of `e` was captured: it says nothing of what has run.
void refuse_captured_event(event_handle e, const char* what);
void forget_captured_event(event_handle e);

}  // namespace simt::backend
