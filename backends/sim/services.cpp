// SPDX-License-Identifier: Apache-2.0
// What device threads ask of the host on the simulator, and how a launch's end reaches the caller. Uninstrumented.
#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <mutex>

#include <backends/api/device_limits.hpp>
#include <backends/sim/capture.hpp>
#include <backends/sim/check_hook.hpp>
#include <backends/sim/faults.hpp>
#include <backends/sim/device_clock.hpp>
#include <backends/sim/launch_log.hpp>
#include <sim/exec/observer.hpp>
#include <sim/exec/uninterrupted.hpp>
#include <simt/error.hpp>
#include <simt/kernel.hpp>
#include <simt/launch_config.hpp>

namespace simt::sim {

void trap_thread(block_context& b, std::int32_t rank, std::int64_t block_index, fault_kind kind, const char* text,
                 const void* pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(pc != nullptr ? pc : __builtin_return_address(0));
  raise_fault(b, {.kind = kind, .text = text, .pc = at, .block = block_index, .thread = rank});
}

void note_exception(block_context& b, fiber&, const char* what) {
  fault_record who;
  note_thread(who, *b.queue->owner, true);
  who.kind = fault_kind::exception;
  who.text = what;
  record_fault(b, std::move(who));
}

namespace {
std::atomic<std::uint64_t> ahead{0};  // how far the device's clocks are before the host's
}

std::uint64_t now_ns() {
  return static_cast<std::uint64_t>(
             std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
                 .count()) +
         ahead.load(std::memory_order_relaxed);
}
void let_time_pass(std::uint64_t ns) { ahead.fetch_add(ns, std::memory_order_relaxed); }
std::int64_t now_steps() { return static_cast<std::int64_t>(now_ns() * (kClockKhz / 20'000) / (1'000'000 / 20'000)); }

void print_from_thread(const char* format, ...) {
  static std::mutex mutex;
  const uninterrupted whole;
  std::lock_guard lock(mutex);
  va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
}

namespace {

std::int64_t blocks_of_device(std::int64_t threads, std::int64_t shared) {
  const device_properties& d = backend::limits(0);
  return std::int64_t{d.multiprocessors} * simt::resident_blocks(d, threads, shared);
}

}  // namespace

void launch_and_report(const launch_request& request) {
  if (current_worker() != nullptr)
    throw error(error_kind::unsupported, std::string("kernel ") + current_worker()->launch->name + " launches kernel " +
                                             request.name +
                                             ": a launch from device code is not supported; launch from the host");
  if (backend::in_host_callback())
    throw error(error_kind::invalid_argument, std::string("launch of ") + request.name +
                                                  " inside a stream's host callback: callbacks must not call this API");
  if (backend::capture_launch(request)) return;
  const host_turn turn;  // until what ended the launch is kept, for the report of whoever interrupted it
  const auto start = std::chrono::steady_clock::now();
  launch_request chosen = request;
  chosen.blocks_of_device = blocks_of_device;
  if (check_hook* const h = installed_check_hook()) h->choose_bodies(chosen.bodies);
  const fault_record fault = run_launch(chosen);
  // Under check the time is logical, so that reports repeat; the check runtime counts the steps.
  const double wall = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  const std::uint64_t steps = current_observer() != nullptr ? last_launch_steps() : 0;
  log_launch(request, current_observer() != nullptr ? static_cast<double>(steps) / 1e6 : wall, steps);
  if (fault.kind == fault_kind::no_loops)
    throw error(error_kind::unsupported, std::string("kernel ") + request.name +
                                             " cannot run as loops, which were asked for: " + fault.text +
                                             "; leave out --execution loops");
  if (fault.kind == fault_kind::departed) throw error(error_kind::invalid_argument, fault.text);
  if (fault.kind != fault_kind::none) throw_fault(request, fault);
}

}  // namespace simt::sim
