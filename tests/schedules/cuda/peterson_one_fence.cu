// SPDX-License-Identifier: Apache-2.0
// Peterson's lock with one fence: a GPU may put the turn before the wish, and both enter.
#include "words.hpp"

enum { turn = 2, total };

__global__ void count_under_lock(int* w, int* answer) {
  const int me = static_cast<int>(blockIdx.x), other = 1 - me;
  store(w[me], 1);
#if defined(TWIN)
  fence();
#endif
  store(w[turn], other);
  fence();
  while (load_acquire(w[other]) && load_acquire(w[turn]) == other) {
  }
  const int before = load(w[total]);
  store(w[total], before + 1);
  if (before == 1) answer[0] = 1;
  store_release(w[me], 0);
}

int main() { return verdict(run(count_under_lock, 2).of[0] == 1); }
