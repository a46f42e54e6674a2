// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>

#include <sim/exec/observer.hpp>
#include <sim/memory/address_space.hpp>
#include <sim/memory/device_memory.hpp>
#include <sim/memory/host_access.hpp>

namespace simt::sim {

namespace {

constexpr std::size_t kLeastReserve = std::size_t{1} << 40;  // where the system refuses that much
// Under check, from one allocation to the next: no index of 32 bits, of elements of up to 8 bytes, reaches from an
// array into another one, and what lies between belongs to the array before it (check/object_table.cpp, nearest).
constexpr std::size_t kFarApart = std::size_t{32} << 30;
constexpr std::size_t kCommitStep = std::size_t{64} << 20;
constexpr std::size_t kGiveBack = std::size_t{1} << 20;  // larger freed pieces return their pages to the system

std::size_t round_up(std::size_t n, std::size_t step) { return (n + step - 1) / step * step; }

class device_heap {
 public:
  device_heap() {
    const reservation_plan& plan = reservations();
    std::size_t reserve = plan.device_bytes;
    void* p = reserved(reserve);
    if (p == MAP_FAILED && reserve > kLeastReserve) p = reserved(reserve = kLeastReserve);
    if (p == MAP_FAILED) end_without_address_space(reserve, "device memory");
    range = {reinterpret_cast<std::uintptr_t>(p), reserve};
    const auto pages = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES));
    capacity = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 10 * 8;
    // The rest is for the quarantine, and for gaps between allocations under check.
    if (plan.limited) capacity = std::min(capacity, reserve / 3);
    top_ = range.base + kRedZone;
    committed_ = range.base;
  }

  void* allocate(std::size_t bytes, allocation info) {
    const std::size_t room = round_up(std::max<std::size_t>(bytes, 1), kAlignment) + kRedZone;
    if (bytes > capacity || in_use + room > capacity) return nullptr;
    std::uintptr_t at = current_observer() != nullptr ? take_far(room) : 0;
    if (at == 0) at = take_free(room);
    while (at == 0 && top_ + room > range.base + range.bytes && !quarantine_.empty()) {
      release_oldest();
      at = take_free(room);
    }
    if (at == 0) {
      if (top_ + room > range.base + range.bytes) return nullptr;
      if (top_ + room > committed_) {
        const std::size_t more = round_up(top_ + room - committed_, kCommitStep);
        if (mprotect(reinterpret_cast<void*>(committed_), more, PROT_READ | PROT_WRITE) != 0) return nullptr;
        committed_ += more;
      }
      at = top_;
      top_ += room;
    }
    info.address = at;
    info.bytes = bytes;
    in_use += room;
    live_[at] = std::move(info);
    return reinterpret_cast<void*>(at);
  }

  free_result free(std::uintptr_t at, allocation& owner) {
    const auto it = live_.find(at);
    if (it == live_.end()) {
      if (const auto old = dead_.find(at); old != dead_.end()) {
        owner = old->second;
        return free_result::already_freed;
      }
      return free_result::never_allocated;
    }
    owner = it->second;
    const std::size_t room = round_up(std::max<std::size_t>(owner.bytes, 1), kAlignment) + kRedZone;
    in_use -= room;
    quarantine_.push_back({at, room});
    quarantined_ += room;
    dead_[at] = std::move(it->second);
    live_.erase(it);
    if (room >= kGiveBack) give_back(at, room);
    while (quarantined_ > kQuarantineBytes && quarantine_.size() > 1) release_oldest();
    return free_result::done;
  }

  const allocation* find(std::uintptr_t p, bool& live) const {
    for (const auto* map : {&live_, &dead_}) {
      auto it = map->upper_bound(p);
      if (it == map->begin()) continue;
      --it;
      if (p - it->first < std::max<std::size_t>(it->second.bytes, 1)) {
        live = map == &live_;
        return &it->second;
      }
    }
    return nullptr;
  }

  std::mutex mutex;
  address_range range;
  std::size_t capacity = 0, in_use = 0;
  std::map<std::uintptr_t, allocation> live_;
  std::vector<std::uintptr_t> constants;  // addresses; freed ones stay

 private:
  struct piece {
    std::uintptr_t at;
    std::size_t room;
  };

  static void* reserved(std::size_t bytes) {
    return mmap(reinterpret_cast<void*>(std::uintptr_t{0x100000000000}), bytes, PROT_NONE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }

  // At the end of what is used, with room behind it: kFarApart, or less of what is left as that shrinks. 0: so little
  // is left that it is kept for memory. All of the range may be touched then, so that a kernel goes on after an access
  // that was found, as it does in a red zone.
  std::uintptr_t take_far(std::size_t room) {
    constexpr std::size_t kParts = 64, kLeast = std::size_t{1} << 20;
    const std::size_t left = range.base + range.bytes - top_, kept = 2 * capacity + room;
    if (left <= kept) return 0;
    const std::size_t apart = std::min(kFarApart, (left - kept) / kParts) / kAlignment * kAlignment;
    if (apart < kLeast) return 0;
    if (committed_ < range.base + range.bytes) {
      if (mprotect(reinterpret_cast<void*>(range.base), range.bytes, PROT_READ | PROT_WRITE) != 0) return 0;
      committed_ = range.base + range.bytes;
    }
    if (far_ == 0) top_ += apart;  // room in front of the first, too: for a negative index
    const std::uintptr_t at = top_;
    // Not at the same place of a page, nor in the same sets of the caches, as the allocation before.
    constexpr std::size_t kPlaces = 61, kStep = 4096 + kAlignment;
    top_ += room + apart + ++far_ % kPlaces * kStep;
    return at;
  }

  static void give_back(std::uintptr_t at, std::size_t room) {
    const std::uintptr_t first = round_up(at, 4096), last = (at + room) / 4096 * 4096;
    if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
  }

  void release_oldest() {
    const piece p = quarantine_.front();
    quarantine_.pop_front();
    quarantined_ -= p.room;
    dead_.erase(p.at);
    insert_free(p.at, p.room);
  }

  // First fit among free pieces by size: the smallest that is large enough.
  std::uintptr_t take_free(std::size_t room) {
    const auto it = by_size_.lower_bound(room);
    if (it == by_size_.end()) return 0;
    const auto [size, at] = *it;
    by_size_.erase(it);
    by_address_.erase(at);
    if (size > room) insert_free(at + room, size - room);
    return at;
  }

  void insert_free(std::uintptr_t at, std::size_t room) {
    auto next = by_address_.lower_bound(at);
    if (next != by_address_.end() && at + room == next->first) {
      room += next->second;
      erase_size(next->second, next->first);
      next = by_address_.erase(next);
    }
    if (next != by_address_.begin()) {
      const auto previous = std::prev(next);
      if (previous->first + previous->second == at) {
        at = previous->first;
        room += previous->second;
        erase_size(previous->second, previous->first);
        by_address_.erase(previous);
      }
    }
    by_address_[at] = room;
    by_size_.emplace(room, at);
  }
  void erase_size(std::size_t size, std::uintptr_t at) {
    for (auto [it, end] = by_size_.equal_range(size); it != end; ++it)
      if (it->second == at) {
        by_size_.erase(it);
        return;
      }
  }

  std::map<std::uintptr_t, allocation> dead_;
  std::deque<piece> quarantine_;
  std::size_t quarantined_ = 0;
  std::map<std::uintptr_t, std::size_t> by_address_;
  std::multimap<std::size_t, std::uintptr_t> by_size_;
  std::uintptr_t top_ = 0, committed_ = 0;
  std::size_t far_ = 0;  // allocations that were placed far apart
};

device_heap& heap() {
  static device_heap* h = new device_heap;
  return *h;
}

}  // namespace

address_range device_range() { return heap().range; }
std::size_t device_capacity() { return heap().capacity; }
std::size_t device_bytes_in_use() {
  std::lock_guard lock(heap().mutex);
  return heap().in_use;
}

void* device_allocate(std::size_t bytes, allocation info) {
  const host_turn turn;
  std::lock_guard lock(heap().mutex);
  const bool host_access = info.home != memory_home::device;
  void* p = heap().allocate(bytes, std::move(info));
  if (p == nullptr) return nullptr;
  if (host_access) allow_host_access(p, bytes);
  if (observer* o = current_observer()) o->allocated(heap().live_[reinterpret_cast<std::uintptr_t>(p)]);
  return p;
}

free_result device_free(void* address, std::uintptr_t pc) {
  if (address == nullptr) return free_result::done;
  const host_turn turn;
  std::lock_guard lock(heap().mutex);
  allocation owner;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  bool live = false;
  const free_result result = heap().free(at, owner);
  if (result == free_result::done && owner.home != memory_home::device) forbid_host_access(address);
  if (observer* o = current_observer()) {
    if (result == free_result::done)
      o->freed(owner);
    else
      o->bad_free(address, heap().find(at, live), pc);
  }
  return result;
}

void describe_allocation(void* address, std::string name, std::string type, std::size_t element_bytes,
                         std::vector<std::int64_t> extents) {
  std::lock_guard lock(heap().mutex);
  const auto it = heap().live_.find(reinterpret_cast<std::uintptr_t>(address));
  if (it == heap().live_.end()) return;
  it->second.name = std::move(name);
  it->second.type = std::move(type);
  it->second.element_bytes = element_bytes;
  it->second.extents = std::move(extents);
}

void mark_constant(void* address) {
  std::lock_guard lock(heap().mutex);
  const auto it = heap().live_.find(reinterpret_cast<std::uintptr_t>(address));
  if (it == heap().live_.end()) return;
  it->second.constant = true;
  heap().constants.push_back(it->first);
}

std::vector<std::uintptr_t> live_constants() {
  const device_heap& h = heap();
  std::lock_guard lock(heap().mutex);
  std::vector<std::uintptr_t> found;
  for (const std::uintptr_t at : h.constants)
    if (const auto it = h.live_.find(at); it != h.live_.end() && it->second.constant) found.push_back(at);
  std::sort(found.begin(), found.end());
  return found;
}

void mark_variable(void* address) {
  std::lock_guard lock(heap().mutex);
  const auto it = heap().live_.find(reinterpret_cast<std::uintptr_t>(address));
  if (it != heap().live_.end()) it->second.is_variable = true;
}

void protect_constants(bool on) {
  device_heap& h = heap();
  std::lock_guard lock(h.mutex);
  constexpr std::uintptr_t kPage = 4096;
  for (const std::uintptr_t at : h.constants) {
    const auto it = h.live_.find(at);
    if (it == h.live_.end() || !it->second.constant) continue;
    const std::uintptr_t first = at / kPage * kPage, last = round_up(at + it->second.bytes, kPage);
    const auto next = std::next(it);
    const bool alone = (it == h.live_.begin() || std::prev(it)->first + std::prev(it)->second.bytes <= first) &&
                       (next == h.live_.end() || next->first >= last);
    if (alone) mprotect(reinterpret_cast<void*>(first), last - first, on ? PROT_READ : PROT_READ | PROT_WRITE);
  }
}

std::optional<allocation> find_allocation(std::uintptr_t address, bool* live) {
  std::lock_guard lock(heap().mutex);
  bool is_live = false;
  const allocation* a = heap().find(address, is_live);
  if (live != nullptr) *live = is_live;
  if (a == nullptr) return std::nullopt;
  return *a;
}

live_bytes find_live_bytes(std::uintptr_t address) {
  std::lock_guard lock(heap().mutex);
  bool is_live = false;
  const allocation* a = heap().find(address, is_live);
  if (a == nullptr || !is_live) return {};
  return {a->address, a->bytes, a->home, a->constant};
}

std::vector<allocation> live_allocations() {
  std::lock_guard lock(heap().mutex);
  std::vector<allocation> all;
  for (const auto& [at, a] : heap().live_) all.push_back(a);
  return all;
}

}  // namespace simt::sim
