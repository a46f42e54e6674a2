// SPDX-License-Identifier: Apache-2.0
// Loads and stores of 8 and 16 bytes at places of shared memory that a table gives: 420 patterns of each, one by each
// block of a warp, a third of them by some of the lanes only. Which lanes are served together depends on which agree.
#include "check.hpp"

__device__ unsigned all_of(uint2 v) { return v.x ^ v.y; }
__device__ unsigned all_of(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

template <class T>
__global__ void load_wide(const int* table, const unsigned* masks, unsigned* out) {
  __shared__ T s[1024];
  const int t = threadIdx.x;
  const int at = table[blockIdx.x * 32 + t];
  unsigned sum = 0;
  if (at == 5000) s[t] = T{};  // never
  __syncwarp();
  if (masks[blockIdx.x] >> t & 1) sum = all_of(s[at]);
  out[blockIdx.x * 32 + t] = sum;
}

template <class T>
__global__ void store_wide(const int* table, const unsigned* masks, const T* values, unsigned* out) {
  __shared__ T s[1024];
  const int t = threadIdx.x;
  const int at = table[blockIdx.x * 32 + t];
  const T v = values[t];
  if (masks[blockIdx.x] >> t & 1) s[at] = v;
  __syncwarp();
  if (at == 5000) out[blockIdx.x * 32 + t] = s[t].x;  // never
}

struct numbers {
  unsigned state = 99;
  unsigned below(unsigned n) {
    state = state * 1664525u + 1013904223u;
    return (state >> 10) % n;
  }
};

int main() {
  constexpr unsigned kPatterns = 420;
  static int places[kPatterns][32];
  static unsigned lanes[kPatterns];
  numbers next;
  for (unsigned pattern = 0; pattern < kPatterns; ++pattern) {
    const int scale = 1 + next.below(9), offset = next.below(64), flip = next.below(32), run = 1 + next.below(6);
    const unsigned range = 2u << next.below(8);
    int* const at = places[pattern];
    for (int i = 0; i < 32; ++i) switch (pattern % 7) {
        case 0:
          at[i] = next.below(range);
          break;
        case 1:
          at[i] = i * scale + offset;
          break;
        case 2:
          at[i] = i / run * scale + offset;
          break;
        case 3:
          at[i] = (i ^ flip) * scale;
          break;
        case 4:
          at[i] = i % run * scale + offset;
          break;
        case 5:
          at[i] = 400 - i / run * scale;
          break;
        case 6:
          at[i] = (i * scale & (range - 1)) + offset;
          break;
      }
    const unsigned bits = next.below(1 << 16) << 16 | next.below(1 << 16) | 1;
    lanes[pattern] = pattern % 3 != 2 ? ~0u : pattern % 2 == 0 ? bits : bits & 0xffff;
  }
  unsigned* out = zeroed<unsigned>(kPatterns * 32);
  int* table = zeroed<int>(kPatterns * 32);
  unsigned* masks = zeroed<unsigned>(kPatterns);
  uint2* values2 = zeroed<uint2>(32);
  uint4* values4 = zeroed<uint4>(32);
  LOOK(cudaMemcpy(table, places, sizeof places, cudaMemcpyHostToDevice));
  LOOK(cudaMemcpy(masks, lanes, sizeof lanes, cudaMemcpyHostToDevice));
  RUN(load_wide<uint2>, kPatterns, 32, table, masks, out);
  RUN(load_wide<uint4>, kPatterns, 32, table, masks, out);
  RUN(store_wide<uint2>, kPatterns, 32, table, masks, values2, out);
  RUN(store_wide<uint4>, kPatterns, 32, table, masks, values4, out);
  LOOK(cudaFree(out));
  LOOK(cudaFree(table));
  LOOK(cudaFree(masks));
  LOOK(cudaFree(values2));
  LOOK(cudaFree(values4));
  return 0;
}
