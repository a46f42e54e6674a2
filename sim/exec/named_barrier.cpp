// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/named_barrier.hpp>

#include <sim/exec/observer.hpp>
#include <sim/exec/uninterrupted.hpp>
#include <sim/exec/worker.hpp>

namespace simt::sim {

namespace {

constexpr std::int32_t kWarp = 32;

void start(block_context& b) {
  const uninterrupted whole(b.queue->owner);
  if (b.named == nullptr) b.named = std::make_unique<named_barriers>();
}

bool is_complete(const block_context& b, const named_barrier_state& n) {
  return n.arrived != 0 && n.arrived == (n.expected == 0 ? b.live : n.expected);
}

// last: the thread that opens it, where it waits too.
void open(block_context& b, std::int32_t number, const fiber* last) {
  named_barrier_state& n = b.named->all[static_cast<std::size_t>(number)];
  if (observer* const o = current_observer()) {
    std::vector<std::int32_t> ranks;
    for (const fiber* f = n.waiters.head; f != nullptr; f = f->next) ranks.push_back(f->thread.rank);
    if (last != nullptr) ranks.push_back(last->thread.rank);
    o->named_barrier_opens(b, number, ranks, n.passed);
  }
  b.queue->ready.splice_back(n.waiters);
  n.arrived = n.expected = 0;
  n.passed.clear();
  b.queue->owner->hangs.made_progress();
}

const char* wrong(const named_barrier_state* n, std::int32_t number, std::int32_t threads) {
  if (number < 0 || number >= kNamedBarriers) return "a named barrier has a number from 0 to 15";
  if (threads < 0 || threads % kWarp != 0) return "the threads of a named barrier are whole warps";
  if (n != nullptr && n->arrived != 0 && n->expected != threads)
    return "the callers of a named barrier do not agree how many threads it is for";
  return nullptr;
}

}  // namespace

void named_barrier(block_context& b, std::int32_t rank, std::int64_t block_index, std::int32_t number,
                   std::int32_t threads, bool waits, std::uintptr_t pc) {
  if (pc == 0) pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  run_queue& q = *b.queue;
  if (!q.current->thread.has_stack) detach(b, rank, block_index);
  if (b.named == nullptr) start(b);
  const bool exists = number >= 0 && number < kNamedBarriers;
  named_barrier_state* const n = exists ? &b.named->all[static_cast<std::size_t>(number)] : nullptr;
  if (const char* const text = wrong(n, number, threads))
    raise_fault(b, {.kind = fault_kind::expectation, .text = text, .pc = pc, .block = block_index, .thread = rank});
  fiber& self = *q.current;
  begin_step(q);
  ++n->arrived;
  n->expected = threads;
  self.thread.wait_pc = pc;
  if (!waits) {
    n->passed.push_back(rank);
    if (observer* const o = current_observer()) o->named_barrier_arrival(b, rank, number);
  }
  if (is_complete(b, *n)) {
    open(b, number, waits ? &self : nullptr);
  } else if (waits) {
    self.thread.waits = wait_kind::named_barrier;
    n->waiters.push_back(&self);
    run_next(q);
    self.thread.waits = wait_kind::none;
    if (!b.launch->traits.instrumented) self.thread.wait_pc = 0;
    return;
  }
  end_step(q);
}

void named_barriers_after_exit(block_context& b) {
  if (b.named == nullptr) return;
  for (std::int32_t i = 0; i < kNamedBarriers; ++i) {
    const named_barrier_state& n = b.named->all[static_cast<std::size_t>(i)];
    if (n.expected == 0 && is_complete(b, n)) open(b, i, nullptr);
  }
}

}  // namespace simt::sim
