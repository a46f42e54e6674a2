// SPDX-License-Identifier: Apache-2.0
// Ownership of device memory: how a stretch gets its owner and loses it.
#include "sim/check/ownership.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <mutex>

#include "sim/instrument/pause.hpp"

namespace simt::check {

constinit thread_local stretch_owner this_owner [[gnu::tls_model("initial-exec")]];

namespace {

constexpr std::uint32_t kTaking = 255;

// The numbers of OS threads that own stretches, 1 to 254. A thread beyond them, or on a kernel without membarrier,
// holds none.
struct owners {
  std::mutex mutex;
  std::array<stretch_owner*, kTaking> of{};
  bool usable = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  std::uint32_t add(stretch_owner* h) {
    std::lock_guard guard(mutex);
    for (std::uint32_t n = 1; usable && n < kTaking; ++n)
      if (of[n] == nullptr) return of[n] = h, n;
    return 0;
  }
};
owners& all_owners() {
  static auto* const all = new owners;  // threads may end after static destructors
  return *all;
}
// Where this is loaded, mostly by a process of one thread: that one registers at once, while Linux lets a process of
// several wait for all processors, ten milliseconds and more.
[[maybe_unused]] const owners& made_when_loaded = all_owners();

// The calling thread's number, from its first stretch to its end.
struct registration {
  std::uint32_t number = all_owners().add(&this_owner);
  ~registration() {
    std::lock_guard guard(all_owners().mutex);
    if (number != 0) all_owners().of[number] = nullptr;
    this_owner.token = ~std::uint32_t{0};
  }
};
std::uint32_t this_number() {
  thread_local const registration mine;
  return mine.number;
}

// The mutex keeps the owner from ending meanwhile.
void wait_until_idle(std::uint32_t number, std::uint32_t index) {
  owners& all = all_owners();
  std::lock_guard guard(all.mutex);
  if (const stretch_owner* const owner = all.of[number])
    while (owner->busy.load(std::memory_order_acquire) == index) sim::pause_a_moment();
}

std::atomic<std::uint32_t> launches{0};

}  // namespace

std::uint32_t owner_number() { return this_number(); }

void wait_until_not_counting(const void* slow_cell) {
  syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  owners& all = all_owners();
  std::lock_guard guard(all.mutex);
  for (const stretch_owner* const o : all.of)
    while (o != nullptr && o->counting.load(std::memory_order_acquire) == slow_cell) sim::pause_a_moment();
}

ownership_table::ownership_table() : entries_(make_zeroed<entry>(kEntries)) { new_launch(); }

void ownership_table::new_launch() {
  // One count for all tables, so that a token is true of one table only.
  launch_ = (launches.fetch_add(1, std::memory_order_relaxed) + 1) & 0xffffff;
  if (launch_ == 0) return new_launch();
  // A token of the launch before would still fit the entries that nobody has taken in this one.
  std::lock_guard guard(all_owners().mutex);
  for (stretch_owner* const h : all_owners().of)
    if (h != nullptr) h->token = ~std::uint32_t{0};
}

bool ownership_table::take(std::uint32_t index) {
  const std::uint32_t launch = launch_ << 8, number = this_number();
  this_owner.token = number != 0 ? launch | number : ~std::uint32_t{0};
  entry& e = entries_[index];
  for (;;) {
    std::uint32_t now = e.load(std::memory_order_acquire);
    if ((now & ~0xffU) != launch) {  // free
      e.compare_exchange_strong(now, number != 0 ? launch | number : launch, std::memory_order_acq_rel);
    } else if (now == this_owner.token) {
      if (begin_owned(entries_.get(), index)) return true;
    } else if (now == launch) {
      return false;
    } else if (now == (launch | kTaking)) {
      sim::pause_a_moment();
    } else if (e.compare_exchange_strong(now, launch | kTaking, std::memory_order_acq_rel)) {
      syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
      wait_until_idle(now & 0xff, index);
      e.store(launch, std::memory_order_release);
    }
  }
}

}  // namespace simt::check
