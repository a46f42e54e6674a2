// SPDX-License-Identifier: Apache-2.0
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include <sim/exec/helpers.hpp>
#include <sim/exec/launch.hpp>

namespace simt::sim {

namespace {
std::atomic<helper_threads*> to_be_called{nullptr};
}  // namespace

void helper_threads::open(int count) {
  if (arena_workers_ == count) return;
  limit_.emplace(tbb::global_control::max_allowed_parallelism,
                 static_cast<std::size_t>(std::max(count, usable_cores())));
  arena_.emplace(count);
  arena_workers_ = count;
}

void helper_threads::run(int count, const work& f) {
  open(count);
  arena_->execute([&] { tbb::parallel_for(0, count, f, tbb::static_partitioner()); });
}

void helper_threads::run_when_called(int count, const work& f) {
  {
    const std::lock_guard lock(mutex_);
    waiting_ = &f;
    count_ = count;
  }
  to_be_called.store(this, std::memory_order_release);
  f(0);
  to_be_called.store(nullptr, std::memory_order_relaxed);
  std::unique_lock lock(mutex_);
  waiting_ = nullptr;
  ended_.wait(lock, [this] { return running_ == 0; });
}

void helper_threads::call() {
  const std::lock_guard lock(mutex_);
  if (waiting_ == nullptr) return;  // called before, or the launch has ended
  const work& f = *std::exchange(waiting_, nullptr);
  to_be_called.store(nullptr, std::memory_order_relaxed);
  open(count_);
  running_ = count_ - 1;
  for (int i = 1; i < count_; ++i)
    arena_->enqueue([this, &f, i] {
      f(i);
      const std::lock_guard done(mutex_);
      if (--running_ == 0) ended_.notify_one();
    });
}

void call_helpers() {
  if (helper_threads* const h = to_be_called.load(std::memory_order_acquire)) h->call();
}

}  // namespace simt::sim
