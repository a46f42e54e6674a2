// SPDX-License-Identifier: Apache-2.0
// One phase of an mbarrier between write and read does not keep the read from the next turn's write. Nobody may take
// over the arrivals of the next phase by looking late.
// options: --check races
// code: 3
// says: race-shared.: (read and write|write and read) of s
// says: mbarrier_second_wait.cu:32
// says: mbarrier_second_wait.cu:35
// says: mbarrier_second_wait.cu: 1 error;
#include <cuda_runtime.h>
__device__ unsigned of(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ void meet(unsigned long long* b, unsigned& parity) {
  asm volatile("{ .reg .b64 t; mbarrier.arrive.shared::cta.b64 t, [%0]; }" ::"r"(of(b)) : "memory");
  asm volatile(
      "{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @p bra DONE; bra AGAIN; DONE: }" ::"r"(
          of(b)),
      "r"(parity)
      : "memory");
  parity ^= 1;
}
template <bool Twice>
__global__ void turns(int* out) {
  __shared__ int s[64];
  __shared__ unsigned long long b;
  const int t = threadIdx.x;
  unsigned parity = 0;
  int sum = 0;
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(of(&b)), "r"(64) : "memory");
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    // What the others read in the turn before.
    s[t] = i + t;
    meet(&b, parity);

    sum += s[63 - t];
    if (Twice) meet(&b, parity);
  }
  out[t] = sum;
}
int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  turns<true><<<1, 64>>>(out);
  turns<false><<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
