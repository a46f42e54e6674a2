// SPDX-License-Identifier: Apache-2.0
// The reader of a sequence lock does not look at the number again: it takes one half from before and one from after.
#include "words.hpp"

enum { number, first, second };

__global__ void read_and_write(int* w, int* answer) {
  if (blockIdx.x == 0) {
    store(w[number], 1);
    fence(cuda::memory_order_release);
    store(w[first], 5);
    store(w[second], 5);
    store_release(w[number], 2);
    return;
  }
  for (;;) {
    const int at = load_acquire(w[number]);
    if (at % 2 == 1) continue;
    const int a = load(w[first]), b = load(w[second]);
    fence(cuda::memory_order_acquire);
#if defined(TWIN)
    if (load(w[number]) != at) continue;
#endif
    if (a != b) answer[0] = 1;
    return;
  }
}

int main() { return verdict(run(read_and_write, 2).of[0] == 0); }
