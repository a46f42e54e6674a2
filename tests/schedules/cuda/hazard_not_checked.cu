// SPDX-License-Identifier: Apache-2.0
// A reader announces the node that it is about to read, and does not look again whether it is still the current one.
#include "words.hpp"

enum { current, announced, nodes = 10 };  // node 0 is the old one, node 1 the new one
constexpr int kFreed = 99;

__global__ void read_and_retire(int* w, int* answer) {
  if (blockIdx.x == 0) {
    int node = load_acquire(w[current]);
    store(w[announced], node + 1);
#if defined(TWIN)
    fence();
    while (load(w[current]) != node) {
      node = load_acquire(w[current]);
      store(w[announced], node + 1);
      fence();
    }
#endif
    if (load(w[nodes + node]) == kFreed) answer[0] = 1;
    store_release(w[announced], 0);
  } else {
    store_release(w[current], 1);
    fence();
    if (load(w[announced]) != 1) store(w[nodes], kFreed);
  }
}

int main() { return verdict(run(read_and_retire, 2).of[0] == 0); }
