// SPDX-License-Identifier: Apache-2.0
// barrier, latch, counting_semaphore: libcu++'s synchronisation objects with the thread that uses them, on
// simt::thread's atomics, so that this one text serves every variant (CUDA C++ Core Libraries, "Synchronization
// Primitives").
//
//   auto& ready = t.shared<"ready", simt::barrier<>>();
//   if (t.rank() == 0) ready.init(t, 128);
//   t.sync();
//   const auto token = ready.arrive(t);
//   ...                       // work that needs nobody
//   ready.wait(t, token);
//
// Objects live in shared or global memory, uninitialised: one thread calls init and a barrier of the block (or a
// launch) comes between that and the first use. Waiting is a loop that lets others run; whoever waits for something
// that never happens is a `hang` finding on the simulator. Device only.
#pragma once

#include <simt/kernel.hpp>

namespace simt {

// Phases: a phase ends when as many arrivals as expected have come; the next begins at once. What a thread did before
// it arrived happens before what the others do after their wait for that phase.
template <scope Scope = scope::block>
class barrier {
 public:
  using arrival_token = unsigned;

  SIMT_DEVICE void init(const thread& t, int expected) {
    t.atomic_store(expected_, static_cast<unsigned>(expected), memory_order::relaxed, Scope);
    t.atomic_store(pending_, static_cast<unsigned>(expected), memory_order::relaxed, Scope);
    t.atomic_store(phase_, 0u, memory_order::relaxed, Scope);
  }
  // Counts `n` arrivals and does not wait. At most as many as are still expected in this phase.
  SIMT_DEVICE arrival_token arrive(const thread& t, int n = 1) {
    const unsigned phase = t.atomic_load(phase_, memory_order::relaxed, Scope);
    const auto arrivals = static_cast<unsigned>(n);
    const unsigned left = t.atomic_sub(pending_, arrivals, memory_order::release, Scope);
    if (left == arrivals) {  // the last: nobody else touches pending_ before the next phase is announced
      t.fence(memory_order::acquire, Scope);  // only the last takes over what the others did, to pass it on
      t.atomic_store(pending_, t.atomic_load(expected_, memory_order::relaxed, Scope), memory_order::relaxed, Scope);
      t.atomic_add(phase_, 1u, memory_order::release, Scope);
    } else {
      t.expect(left > arrivals, "barrier: more arrivals than the phase expects");
    }
    return phase;
  }
  // Whether the token's phase has ended.
  SIMT_DEVICE bool try_wait(const thread& t, arrival_token token) {
    return t.atomic_load(phase_, memory_order::acquire, Scope) != token;
  }
  SIMT_DEVICE void wait(const thread& t, arrival_token token) {
    while (!try_wait(t, token)) t.yield();
  }
  SIMT_DEVICE void arrive_and_wait(const thread& t) { wait(t, arrive(t)); }
  // Arrives, and is expected no more from the next phase on.
  SIMT_DEVICE void arrive_and_drop(const thread& t) {
    t.atomic_sub(expected_, 1u, memory_order::relaxed, Scope);
    arrive(t);
  }

 private:
  unsigned expected_, pending_, phase_;
};

// Counts down once.
template <scope Scope = scope::block>
class latch {
 public:
  SIMT_DEVICE void init(const thread& t, int expected) {
    t.atomic_store(pending_, static_cast<unsigned>(expected), memory_order::relaxed, Scope);
  }
  SIMT_DEVICE void count_down(const thread& t, int n = 1) {
    const unsigned left = t.atomic_sub(pending_, static_cast<unsigned>(n), memory_order::release, Scope);
    t.expect(left >= static_cast<unsigned>(n), "latch: counted down below zero");
  }
  SIMT_DEVICE bool try_wait(const thread& t) { return t.atomic_load(pending_, memory_order::acquire, Scope) == 0; }
  SIMT_DEVICE void wait(const thread& t) {
    while (!try_wait(t)) t.yield();
  }
  SIMT_DEVICE void arrive_and_wait(const thread& t, int n = 1) {
    count_down(t, n);
    wait(t);
  }

 private:
  unsigned pending_;
};

template <scope Scope = scope::device>
class counting_semaphore {
 public:
  SIMT_DEVICE void init(const thread& t, int permits) {
    t.atomic_store(permits_, permits, memory_order::relaxed, Scope);
  }
  SIMT_DEVICE void release(const thread& t, int n = 1) { t.atomic_add(permits_, n, memory_order::release, Scope); }
  SIMT_DEVICE bool try_acquire(const thread& t) {
    const int seen = t.atomic_load(permits_, memory_order::relaxed, Scope);
    return seen > 0 && t.atomic_cas(permits_, seen, seen - 1, memory_order::acquire, Scope) == seen;
  }
  SIMT_DEVICE void acquire(const thread& t) {
    while (!try_acquire(t)) t.yield();
  }

 private:
  int permits_;
};
template <scope Scope = scope::device>
using binary_semaphore = counting_semaphore<Scope>;

}  // namespace simt
