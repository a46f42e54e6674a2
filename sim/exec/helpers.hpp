// SPDX-License-Identifier: Apache-2.0
// The OS threads that run workers beside the one that launches: oneTBB's. To get them takes a millisecond of processor
// time, once a process, so a small first launch begins without them, and they are called where it takes long.
#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

namespace simt::sim {

class helper_threads {
 public:
  using work = std::function<void(int)>;
  bool have_started() const { return arena_workers_ > 0; }
  // Calls f(0) to f(count - 1), each on a thread of its own, the calling one among them.
  void run(int count, const work& f);
  // The same, but f(1) and so on only once call_helpers() asked for them while f(0) ran.
  void run_when_called(int count, const work& f);

 private:
  friend void call_helpers();
  void call();
  void open(int count);
  std::optional<tbb::global_control> limit_;
  std::optional<tbb::task_arena> arena_;
  int arena_workers_ = 0;
  std::mutex mutex_;  // of what follows
  std::condition_variable ended_;
  const work* waiting_ = nullptr;  // for a call
  int count_ = 0, running_ = 0;
};

// The launch that runs takes long, or its blocks wait for each other: from any thread but one in a kernel.
void call_helpers();

}  // namespace simt::sim
