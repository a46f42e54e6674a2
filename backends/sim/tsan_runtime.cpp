// SPDX-License-Identifier: Apache-2.0
// The functions that -fsanitize=thread calls, bound to the detector. Must be compiled without instrumentation.
#include <backends/sim/bound_judge.hpp>
#include <sim/instrument/checked_calls.hpp>
#include <sim/instrument/tsan_abi.hpp>

namespace simt::sim {
void checked_noncoherent_read(const void* p, std::size_t bytes) {
  access_hooks<bound_judge>::noncoherent(p, bytes, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}
}  // namespace simt::sim
