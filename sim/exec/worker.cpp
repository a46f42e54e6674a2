// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/worker.hpp>

#include <algorithm>
#include <utility>

#include <sim/exec/block_stretches.hpp>
#include <sim/exec/crowd.hpp>
#include <sim/exec/follower.hpp>
#include <sim/exec/helpers.hpp>

namespace simt::sim {

namespace {
thread_local worker* tls_worker [[gnu::tls_model("initial-exec")]] = nullptr;
}  // namespace

[[gnu::noinline]] worker* current_worker() {
  asm volatile("");  // keeps the call and so a fresh look at the thread-local
  return tls_worker;
}
void set_current_worker(worker* w) { tls_worker = w; }

worker::worker(int i) : index(i) { queue.owner = this; }

bool worker::take_chunk() {
  launch_state& l = *launch;
  if (stretches_of_launch().is_open()) {
    chunk = stretches_of_launch().take(index);
    l.next_block.fetch_add(chunk.end - chunk.first, std::memory_order_relaxed);
    return !chunk.empty();
  }
  const bool one = l.spins.load(std::memory_order_relaxed) && !l.traits.clustered;
  std::int64_t first = l.next_block.load(std::memory_order_relaxed), end;
  do {
    const std::int64_t left = l.blocks - first;
    if (left <= 0) return false;
    const std::int64_t share =
        l.chunk_share != 0 ? std::max(left / l.chunk_share / l.chunk, std::int64_t{1}) * l.chunk : l.chunk;
    end = first + std::min(one ? 1 : share, left);
  } while (!l.next_block.compare_exchange_weak(first, end, std::memory_order_relaxed));
  chunk = {first, end};
  return true;
}

std::int64_t worker::blocks_left() const {
  return std::max<std::int64_t>(0, launch->blocks - launch->next_block.load(std::memory_order_relaxed)) + chunk.end -
         chunk.first;
}

void switch_to_worker(run_queue& q) { switch_stacks(q, &q.current->stack, &q.main); }

void worker::abandon() {
  if (follower* const f = current_follower()) f->launch_given_up();
  grid_waiting.clear();
  executor_for(*this, *launch).abandon();
  residents.abandon();
}

bool worker::has_room() const { return has_room_for_block(*this, crowded); }

bool worker::step(launch_state& l) {
  const auto can_start = [&] { return has_room() && (!chunk.empty() || take_chunk()); };
  if (!grid_waiting.empty()) open_grid_blocks(*this);
  if (wants_block) {
    wants_block = false;
    call_helpers();
    if (can_start()) {
      hangs.begin_anew();
      wants_block = wants_another_block(*this);
      executor_for(*this, l).start_blocks();
      return true;
    }
    const bool hung = hangs.is_hung();
    // Where its own threads come back to states that they were in, others have to begin, whatever other workers do.
    if (!crowded && blocks_left() > 0 && (hung || goes_round(*this))) {
      crowded = true;
      if (has_room()) {
        hangs.made_progress();
        wants_block = true;
        return true;
      }
    }
    if (hung) {
      end_as_hang(*this);
      return false;
    }
    if (l.running_workers.load(std::memory_order_relaxed) > 1) let_others_run(*this);
  }
  if (!queue.ready.empty()) {
    fibers.resume(queue.ready.pop_front());
    return true;
  }
  if (can_start()) {
    executor_for(*this, l).start_blocks();
    return true;
  }
  if (residents.count == 0) return false;
  if (!grid_waiting.empty() && await_grid(*this)) return true;
  end_as_deadlock(*this);
  return true;
}

void worker::run(launch_state& l) {
  launch = &l;
  prepare_thread_for_faults();
  set_current_worker(this);
  os_thread.store(pthread_self(), std::memory_order_relaxed);
  chunk = {};
  wants_block = crowded = false;
  tick = {};
  ticks = ticks_lost = 0;
  hangs.begin();
  forget_crowd(*this);
  loops_over_barriers.forget();
  fibers.begin(l);
  l.running_workers.fetch_add(1);
  while (!l.aborted.load(std::memory_order_relaxed) && step(l)) continue;
  if (l.aborted.load()) {
    {
      std::lock_guard lock(l.fault_mutex);
      if (l.fault.kind == fault_kind::timeout) note_waiters(*this, l.fault);
    }
    abandon();
  }
  if (!sums.empty()) sums.end();
  loops_over_barriers.forget();
  hangs.end();
  forget_crowd(*this);
  l.running_workers.fetch_sub(1);
  os_thread.store(pthread_t{}, std::memory_order_relaxed);
  set_current_worker(nullptr);
}

}  // namespace simt::sim
