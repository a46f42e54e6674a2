// SPDX-License-Identifier: Apache-2.0
// An executor runs the threads of blocks that a worker has taken. It needs a body of the kernel that was compiled for
// it (kernel_bodies), and traits of the launch that it can do with.
//
// To add one: its file in this folder, its body in kernel_bodies, its object in the worker, its case in executor_for.
#pragma once

namespace simt::sim {

struct launch_state;
class worker;

class executor {
 public:
  executor() = default;
  executor(const executor&) = delete;
  executor& operator=(const executor&) = delete;
  virtual ~executor() = default;
  // Starts blocks of the worker's chunk, the first at least, and takes them out of it. In the worker's loop; comes back
  // when they have ended or what is left of them is waiting.
  virtual void start_blocks() = 0;
  // The launch is lost: forgets what runs.
  virtual void abandon() = 0;
};

// The one of w's executors that l is run by: loops where run_launch has chosen so (loops.hpp), else fibers, which can
// run everything: as long as no thread waits a stack is one loop over threads that run to their end (thread_loop.hpp),
// and the kernel is inlined there.
executor& executor_for(worker& w, const launch_state& l);

}  // namespace simt::sim
