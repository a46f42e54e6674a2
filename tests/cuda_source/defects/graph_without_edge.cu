// SPDX-License-Identifier: Apache-2.0
// Two nodes of a graph use one array and no edge is between them: the report speaks of the graph.
// options: --check races
// code: 3
// says: race-global
// says: .a branch of a graph.
// says: no event and no wait orders them
// says: let the second node depend on the first
#include <cuda_runtime.h>
__global__ void set(int* x) { *x = 1; }
__global__ void add(int* x) { *x += 1; }
int main() {
  int* x;
  cudaMalloc(&x, sizeof(int));
  cudaMemset(x, 0, sizeof(int));
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  void* arguments[] = {&x};
  cudaKernelNodeParams k = {};
  k.gridDim = k.blockDim = dim3(1);
  k.kernelParams = arguments;
  cudaGraphNode_t first, second;
  k.func = (void*)set;
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &k);
  k.func = (void*)add;
  cudaGraphAddKernelNode(&second, graph, nullptr, 0, &k);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(x);
}
