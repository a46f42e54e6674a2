// SPDX-License-Identifier: Apache-2.0
// What device threads ask of the host on the simulator, and how a launch's end reaches the caller. Uninstrumented.
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <mutex>

#include <backends/sim/faults.hpp>
#include <backends/sim/launch_log.hpp>
#include <sim/exec/observer.hpp>
#include <sim/exec/worker.hpp>
#include <simt/error.hpp>
#include <simt/kernel.hpp>

namespace simt::sim {

void trap_thread(block_context& b, std::int32_t rank, std::int64_t block_index, const char* why) {
  raise_fault(b, fault_kind::trap, why, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), block_index, rank);
}

void raise_exception(block_context& b, fiber& self, const char* what) {
  std::int64_t rank = -1, block = b.active ? b.index : -1;
  if (!self.open) {
    rank = self.rank;
  } else if (self.range != nullptr) {
    const std::int64_t x = as_number(self.range->x);
    const extent3& d = b.launch->block;
    if (x >= 0) rank = x + d.x * (as_number(self.range->y) + d.y * as_number(self.range->z));
    if (block < 0) block = as_number(self.range->block);
  }
  raise_fault(b, fault_kind::exception, what, 0, block, rank);
}

void print_from_thread(const char* format, ...) {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
}

void launch_and_report(const launch_request& request) {
  const auto start = std::chrono::steady_clock::now();
  const fault_record fault = run_launch(request);
  // Under check the time is logical, so that reports repeat; the check runtime counts the steps.
  const double wall = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  log_launch(request, current_observer() != nullptr ? static_cast<double>(last_launch_steps()) * 1e-6 : wall);
  if (fault.kind != fault_kind::none) throw_fault(request, fault);
}

}  // namespace simt::sim
