// SPDX-License-Identifier: Apache-2.0
// A deque for work stealing (Le and others, PPoPP 2013) without the fence between the owner's store of the bottom and
// its load of the top: owner and thief take the same task.
#include "words.hpp"

enum { top, bottom, tasks = 2, done = 10 };

__device__ int take(int* w) {
  const int b = load(w[bottom]) - 1;
  store(w[bottom], b);
#if defined(TWIN)
  fence();
#endif
  const int t = load(w[top]);
  if (t > b) {
    store(w[bottom], b + 1);
    return -1;
  }
  int task = load(w[tasks + b]);
  if (t == b) {
    if (!swap_if(w[top], t, t + 1)) task = -1;
    store(w[bottom], b + 1);
  }
  return task;
}
__device__ int steal(int* w) {
  const int t = load_acquire(w[top]);
  fence();
  if (t >= load_acquire(w[bottom])) return -1;
  const int task = load(w[tasks + t]);
  return swap_if(w[top], t, t + 1) ? task : -1;
}
__global__ void take_and_steal(int* w, int* answer) {
  if (blockIdx.x == 0) {
    store(w[tasks + 1], 1);
    store_release(w[bottom], 2);
  }
  for (int i = 0; i < 2; ++i) {
    const int task = blockIdx.x == 0 ? take(w) : steal(w);
    if (task >= 0 && add(w[done + task], 1) == 1) answer[0] = 1;
  }
}

int main() { return verdict(run(take_and_steal, 2).of[0] == 0); }
