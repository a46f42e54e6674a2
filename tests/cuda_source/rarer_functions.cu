// SPDX-License-Identifier: Apache-2.0
// Functions that few programs call: products of vector types, where an address lies, names of math_constants.h.
#include <cstdio>
#include <math_constants.h>

__device__ int table[4];

__global__ void products(int* out) {
  const char4 a = make_char4(1, -2, 3, -4), b = make_char4(10, 20, -30, 40);
  const uchar4 c = make_uchar4(200, 1, 2, 3), d = make_uchar4(255, 4, 5, 6);
  const short2 e = make_short2(-300, 7);
  const ushort2 f = make_ushort2(60000, 9);
  int i = 0;
  out[i++] = __dp4a(a, b, 1000);
  out[i++] = static_cast<int>(__dp4a(c, d, 7u));
  out[i++] = __dp2a_lo(e, b, 5);
  out[i++] = __dp2a_hi(e, b, 5);
  out[i++] = static_cast<int>(__dp2a_lo(f, d, 1u));
  out[i++] = static_cast<int>(__dp2a_hi(f, d, 1u));
  out[i++] = static_cast<int>(__dp2a_lo(0xea600009u, 0x0605ff04u, 1u));
}

__global__ void places(int* global, int* out) {
  __shared__ int shared;
  int local = 1;
  out[0] = __isGlobal(global) && __isGlobal(&table[1]) && !__isGlobal(&shared) && !__isGlobal(&local);
  out[1] = __isShared(&shared) && !__isShared(global);
  out[2] = __isLocal(&local) && !__isLocal(global) && !__isLocal(&shared);
  __prof_trigger(0);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 16 * sizeof(int));
  products<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 7; ++i) std::printf("%d ", out[i]);
  int* global;
  cudaMalloc(&global, sizeof(int));
  places<<<1, 1>>>(global, out);
  cudaDeviceSynchronize();
  std::printf("\n%d %d %d\n", out[0] != 0, out[1] != 0, out[2] != 0);
  std::printf("%g %g\n", CUDART_TWO_TO_23_F, CUDART_TWO_TO_53 - 9007199254740991.0);
  cudaFree(global), cudaFree(out);
}
