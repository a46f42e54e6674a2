// SPDX-License-Identifier: Apache-2.0
// options: --timeout 5
// code: 4
// says: error\[host-memory\]: thread \(17,0,0\) of block \(0,0,0\) of kernel find dereferences a null pointer
// says: null_of_search.cu:14 in find
// One thread finds nothing. A compiler may believe that each finds something, and that the loop has no other end.
#include <cstdio>
struct node {
  int key, found;
};
__global__ void find(node* a, int n, int none) {
  node* p = nullptr;
  for (int k = 0; k < n; ++k) if (k == threadIdx.x && k != none) p = &a[k];
  p->found = 1;
}
int main() {
  node* a;
  cudaMalloc(&a, 64 * sizeof(node));
  cudaMemset(a, 0, 64 * sizeof(node));
  find<<<1, 64>>>(a, 64, 17);
  cudaDeviceSynchronize();
}
