// SPDX-License-Identifier: Apache-2.0
// Three at a table, with three forks: each takes the one at its left first, and all may hold one. The twin's last one
// takes them in the order of their numbers.
#include "words.hpp"

enum { forks, meals = 8 };

__device__ void take(int& fork) {
  while (!swap_if(fork, 0, 1)) continue;
  fence();
}
__device__ void give(int& fork) { store_release(fork, 0); }

__global__ void dine(int* w, int* answer) {
  int first = static_cast<int>(blockIdx.x), second = (first + 1) % 3;
#if defined(TWIN)
  if (second < first) first = 0, second = 2;
#endif
  take(w[forks + first]);
  take(w[forks + second]);
  add(w[meals], 1);
  give(w[forks + second]);
  give(w[forks + first]);
  answer[blockIdx.x] = 1;
}

int main() {
  const answers a = run(dine, 3);
  return verdict(a.of[0] + a.of[1] + a.of[2] == 3);
}
