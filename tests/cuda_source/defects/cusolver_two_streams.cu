// SPDX-License-Identifier: Apache-2.0
// A kernel on one stream still changes the matrix that is factored on another.
// needs: lapacke.h of liblapacke-dev
// options: --check all
// code: 3
// says: race-global
// says: cusolver_two_streams.cu:37 in main
// says: kernel cusolverDnDpotrf on stream
#include <cuda_runtime.h>
#include <cusolverDn.h>

__global__ void fill(double *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * n) a[i] = i % (n + 1) == 0 ? n : 1.0 / (1 + i / n + i % n);
}

int main() {
  const int n = 8;
  int count = 0, *info;
  double *a, *room;
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cusolverDnHandle_t h;
  cusolverDnCreate(&h);
  cusolverDnSetStream(h, t);
  cudaMalloc(&a, n * n * sizeof(double));
  cudaMalloc(&info, sizeof(int));
  cusolverDnDpotrf_bufferSize(h, CUBLAS_FILL_MODE_LOWER, n, a, n, &count);
  cudaMalloc(&room, count * sizeof(double));
  cudaEvent_t done;
  cudaEventCreate(&done);
  fill<<<1, n * n, 0, s>>>(a, n);
  cudaEventRecord(done, s);
  // The defect: t does not wait for the event.
  // cudaStreamWaitEvent(t, done, 0);
  cusolverDnDpotrf(h, CUBLAS_FILL_MODE_LOWER, n, a, n, room, count, info);
  cudaDeviceSynchronize();
  cusolverDnDestroy(h);
  cudaEventDestroy(done);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(a);
  cudaFree(info);
  cudaFree(room);
  return 0;
}
