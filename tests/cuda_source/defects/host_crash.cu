// code: 4
// says: the program crashed in host code: Segmentation fault
// says: host_crash.cu:13 in sum
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
struct node {
  int value;
  node *next;
};
__attribute__((noinline)) int sum(node *n) {
  int s = 0;
  for (int i = 0; i < 3; i++) {
    s += n->value;  // the list ends before
    n = n->next;
  }
  return s;
}
__global__ void kernel(int *p) { p[0] = 1; }
int main() {
  int *d;
  cudaMalloc(&d, sizeof(int));
  kernel<<<1, 1>>>(d);
  node last{1, nullptr};
  node *volatile list = &last;
  printf("%d\n", sum(list));
  cudaFree(d);
}
