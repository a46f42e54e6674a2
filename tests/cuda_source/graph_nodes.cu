// SPDX-License-Identifier: Apache-2.0
// Graphs made node by node: copies, fills, kernels with edges between, a host function, a child graph, new parameters.
#include <cstdio>

__global__ void scale(float *x, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
__global__ void add(float *x, const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += y[i];
}
void count(void *p) { ++*(int *)p; }

int main() {
  int n = 1000, calls = 0;
  float *x, *y, *in, *out, by = 3.0f;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMallocHost(&in, n * sizeof(float));
  cudaMallocHost(&out, n * sizeof(float));
  for (int i = 0; i < n; ++i) in[i] = i;

  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t load, clear, scaled, added, store, told, last;
  cudaMemcpy3DParms copy = {0};
  copy.srcPtr = make_cudaPitchedPtr(in, n * sizeof(float), n, 1);
  copy.dstPtr = make_cudaPitchedPtr(x, n * sizeof(float), n, 1);
  copy.extent = make_cudaExtent(n * sizeof(float), 1, 1);
  copy.kind = cudaMemcpyHostToDevice;
  cudaGraphAddMemcpyNode(&load, graph, NULL, 0, &copy);
  cudaMemsetParams fill = {0};
  fill.dst = y;
  fill.elementSize = sizeof(float);
  fill.width = n;
  fill.height = 1;
  cudaGraphAddMemsetNode(&clear, graph, NULL, 0, &fill);
  cudaKernelNodeParams k = {0};
  void *scale_arguments[] = {&x, &n, &by};
  k.func = (void *)scale;
  k.gridDim = dim3(4);
  k.blockDim = dim3(256);
  k.kernelParams = scale_arguments;
  cudaGraphAddKernelNode(&scaled, graph, &load, 1, &k);
  void *add_arguments[] = {&x, &y, &n};
  k.func = (void *)add;
  k.kernelParams = add_arguments;
  cudaGraphNode_t both[] = {scaled, clear};
  cudaGraphAddKernelNode(&added, graph, both, 2, &k);
  cudaGraphAddMemcpyNode1D(&store, graph, &added, 1, out, x, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaHostNodeParams host = {count, &calls};
  cudaGraphAddHostNode(&told, graph, &store, 1, &host);
  cudaGraphAddEmptyNode(&last, graph, &told, 1);
  size_t nodes = 0;
  cudaGraphGetNodes(graph, NULL, &nodes);

  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraphExec_t exec;
  std::printf("%d nodes, instantiated: %s\n", (int)nodes, cudaGetErrorName(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0)));
  for (int round = 0; round < 2; ++round) {
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    std::printf("%g %g, %d calls\n", out[1], out[999], calls);
  }
  by = 10.0f;
  k.func = (void *)scale;
  k.kernelParams = scale_arguments;
  cudaGraphExecKernelNodeSetParams(exec, scaled, &k);
  cudaGraphLaunch(exec, s);
  cudaStreamSynchronize(s);
  std::printf("%g, %d calls\n", out[1], calls);
  cudaGraph_t outer;
  cudaGraphCreate(&outer, 0);
  cudaGraphNode_t child;
  cudaGraphAddChildGraphNode(&child, outer, NULL, 0, graph);
  cudaGraphExec_t outer_exec;
  cudaGraphInstantiate(&outer_exec, outer, NULL, NULL, 0);
  cudaGraphLaunch(outer_exec, s);
  cudaStreamSynchronize(s);
  std::printf("child: %g, %d calls\n", out[1], calls);
  cudaGraphExecDestroy(outer_exec);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(outer);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(s);
  cudaFree(x);
  cudaFree(y);
  cudaFreeHost(in);
  cudaFreeHost(out);
  return 0;
}
