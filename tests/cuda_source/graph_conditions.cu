// SPDX-License-Identifier: Apache-2.0
// Graphs with conditions: if, if with else, while (also put into a capture by hand), switch. Graphs with memory of their
// own: allocated and freed by nodes, or left to the program. Executable graphs that are updated as a whole.
#include <cstdio>
#include <cstring>

#define CHECK(call)                                                              \
  do {                                                                           \
    cudaError_t e_ = (call);                                                     \
    if (e_ != cudaSuccess) printf("%d: %s\n", __LINE__, cudaGetErrorString(e_)); \
  } while (0)

__global__ void decide(const int *value, cudaGraphConditionalHandle h) { cudaGraphSetConditional(h, *value); }
__global__ void note(int *log, int what) { log[0] = log[0] * 10 + what; }
__global__ void count_down(int *value, int *rounds, cudaGraphConditionalHandle h) {
  ++*rounds;
  cudaGraphSetConditional(h, --*value);
}
__global__ void scale(float *to, const float *from, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i] * by;
}

cudaGraphNode_t add_kernel(cudaGraph_t g, cudaGraphNode_t *after, size_t count, cudaGraphNodeParams &p) {
  cudaGraphNode_t n;
  p.kernel.gridDim.x = p.kernel.gridDim.y = p.kernel.gridDim.z = 1;
  p.kernel.blockDim.x = p.kernel.blockDim.y = p.kernel.blockDim.z = 1;
  CHECK(cudaGraphAddNode(&n, g, after, nullptr, count, &p));
  return n;
}

int launched(cudaGraphExec_t exec, int *value, int *log, int with) {
  int result = 0;
  CHECK(cudaMemcpy(value, &with, sizeof with, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(log, 0, sizeof(int)));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaMemcpy(&result, log, sizeof result, cudaMemcpyDeviceToHost));
  return result;
}

void by_value(cudaGraphConditionalNodeType type, unsigned size, int *value, int *log) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle h;
  CHECK(cudaGraphConditionalHandleCreate(&h, graph));
  cudaGraphNodeParams k = {cudaGraphNodeTypeKernel};
  void *decide_arguments[] = {&value, &h};
  k.kernel.func = (void *)decide;
  k.kernel.kernelParams = decide_arguments;
  cudaGraphNode_t first = add_kernel(graph, NULL, 0, k), choice;
  cudaGraphNodeParams c = {cudaGraphNodeTypeConditional};
  c.conditional.handle = h;
  c.conditional.type = type;
  c.conditional.size = size;
  CHECK(cudaGraphAddNode(&choice, graph, &first, nullptr, 1, &c));
  for (unsigned i = 0; i < size; ++i) {
    int what = i + 1;
    void *note_arguments[] = {&log, &what};
    k.kernel.func = (void *)note;
    k.kernel.kernelParams = note_arguments;
    add_kernel(c.conditional.phGraph_out[i], NULL, 0, k);
  }
  CHECK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
  printf("%s of %u:", type == cudaGraphCondTypeIf ? "if" : "switch", size);
  for (int with = 0; with < 4; ++with) printf(" %d", launched(exec, value, log, with));
  printf("\n");
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

void loops(int *value, int *log) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStream_t s, body;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamCreate(&body));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t *after;
  size_t count = 0;
  CHECK(cudaStreamGetCaptureInfo(s, &status, NULL, &graph, &after, &count));
  cudaGraphConditionalHandle h;
  CHECK(cudaGraphConditionalHandleCreate(&h, graph, 7, cudaGraphCondAssignDefault));
  note<<<1, 1, 0, s>>>(log, 0);
  CHECK(cudaStreamGetCaptureInfo(s, &status, NULL, &graph, &after, &count));
  printf("captured so far: %d nodes to wait for, status %d\n", (int)count, (int)status);
  cudaGraphNodeParams c = {cudaGraphNodeTypeConditional};
  c.conditional.handle = h;
  c.conditional.type = cudaGraphCondTypeWhile;
  c.conditional.size = 1;
  cudaGraphNode_t loop;
  CHECK(cudaGraphAddNode(&loop, graph, after, nullptr, count, &c));
  CHECK(cudaStreamUpdateCaptureDependencies(s, &loop, 1, cudaStreamSetCaptureDependencies));
  scale<<<1, 1, 0, s>>>((float *)value, (float *)value, 1.0f, 0);
  CHECK(cudaStreamEndCapture(s, &graph));
  CHECK(cudaStreamBeginCaptureToGraph(body, c.conditional.phGraph_out[0], NULL, NULL, 0, cudaStreamCaptureModeGlobal));
  count_down<<<1, 1, 0, body>>>(value, log, h);
  CHECK(cudaStreamEndCapture(body, NULL));
  CHECK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
  size_t nodes = 0, edges = 0;
  CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
  CHECK(cudaGraphGetEdges(graph, NULL, NULL, &edges));
  printf("%d nodes, %d edges, rounds", (int)nodes, (int)edges);
  for (int with : {5, 1, 3}) printf(" %d", launched(exec, value, log, with));
  printf("\n");
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(s));
  CHECK(cudaStreamDestroy(body));
}

void memory(const float *in, float *out, int n, bool freed) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams a;
  memset(&a, 0, sizeof a);
  a.bytesize = n * sizeof(float);
  a.poolProps.allocType = cudaMemAllocationTypePinned;
  a.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphNode_t made, filled, multiplied, stored, gone;
  CHECK(cudaGraphAddMemAllocNode(&made, graph, NULL, 0, &a));
  float *x = (float *)a.dptr, by = 2;
  CHECK(cudaGraphAddMemcpyNode1D(&filled, graph, &made, 1, x, in, n * sizeof(float), cudaMemcpyHostToDevice));
  cudaKernelNodeParams k = {0};
  void *arguments[] = {&x, &x, &by, &n};
  k.func = (void *)scale;
  k.gridDim = dim3((n + 255) / 256);
  k.blockDim = dim3(256);
  k.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&multiplied, graph, &filled, 1, &k));
  CHECK(cudaGraphAddMemcpyNode1D(&stored, graph, &multiplied, 1, out, x, n * sizeof(float), cudaMemcpyDeviceToHost));
  if (freed) CHECK(cudaGraphAddMemFreeNode(&gone, graph, &stored, 1, x));
  CHECK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
  CHECK(cudaGraphDestroy(graph));
  float sum = 0;
  for (int round = 0; round < 2; ++round) {
    memset(out, 0, n * sizeof(float));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) sum += out[i];
    if (!freed) CHECK(cudaFree(x));
  }
  printf("memory of a graph: %.0f\n", sum);
  CHECK(cudaGraphExecDestroy(exec));
}

void updates(float *out, int n) {
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  cudaGraphExec_t exec = NULL;
  float sum[3];
  for (int round = 0; round < 3; ++round) {
    cudaGraph_t graph;
    float *x;
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(&x, n * sizeof(float), s));
    CHECK(cudaMemsetAsync(x, 0, n * sizeof(float), s));
    scale<<<(n + 127) / 128, 128, 0, s>>>(x, out, round + 1.0f, n);
    CHECK(cudaMemcpyAsync(out, x, n * sizeof(float), cudaMemcpyDefault, s));
    CHECK(cudaFreeAsync(x, s));
    CHECK(cudaStreamEndCapture(s, &graph));
    if (exec == NULL) {
      CHECK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    } else {
      cudaGraphExecUpdateResultInfo info;
      CHECK(cudaGraphExecUpdate(exec, graph, &info));
      if (info.result != cudaGraphExecUpdateSuccess) printf("not updated: %d\n", (int)info.result);
    }
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    sum[round] = out[0] + out[n - 1];
  }
  printf("updated: %.0f %.0f %.0f\n", sum[0], sum[1], sum[2]);
  cudaGraph_t other;
  CHECK(cudaGraphCreate(&other, 0));
  cudaGraphExecUpdateResultInfo info;
  printf("another graph: %s, %d\n", cudaGetErrorName(cudaGraphExecUpdate(exec, other, &info)), (int)info.result);
  cudaGetLastError();
  CHECK(cudaGraphDestroy(other));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaStreamDestroy(s));
}

int main() {
  int *value, *log, n = 1000;
  float *in, *out;
  CHECK(cudaMalloc(&value, sizeof(int)));
  CHECK(cudaMalloc(&log, sizeof(int)));
  CHECK(cudaMallocHost(&in, n * sizeof(float)));
  CHECK(cudaMallocHost(&out, n * sizeof(float)));
  for (int i = 0; i < n; ++i) in[i] = 1;
  by_value(cudaGraphCondTypeIf, 1, value, log);
  by_value(cudaGraphCondTypeIf, 2, value, log);
  by_value(cudaGraphCondTypeSwitch, 3, value, log);
  loops(value, log);
  memory(in, out, n, true);
  memory(in, out, n, false);
  updates(out, n);
  CHECK(cudaFree(value));
  CHECK(cudaFree(log));
  CHECK(cudaFreeHost(in));
  CHECK(cudaFreeHost(out));
}
