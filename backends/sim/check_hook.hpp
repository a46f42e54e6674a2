// SPDX-License-Identifier: Apache-2.0
// How the check variant's runtime joins a session without the sim variant knowing it: it installs this hook before
// main runs. Null in the sim variant.
#pragma once

#include <cstdint>
#include <vector>

#include <simt/module.hpp>

namespace simt::sim {

struct kernel_bodies;

class check_hook {
 public:
  virtual ~check_hook() = default;
  virtual void begin(const run_request& request, int workers) = 0;
  // Stops watching; adds findings and notes.
  virtual void end(run_report& report) = 0;
  // What a launch is to run.
  virtual void choose_bodies(kernel_bodies& bodies) = 0;
  // Around a host callback of `stream`, on the thread that runs it.
  virtual void callback_begins(int stream) = 0;
  virtual void callback_ends() = 0;
  // Memory that begins or ends as work of a stream.
  virtual void allocated_on(void* p, std::size_t bytes, int stream, std::uintptr_t pc) = 0;
  virtual void freed_on(void* p, std::size_t bytes, int stream, std::uintptr_t pc) = 0;
  virtual std::int64_t unwritten(const void* device, std::size_t element_bytes, std::int64_t count) = 0;
  // Bytes that hold no value: neither kernels nor the host wrote them. -1: nobody looks for that.
  virtual std::int64_t uninitialised(const void* device, std::size_t bytes) = 0;
};

void install_check_hook(check_hook* hook);
check_hook* installed_check_hook();

}  // namespace simt::sim
