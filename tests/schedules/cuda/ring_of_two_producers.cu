// SPDX-License-Identifier: Apache-2.0
// Producers of a ring take their places one after the other, and publish in any order: a place that is not filled is
// read.
#include "words.hpp"

enum { taken, published, places = 2 };

__global__ void produce_and_consume(int* w, int* answer) {
  if (blockIdx.x < 2) {
    const int at = add(w[taken], 1);
    store(w[places + at], 10 + static_cast<int>(blockIdx.x));
#if defined(TWIN)
    while (load_acquire(w[published]) != at) {
    }
    store_release(w[published], at + 1);
#else
    add(w[published], 1);
#endif
    return;
  }
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    while (load_acquire(w[published]) <= i) {
    }
    sum += load(w[places + i]);
  }
  answer[0] = sum;
}

int main() { return verdict(run(produce_and_consume, 3).of[0] == 21); }
