// SPDX-License-Identifier: Apache-2.0
// Pairs that blocks hand on by one ordered access each: a status and its value, polled until the status is there. And
// registers of inline PTX whose names begin with %, in votes of a block.
#include <cstdio>
#include <vector>

constexpr int kTile = 64, kTiles = 48;

__device__ void tell(unsigned long long *slot, unsigned status, unsigned value) {
  asm volatile("st.relaxed.gpu.v2.u32 [%0], {%1, %2};" ::"l"(slot), "r"(status), "r"(value) : "memory");
}
__device__ unsigned wait_for(unsigned long long *slot) {
  unsigned status, value;
  do {
    asm volatile("ld.relaxed.gpu.v2.u32 {%0, %1}, [%2];" : "=r"(status), "=r"(value) : "l"(slot) : "memory");
  } while (status == 0);
  return value;
}

// The flag of 16 bytes releases what is beside it.
__device__ void release(ulonglong2 *slot, unsigned long long a, unsigned long long b) {
  asm volatile("st.release.gpu.v2.u64 [%0], {%1, %2};" ::"l"(slot), "l"(a), "l"(b) : "memory");
}
__device__ ulonglong2 acquire(ulonglong2 *slot) {
  ulonglong2 v;
  do {
    asm volatile("ld.acquire.gpu.v2.u64 {%0, %1}, [%2];" : "=l"(v.x), "=l"(v.y) : "l"(slot) : "memory");
  } while (v.x == 0);
  return v;
}

__global__ void prefixes(const unsigned *in, unsigned *out, unsigned long long *slots, ulonglong2 *flags,
                         unsigned long long *beside, unsigned *tickets) {
  __shared__ unsigned sum, tile;
  if (threadIdx.x == 0) {
    tile = atomicAdd(tickets, 1);
    sum = 0;
  }
  __syncthreads();
  atomicAdd(&sum, in[tile * kTile + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned before = 0;
  if (tile > 0) {
    before = wait_for(&slots[tile - 1]);
    const ulonglong2 v = acquire(&flags[tile - 1]);
    out[kTiles + tile] = static_cast<unsigned>(v.y + beside[tile - 1]);
  }
  out[tile] = before + sum;
  beside[tile] = 100 + tile;
  tell(&slots[tile], 1, before + sum);
  release(&flags[tile], 1, tile);
}

__device__ unsigned count_of_block(unsigned x) {
  unsigned n;
  asm volatile("{\n .reg .pred %%p;\n setp.ne.u32 %%p, %1, 0;\n bar.red.popc.u32 %0, 0, %%p;\n}" : "=r"(n) : "r"(x));
  return n;
}
__device__ unsigned any_of_block(unsigned x) {
  unsigned any;
  asm volatile("{\n .reg .pred %%p;\n .reg .b32 %%r<2>;\n setp.ne.u32 %%p, %1, 0;\n bar.red.or.pred %%p, 0, %%p;\n"
               " mov.b32 %%r1, 5;\n selp.u32 %0, %%r1, 0, %%p;\n}"
               : "=r"(any)
               : "r"(x));
  return any;
}
__global__ void votes(unsigned *out) {
  const unsigned odd = count_of_block(threadIdx.x & 1), one = any_of_block(threadIdx.x == 70), none = any_of_block(0);
  out[threadIdx.x] = odd * 100 + one * 10 + none;
}

int main() {
  const int n = kTile * kTiles;
  std::vector<unsigned> h(n);
  for (int i = 0; i < n; ++i) h[i] = i % 7;
  unsigned *in, *out, *tickets;
  unsigned long long *slots, *beside;
  ulonglong2 *flags;
  cudaMalloc(&in, n * sizeof *in);
  cudaMalloc(&out, 2 * kTiles * sizeof *out);
  cudaMalloc(&tickets, sizeof *tickets);
  cudaMalloc(&slots, kTiles * sizeof *slots);
  cudaMalloc(&beside, kTiles * sizeof *beside);
  cudaMalloc(&flags, kTiles * sizeof *flags);
  cudaMemcpy(in, h.data(), n * sizeof *in, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, 2 * kTiles * sizeof *out);
  cudaMemset(tickets, 0, sizeof *tickets);
  cudaMemset(slots, 0, kTiles * sizeof *slots);
  cudaMemset(flags, 0, kTiles * sizeof *flags);
  prefixes<<<kTiles, kTile>>>(in, out, slots, flags, beside, tickets);
  std::vector<unsigned> o(2 * kTiles);
  cudaMemcpy(o.data(), out, 2 * kTiles * sizeof *out, cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  int wrong = 0;
  for (int t = 0; t < kTiles; ++t) {
    for (int i = 0; i < kTile; ++i) sum += h[t * kTile + i];
    wrong += o[t] != sum || (t > 0 && o[kTiles + t] != 100u + 2 * (t - 1));
  }
  printf("%u, %d wrong\n", o[kTiles - 1], wrong);
  votes<<<1, 96>>>(out);
  cudaMemcpy(o.data(), out, 96 * sizeof *out, cudaMemcpyDeviceToHost);
  printf("%u %u\n", o[0], o[95]);
  cudaFree(in);
  cudaFree(out);
  cudaFree(tickets);
  cudaFree(slots);
  cudaFree(beside);
  cudaFree(flags);
}
