// SPDX-License-Identifier: Apache-2.0
// Arrays that a launch only reads: checked runs look at their bounds, and at what other work does with them meanwhile.
// Each step is one way in which such an array could be written after all; the mutants make it so.
#include <cstdio>

constexpr int n = 1024, block = 128;

__global__ void blur(const unsigned char* in, unsigned char* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= count - 1) return;
  out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
}
__global__ void gather(const int* in, const int* index, int* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[index[i]];
}
__global__ void neighbours(const int* in, int* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 3; ++k) sum += in[(i + k) % count];
  if (i % 2 == 0) out[i] = sum;
}
__global__ void fill(int* out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void through_table(const int* in, int** table, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  table[0][i] = in[(i + 1) % count];
}
struct state {
  int* target;
  int factor;
};
__device__ void store(const state* s, int i, int value) { s->target[i] = value * s->factor; }
__global__ void through_structure(const int* in, const state* s, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  store(s, i, in[(i + 1) % count]);
}
__global__ void far_store(const int* in, int* out, long offset, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = in[(i + 1) % count];
  if (value >= 0) out[offset + i] = value;
}
__global__ void count_up(const int* in, int* counters, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&counters[in[i] % count], 1);
}

// Between two arrays that are only read.
__global__ void scatter(const int* in, const int* other, int* out, long offset, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = other[(i + 1) % count];
  out[in[i] == 300 ? i + offset : i] = value;
}

int* device_ints(int from) {
  static int values[n];
  for (int i = 0; i < n; ++i) values[i] = from == 0 ? 0 : (i * from) % n;
  int* p;
  cudaMalloc(&p, n * sizeof(int));
  cudaMemcpy(p, values, sizeof values, cudaMemcpyHostToDevice);
  return p;
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
  int *in = device_ints(3), *index = device_ints(5), *out = device_ints(0), *other = device_ints(7);

  gather<<<n / block, block>>>(in, index, out, n);
  show("gathered", out);

  // An element that nobody has written, and one that is not there.
  int* partial;
  cudaMalloc(&partial, n * sizeof(int));
  cudaMemset(partial, 0, n * sizeof(int));
  gather<<<n / block, block>>>(partial, index, out, n);
  show("from zeros", out);
  const int last = n - 1;
  cudaMemcpy(index + 77, &last, sizeof last, cudaMemcpyHostToDevice);
  gather<<<n / block, block>>>(in, index, out, n);
  show("to the end", out);

  // The same array twice.
  neighbours<<<n / block, block>>>(in, out, n);
  show("neighbours", out);
  count_up<<<n / block, block>>>(in, out, n);
  show("counted", out);

  // Pointers that come from memory.
  int** table;
  cudaMalloc(&table, sizeof(int*));
  cudaMemcpy(table, &out, sizeof out, cudaMemcpyHostToDevice);
  through_table<<<n / block, block>>>(in, table, n);
  show("table", out);
  state s{out, 2}, *d_s;
  cudaMalloc(&d_s, sizeof s);
  cudaMemcpy(d_s, &s, sizeof s, cudaMemcpyHostToDevice);
  through_structure<<<n / block, block>>>(in, d_s, n);
  show("structure", out);
  const long offset = out - out;
  far_store<<<n / block, block>>>(in, out, offset, n);
  show("far", out);
  const long no_offset = out - out;
  scatter<<<n / block, block>>>(in, other, out, no_offset, n);
  show("between", out);

  // Other streams.
  gather<<<n / block, block, 0, a>>>(other, index, out, n);
  fill<<<n / block, block, 0, a>>>(other, 1);
  cudaDeviceSynchronize();
  gather<<<n / block, block, 0, a>>>(other, index, out, n);
  cudaMemcpyAsync(other, in, n * sizeof(int), cudaMemcpyDeviceToDevice, a);
  cudaDeviceSynchronize();
  gather<<<n / block, block, 0, a>>>(other, index, out, n / 2);
  fill<<<n / 2 / block, block, 0, b>>>(partial + n / 2, 4);
  cudaDeviceSynchronize();
  show("streams", out);
  show("partial", partial);

  // The host.
  int* both;
  cudaMallocManaged(&both, n * sizeof(int));
  for (int i = 0; i < n; ++i) both[i] = i;
  gather<<<n / block, block>>>(both, index, out, n);
  cudaDeviceSynchronize();
  both[5] = 1;
  show("managed", out);

  // Bytes, of which another kernel has written those that this one reads.
  unsigned char *bytes, *blurred;
  cudaMalloc(&bytes, n);
  cudaMalloc(&blurred, n);
  cudaMemset(bytes, 9, n);
  cudaMemset(blurred, 3, n);
  blur<<<n / block, block>>>(bytes, blurred, n);
  blur<<<n / block, block>>>(blurred, bytes, n);
  static unsigned char kept[n];
  cudaMemcpy(kept, bytes, n, cudaMemcpyDeviceToHost);
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += kept[i];
  printf("bytes %ld\n", sum);

  // What has been read whole when a copy replaces it.
  int *fresh, *often = device_ints(3);
  cudaMalloc(&fresh, n * sizeof(int));
  cudaMemset(fresh, 0, n * sizeof(int));
  fill<<<n / block, block>>>(often, 3);
  gather<<<n / block, block>>>(often, index, out, n);
  cudaMemcpy(often, fresh, n * sizeof(int), cudaMemcpyDeviceToDevice);
  gather<<<n / block, block>>>(often, index, out, n);
  show("replaced", out);
  for (void* p : {(void*)in, (void*)index, (void*)out, (void*)other, (void*)partial, (void*)table, (void*)d_s,
                  (void*)both, (void*)bytes, (void*)blurred, (void*)fresh, (void*)often})
    cudaFree(p);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}
