// SPDX-License-Identifier: Apache-2.0
// From one device thread to the next on the same OS thread: what a barrier pays for, so it is inlined.
#pragma once

#include <sim/instrument/access_cursor.hpp>

namespace simt::sim {

// What differs between threads of one launch on one worker. Of the fiber, its first cache line is enough.
[[gnu::always_inline]] inline void follow_thread(fiber& f) {
  access_cursor& c = cursor;
  c.give_up_calls();
  c.self = &f;
  c.pc = f.thread.wait_pc;
  watched_thread* const state = f.thread.observed;
  c.thread = state;
  c.leaving = nullptr;
  if (state != nullptr && c.batches->passes_on(c.next, state)) [[likely]]
    c.next = c.batch->first;
  else
    begin_segment(f);
}

// restore_cursor() for a thread whose stack gave way to others of its launch and worker only.
[[gnu::always_inline]] inline void come_back(fiber& f) {
  if (cursor.switches()) [[unlikely]]
    return restore_cursor(f);
  follow_thread(f);
}

// What run_next() and the thread after it will touch. The record of the next but one is asked for here, its stack when
// that one's turn has come closer.
template <int Lines>
[[gnu::always_inline]] inline void fetch_followers(const run_queue& q) {
  const fiber* const next = q.ready.head;
  if (next == nullptr || next->next == nullptr) return;
  const fiber& after = *next->next;
  __builtin_prefetch(after.next);
  for (int line = 0; line < Lines; ++line) __builtin_prefetch(static_cast<const char*>(after.stack.sp) + line * 64);
}

}  // namespace simt::sim
