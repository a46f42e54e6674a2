// SPDX-License-Identifier: Apache-2.0
// Inline PTX that puts two numbers side by side, each in the range of its type.
#include <cstdio>

__global__ void pack(unsigned* out, int a, int b) {
  asm("cvt.pack.sat.s8.s32.b32 %0, %1, %2, 0;" : "=r"(out[0]) : "r"(a), "r"(b));
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(out[1]) : "r"(a), "r"(b), "r"(0xabcd1234));
  asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(out[2]) : "r"(a * 300), "r"(b * 300));
  asm("cvt.pack.sat.u16.s32 %0, %1, %2;" : "=r"(out[3]) : "r"(a * 300), "r"(b * 300));
  asm("cvt.pack.sat.s4.s32.b32 %0, %1, %2, %3;" : "=r"(out[4]) : "r"(a), "r"(b), "r"(0xabcd1234));
  asm("cvt.pack.sat.u2.s32.b32 %0, %1, %2, %3;" : "=r"(out[5]) : "r"(a), "r"(2), "r"(1));
}

int main() {
  unsigned *device, host[6];
  cudaMalloc(&device, sizeof host);
  pack<<<1, 1>>>(device, 200, -3);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (const unsigned word : host) std::printf("%08x\n", word);
  cudaFree(device);
}
