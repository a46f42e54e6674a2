// SPDX-License-Identifier: Apache-2.0
// Variables that kernels only read: reads of __constant__ leave no record under check, on fibers and in loops. Each step
// is one way in which such a variable could be written after all, or read where it is not; the mutants make it so.
#include <cstdio>

constexpr int n = 512, block = 128;
__constant__ int weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ unsigned char letters[16];
__constant__ int scale;
__device__ int table[8];

// Which elements are read, the data say.
__global__ void weigh(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int x = in[i]; x > 0; x /= 2)
    if (x % 2 != 0) sum += weights[x % 8] * scale + letters[x % 16];
  out[i] = sum;
}
// On fibers: lanes that meet with part of their warp.
__global__ void weigh_some(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = weights[in[i] % 8];
  if (in[i] % 2 == 0) sum += __shfl_sync(__activemask(), letters[in[i] % 16], 0) * 0 + scale;
  out[i] = sum;
}
__global__ void fill(int* out, int value) { out[threadIdx.x % 8] = value + 0 * threadIdx.x; }
// Variables that kernels write.
__global__ void count(const int* in) { atomicAdd(&table[in[blockIdx.x * blockDim.x + threadIdx.x] % 8], 1); }
__global__ void look(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int x = in[i]; x > 0; x /= 2) sum += table[x % 8];
  out[i] = sum;
}

void show(const char* what, const int* p) {
  static int values[n];
  cudaMemcpy(values, p, sizeof values, cudaMemcpyDeviceToHost);
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i] * (i % 7);
  printf("%s %ld\n", what, sum);
}

int main() {
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  static int values[n];
  for (int i = 0; i < n; ++i) values[i] = i * 37 % 1000;
  int *in, *out, *more;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, sizeof values);
  cudaMalloc(&more, sizeof values);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemset(more, 0, sizeof values);
  const unsigned char text[17] = "constant letters";
  const int two = 2, three = 3, fewer[8] = {8, 7, 6, 5, 4, 3, 2, 1};
  cudaMemcpyToSymbol(letters, text, 16);
  cudaMemcpyToSymbol(scale, &two, sizeof two);

  weigh<<<n / block, block>>>(in, out);
  show("weighed", out);
  weigh_some<<<n / block, block>>>(in, out);
  show("some", out);

  // Other values, between launches and behind one on its stream.
  cudaMemcpyToSymbol(weights, fewer, sizeof fewer);
  weigh<<<n / block, block, 0, a>>>(in, out);
  weigh_some<<<n / block, block, 0, a>>>(in, more);
  cudaMemcpyToSymbolAsync(scale, &three, sizeof three, 0, cudaMemcpyHostToDevice, a);
  weigh<<<n / block, block, 0, a>>>(in, out);
  cudaDeviceSynchronize();
  show("in order", out);
  show("some in order", more);

  // Beside each other: all of them only read.
  weigh<<<n / block, block, 0, a>>>(in, out);
  weigh_some<<<n / block, block, 0, b>>>(in, more);
  cudaDeviceSynchronize();
  show("beside", out);
  show("some beside", more);
  int* target = more;
  weigh<<<n / block, block, 0, a>>>(in, out);
  fill<<<1, 8, 0, b>>>(target, 5);
  cudaDeviceSynchronize();
  show("filled", more);
  int* again = more;
  fill<<<1, 8, 0, b>>>(again, 6);
  weigh_some<<<n / block, block, 0, a>>>(in, out);
  cudaDeviceSynchronize();
  show("filled again", more);

  count<<<n / block, block>>>(in);
  look<<<n / block, block>>>(in, out);
  cudaDeviceSynchronize();
  show("counted", out);
  cudaFree(in);
  cudaFree(out);
  cudaFree(more);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}
