// SPDX-License-Identifier: Apache-2.0
// Lamport's bakery without the sign that a number is being chosen: both hold the same number, or an older one.
#include "words.hpp"

enum { chooses = 2, total = 4 };

__global__ void count_under_lock(int* w, int* answer) {
  const int me = static_cast<int>(blockIdx.x), other = 1 - me;
#if defined(TWIN)
  store(w[chooses + me], 1);
  fence();
#endif
  const int mine = load(w[other]) + 1;
  store(w[me], mine);
  fence();
#if defined(TWIN)
  store_release(w[chooses + me], 0);
  fence();
  while (load_acquire(w[chooses + other])) {
  }
  fence();
#endif
  for (;;) {
    const int theirs = load_acquire(w[other]);
    if (theirs == 0 || theirs > mine || (theirs == mine && other > me)) break;
  }
  const int before = load(w[total]);
  store(w[total], before + 1);
  if (before == 1) answer[0] = 1;
  store_release(w[me], 0);
}

int main() { return verdict(run(count_under_lock, 2).of[0] == 1); }
