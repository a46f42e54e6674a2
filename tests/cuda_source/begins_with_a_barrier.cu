// SPDX-License-Identifier: Apache-2.0
// A block whose first touch of shared memory comes behind a barrier, and which writes it in pairs that go back and forth:
// vectors of 16 bytes, each turn in a place of its own. Nobody has written there before the barrier.
#include <cstdio>

constexpr int kThreads = 256, kTurns = 4;

__global__ void exchange(float* out) {
  __shared__ uint4 places[kTurns * kThreads];
  const int t = threadIdx.x, row = t / 32;
  float mine[kTurns][4];
  for (int c = 0; c < kTurns; ++c)
    for (int k = 0; k < 4; ++k) mine[c][k] = 1000.0f * c + 4.0f * t + k;
  __syncthreads();
  for (int c = 0; c < kTurns; ++c) places[c * kThreads + (t ^ row)] = reinterpret_cast<uint4*>(mine[c])[0];
  __syncthreads();
  for (int c = 0; c < kTurns; ++c) reinterpret_cast<uint4*>(mine[c])[0] = places[c * kThreads + (t ^ 1)];
  for (int c = 0; c < kTurns; ++c)
    for (int k = 0; k < 4; ++k) out[(c * kThreads + t) * 4 + k] = mine[c][k];
}

int main() {
  static float out[kThreads * kTurns * 4];
  float* d;
  cudaMalloc(&d, sizeof(out));
  exchange<<<1, kThreads>>>(d);
  cudaMemcpy(out, d, sizeof(out), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < kThreads * kTurns * 4; ++i) sum += out[i] * (i % 7);
  printf("%.0f\n", sum);
  cudaFree(d);
  return 0;
}
