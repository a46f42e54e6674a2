// SPDX-License-Identifier: Apache-2.0
// A stream that took part in a capture is destroyed before the capture ends: what it did is in the graph.
#include <cstdio>

__global__ void add(int* x, int n) { x[threadIdx.x] += n; }
__global__ void sum(int* out, const int* a, const int* b) { out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; }

int main() {
  constexpr int kThreads = 32;
  int *a, *b, *out;
  for (int** p : {&a, &b, &out}) {
    cudaMalloc(p, kThreads * sizeof(int));
    cudaMemset(*p, 0, kThreads * sizeof(int));
  }
  cudaStream_t origin, side;
  cudaEvent_t forked, joined;
  cudaStreamCreate(&origin);
  cudaStreamCreate(&side);
  cudaEventCreate(&forked);
  cudaEventCreate(&joined);

  cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal);
  cudaEventRecord(forked, origin);
  cudaStreamWaitEvent(side, forked, 0);
  add<<<1, kThreads, 0, origin>>>(a, 1);
  add<<<1, kThreads, 0, side>>>(b, 10);
  cudaEventRecord(joined, side);
  cudaStreamWaitEvent(origin, joined, 0);
  printf("destroy: %s\n", cudaGetErrorName(cudaStreamDestroy(side)));
  cudaEventDestroy(forked);
  cudaEventDestroy(joined);
  sum<<<1, kThreads, 0, origin>>>(out, a, b);
  cudaGraph_t graph;
  printf("end: %s\n", cudaGetErrorName(cudaStreamEndCapture(origin, &graph)));

  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, origin);
  cudaStreamSynchronize(origin);
  int h[kThreads];
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[kThreads - 1]);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(origin);
  for (int* p : {a, b, out}) cudaFree(p);
}
