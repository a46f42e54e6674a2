// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <mutex>

#include <sim/memory/host_access.hpp>

namespace simt::sim {

namespace {
std::mutex mutex;
std::map<std::uintptr_t, std::size_t>& ranges() {
  static auto* r = new std::map<std::uintptr_t, std::size_t>;
  return *r;
}
}  // namespace

void allow_host_access(const void* address, std::size_t bytes) {
  std::lock_guard lock(mutex);
  ranges()[reinterpret_cast<std::uintptr_t>(address)] = bytes;
}
void forbid_host_access(const void* address) {
  std::lock_guard lock(mutex);
  ranges().erase(reinterpret_cast<std::uintptr_t>(address));
}
bool host_may_access(std::uintptr_t address) {
  std::lock_guard lock(mutex);
  auto it = ranges().upper_bound(address);
  return it != ranges().begin() && address - (--it)->first < it->second;
}

}  // namespace simt::sim
