// SPDX-License-Identifier: Apache-2.0
// Function objects that are constants of the device and have no value of their own: constant expressions call them. And
// a loop that the compiler runs for a constant, in a file where others wait for a volatile variable.
#include <cccl/cuda/std/utility>
#include <cstdio>

struct twice {
  template <class T>
  __host__ __device__ constexpr T operator()(T x) const {
    return x + x;
  }
};
static const __device__ twice doubled;
__device__ const twice other{};

template <int N>
struct sized {
  int x[N];
};

__host__ __device__ constexpr int gcd(int a, int b) {
  while (true) {
    if (a == 0) return b;
    b %= a;
    if (b == 0) return a;
    a %= b;
  }
}
static_assert(gcd(12, 18) == 6, "for the compiler");

__device__ volatile int flag = 1;

__global__ void use(int* out) {
  sized<doubled(3)> s{};
  s.x[5] = other(out[1]);
  while (flag == 0) {
  }
  out[0] = s.x[5] + doubled(100) + static_cast<int>(sizeof(s)) + gcd(12, out[1]);
}

int main() {
  int *device, host[2] = {0, 18};
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  use<<<1, 1>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], cuda::std::move(host[1]));
  cudaFree(device);
}
