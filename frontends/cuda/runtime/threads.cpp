// SPDX-License-Identifier: Apache-2.0
// Which device thread runs, for code that gets no handle: asked of the running stack.
#include <cstdlib>
#include <string>

#include <frontends/cuda/headers/simt_cuda/device_functions.hpp>
#include <backends/sim/frontend.hpp>
#include <frontends/cuda/run_settings.hpp>
#include <sim/exec/carry_flag.hpp>
#include <sim/report/merged_findings.hpp>

namespace simt_cuda {

#if !defined(SIMT_VARIANT_CHECK)
__thread simt::sim::run_queue* running __attribute__((tls_model("initial-exec"))) = nullptr;
#endif

bool on_device() { return simt::frontend::on_device(); }

#if defined(SIMT_VARIANT_CHECK)
simt::thread self() { return simt::frontend::running_thread(); }
::uint3 thread_idx() { return on_device() ? to_uint3(self().thread_idx()) : ::uint3{0, 0, 0}; }
::uint3 block_idx() { return on_device() ? to_uint3(self().block_idx()) : ::uint3{0, 0, 0}; }
::dim3 block_dim() { return on_device() ? ::dim3(to_uint3(self().block_dim())) : ::dim3(1, 1, 1); }
::dim3 cluster_dim() {
  const simt::thread t = self();
  return to_uint3(t.cluster().shape());
}
void* cluster_shared(void* mine, int rank) {
  const simt::thread t = self();
  return t.cluster().map_shared(static_cast<char*>(mine), rank);
}
::dim3 grid_dim() { return on_device() ? ::dim3(to_uint3(self().grid_dim())) : ::dim3(1, 1, 1); }

std::byte* shared_address(const simt::sim::shared_key& key) { return simt::frontend::shared_address(key); }
std::byte* dynamic_shared_address(const simt::sim::shared_key& key) {
  return simt::frontend::dynamic_shared_address(key);
}
#endif

bool carry_of_thread() { return simt::sim::carry_flag(); }
void leave_carry(bool carry) { simt::sim::carry_flag() = carry; }

unsigned long long global_timer_ns() { return on_device() ? self().global_timer_ns() : simt::sim::now_ns(); }

bool device_code_allocates() {
  simt::frontend::expect_heap();
  return true;
}
void* device_heap::allocate(std::size_t bytes) const {
  return on_device() ? simt::frontend::heap_allocate(bytes) : std::malloc(bytes);
}
void device_free(void* p) {
  simt::frontend::heap_free(p, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}

void assert_failed_in(const simt::thread& t, const char* expression, const char* file, unsigned line,
                      const char* function, const void* pc) {
  const simt::dim3 block = t.block_idx(), thread = t.thread_idx();
  if (std::string_view(function) == "operator()") function = t.context().launch->name;  // the kernel's body is a lambda
  static thread_local std::string kept;  // for whoever reports it; the thread goes no further
  kept = std::string("`") + expression + "' failed at " + file + ":" + std::to_string(line);
  const char* const text = kept.c_str();
  const char* const said = std::getenv(simt::cuda_source::kSaidVariable);
  const bool is_said = said != nullptr && said == simt::said_of_assertion(text, {block.x, block.y, block.z},
                                                                          {thread.x, thread.y, thread.z});
  // As CUDA's (Programming Guide, "Assertion").
  if (!is_said)
    std::fprintf(stderr, "%s:%u: %s: block: [%lld,%lld,%lld], thread: [%lld,%lld,%lld] Assertion `%s` failed.\n", file,
                 line, function, (long long)block.x, (long long)block.y, (long long)block.z, (long long)thread.x,
                 (long long)thread.y, (long long)thread.z, expression);
  simt::sim::trap_thread(t.context(), t.rank(), t.block_index(), simt::sim::fault_kind::assertion, text, pc);
}
void assert_failed(const char* expression, const char* file, unsigned line, const char* function) {
  if (on_device()) assert_failed_in(self(), expression, file, line, function, __builtin_return_address(0));
  std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
  std::abort();
}

}  // namespace simt_cuda

long long int clock64() { return simt_cuda::on_device() ? simt_cuda::self().clock64() : simt::sim::now_steps(); }
