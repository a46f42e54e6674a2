// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <mutex>

#include <sim/memory/host_access.hpp>

namespace simt::sim {

namespace {

class range_set {
 public:
  void add(const void* address, std::size_t bytes) {
    std::lock_guard lock(mutex_);
    ranges_[reinterpret_cast<std::uintptr_t>(address)] = bytes;
  }
  void remove(const void* address) {
    std::lock_guard lock(mutex_);
    ranges_.erase(reinterpret_cast<std::uintptr_t>(address));
  }
  bool is_empty() {
    std::lock_guard lock(mutex_);
    return ranges_.empty();
  }
  bool holds(std::uintptr_t address) {
    std::lock_guard lock(mutex_);
    auto it = ranges_.upper_bound(address);
    return it != ranges_.begin() && address - (--it)->first < it->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::uintptr_t, std::size_t> ranges_;
};

// Never destroyed: exit handlers ask them.
range_set& both_sides() {
  static auto* const r = new range_set;
  return *r;
}
range_set& lent() {
  static auto* const r = new range_set;
  return *r;
}

}  // namespace

void allow_host_access(const void* address, std::size_t bytes) { both_sides().add(address, bytes); }
void forbid_host_access(const void* address) { both_sides().remove(address); }
bool host_is_heard() { return !both_sides().is_empty() || !lent().is_empty(); }
bool host_may_access(std::uintptr_t address) { return both_sides().holds(address); }

void lend_to_device(const void* address, std::size_t bytes) { lent().add(address, bytes); }
void take_back(const void* address) { lent().remove(address); }
bool lent_to_device(std::uintptr_t address) { return lent().holds(address); }

}  // namespace simt::sim
