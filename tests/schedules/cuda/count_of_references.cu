// SPDX-License-Identifier: Apache-2.0
// Who gives a reference back looks at the count in a second step: both find it zero, and both free.
#include "words.hpp"

enum { references, shared_out, freed };

__global__ void give_back(int* w, int* answer) {
  if (blockIdx.x == 0) {
    add(w[references], 2);
    store_release(w[shared_out], 1);
  }
  while (!load_acquire(w[shared_out])) {
  }
#if defined(TWIN)
  const bool last = add(w[references], -1) == 1;
#else
  add(w[references], -1);
  const bool last = load_acquire(w[references]) == 0;
#endif
  if (last && add(w[freed], 1) == 1) answer[0] = 1;
}

int main() { return verdict(run(give_back, 2).of[0] == 0); }
