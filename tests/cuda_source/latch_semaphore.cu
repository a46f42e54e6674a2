// SPDX-License-Identifier: Apache-2.0
// libcu++: a latch that one block counts down and others wait for; a semaphore that guards plain data, another that hands
// out places; the headers of cuda::std.
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/barrier>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/cstring>
#include <cuda/std/variant>
#include <cstdio>
#include <new>

using latch = cuda::latch<cuda::thread_scope_device>;
using lock = cuda::binary_semaphore<cuda::thread_scope_device>;
using places = cuda::counting_semaphore<cuda::thread_scope_device, 3>;

__global__ void make(latch *l, lock *m, places *p) {
  new (l) latch(64);
  new (m) lock(1);
  new (p) places(3);
}

__global__ void produce_and_consume(latch *l, int *data, int *sums) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;
    l->count_down();
    return;
  }
  l->wait();
  if (threadIdx.x != 0) return;
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += data[i];
  sums[blockIdx.x - 1] = sum;
}

__global__ void guarded(lock *m, int *counter) {
  if (threadIdx.x % 8 != 0) return;
  m->acquire();
  *counter += 1;
  m->release();
}

__global__ void limited(places *p, int *inside, int *most, int *log2) {
  if (threadIdx.x != 0) return;
  p->acquire();
  atomicMax(most, atomicAdd(inside, 1) + 1);
  atomicSub(inside, 1);
  p->release();
  if (blockIdx.x == 0) *log2 = cuda::std::countr_zero(1024u);
}

int main() {
  latch *l;
  lock *m;
  places *p;
  int *data, *out, back[7];
  cudaMalloc(&l, sizeof *l);
  cudaMalloc(&m, sizeof *m);
  cudaMalloc(&p, sizeof *p);
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMalloc(&out, sizeof back);
  cudaMemset(out, 0, sizeof back);
  cudaMemset(data, 0, 64 * sizeof(int));
  make<<<1, 1>>>(l, m, p);
  produce_and_consume<<<4, 64>>>(l, data, out);
  guarded<<<4, 64>>>(m, out + 3);
  limited<<<16, 32>>>(p, out + 4, out + 5, out + 6);
  cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
  printf("%d %d %d, %d, %s, %d\n", back[0], back[1], back[2], back[3], back[5] >= 1 && back[5] <= 3 ? "at most 3" : "too many", back[6]);
  cudaFree(l);
  cudaFree(m);
  cudaFree(p);
  cudaFree(data);
  cudaFree(out);
}
