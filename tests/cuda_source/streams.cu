// SPDX-License-Identifier: Apache-2.0
// Streams and events: chunks that are copied and computed on their own streams, events between streams, timing,
// pinned memory, stream-ordered allocation, host functions.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void square(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * x[i];
}
__global__ void accumulate(const float* x, float* sum, int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += x[i];
  atomicAdd(sum, s);
}

static int called = 0;
void CUDART_CB on_host(void* data) { called += *static_cast<int*>(data); }

int main() {
  const int n = 1 << 14, parts = 4, part = n / parts;
  float *h, *d, *d_sum;
  cudaMallocHost((void**)&h, n * sizeof(float));
  for (int i = 0; i < n; i++) h[i] = (float)(i % 10);
  cudaMalloc((void**)&d, n * sizeof(float));
  cudaStream_t streams[parts];
  cudaEvent_t done[parts], start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  for (int i = 0; i < parts; i++) {
    cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming);
  }
  cudaEventRecord(start, streams[0]);
  for (int i = 0; i < parts; i++) {
    float *hp = h + i * part, *dp = d + i * part;
    cudaMemcpyAsync(dp, hp, part * sizeof(float), cudaMemcpyHostToDevice, streams[i]);
    square<<<(part + 255) / 256, 256, 0, streams[i]>>>(dp, part);
    cudaMemcpyAsync(hp, dp, part * sizeof(float), cudaMemcpyDeviceToHost, streams[i]);
    cudaEventRecord(done[i], streams[i]);
  }
  for (int i = 1; i < parts; i++) cudaStreamWaitEvent(streams[0], done[i], 0);
  cudaMallocAsync((void**)&d_sum, sizeof(float), streams[0]);
  cudaMemsetAsync(d_sum, 0, sizeof(float), streams[0]);
  accumulate<<<1, 128, 0, streams[0]>>>(d, d_sum, n);
  float sum = 0;
  cudaMemcpyAsync(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost, streams[0]);
  cudaFreeAsync(d_sum, streams[0]);
  int five = 5;
  cudaLaunchHostFunc(streams[0], on_host, &five);
  cudaEventRecord(stop, streams[0]);
  cudaEventSynchronize(stop);
  float ms = -1;
  cudaEventElapsedTime(&ms, start, stop);
  cudaDeviceSynchronize();
  double want = 0;
  for (int i = 0; i < n; i++) want += (i % 10) * (i % 10);
  printf("h[7] = %.0f, sum %.0f (%.0f), host function %d, time %s\n", h[7], sum, want, called, ms >= 0 ? "measured" : "missing");
  printf("queries: %s, %s\n", cudaGetErrorName(cudaStreamQuery(streams[1])), cudaGetErrorName(cudaEventQuery(done[2])));
  for (int i = 0; i < parts; i++) {
    cudaStreamDestroy(streams[i]);
    cudaEventDestroy(done[i]);
  }
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaFree(d);
  cudaFreeHost(h);
  return 0;
}
