// SPDX-License-Identifier: Apache-2.0
// The writer of a sequence lock has no fence behind the odd number: a GPU may show what it writes before it.
#include "words.hpp"

enum { number, first, second };

__global__ void read_and_write(int* w, int* answer) {
  if (blockIdx.x == 0) {
    store(w[number], 1);
#if defined(TWIN)
    fence(cuda::memory_order_release);
#endif
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
    if (load(w[number]) != at) continue;
    if (a != b) answer[0] = 1;
    return;
  }
}

int main() { return verdict(run(read_and_write, 2).of[0] == 0); }
