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

// Until `done` holds for the thread of this number. The mutex keeps it from ending while it is asked. It is free while
// this one waits: who holds a stretch may have to wait for others itself, before it lets go (busy_counters::close).
template <class Done>
void wait_for(std::uint32_t number, Done done) {
  owners& all = all_owners();
  for (;; sim::pause_a_moment()) {
    std::lock_guard guard(all.mutex);
    if (const stretch_owner* const owner = all.of[number]; owner == nullptr || done(*owner)) return;
  }
}
void wait_until_idle(std::uint32_t number, std::uint32_t index) {
  wait_for(number, [&](const stretch_owner& o) { return o.busy.load(std::memory_order_acquire) != index; });
}

std::atomic<std::uint32_t> launches{0};

}  // namespace

std::uint32_t owner_number() { return this_number(); }

void wait_until_not_counting(const void* slow_cell) {
  syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  for (std::uint32_t n = 1; n < kTaking; ++n)
    wait_for(n, [&](const stretch_owner& o) { return o.counting.load(std::memory_order_acquire) != slow_cell; });
}

ownership_table::ownership_table() : entries_(make_zeroed<entry>(kEntries)) { new_launch(); }

void ownership_table::new_launch() {
  // One count for all tables, so that a token is true of one table only.
  launch_ = (launches.fetch_add(1, std::memory_order_relaxed) + 1) & 0xffffff;
  if (launch_ == 0) return new_launch();
  ++launches_;
  taken_.store(0, std::memory_order_relaxed);
  // A token of the launch before would still fit the entries that nobody has taken in this one.
  std::lock_guard guard(all_owners().mutex);
  for (stretch_owner* const h : all_owners().of)
    if (h != nullptr) h->token = ~std::uint32_t{0};
}

// As many were taken from their owners as this worker has asked for: of all that workers have, a share that is the less
// the more of them there are, and the dearer taking one is. Later, what was asked for in the meantime speaks for
// owning.
bool ownership_table::is_worth_owning() {
  constexpr std::uint32_t kSlack = 64;
  stretch_owner& me = this_owner;
  const std::uint32_t taken = taken_.load(std::memory_order_relaxed);
  me.shares = taken >= kManyTaken && taken >= (me.shares ? me.asked / kSlack : me.asked);
  return !me.shares;
}

// A launch mostly does what the one before has done.
bool ownership_table::shared_before(std::uint32_t last) const {
  constexpr std::uint32_t kTryAgain = 16;
  return last != 0 && (last & 0xff) == 0 && launches_ % kTryAgain != 0;
}

bool ownership_table::take(std::uint32_t index) {
  const std::uint32_t launch = launch_ << 8, number = this_number();
  const std::uint32_t token = number != 0 ? launch | number : ~std::uint32_t{0};
  if (this_owner.token != token) this_owner.token = token, this_owner.asked = 0, this_owner.shares = false;
  entry& e = entries_[index];
  for (;;) {
    std::uint32_t now = e.load(std::memory_order_acquire);
    if ((now & ~0xffU) != launch) {  // free
      const bool owns = number != 0 && !shared_before(now) && is_worth_owning();
      if (e.compare_exchange_strong(now, owns ? launch | number : launch, std::memory_order_acq_rel))
        ++this_owner.asked;
    } else if (now == this_owner.token) {
      if (begin_owned(entries_.get(), index)) return true;
    } else if (now == launch) {
      return false;
    } else if (now == (launch | kTaking)) {
      sim::pause_a_moment();
    } else if (e.compare_exchange_strong(now, launch | kTaking, std::memory_order_acq_rel)) {
      syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
      wait_until_idle(now & 0xff, index);
      taken_.fetch_add(1, std::memory_order_relaxed);
      e.store(launch, std::memory_order_release);
    }
  }
}

}  // namespace simt::check
