// SPDX-License-Identifier: Apache-2.0
// What the compiler pass calls in device code where an access would lie outside a variable of the thread's own
// (sim/compile/own_arrays.hpp). Must be compiled without instrumentation.
#include <cstddef>
#include <cstdint>

#include <sim/instrument/dispatcher.hpp>

namespace {
// Made by description_of in sim/compile/own_arrays.cpp.
struct own_variable {
  const char* name;
  std::int64_t bytes, element_bytes, axes;
  std::int64_t extents[1];  // as many as there are axes
};
}  // namespace

extern "C" __attribute__((visibility("hidden"), used, cold, noinline)) void simt_outside_own_array(
    const own_variable* variable, std::int64_t offset, std::int64_t bytes, bool written) {
  using namespace simt::sim;
  watched_thread* const t = cursor.thread;
  dispatcher* const d = dispatcher::current();
  if (t == nullptr || d == nullptr || !d->memory_rules()) return;
  d->left_own_array({t,
                     reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),
                     variable->name,
                     written ? event::access_kind::write : event::access_kind::read,
                     offset,
                     bytes,
                     variable->bytes,
                     variable->element_bytes,
                     {variable->extents, static_cast<std::size_t>(variable->axes)}});
}
