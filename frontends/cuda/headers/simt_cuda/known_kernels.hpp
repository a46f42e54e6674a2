// SPDX-License-Identifier: Apache-2.0
// Kernels behind pointers that have lost their type: `void* f = (void*)kernel;`. The translator writes kernel_address()
// for such a cast, which notes how the kernel is called; whoever gets the address asks for that. Part of
// runtime_api.hpp.
#pragma once

#include <cstddef>

#include "launch.hpp"
#include "runtime_types.hpp"

namespace simt_cuda {

// The kernel that this thread calls next leaves its signature there and launches nothing.
void ask_for_signature(const char** answer);
template <class P>
P made_up() {
  alignas(P) unsigned char zeros[sizeof(P)] = {};
  return *std::launder(reinterpret_cast<P*>(zeros));
}
// What a kernel launches under; null where it cannot be called with arguments of zeros, or where the type is lost.
template <class F>
const char* signature_of(F*) {
  return nullptr;
}
template <class... P>
const char* signature_of(void (*kernel)(P...)) {
  const char* answer = nullptr;
  if constexpr (((std::is_trivially_copyable_v<P> && std::is_copy_constructible_v<P>)&&...)) {
    ask_for_signature(&answer);
    kernel(made_up<P>()...);
  }
  return answer;
}

struct parameter_size {
  std::size_t bytes, alignment;
};
// A kernel as somebody calls it who has its address alone. `signature`: of a launch, for its attributes; null: not
// known.
struct kernel_calls {
  const void* kernel;
  void (*call)(const void* kernel, void** arguments);
  const char* (*signature)(const void* kernel);
  const parameter_size* parameters;
  std::size_t count;
};
template <class... P>
kernel_calls calls_of(void (*kernel)(P...)) {
  static constexpr parameter_size kSizes[] = {{sizeof(P), alignof(P)}..., {0, 1}};
  using type = void (*)(P...);
  return {reinterpret_cast<const void*>(kernel),
          [](const void* k, void** arguments) { call_with(reinterpret_cast<type>(const_cast<void*>(k)), arguments); },
          [](const void* k) { return signature_of(reinterpret_cast<type>(const_cast<void*>(k))); }, kSizes,
          sizeof...(P)};
}

void know_kernel(const kernel_calls&);
// Null: no cast of the program gave that address.
const kernel_calls* known_kernel(const void* kernel);

// A cast to a pointer to void.
template <class... P>
void* kernel_address(void (*kernel)(P...)) {
  know_kernel(calls_of(kernel));
  return reinterpret_cast<void*>(kernel);
}
template <class T>
void* kernel_address(T other) {
  return (void*)other;
}

cudaError_t launch_known_kernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                cudaStream_t s, bool cooperative);
cudaError_t launch_known_kernel(const void* kernel, const cudaLaunchConfig_t& c, void** arguments);
cudaError_t parameter_of(const kernel_calls* kernel, std::size_t index, std::size_t* offset, std::size_t* bytes);

}  // namespace simt_cuda
