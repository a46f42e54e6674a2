// SPDX-License-Identifier: Apache-2.0
// What the runtime API remembers: errors, the pending launch, the run that is being reported. Host only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <frontends/cuda/headers/simt_cuda/runtime_types.hpp>
#include <sim/report/cause.hpp>
#include <simt/error.hpp>

namespace simt_cuda {

// Begins the run (settings from the environment) at the first use; later calls do nothing.
void ensure_started();

// Does not come back where a signal ended a launch: the report is being made, and the process ends with it.
void rest_if_interrupted();

// Errors as CUDA has them: the last one is forgotten when it is asked for; a kernel's death stays for good and is seen
// by the first call that waits for the device.
cudaError_t fail(cudaError_t e);         // remembers e as the last error
cudaError_t fail(const simt::error& e);  // the same, by kind
cudaError_t fail(cudaError_t e, const simt::error& why);
cudaError_t sticky_error();             // what every call gives once a kernel died; else cudaSuccess
void kernel_died(cudaError_t e);        // seen from the next wait on
cudaError_t error_of(simt::cause why);  // CUDA's number for what a kernel died of
bool kernel_was_lost();                 // one died, seen or not
cudaError_t wait_for_device();          // makes a death visible
cudaError_t after_wait(cudaError_t e);  // what a call that waited gives: a death, else its own result
// A launch that never began. `from`: where it stands in the program.
void launch_failed(cudaError_t e, const std::string& why, std::uintptr_t from = 0);

// The runtime API was used, so the driver API has a context; and: this thread is inside a call of the driver API, whose
// errors are its results alone.
inline bool runtime_used = false;
inline thread_local bool in_driver = false;

// The first launch that failed, where the program never asked for the error; why is empty: none.
struct failed_launch {
  std::string why;
  std::vector<std::uintptr_t> callers;  // return addresses, innermost first
};
failed_launch unseen_failure();

// The first call that failed while the program neither looked at its result nor asked for the last error since.
struct ignored_failure {
  const char* call;
  cudaError_t error;
  std::uintptr_t pc;
  std::string why;  // what was wrong; empty: the error says it
};
std::optional<ignored_failure> unseen_failed_call();

// Runs a call of the backend; its exceptions become errors.
template <class F>
cudaError_t guarded(F&& call) {
  ensure_started();
  if (!in_driver) runtime_used = true;
  if (const cudaError_t e = sticky_error(); e != cudaSuccess) return e;
  try {
    call();
    return cudaSuccess;
  } catch (const simt::error& e) {
    return fail(e);
  }
}

// An array as a side of a copy of boxes; false where the box begins outside.
bool array_side(cudaArray_t a, const cudaPos& pos, cudaPitchedPtr& p, std::size_t& element);

// The user's line is that of calling_from.
cudaError_t allocate_for(void** p, std::size_t bytes, int kind);

// Of a variable at namespace scope; 0: none begins there.
std::size_t variable_bytes(const void* address);

// Memory of variables at namespace scope, given back before leaks are looked for.
void free_variables();

}  // namespace simt_cuda
