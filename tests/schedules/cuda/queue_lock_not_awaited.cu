// SPDX-License-Identifier: Apache-2.0
// A lock of Mellor-Crummey and Scott whose holder leaves when nobody has joined behind it yet, though somebody is about
// to.
#include "words.hpp"

enum { tail, total, followers = 10, waits = 20 };  // threads by their numbers from 1 on; 0: none

__global__ void count_under_lock(int* w, int* answer) {
  const int me = static_cast<int>(blockIdx.x) + 1;
  store(w[waits + me], 1);
  if (const int before = exchange(w[tail], me)) {
    store_release(w[followers + before], me);
    while (load_acquire(w[waits + me])) {
    }
  }
  const int counted = load(w[total]);
  store(w[total], counted + 1);
  if (counted == 1) answer[0] = 1;
  int follower = load_acquire(w[followers + me]);
  if (!follower) {
    if (swap_if(w[tail], me, 0)) return;
#if defined(TWIN)
    while (!(follower = load_acquire(w[followers + me]))) {
    }
#else
    return;
#endif
  }
  store_release(w[waits + follower], 0);
}

int main() { return verdict(run(count_under_lock, 2).of[0] == 1); }
