// SPDX-License-Identifier: Apache-2.0
// Loads and stores of 8 and 16 bytes by one warp at places of shared memory that a table gives: 420 patterns of each,
// a third of them by some of the lanes only. Which lanes are served together depends on which of them agree.
#include "check.hpp"

__device__ unsigned all_of(uint2 v) { return v.x ^ v.y; }
__device__ unsigned all_of(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

template <class T>
__global__ void load_wide(const int* table, unsigned mask, unsigned* out) {
  __shared__ T s[1024];
  const int t = threadIdx.x;
  const int at = table[t];
  unsigned sum = 0;
  if (at == 5000) s[t] = T{};  // never
  __syncwarp();
  if (mask >> t & 1) sum = all_of(s[at]);
  out[t] = sum;
}

template <class T>
__global__ void store_wide(const int* table, unsigned mask, unsigned* out) {
  __shared__ T s[1024];
  const int t = threadIdx.x;
  const int at = table[t];
  T v{};
  v.x = t;
  if (mask >> t & 1) s[at] = v;
  __syncwarp();
  if (at == 5000) out[t] = s[t].x;  // never
}

struct numbers {
  unsigned state = 99;
  unsigned below(unsigned n) {
    state = state * 1664525u + 1013904223u;
    return (state >> 10) % n;
  }
};

int main() {
  numbers next;
  unsigned* out = zeroed<unsigned>(32);
  int* table = zeroed<int>(32);
  for (unsigned pattern = 0; pattern < 420; ++pattern) {
    const int scale = 1 + next.below(9), offset = next.below(64), flip = next.below(32), run = 1 + next.below(6);
    const unsigned range = 2u << next.below(8);
    int at[32];
    for (int i = 0; i < 32; ++i) switch (pattern % 7) {
        case 0: at[i] = next.below(range); break;
        case 1: at[i] = i * scale + offset; break;
        case 2: at[i] = i / run * scale + offset; break;
        case 3: at[i] = (i ^ flip) * scale; break;
        case 4: at[i] = i % run * scale + offset; break;
        case 5: at[i] = 400 - i / run * scale; break;
        case 6: at[i] = (i * scale & (range - 1)) + offset; break;
      }
    unsigned mask = ~0u;
    if (pattern % 3 == 2) {
      const unsigned bits = next.below(1 << 16) << 16 | next.below(1 << 16) | 1;
      mask = pattern % 2 == 0 ? bits : bits & 0xffff;
    }
    LOOK(cudaMemcpy(table, at, sizeof at, cudaMemcpyHostToDevice));
    RUN(load_wide<uint2>, 1, 32, table, mask, out);
    RUN(load_wide<uint4>, 1, 32, table, mask, out);
    RUN(store_wide<uint2>, 1, 32, table, mask, out);
    RUN(store_wide<uint4>, 1, 32, table, mask, out);
  }
  LOOK(cudaFree(out));
  LOOK(cudaFree(table));
  return 0;
}
