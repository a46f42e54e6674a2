// SPDX-License-Identifier: Apache-2.0
// Keys of two blocks that begin at the same slot of a table: one claims a slot by looking and then storing. Which slot
// a key is in depends on who comes first, and is right both ways: a warning, before an order is found that loses a key.
// The twin swaps, and tells that a key is in, not where.
#include "words.hpp"

enum { slots = 0, count = 4 };

__global__ void put_in(int* w, int* answer) {
  const int me = static_cast<int>(blockIdx.x), key = 5 + 4 * me;
  for (int i = 0; i < count; ++i) {
    int& slot = w[slots + (key + i) % count];
#if defined(TWIN)
    const bool is_in = swap_if(slot, 0, key);
    const int where = me;
#else
    const bool is_in = load(slot) == 0;
    if (is_in) store(slot, key);
    const int where = (key + i) % count;
#endif
    if (!is_in) continue;
    answer[me] = 1 + where;
    return;
  }
}

int main() {
  const answers a = run(put_in, 2);
  return verdict(a.of[0] != 0 && a.of[1] != 0 && a.of[0] != a.of[1]);
}
