// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies that go out as rows (sim/instrument/row_copies.hpp). The first block is judged access by access, for
// where its instructions are is not known yet: so the first three blocks have no defect.
#include "pairs.hpp"
#include <cuda_pipeline.h>

// s and u: what copies write; from: what the block's threads copy.
#define COPIES                                                            \
  __shared__ __align__(16) int s[4][64];                                  \
  __shared__ int u[128], o[64];                                           \
  const int me = threadIdx.x, other = 63 - me;                            \
  const int* const from = x + blockIdx.x * 64;                            \
  const int bug = D && blockIdx.x >= 3 ? 1 : 0;                           \
  (void)s, (void)u, (void)o, (void)me, (void)other, (void)from, (void)bug;

KERNEL(no_barrier, 6, 64, 512) {
  COPIES
  __pipeline_memcpy_async(&s[0][me], &from[me], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (bug == 0) __syncthreads();
  y[blockIdx.x * 64 + me] = s[0][other];
}
KERNEL(no_wait, 6, 64, 512) {
  COPIES
  __pipeline_memcpy_async(&s[0][me], &from[me], 4);
  __pipeline_commit();
  if (bug == 0) __pipeline_wait_prior(0);
  __syncthreads();
  y[blockIdx.x * 64 + me] = s[0][other];
  __pipeline_wait_prior(0);
}
KERNEL(waits_for_too_few, 6, 64, 512) {
  COPIES
  __pipeline_memcpy_async(&s[0][me], &from[me], 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&s[1][me], &from[other], 4);
  __pipeline_commit();
  if (bug != 0)
    __pipeline_wait_prior(1);
  else
    __pipeline_wait_prior(0);
  __syncthreads();
  y[blockIdx.x * 64 + me] = s[1][other];
}
KERNEL(commits_too_late, 6, 64, 512) {
  COPIES
  __pipeline_memcpy_async(&s[0][me], &from[me], 4);
  if (bug == 0) __pipeline_commit();
  __pipeline_memcpy_async(&s[1][me], &from[me], 4);
  __pipeline_commit();
  __pipeline_commit();
  __pipeline_wait_prior(2);
  __syncthreads();
  y[blockIdx.x * 64 + me] = s[0][other];
}
KERNEL(stages, 6, 64, 512) {
  COPIES
  int sum = 0;
  __pipeline_memcpy_async(&s[0][me], &from[me], 4);
  __pipeline_commit();
  for (int k = 0; k < 5; ++k) {
    if (k + 1 < 5) __pipeline_memcpy_async(&s[(k + 1) & 1][me], &from[(me + k) & 63], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[k & 1][other];
    if (bug == 0 || k != 2) __syncthreads();
  }
  y[blockIdx.x * 64 + me] = sum;
}
KERNEL(four_stages, 6, 64, 512) {
  COPIES
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    __pipeline_memcpy_async(&s[k][me], &from[me], 4);
    __pipeline_commit();
  }
  for (int k = 0; k < 9; ++k) {
    __pipeline_wait_prior(2);
    __syncthreads();
    if (k + 3 < 9) __pipeline_memcpy_async(&s[(k + 3 - bug) & 3][me], &from[me], 4);
    __pipeline_commit();
    sum += s[k & 3][other];
  }
  y[blockIdx.x * 64 + me] = sum;
}
KERNEL(writes_before_the_wait, 6, 64, 512) {
  COPIES
  __pipeline_memcpy_async(&u[me], &from[me], 4);
  __pipeline_commit();
  u[me + 64 * (1 - bug)] = 3;
  __pipeline_wait_prior(0);
  __syncthreads();
  y[blockIdx.x * 64 + me] = u[other];
}
KERNEL(reads_before_the_wait, 6, 64, 512) {
  COPIES
  u[me] = 1, u[me + 64] = 2;
  __syncthreads();
  __pipeline_memcpy_async(&u[me], &from[me], 4);
  __pipeline_commit();
  __syncthreads();
  y[blockIdx.x * 64 + me] = u[me + 64 * (1 - bug)];
  __syncthreads();
  __pipeline_wait_prior(0);
}
KERNEL(two_onto_one, 6, 64, 512) {
  COPIES
  __pipeline_memcpy_async(&u[me], &from[me], 4);
  __pipeline_commit();
  __syncthreads();
  __pipeline_memcpy_async(&u[me + 64 * (1 - bug)], &from[me], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  y[blockIdx.x * 64 + me] = u[other];
}
KERNEL(threads_onto_one, 6, 64, 512) {
  COPIES
  __pipeline_memcpy_async(&u[2 * me * (1 - bug)], &from[me], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  y[blockIdx.x * 64 + me] = me > 40 ? 0 : u[0];
}
KERNEL(onto_what_is_read, 6, 64, 512) {
  COPIES
  u[me] = 1;
  __syncthreads();
  y[blockIdx.x * 64 + me] = u[other];
  if (bug == 0) __syncthreads();
  __pipeline_memcpy_async(&u[me], &from[me], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
}
KERNEL(onto_what_is_written, 6, 64, 512) {
  COPIES
  u[other] = 1;
  if (bug == 0) __syncthreads();
  __pipeline_memcpy_async(&u[me], &from[me], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
}
// Between the issue and the wait of others lies more than one barrier.
KERNEL(written_two_barriers_on, 6, 64, 512) {
  COPIES
  __pipeline_memcpy_async(&u[me], &from[me], 4);
  __pipeline_commit();
  o[me] = 1;
  __syncthreads();
  o[other] = 2;
  __syncthreads();
  u[other + 64 * (1 - bug)] = 4;
  __syncthreads();
  __pipeline_wait_prior(0);
  __syncthreads();
  y[blockIdx.x * 64 + me] = u[me];
}
KERNEL(nobody_waits, 6, 64, 512) {
  COPIES
  u[me] = u[me + 64] = 3;
  __syncthreads();
  __pipeline_memcpy_async(&u[me], &from[me], 4);
  __pipeline_commit();
  __syncthreads();
  y[blockIdx.x * 64 + me] = u[other + 64 * (1 - bug)];
}
KERNEL(some_threads, 6, 64, 512) {
  COPIES
  if (me < 20) __pipeline_memcpy_async(&s[0][me], &from[me], 4);
  if (me >= 20) s[0][me] = 5;
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (bug == 0) __syncthreads();
  if (me >= 44) y[blockIdx.x * 64 + me] = s[0][other];
}
KERNEL(a_copy_in_turns, 6, 64, 512) {
  COPIES
  for (int k = 0; k < 4; ++k) __pipeline_memcpy_async(&s[k][me], &from[me], 4);
  __pipeline_commit();
  __syncthreads();
  if (bug == 0) __pipeline_wait_prior(0);
  __syncthreads();
  y[blockIdx.x * 64 + me] = s[3][other] + s[0][me];
  __pipeline_wait_prior(0);
}
KERNEL(wide_copies, 6, 64, 512) {
  COPIES
  if (me < 16) __pipeline_memcpy_async(&s[0][4 * me], &from[4 * me], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (bug == 0) __syncthreads();
  y[blockIdx.x * 64 + me] = s[0][other];
}
KERNEL(atomics_beside, 6, 64, 512) {
  COPIES
  u[me] = u[me + 64] = 0;
  __syncthreads();
  __pipeline_memcpy_async(&s[0][me], &from[me], 4);
  __pipeline_commit();
  atomicAdd(bug != 0 ? &s[0][other] : &u[other], 1);
  __syncthreads();
  __pipeline_wait_prior(0);
  __syncthreads();
  y[blockIdx.x * 64 + me] = s[0][other];
}
// What its issuer did before it is over, also where it is performed by itself because data decide about another access.
KERNEL(own_before_the_issue, 6, 64, 512) {
  COPIES
  u[me] = u[me + 64] = 1;
  __syncthreads();
  y[blockIdx.x * 64 + me] = u[me + bug];
  __pipeline_memcpy_async(&u[me], &from[me], 4);
  __pipeline_commit();
  __syncthreads();
  u[64 + ((from[me] + me) & 63)] = 2;
  __syncthreads();
  __pipeline_wait_prior(0);
}
// Of an array that the launch writes: each thread copies by itself.
KERNEL(source_is_written, 6, 64, 512) {
  COPIES
  int* const mine = x + blockIdx.x * 64;
  mine[other] = 3;
  if (bug == 0) __syncthreads();
  __pipeline_memcpy_async(&u[me], &mine[me], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  y[blockIdx.x * 64 + me] = u[other];
}
// A data-dependent access in between ends what goes out as rows; the copies go on one by one.
KERNEL(by_data_between, 6, 64, 512) {
  COPIES
  __pipeline_memcpy_async(&u[me], &from[me], 4);
  __pipeline_commit();
  __syncthreads();
  u[64 * (1 - bug) + ((from[me] + me) & 63)] = 2;
  __syncthreads();
  __pipeline_wait_prior(0);
  __syncthreads();
  y[blockIdx.x * 64 + me] = u[other];
}
