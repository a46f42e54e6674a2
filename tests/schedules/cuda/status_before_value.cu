// SPDX-License-Identifier: Apache-2.0
// Decoupled look-back with one word for the sum of a block and of all before it: what is read is not what its state
// said.
#include "words.hpp"

enum state { nothing, own_sum, sum_of_all };
enum { states, sums = 8, sums_of_all = 16 };

__global__ void scan(int* w, int* answer) {
  const int me = static_cast<int>(blockIdx.x), mine = 1 << me;
  store(w[sums + me], mine);
  store_release(w[states + me], own_sum);
  int sum = mine;
  for (int before = me - 1; before >= 0;) {
    const int told = load_acquire(w[states + before]);
    if (told == nothing) continue;
#if defined(TWIN)
    sum += load(w[(told == sum_of_all ? sums_of_all : sums) + before]);
#else
    sum += load(w[sums + before]);
#endif
    if (told == sum_of_all) break;
    --before;
  }
#if defined(TWIN)
  store(w[sums_of_all + me], sum);
#else
  store(w[sums + me], sum);
#endif
  store_release(w[states + me], sum_of_all);
  answer[me] = sum;
}

int main() {
  const answers a = run(scan, 3);
  return verdict(a.of[0] == 1 && a.of[1] == 3 && a.of[2] == 7);
}
