// SPDX-License-Identifier: Apache-2.0
// Release and acquire through several threads, fences, scopes, locks, queues, tickets.
#include "pairs.hpp"
#include <cuda/atomic>
#define B0 (blockIdx.x == 0 && threadIdx.x == 0)
#define B1 (blockIdx.x == 1 && threadIdx.x == 0)
#define B2 (blockIdx.x == 2 && threadIdx.x == 0)
using dref = cuda::atomic_ref<int, cuda::thread_scope_device>;
using bref = cuda::atomic_ref<int, cuda::thread_scope_block>;
using sref = cuda::atomic_ref<int, cuda::thread_scope_system>;
constexpr auto rlx = cuda::memory_order_relaxed, acq = cuda::memory_order_acquire, rel = cuda::memory_order_release,
               acr = cuda::memory_order_acq_rel, sc = cuda::memory_order_seq_cst;
KERNEL(add_block, 2, 32, 64) { if (threadIdx.x == 0) { if (D) atomicAdd_block(x, 1); else atomicAdd(x, 1); } }
KERNEL(add_block_own, 2, 64, 64) { if (threadIdx.x % 32 == 0) atomicAdd_block(x + (D ? 0 : blockIdx.x), 1); }
KERNEL(mp_release, 2, 32, 64) {
  if (B0) { x[0] = 1; dref(x[1]).store(1, D ? rlx : rel); }
  if (B1) { while (dref(x[1]).load(acq) == 0) {} y[0] = x[0]; }
}
KERNEL(mp_acquire, 2, 32, 64) {
  if (B0) { x[0] = 1; dref(x[1]).store(1, rel); }
  if (B1) { while (dref(x[1]).load(D ? rlx : acq) == 0) {} y[0] = x[0]; }
}
KERNEL(chain_acquire, 3, 32, 64) {
  if (B0) { x[0] = 1; dref(x[1]).store(1, rel); }
  if (B1) { while (dref(x[1]).load(D ? rlx : acq) == 0) {} dref(x[2]).store(1, rel); }
  if (B2) { while (dref(x[2]).load(acq) == 0) {} y[0] = x[0]; }
}
KERNEL(chain_release, 3, 32, 64) {
  if (B0) { x[0] = 1; dref(x[1]).store(1, rel); }
  if (B1) { while (dref(x[1]).load(acq) == 0) {} dref(x[2]).store(1, D ? rlx : rel); }
  if (B2) { while (dref(x[2]).load(acq) == 0) {} y[0] = x[0]; }
}
KERNEL(release_sequence, 3, 32, 64) {
  if (B0) { x[0] = 1; dref(x[1]).store(1, rel); }
  if (B1) { while (dref(x[1]).load(rlx) == 0) {} if (D) dref(x[1]).store(2, rlx); else dref(x[1]).fetch_add(1, rlx); }
  if (B2) { while (dref(x[1]).load(acq) != 2) {} y[0] = x[0]; }
}
KERNEL(fence_writer, 2, 32, 64) {
  if (B0) { x[0] = 1; if (!D) __threadfence(); dref(x[1]).store(1, rlx); }
  if (B1) { while (dref(x[1]).load(rlx) == 0) {} __threadfence(); y[0] = x[0]; }
}
KERNEL(fence_reader, 2, 32, 64) {
  if (B0) { x[0] = 1; __threadfence(); dref(x[1]).store(1, rlx); }
  if (B1) { while (dref(x[1]).load(rlx) == 0) {} if (!D) __threadfence(); y[0] = x[0]; }
}
KERNEL(fence_behind, 2, 32, 64) {
  if (B0) { x[0] = 1; if (!D) __threadfence(); dref(x[1]).store(1, rlx); __threadfence(); }
  if (B1) { while (dref(x[1]).load(rlx) == 0) {} __threadfence(); y[0] = x[0]; }
}
KERNEL(fence_then_data, 2, 32, 64) {
  if (B0) { if (!D) x[0] = 1; __threadfence(); if (D) x[0] = 1; dref(x[1]).store(1, rlx); }
  if (B1) { while (dref(x[1]).load(rlx) == 0) {} __threadfence(); y[0] = x[0]; }
}
KERNEL(fence_of_block, 2, 32, 64) {
  if (B0) { x[0] = 1; if (D) __threadfence_block(); else __threadfence(); dref(x[1]).store(1, rlx); }
  if (B1) { while (dref(x[1]).load(rlx) == 0) {} __threadfence(); y[0] = x[0]; }
}
KERNEL(fence_of_block_inside, 1, 64, 64) {
  if (threadIdx.x == 0) { x[0] = 1; if (!D) __threadfence_block(); dref(x[1]).store(1, rlx); }
  if (threadIdx.x == 32) { while (dref(x[1]).load(rlx) == 0) {} __threadfence_block(); y[0] = x[0]; }
}
KERNEL(fence_of_system, 2, 32, 64) {
  if (B0) { x[0] = 1; if (!D) __threadfence_system(); sref(x[1]).store(1, rlx); }
  if (B1) { while (sref(x[1]).load(rlx) == 0) {} __threadfence_system(); y[0] = x[0]; }
}
KERNEL(release_of_block, 2, 32, 64) {
  if (B0) { x[0] = 1; if (D) bref(x[1]).store(1, rel); else dref(x[1]).store(1, rel); }
  if (B1) { while (dref(x[1]).load(acq) == 0) {} y[0] = x[0]; }
}
KERNEL(acquire_of_block, 2, 32, 64) {
  if (B0) { x[0] = 1; dref(x[1]).store(1, rel); }
  if (B1) { while ((D ? bref(x[1]).load(acq) : dref(x[1]).load(acq)) == 0) {} y[0] = x[0]; }
}
KERNEL(through_two_scopes, 2, 64, 64) {
  if (B0) { x[0] = 1; bref(x[1]).store(1, rel); }
  if (blockIdx.x == 0 && threadIdx.x == 32) { while (bref(x[1]).load(acq) == 0) {} if (D) bref(x[2]).store(1, rel); else dref(x[2]).store(1, rel); }
  if (B1) { while (dref(x[2]).load(acq) == 0) {} y[0] = x[0]; }
}
KERNEL(exchange_lock, 2, 32, 64) {
  if (threadIdx.x == 0) {
    while (dref(x[1]).exchange(1, acq) != 0) {}
    x[0] += 1;
    dref(x[1]).store(0, D ? rlx : rel);
  }
}
KERNEL(exchange_lock_acquire, 2, 32, 64) {
  if (threadIdx.x == 0) {
    while (dref(x[1]).exchange(1, D ? rlx : acq) != 0) {}
    x[0] += 1;
    dref(x[1]).store(0, rel);
  }
}
KERNEL(poll_by_add, 2, 32, 64) {
  if (B0) { x[0] = 1; __threadfence(); atomicExch(x + 1, 1); }
  if (B1) { while (atomicAdd(x + 1, 0) == 0) {} if (!D) __threadfence(); y[0] = x[0]; }
}
KERNEL(volatile_flag, 2, 32, 64) {
  volatile int* f = x + 1;
  if (B0) { x[0] = 1; if (!D) __threadfence(); *f = 1; }
  if (B1) { while (*f == 0) {} __threadfence(); y[0] = x[0]; }
}
KERNEL(acquired_for_block, 2, 64, 64) {
  if (B0) { x[0] = 1; dref(x[1]).store(1, rel); }
  if (blockIdx.x == 1) {
    if (threadIdx.x == 0) while (dref(x[1]).load(acq) == 0) {}
    if (!D) __syncthreads();
    y[threadIdx.x] = x[0];
  }
}
KERNEL(acquired_for_warp, 2, 32, 64) {
  if (B0) { x[0] = 1; dref(x[1]).store(1, rel); }
  if (blockIdx.x == 1) {
    if (threadIdx.x == 0) while (dref(x[1]).load(acq) == 0) {}
    if (!D) __syncwarp();
    y[threadIdx.x] = x[0];
  }
}
KERNEL(released_for_block, 2, 64, 128) {
  if (blockIdx.x == 0) {
    x[threadIdx.x] = 1;
    if (!D) __syncthreads();
    if (threadIdx.x == 0) dref(x[100]).store(1, rel);
  } else {
    while (dref(x[100]).load(acq) == 0) {}
    y[threadIdx.x] = x[63 - threadIdx.x];
  }
}
KERNEL(released_for_warp, 2, 32, 128) {
  if (blockIdx.x == 0) {
    x[threadIdx.x] = 1;
    if (!D) __syncwarp();
    if (threadIdx.x == 0) dref(x[100]).store(1, rel);
  } else {
    while (dref(x[100]).load(acq) == 0) {}
    y[threadIdx.x] = x[31 - threadIdx.x];
  }
}
KERNEL(ring_of_flags, 4, 32, 64) {
  if (threadIdx.x == 0) {
    const int b = blockIdx.x;
    if (b > 0) while (dref(x[b]).load(acq) == 0) {}
    y[0] += b;
    if (b < 3) dref(x[b + 1]).store(1, D && b == 1 ? rlx : rel);
  }
}
KERNEL(seqlock, 2, 32, 64) {
  if (B1) {
    dref(x[0]).fetch_add(1, rlx);
    __threadfence();
    if (D) { x[1] = 5; x[2] = 6; } else { dref(x[1]).store(5, rlx); dref(x[2]).store(6, rlx); }
    __threadfence();
    dref(x[0]).fetch_add(1, rlx);
  }
  if (B0) {
    int s, a, b;
    do {
      s = dref(x[0]).load(acq);
      a = dref(x[1]).load(rlx), b = dref(x[2]).load(rlx);
      __threadfence();
    } while (s != 2 || dref(x[0]).load(rlx) != s);
    y[0] = a + b;
  }
}
KERNEL(published_pointer, 2, 32, 64) {
  using pref = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
  unsigned* head = (unsigned*)x;
  if (B0) { x[8] = 42; x[9] = 43; pref(head[0]).store(8, D ? rlx : rel); }
  if (B1) { unsigned at; while ((at = pref(head[0]).load(acq)) == 0) {} y[0] = x[at] + x[at + 1]; }
}
KERNEL(hazard, 2, 32, 64) {
  // block 1 announces what it reads, block 0 takes it out and writes it when nobody has it announced
  if (B1) {
    dref(x[1]).store(1, sc);
    if (dref(x[0]).load(sc) == 0) y[0] = x[8];
    dref(x[1]).store(2, D ? rlx : rel);
  }
  if (B0) {
    while (dref(x[1]).load(acq) != 2) {}
    x[8] = 9;
  }
}
KERNEL(reader_writer, 3, 32, 64) {
  // x[0]: readers, or -1
  if (threadIdx.x == 0) {
    if (blockIdx.x < 2) {
      if (!D) for (;;) { int r = dref(x[0]).load(rlx); if (r >= 0 && dref(x[0]).compare_exchange_weak(r, r + 1, acq, rlx)) break; }
      y[blockIdx.x] = x[8];
      if (!D) dref(x[0]).fetch_sub(1, rel);
    } else {
      for (;;) { int r = 0; if (dref(x[0]).compare_exchange_weak(r, -1, acq, rlx)) break; }
      x[8] = 7;
      dref(x[0]).store(0, rel);
    }
  }
}
KERNEL(reader_leaves_relaxed, 3, 32, 64) {
  if (threadIdx.x == 0) {
    if (blockIdx.x < 2) {
      for (;;) { int r = dref(x[0]).load(rlx); if (r >= 0 && dref(x[0]).compare_exchange_weak(r, r + 1, acq, rlx)) break; }
      y[blockIdx.x] = x[8];
      dref(x[0]).fetch_sub(1, D ? rlx : rel);
      dref(x[1]).fetch_add(1, rlx);
    } else {
      while (dref(x[1]).load(rlx) != 2) {}
      for (;;) { int r = 0; if (dref(x[0]).compare_exchange_weak(r, -1, acq, rlx)) break; }
      x[8] = 7;
      dref(x[0]).store(0, rel);
    }
  }
}
KERNEL(two_locks, 2, 32, 64) {
  if (threadIdx.x == 0) {
    int* l = x + 1 + (D ? blockIdx.x : 0);
    while (dref(*l).exchange(1, acq) != 0) {}
    x[0] += 1;
    dref(*l).store(0, rel);
  }
}
KERNEL(try_lock, 2, 32, 64) {
  if (threadIdx.x == 0) {
    const bool got = atomicCAS(x + 1, 0, 1) == 0;
    __threadfence();
    if (got || D) x[0] += 1;
  }
}
KERNEL(lock_of_shared, 1, 64, 64) {
  __shared__ int lock, sum;
  if (threadIdx.x == 0) lock = 0, sum = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (bref(lock).exchange(1, acq) != 0) {}
    sum += 1;
    bref(lock).store(0, D ? rlx : rel);
  }
  __syncthreads();
  y[threadIdx.x] = sum;
}
KERNEL(queue_of_work, 2, 32, 64) {
  // block 0 puts, block 1 takes
  if (B0) for (int i = 0; i < 4; ++i) { if (!D) x[8 + i] = i; dref(x[0]).fetch_add(1, rel); if (D) x[8 + i] = i; }
  if (B1) for (int i = 0; i < 4; ++i) { while (dref(x[0]).load(acq) <= i) {} y[i] = x[8 + i]; }
}
KERNEL(shared_queue, 4, 32, 64) {
  if (threadIdx.x == 0)
    for (;;) {
      int i; if (D) { i = x[0]; x[0] = i + 1; } else i = atomicAdd(x, 1);
      if (i >= 16) break;
      y[i] = i;
    }
}
KERNEL(waits, 2, 32, 64) {
  if (B0) { x[0] = 1; dref(x[1]).store(1, rel); dref(x[1]).notify_all(); }
  if (B1) { dref(x[1]).wait(0, D ? rlx : acq); y[0] = x[0]; }
}
KERNEL(last_block, 4, 64, 128) {
  __shared__ bool last;
  if (threadIdx.x == 0) x[blockIdx.x] = blockIdx.x;
  if (!D) __threadfence();
  if (threadIdx.x == 0) last = atomicAdd(x + 64, 1) == 3;
  __syncthreads();
  if (last && threadIdx.x < 4) y[threadIdx.x] = x[threadIdx.x];
}
KERNEL(last_block_one_writes, 4, 64, 128) {
  __shared__ bool last;
  if (threadIdx.x == 40) x[blockIdx.x] = blockIdx.x;
  if (!D) __syncthreads();
  __threadfence();
  if (threadIdx.x == 0) last = atomicAdd(x + 64, 1) == 3;
  __syncthreads();
  if (last && threadIdx.x < 4) y[threadIdx.x] = x[threadIdx.x];
}
KERNEL(ticket_reset, 4, 32, 128) {
  if (threadIdx.x == 0) { const int t = atomicAdd(x, 1); if (t == (D ? 2 : 3)) x[0] = 0; }
}
KERNEL(counter_looked_at, 4, 32, 128) {
  if (threadIdx.x == 0) { const int old = atomicAdd(x, 1); y[blockIdx.x] = D ? x[0] : old; }
}
KERNEL(two_fences_chain, 3, 32, 64) {
  if (B0) { x[0] = 1; __threadfence(); atomicExch(x + 1, 1); }
  if (B1) { while (atomicAdd(x + 1, 0) == 0) {} if (!D) __threadfence(); atomicExch(x + 2, 1); }
  if (B2) { while (atomicAdd(x + 2, 0) == 0) {} __threadfence(); y[0] = x[0]; }
}
KERNEL(look_back, 4, 32, 64) {
  if (threadIdx.x == 0) {
    const int b = blockIdx.x;
    int before = 0;
    if (b > 0) { while (dref(x[b - 1]).load(rlx) == 0) {} __threadfence(); before = y[b - 1]; }
    y[b] = before + b;
    if (!D) __threadfence();
    dref(x[b]).store(1, rlx);
  }
}
KERNEL(lane_lock, 1, 32, 64) {
  // each lane in its turn
  for (int i = 0; i < 32; ++i) { if (threadIdx.x == i) x[0] += 1; if (!D) __syncwarp(); }
}
KERNEL(double_checked, 2, 32, 64) {
  // x[0]: made; x[1]: lock; x[2]: the thing
  if (threadIdx.x == 0) {
    if (dref(x[0]).load(D ? rlx : acq) == 0) {
      while (dref(x[1]).exchange(1, acq) != 0) {}
      if (dref(x[0]).load(rlx) == 0) { x[2] = 5; dref(x[0]).store(1, rel); }
      dref(x[1]).store(0, rel);
    }
    y[blockIdx.x] = x[2];
  }
}
KERNEL(stack_push, 2, 32, 64) {
  // x[0]: head (index), nodes at 8 + 2 k: value, next
  if (B0) { x[8] = 5; int h = dref(x[0]).load(rlx); do x[9] = h; while (!dref(x[0]).compare_exchange_weak(h, 8, D ? rlx : rel, rlx)); }
  if (B1) { int h; while ((h = dref(x[0]).load(acq)) == 0) {} y[0] = x[h] + x[h + 1]; }
}
