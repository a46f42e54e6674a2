// SPDX-License-Identifier: Apache-2.0
#include <backends/cuda/faults.hpp>

#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include <simt/backend.hpp>

namespace simt::gpu {

namespace {

constexpr std::size_t kMaxNames = 4;
constexpr const char* kUnusable =
    "the device is not usable again in this process (its context is lost): start a new process";

struct fault_state {
  std::mutex mutex;
  std::string lost;  // empty: the device is usable
  std::vector<std::string> launched;
  bool more_launched = false;
  std::vector<finding> findings;
};
fault_state& state() {
  static fault_state* s = new fault_state;  // outlives static buffers of the program
  return *s;
}

struct fault_text {
  cudaError_t code;
  simt::rule rule;
  const char* why;
  const char* fix;
};
constexpr const char* kNameIt = "run the program on the simulator with --check all, which names thread, line and array";
constexpr fault_text kFaults[] = {
    {cudaErrorIllegalAddress, rule::out_of_bounds, "a thread accessed an address that belongs to no allocation", kNameIt},
    {cudaErrorMisalignedAddress, rule::misaligned, "an address is no multiple of the size of its access", kNameIt},
    {cudaErrorInvalidAddressSpace, rule::out_of_bounds, "an instruction for one memory space was given an address of another", kNameIt},
    {cudaErrorInvalidPc, rule::device_trap, "a thread jumped to an address that holds no code", kNameIt},
    {cudaErrorHardwareStackError, rule::stack_overflow, "a thread's call stack is corrupt or too small",
     "make local arrays smaller or the recursion shallower, or raise the stack: --stack BYTES"},
    {cudaErrorAssert, rule::device_trap, "trap(), expect() or assert() ended the launch; the driver's message on standard error names block and thread",
     "find out why the condition does not hold for this thread"},
    {cudaErrorIllegalInstruction, rule::device_trap, "a thread executed an illegal instruction", kNameIt},
    {cudaErrorLaunchFailure, rule::device_trap, "a thread trapped or accessed shared or local memory out of bounds", kNameIt},
    {cudaErrorLaunchTimeout, rule::hang, "the kernel ran longer than the system lets a kernel run on this device",
     "give the kernel less work, or use a device without a display"},
};

const fault_text* find_fault(cudaError_t e) {
  const auto* it = std::find_if(std::begin(kFaults), std::end(kFaults), [e](const fault_text& f) { return f.code == e; });
  return it == std::end(kFaults) ? nullptr : it;
}

error_kind kind_of(cudaError_t e) {
  switch (e) {
    case cudaErrorMemoryAllocation: return error_kind::out_of_memory;
    case cudaErrorInvalidConfiguration:
    case cudaErrorLaunchOutOfResources:
    case cudaErrorCooperativeLaunchTooLarge:
    case cudaErrorInvalidClusterSize: return error_kind::launch_limit;
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorInitializationError:
    case cudaErrorDevicesUnavailable:
    case cudaErrorDeviceUninitialized:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorSystemNotReady:
    case cudaErrorCompatNotSupportedOnDevice:
    case cudaErrorStubLibrary:
    case cudaErrorCudartUnloading:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion: return error_kind::unavailable;
    case cudaErrorNotSupported:
    case cudaErrorStreamCaptureUnsupported:
    case cudaErrorStreamCaptureImplicit: return error_kind::unsupported;
    // Beyond kFaults: whatever ends the context.
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContextIsDestroyed:
    case cudaErrorExternalDevice:
    case cudaErrorUnknown: return error_kind::device_fault;
    default: return find_fault(e) ? error_kind::device_fault : error_kind::invalid_argument;
  }
}

// "kernel a" or "one of kernels a, b"; the mutex is held.
std::string suspects(const fault_state& s) {
  if (s.launched.empty()) return "a kernel";
  if (s.launched.size() == 1 && !s.more_launched) return "kernel " + s.launched.front();
  return fmt::format("one of kernels {}{}", fmt::join(s.launched, ", "), s.more_launched ? ", ..." : "");
}

// The device is lost: remembers why, makes the finding, gives the message.
std::string lose_device(simt::rule what, const std::string& message, const std::string& why, const std::string& fix) {
  fault_state& s = state();
  std::lock_guard lock(s.mutex);
  const std::string whole = fmt::format("{} failed: {}", suspects(s), message);
  if (s.lost.empty()) {
    finding f;
    f.rule = what;
    f.message = whole;
    f.why = why;
    f.fix = fix;
    if (s.launched.size() == 1 && !s.more_launched) f.kernel = s.launched.front();
    s.findings.push_back(std::move(f));
    s.lost = whole;
  }
  return whole;
}

}  // namespace

bool usable() {
  std::lock_guard lock(state().mutex);
  return state().lost.empty();
}

void enter(const char* call) {
  {
    std::lock_guard lock(state().mutex);
    if (!state().lost.empty())
      throw error(error_kind::device_fault, fmt::format("{}: {}; earlier, {}", call, kUnusable, state().lost));
  }
  thread_local int applied = 0;  // CUDA's own default
  if (const int wanted = backend::selected_device(); applied != wanted) {
    check(cudaSetDevice(wanted), fmt::format("cudaSetDevice({})", wanted));
    applied = wanted;
  }
}

void check(cudaError_t e, const std::string& call, const std::string& advice) {
  if (e == cudaSuccess) return;
  cudaGetLastError();  // an error that does not stick must not show up at a later call
  const std::string text = fmt::format("{}: {}: {}", call, cudaGetErrorName(e), cudaGetErrorString(e));
  const error_kind kind = kind_of(e);
  if (kind == error_kind::device_fault) {
    const fault_text* known = find_fault(e);
    const std::string what = lose_device(known ? known->rule : rule::device_trap, text, known ? known->why : cudaGetErrorString(e),
                                         known ? known->fix : "start the program again; if it happens again, see the system's log");
    throw error(kind, fmt::format("{}; {}", what, kUnusable));
  }
  throw error(kind, advice.empty() ? text : text + "; " + advice);
}

void fail_hang(double seconds) {
  const std::string what = lose_device(rule::hang, fmt::format("it has not ended after {} s", seconds),
                                       "a loop waits for a flag or a lock that is never set, or the work takes longer than the timeout",
                                       "run it on the simulator with --timeout, which says who waits where, or raise the timeout");
  throw error(error_kind::device_fault, fmt::format("{}; {}", what, kUnusable));
}

void note_launch(const std::string& kernel) {
  fault_state& s = state();
  std::lock_guard lock(s.mutex);
  if (std::find(s.launched.begin(), s.launched.end(), kernel) != s.launched.end()) return;
  if (s.launched.size() < kMaxNames)
    s.launched.push_back(kernel);
  else
    s.more_launched = true;
}

void note_idle() {
  fault_state& s = state();
  std::lock_guard lock(s.mutex);
  s.launched.clear();
  s.more_launched = false;
}

std::vector<finding> take_faults() {
  std::lock_guard lock(state().mutex);
  return std::exchange(state().findings, {});
}

}  // namespace simt::gpu
