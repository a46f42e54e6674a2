// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <map>
#include <mutex>

#include <sim/memory/host_access.hpp>

namespace simt::sim {

namespace {

class range_set {
 public:
  // A range that an address was found in. A loop over an array asks about one range again and again.
  struct found_range {
    std::uintptr_t address = 0;
    std::size_t bytes = 0;
    std::uint64_t changes = 0;  // of the set, when it was found
  };

  void add(const void* address, std::size_t bytes) {
    std::lock_guard lock(mutex_);
    ranges_[reinterpret_cast<std::uintptr_t>(address)] = bytes;
    changes_.fetch_add(1, std::memory_order_release);
  }
  void remove(const void* address) {
    std::lock_guard lock(mutex_);
    ranges_.erase(reinterpret_cast<std::uintptr_t>(address));
    changes_.fetch_add(1, std::memory_order_release);
  }
  std::uint64_t changes() const { return changes_.load(std::memory_order_acquire); }
  bool is_empty() {
    std::lock_guard lock(mutex_);
    return ranges_.empty();
  }
  // last: what this thread has found before.
  bool holds(std::uintptr_t address, found_range& last) {
    if (address - last.address < last.bytes && changes_.load(std::memory_order_acquire) == last.changes) return true;
    std::lock_guard lock(mutex_);
    auto it = ranges_.upper_bound(address);
    if (it == ranges_.begin() || address - (--it)->first >= it->second) return false;
    last = {it->first, it->second, changes_.load(std::memory_order_relaxed)};
    return true;
  }

 private:
  std::mutex mutex_;
  std::atomic<std::uint64_t> changes_{0};
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
std::uint64_t host_access_changes() { return both_sides().changes(); }
bool host_may_access(std::uintptr_t address) {
  static thread_local range_set::found_range last;
  return both_sides().holds(address, last);
}

void lend_to_device(const void* address, std::size_t bytes) { lent().add(address, bytes); }
void take_back(const void* address) { lent().remove(address); }
bool lent_to_device(std::uintptr_t address) {
  static thread_local range_set::found_range last;
  return lent().holds(address, last);
}

}  // namespace simt::sim
