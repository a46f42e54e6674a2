// SPDX-License-Identifier: Apache-2.0
// A sleeper says that it sleeps after it has looked, and who wakes looks before the news is told: nobody wakes it.
#include "words.hpp"

enum { ready, sleeps, woken, news };

__global__ void sleep_and_wake(int* w, int* answer) {
  if (blockIdx.x == 0) {
#if defined(TWIN)
    store(w[sleeps], 1);
    fence();
    if (!load_acquire(w[ready]))
      while (!load_acquire(w[woken])) {
      }
#else
    if (!load_acquire(w[ready])) {
      store(w[sleeps], 1);
      while (!load_acquire(w[woken])) {
      }
    }
#endif
    answer[0] = load(w[news]);
  } else {
    store(w[news], 7);
#if defined(TWIN)
    store_release(w[ready], 1);
    fence();
    if (load(w[sleeps])) store_release(w[woken], 1);
#else
    if (load(w[sleeps])) store_release(w[woken], 1);
    store_release(w[ready], 1);
#endif
  }
}

int main() { return verdict(run(sleep_and_wake, 2).of[0] == 7); }
