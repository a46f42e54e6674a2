// SPDX-License-Identifier: Apache-2.0
// Memory of helpers has the name of what its caller stores it in: an element, a member, the second of two calls of a line;
// a vector of Thrust that of its declaration. And an unsigned index below zero names the array that it is one of.
// options: --check all
// code: 3
// says: at layer.1..20.
// says: at second.20.
// says: at other.20.
// says: at model.bias.20.
// says: at keys.20.
// says: at s.-1., outside the shared array
// says: 4 bytes before the start of s .256 bytes.
// says: 6 errors
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <cstdio>
int* make(int n) {
  int* p = nullptr;
  cudaMalloc(&p, n * sizeof(int));
  return p;
}
void make_at(int** p, int n) { cudaMalloc(p, n * sizeof(int)); }
__global__ void fill_layer(int* q, int n) { if (threadIdx.x <= n) q[threadIdx.x] = 1; }
__global__ void fill_second(int* q, int n) { if (threadIdx.x <= n) q[threadIdx.x] = 1; }
__global__ void fill_other(int* q, int n) { if (threadIdx.x <= n) q[threadIdx.x] = 1; }
__global__ void fill_bias(int* q, int n) { if (threadIdx.x <= n) q[threadIdx.x] = 1; }
__global__ void fill_keys(int* q, int n) { if (threadIdx.x <= n) q[threadIdx.x] = 1; }
__global__ void differences(const int* in, int* out) {
  __shared__ int s[64];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t] - s[t - 1];
}
struct weights { int *matrix, *bias; };
int main() {
  int *layer[2], *one, *other;
  layer[0] = make(20);
  layer[1] = make(20);
  int *first = make(20), *second = make(20);
  make_at(&one, 20), make_at(&other, 20);
  weights model;
  model.bias = make(20);
  thrust::device_vector<int> keys(20), values(64), results(64);
  fill_layer<<<1, 32>>>(layer[1], 20), fill_second<<<1, 32>>>(second, 20), fill_other<<<1, 32>>>(other, 20);
  fill_bias<<<1, 32>>>(model.bias, 20), fill_keys<<<1, 32>>>(keys.data().get(), 20);
  differences<<<1, 64>>>(values.data().get(), results.data().get());
  int h = results[3];
  std::printf("%d\n", h);
  for (int* p : {layer[0], layer[1], first, second, one, other, model.bias}) cudaFree(p);
}
