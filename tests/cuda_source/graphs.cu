// SPDX-License-Identifier: Apache-2.0
// Stream capture: a graph of copies, launches and a host function with a fork and a join, launched some times; errors.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void scale(float* x, int n, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
__global__ void add(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + y[i];
}
void count(void* p) { ++*static_cast<int*>(p); }
int main() {
  constexpr int n = 1000;
  float *x, *y, *z, *host, *result;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&z, n * sizeof(float));
  cudaMallocHost(&host, n * sizeof(float));
  cudaMallocHost(&result, n * sizeof(float));
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEvent_t fork, join;
  cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
  int calls = 0;

  cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(x, host, n * sizeof(float), cudaMemcpyHostToDevice, a);
  cudaEventRecord(fork, a);
  cudaStreamWaitEvent(b, fork, 0);
  cudaMemsetAsync(y, 0, n * sizeof(float), b);
  add<<<4, 256, 0, b>>>(x, y, y, n);
  cudaEventRecord(join, b);
  cudaStreamWaitEvent(a, join, 0);
  scale<<<4, 256, 0, a>>>(x, n, 2.0f);
  add<<<4, 256, 0, a>>>(x, y, z, n);
  cudaMemcpyAsync(result, z, n * sizeof(float), cudaMemcpyDeviceToHost, a);
  cudaLaunchHostFunc(a, count, &calls);
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(b, &status);
  printf("second stream capturing: %s\n", status == cudaStreamCaptureStatusActive ? "yes" : "no");
  cudaGraph_t graph;
  printf("end: %s\n", cudaGetErrorName(cudaStreamEndCapture(a, &graph)));
  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  printf("%zu nodes, %d calls so far\n", nodes, calls);

  cudaGraphExec_t exec;
  printf("instantiate: %s\n", cudaGetErrorName(cudaGraphInstantiate(&exec, graph, 0)));
  for (int round = 0; round < 3; ++round) {
    cudaGraphLaunch(exec, a);
    cudaStreamSynchronize(a);
    printf("round %d: %g %g, %d calls\n", round, result[1], result[999], calls);
    host[1] += 10;
  }

  cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed);
  printf("synchronize in a capture: %s\n", cudaGetErrorName(cudaStreamSynchronize(a)));
  cudaGraph_t none = nullptr;
  printf("end of a lost capture: %s\n", cudaGetErrorName(cudaStreamEndCapture(a, &none)));
  cudaGetLastError();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaEventDestroy(fork);
  cudaEventDestroy(join);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
  cudaFreeHost(host);
  cudaFreeHost(result);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
