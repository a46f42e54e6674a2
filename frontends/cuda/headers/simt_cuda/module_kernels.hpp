// SPDX-License-Identifier: Apache-2.0
// In modules of the driver API: what they tell the program that loads them (frontends/cuda/runtime/modules.cpp).
#pragma once

#include <cstddef>

#include "runtime_api.hpp"
#if defined(__CUDACC_RTC__)  // NVRTC's programs have these without a header
#include <assert.h>
#include <cstdint>
#include <cstdio>
#endif

namespace simt_cuda {

void know_module_kernel(const kernel_calls&);
// What a name expression of NVRTC means: a kernel, or the address of a variable.
void know_name(const char* expression, const void* address, bool function);

// Where the module keeps references to its variables.
bool know_module_variables(const void* first, const void* last);
#if defined(SIMT_CUDA_TOOL)  // a module, not the runtime
extern "C" {
extern const char __start_simt_refs[] __attribute__((weak, visibility("hidden")));
extern const char __stop_simt_refs[] __attribute__((weak, visibility("hidden")));
}
namespace {
[[maybe_unused]] const bool variables_are_known = know_module_variables(__start_simt_refs, __stop_simt_refs);
}
#endif

struct module_kernel {
  template <class... P>
  explicit module_kernel(void (*kernel)(P...)) {
    know_module_kernel(calls_of(kernel));
  }
};

struct named_expression {
  template <class... P>
  named_expression(const char* expression, void (*kernel)(P...)) {
    [[maybe_unused]] const module_kernel known(kernel);
    know_name(expression, reinterpret_cast<const void*>(kernel), true);
  }
  template <class T>
  named_expression(const char* expression, T* variable) {
    know_name(expression, reinterpret_cast<const void*>(variable), std::is_function_v<T>);
  }
};

}  // namespace simt_cuda
