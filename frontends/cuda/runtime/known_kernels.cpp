// SPDX-License-Identifier: Apache-2.0
// Kernels by their addresses, as pointers to void and as functions of the driver API.
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>

#include "modules.hpp"
#include "state.hpp"

namespace simt_cuda {
namespace {

std::mutex kernels_mutex;
// Casts run before main, too: never destroyed, made at first use.
std::map<const void*, kernel_calls>& kernels() {
  static auto* all = new std::map<const void*, kernel_calls>;
  return *all;
}
std::map<const void*, std::unique_ptr<CUfunc_st>>& functions() {
  static auto* all = new std::map<const void*, std::unique_ptr<CUfunc_st>>;
  return *all;
}

const kernel_calls* known_or_said(const void* kernel, const char* call) {
  const kernel_calls* const k = known_kernel(kernel);
  if (k == nullptr)
    std::fprintf(stderr,
                 "simt: %s was given an address that is no kernel of the program; what a cast like (void*)kernel gave "
                 "would be known\n",
                 call);
  return k;
}

}  // namespace

void know_kernel(const kernel_calls& k) {
  std::lock_guard lock(kernels_mutex);
  const auto [at, is_new] = kernels().emplace(k.kernel, k);
  kernel_calls& known = at->second;
  const auto what = [](const kernel_calls& c) { return std::tie(c.call, c.signature, c.parameters, c.count); };
  // Where a function of a module that is gone has had this address. Else it stays as it is: others read it.
  if (!is_new && what(known) != what(k)) known = k;
}
const kernel_calls* known_kernel(const void* kernel) {
  std::lock_guard lock(kernels_mutex);
  const auto it = kernels().find(kernel);
  return it == kernels().end() ? nullptr : &it->second;
}

cudaError_t launch_known_kernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                cudaStream_t s, bool cooperative) {
  const kernel_calls* const k = known_or_said(kernel, "cudaLaunchKernel");
  if (k == nullptr) return fail(cudaErrorInvalidResourceHandle);  // CUDA 13 takes it for a cudaKernel_t
  configure(grid, block, shared, s, cooperative);
  k->call(k->kernel, arguments);
  return finish_launch();
}
cudaError_t launch_known_kernel(const void* kernel, const cudaLaunchConfig_t& c, void** arguments) {
  const kernel_calls* const k = known_or_said(kernel, "cudaLaunchKernelExC");
  if (k == nullptr) return fail(cudaErrorInvalidResourceHandle);  // CUDA 13 takes it for a cudaKernel_t
  configure(c);
  k->call(k->kernel, arguments);
  return finish_launch();
}

// Parameters lie behind each other, each at a multiple of its alignment.
cudaError_t parameter_of(const kernel_calls* kernel, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  if (kernel == nullptr) return fail(cudaErrorInvalidDeviceFunction);
  if (offset == nullptr || index >= kernel->count) return fail(cudaErrorInvalidValue);
  std::size_t at = 0;
  for (std::size_t i = 0;; at += kernel->parameters[i++].bytes) {
    const std::size_t alignment = kernel->parameters[i].alignment;
    at = (at + alignment - 1) / alignment * alignment;
    if (i == index) break;
  }
  *offset = at;
  if (bytes != nullptr) *bytes = kernel->parameters[index].bytes;
  return cudaSuccess;
}

cudaError_t function_of_kernel(cudaFunction_t* f, const void* kernel) {
  const kernel_calls* const k = known_or_said(kernel, "cudaGetFuncBySymbol");
  if (f == nullptr) return fail(cudaErrorInvalidValue);
  if (k == nullptr) return fail(cudaErrorInvalidDeviceFunction);
  std::lock_guard lock(kernels_mutex);
  std::unique_ptr<CUfunc_st>& made = functions()[kernel];
  if (made == nullptr) {
    const char* const signature = k->signature(kernel);
    made = std::make_unique<CUfunc_st>(CUfunc_st{the_program(), *k, signature != nullptr ? signature : ""});
  }
  *f = made.get();
  return cudaSuccess;
}

}  // namespace simt_cuda
