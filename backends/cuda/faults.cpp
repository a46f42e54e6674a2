// SPDX-License-Identifier: Apache-2.0
#include <backends/cuda/faults.hpp>

#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include <sim/report/phrasebook.hpp>
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

struct fault_meaning {
  cudaError_t code;
  simt::rule rule;
  simt::cause cause;
};
constexpr fault_meaning kFaults[] = {
    {cudaErrorIllegalAddress, rule::out_of_bounds, cause::gpu_address},
    {cudaErrorMisalignedAddress, rule::misaligned, cause::gpu_alignment},
    {cudaErrorInvalidAddressSpace, rule::out_of_bounds, cause::gpu_space},
    {cudaErrorInvalidPc, rule::device_trap, cause::gpu_code},
    {cudaErrorHardwareStackError, rule::stack_overflow, cause::gpu_stack},
    {cudaErrorAssert, rule::device_trap, cause::gpu_assert},
    {cudaErrorIllegalInstruction, rule::device_trap, cause::gpu_instruction},
    {cudaErrorLaunchFailure, rule::device_trap, cause::gpu_launch},
    {cudaErrorLaunchTimeout, rule::hang, cause::gpu_limit},
};

const fault_meaning* find_fault(cudaError_t e) {
  const auto* it =
      std::find_if(std::begin(kFaults), std::end(kFaults), [e](const fault_meaning& f) { return f.code == e; });
  return it == std::end(kFaults) ? nullptr : it;
}

error_kind kind_of(cudaError_t e) {
  switch (e) {
    case cudaErrorMemoryAllocation:
      return error_kind::out_of_memory;
    case cudaErrorInvalidConfiguration:
    case cudaErrorLaunchOutOfResources:
    case cudaErrorCooperativeLaunchTooLarge:
    case cudaErrorInvalidClusterSize:
      return error_kind::launch_limit;
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
    case cudaErrorUnsupportedPtxVersion:
      return error_kind::unavailable;
    case cudaErrorNotSupported:
    case cudaErrorStreamCaptureUnsupported:
    case cudaErrorStreamCaptureImplicit:
      return error_kind::unsupported;
    // Beyond kFaults: whatever ends the context.
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContextIsDestroyed:
    case cudaErrorExternalDevice:
    case cudaErrorUnknown:
      return error_kind::device_fault;
    default:
      return find_fault(e) ? error_kind::device_fault : error_kind::invalid_argument;
  }
}

// The device is lost: remembers why, makes the finding, gives its message.
std::string lose_device(simt::rule what, simt::cause why, const std::string& text, double seconds = 0) {
  fault_state& s = state();
  std::lock_guard lock(s.mutex);
  finding f;
  f.rule = what;
  f.cause = why;
  f.facts.text = text;
  f.facts.seconds = seconds;
  f.facts.kernels = s.launched;
  f.facts.more_kernels = s.more_launched;
  if (s.launched.size() == 1 && !s.more_launched) f.kernel = s.launched.front();
  const std::string message = phrase(f, dialect::api).message;
  if (s.lost.empty()) {
    s.findings.push_back(std::move(f));
    s.lost = message;
  }
  return message;
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
    const fault_meaning* known = find_fault(e);
    const std::string what =
        lose_device(known ? known->rule : rule::device_trap, known ? known->cause : cause::gpu_other, text);
    throw error(kind, fmt::format("{}; {}", what, kUnusable));
  }
  throw error(kind, advice.empty() ? text : text + "; " + advice);
}

void fail_hang(double seconds) {
  const std::string what = lose_device(rule::hang, cause::gpu_timeout, {}, seconds);
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
