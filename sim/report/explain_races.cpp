// SPDX-License-Identifier: Apache-2.0
// What the race rules mean.
#include "explain.hpp"

namespace simt {

std::vector<rule_knowledge> race_knowledge() {
  return {
      {rule::race_global, "two accesses to device memory, at least one a write, with nothing that orders them",
       R"(Two threads touched the same bytes of device memory, at least one of them wrote, at least one access was not
atomic, and no synchronisation put one before the other. Which of them comes first depends on the machine: the
kernel may lose updates, read half-written data, or work for years and fail on the next GPU.

Order comes from: the steps of one thread, t.sync_warp() among the lanes that it names, t.sync() within a block,
grid.sync(), release and acquire through atomics at a wide enough scope, and the order of launches and copies in
streams. Threads of different blocks of one launch are unordered otherwise. A race is reported whether or not it did
harm in the run that was watched. Writing the value that is already there is a warning, not an error.)",
       R"(SIMT_DEVICE void count(simt::thread t, simt::view<const int> x, simt::view<int> bins) {
  for (auto i : t.grid_stride(x.size()))
    bins[x[i]] += 1;    // race-global: reads, adds and writes while another thread does the same
})",
       R"(Make the update one atomic step:

    t.atomic_add(bins[x[i]], 1);

or let each thread own what it writes, or put the two steps into two launches on one stream. A barrier helps only
where both threads belong to one block.)"},
      {rule::race_shared, "two accesses to a block's shared memory, at least one a write, with no barrier between",
       R"(Two threads of one block touched the same bytes of shared memory, at least one of them wrote, and no barrier
lies between the two. Threads of different warps run in any order, and since Volta so do the lanes of one warp: code
that relies on lanes stepping together is wrong too.

The usual causes are a missing barrier after filling a tile, and a missing second barrier at the end of a loop, so
that a fast thread fills the next tile while a slow one still reads this one.)",
       R"(auto& tile = t.shared<"tile", float[16][16]>();
for (int k = 0; k < tiles; ++k) {
  tile[y][x] = a(row, k * 16 + x);   // race-shared: a slower thread still reads tile
  t.sync();
  for (int j = 0; j < 16; ++j) sum += tile[y][j] * b(k * 16 + j, col);
})",
       R"(Put a barrier between the last read and the next write:

    for (int j = 0; j < 16; ++j) sum += tile[y][j] * b(k * 16 + j, col);
    t.sync();

Among the lanes of one warp t.sync_warp() is enough and cheaper.)"},
      {rule::race_scope, "a scope is too narrow: the accesses would be ordered if every scope were wider",
       R"(The program does synchronise the two threads, with atomics or fences of the right order, but at a scope that
does not hold both of them: a block-scope atomic orders threads of one block only, a device-scope one those of one
GPU. To the others the accesses are as unordered as without any synchronisation. Caches make this real: a block-scope
release need not leave the multiprocessor.)",
       R"(if (t.thread_idx().x == 0) {
  data[0] = 42;
  t.threadfence_block();             // only this block's threads are sure to see data first
  t.atomic_store(ready[0], 1);
}
// another block:
while (t.atomic_load(ready[0]) == 0) {}
t.threadfence();
use(data[0]);                        // race-scope)",
       R"(Widen the scope of the fence or atomic until it holds both threads:

    t.threadfence();                   // device scope

Block scope: one block; cluster scope: one cluster; device scope: every block of the launch; system scope: also the
host and other devices.)"},
      {rule::missing_fence, "volatile data is handed to another thread, and no fence keeps it before its flag",
       R"(A thread wrote data through a volatile variable of device memory, then a flag or a counter; a thread of another
warp, block or launch read the flag or counter, then the data. Volatile keeps the compiler from moving the accesses, but
it does not keep the machine from showing the flag to others before the data: they lie in different parts of the cache,
and the other thread may read what was there before. This may happen once in a million runs.

The writer needs a fence between the two, of a scope that reaches the reader: block, device, or system for the host.
The reader needs one between reading the flag and the data. Where only that one is missing, the finding is a warning:
PTX asks for it, but today's GPUs read in order.

An array that somebody polls holds flags; nothing in it is reported.)",
       R"(partial[b] = sum;                             // a volatile variable
last = t.atomic_inc(ticket[0], n - 1) == n - 1;
t.sync();
if (last) total += partial[i];                // missing-fence: of another block)",
       R"(Put a fence between the data and its flag:

    partial[b] = sum;
    t.threadfence();
    last = t.atomic_inc(ticket[0], n - 1) == n - 1;)"},
      {rule::noncoherent_read, "a read through the read-only cache of what the same launch has written",
       R"(A thread read memory by __ldg, by ld.global.nc or by a texture fetch, and a thread of the same launch, that one or
another, had written it before. These reads go through a cache that is not kept coherent with writes. What they give is
undefined: a GPU may have the value from before the write, from this launch or from an earlier one, and neither a barrier
nor a fence between the two changes that. The memory has to be read-only as long as the kernel runs.

A write that comes after the read is no such finding: where nothing orders the two, it is a race.)",
       R"(y[i] = x[i] + 1;
t.sync();
z[i] = __ldg(&y[n - 1 - i]);                  // noncoherent-read: in CUDA source)",
       R"(Read it by an ordinary load:

    z[i] = y[n - 1 - i];

or write it in an earlier launch.)"},
  };
}

}  // namespace simt
