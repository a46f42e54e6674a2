// SPDX-License-Identifier: Apache-2.0
// A ticket lock whose tickets begin again before everybody who waits has been served: two hold the lock.
#include "words.hpp"

#if defined(TWIN)
constexpr int kTickets = 4;
#else
constexpr int kTickets = 2;
#endif
enum { next, served, total };

__global__ void count_under_lock(int* w, int* answer) {
  const int mine = add(w[next], 1) % kTickets;
  while (load_acquire(w[served]) % kTickets != mine) {
  }
  const int before = load(w[total]);
  store(w[total], before + 1);
  if (before == 2) answer[0] = 1;
  add(w[served], 1);
}

int main() { return verdict(run(count_under_lock, 3).of[0] == 1); }
