// SPDX-License-Identifier: Apache-2.0
// Two flags that each say "the other one was first": a GPU may delay both loads behind both stores (load buffering).
#include "words.hpp"

enum { both = 2 };

__global__ void pass_on(int* w, int* answer) {
  const int me = static_cast<int>(blockIdx.x), seen = load(w[me]);
#if defined(TWIN)
  fence(cuda::memory_order_acq_rel);
#endif
  store(w[1 - me], 1);
  if (seen && add(w[both], 1) == 1) answer[0] = 1;
}

int main() { return verdict(run(pass_on, 2).of[0] == 0); }
