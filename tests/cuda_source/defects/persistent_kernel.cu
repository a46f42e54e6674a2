// SPDX-License-Identifier: Apache-2.0
// options: --check all --timeout 2
// code: 4
// says: error\[hang\]: kernel serve does not end
// says: error  +the program went on for 2 s after a kernel was given up
// says: the kernel did not finish
// A kernel that main feeds: it runs where it is launched, so both wait for ever. Main looks at memory alone.
#include <cstdio>

__global__ void serve(volatile int* work, volatile int* done) {
  int last = 0;
  while (true) {
    const int now = *work;
    if (now < 0) break;
    if (now != last) *done = last = now;
  }
}

int main() {
  int *work, *done;
  cudaMallocManaged(&work, 4);
  cudaMallocManaged(&done, 4);
  *work = 0, *done = 0;
  serve<<<1, 1>>>(work, done);
  for (int i = 1; i < 4; ++i) {
    *(volatile int*)work = i;
    while (*(volatile int*)done != i) continue;
    std::printf("%d\n", i);
  }
  *(volatile int*)work = -1;
  cudaDeviceSynchronize();
}
