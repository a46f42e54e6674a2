// SPDX-License-Identifier: Apache-2.0
// A stack whose head has a tag against ABA that comes again after two changes.
#include "words.hpp"

#if defined(TWIN)
constexpr int kTags = 1 << 20;
#else
constexpr int kTags = 2;
#endif
enum { head, filled, followers = 10, taken = 20 };  // head: a tag times 8, and a node; 0: none

__device__ int changed(int from, int node) { return (from / 8 + 1) % kTags * 8 + node; }
__device__ int pop(int* w) {
  for (;;) {
    const int from = load_acquire(w[head]), node = from % 8;
    if (node == 0) return 0;
    if (swap_if(w[head], from, changed(from, load(w[followers + node])))) return node;
  }
}
__device__ void push(int* w, int node) {
  for (;;) {
    const int from = load_acquire(w[head]);
    store(w[followers + node], from % 8);
    if (swap_if(w[head], from, changed(from, node))) return;
  }
}
__device__ void take(int* w, int* answer, int node) {
  if (node != 0 && add(w[taken + node], 1) == 1) answer[0] = 1;
}
__global__ void pop_and_push(int* w, int* answer) {
  if (blockIdx.x == 0) {
    while (!load_acquire(w[filled])) {
    }
    take(w, answer, pop(w));
    take(w, answer, pop(w));
    return;
  }
  store(w[followers + 1], 2);
  store(w[head], 1);
  store_release(w[filled], 1);
  const int first = pop(w);
  take(w, answer, pop(w));
  push(w, 3);
  if (first != 0) push(w, first);
}

int main() { return verdict(run(pop_and_push, 2).of[0] == 0); }
