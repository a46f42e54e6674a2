// SPDX-License-Identifier: Apache-2.0
// A thread that owns two neighbours in shared memory, swaps and sums them and reads them again, as scans do in their
// last step: what it wrote is what it reads.
#include <cstdio>

template <class T, int N>
__global__ void last_step(T* out, const T* in) {
  __shared__ T temp[N];
  const int i = threadIdx.x;
  temp[2 * i] = in[2 * i];
  temp[2 * i + 1] = in[2 * i + 1];
  __syncthreads();
  const T t = temp[2 * i];
  temp[2 * i] = temp[2 * i + 1];
  temp[2 * i + 1] += t;
  out[2 * i] = temp[2 * i];
  out[2 * i + 1] = temp[2 * i + 1];
}

template <class T>
int wrong_of() {
  const int n = 128;
  T h[n], *a, *b;
  for (int i = 0; i < n; ++i) h[i] = static_cast<T>(i % 50);
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  last_step<T, n><<<1, n / 2>>>(b, a);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  int wrong = 0;
  for (int i = 0; i < n; i += 2) wrong += h[i] != (i + 1) % 50 || h[i + 1] != i % 50 + (i + 1) % 50;
  return wrong;
}

int main() {
  std::printf("wrong: %d of chars, %d of shorts, %d of ints, %d of doubles\n", wrong_of<char>(), wrong_of<short>(),
              wrong_of<int>(), wrong_of<double>());
}
