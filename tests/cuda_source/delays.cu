// SPDX-License-Identifier: Apache-2.0
// Delays by the clock: millions of threads that wait at the same time on a GPU take as long as one of them does, and one
// thread alone takes as long as it says. A loop that looks at a flag too is no delay: it has its whole time.
#include <chrono>
#include <cstdio>
#include <cuda_runtime.h>

// As samples write it: differences of 32 bits.
__global__ void delay(clock_t cycles, unsigned *too_short) {
  unsigned begin = (unsigned)clock();
  clock_t passed = 0;
  while (passed < cycles) {
    unsigned now = (unsigned)clock();
    passed = (clock_t)(now - begin);
  }
  if (passed < cycles) atomicAdd(too_short, 1u);
}

__device__ void sleep_ns(unsigned long long ns) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < ns);
}
__global__ void two_delays(long long *spent) {
  const long long begin = clock64();
  sleep_ns(20000);
  for (long long start = clock64(); clock64() - start < 40000;);
  spent[blockIdx.x * blockDim.x + threadIdx.x] = clock64() - begin;
}

// The last thread sets the flag, behind a delay of its own; the others give up after a second.
__global__ void wait_for_flag(int *flag, int *gave_up) {
  if (threadIdx.x == blockDim.x - 1) {
    for (long long start = clock64(); clock64() - start < 20000000;);
    atomicExch(flag, 1);
    return;
  }
  const long long start = clock64();
  while (atomicAdd(flag, 0) == 0)
    if (clock64() - start > 1980000000) {
      atomicAdd(gave_up, 1);
      break;
    }
}

int main() {
  using clock = std::chrono::steady_clock;
  unsigned *too_short;
  cudaMallocManaged(&too_short, sizeof *too_short);
  *too_short = 0;
  auto begin = clock::now();
  volatile double seconds;  // files that use the word have loops in which others may run
  delay<<<4096, 512>>>(99000, too_short);  // 2 million threads of 50 us: 100 s one behind the other
  cudaDeviceSynchronize();
  seconds = std::chrono::duration<double>(clock::now() - begin).count();
  printf("many: %u too short, %s\n", *too_short, seconds < 50 ? "in time" : "one behind the other");

  begin = clock::now();
  delay<<<1, 1>>>(198000000, too_short);  // 100 ms
  cudaDeviceSynchronize();
  seconds = std::chrono::duration<double>(clock::now() - begin).count();
  printf("one: %u too short, %s\n", *too_short, seconds > 0.09 ? "waited" : "did not wait");

  begin = clock::now();
  delay<<<1, 1>>>(79200000, too_short);  // 40 ms: what another launch has waited counts for nothing
  cudaDeviceSynchronize();
  seconds = std::chrono::duration<double>(clock::now() - begin).count();
  printf("one again: %u too short, %s\n", *too_short, seconds > 0.036 ? "waited" : "did not wait");

  const int n = 1024;
  long long *spent;
  cudaMallocManaged(&spent, n * sizeof *spent);
  two_delays<<<n / 128, 128>>>(spent);
  cudaDeviceSynchronize();
  int bad = 0;
  for (int i = 0; i < n; ++i) bad += spent[i] < 40000 + 20000;
  printf("two in a row: %d too short\n", bad);

  int *flags;
  cudaMallocManaged(&flags, 2 * sizeof *flags);
  flags[0] = flags[1] = 0;
  wait_for_flag<<<1, 64>>>(flags, flags + 1);
  cudaDeviceSynchronize();
  printf("flag: %d gave up\n", flags[1]);
  cudaFree(flags);
  cudaFree(spent);
  cudaFree(too_short);
  return 0;
}
