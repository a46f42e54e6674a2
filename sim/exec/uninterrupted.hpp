// SPDX-License-Identifier: Apache-2.0
// For whatever the engine or a runtime does on a device thread's stack that must not be left halfway: it holds a lock,
// or changes a list that other threads of the worker read. While one lives no signal suspends the thread or takes it
// off its stack (exec/preempt.cpp). Where runtimes are linked into the kernel's own executable the handler cannot tell
// their code from the kernel's, so every function that takes a lock on a device thread needs one. May be nested;
// nothing may wait inside. On the host it does nothing.
#pragma once

#include <sim/exec/worker.hpp>

namespace simt::sim {

class uninterrupted {
 public:
  uninterrupted() : uninterrupted(current_worker()) {}
  explicit uninterrupted(worker* w) : worker_(w), before_(w != nullptr && w->busy) {
    if (worker_ != nullptr) worker_->busy = true;
    handler_fence();
  }
  ~uninterrupted() {
    handler_fence();
    if (worker_ != nullptr) worker_->busy = before_;
  }
  uninterrupted(const uninterrupted&) = delete;
  uninterrupted& operator=(const uninterrupted&) = delete;

 private:
  worker* worker_;
  bool before_;
};

}  // namespace simt::sim
