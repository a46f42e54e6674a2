// SPDX-License-Identifier: Apache-2.0
// Graphs: what nodes were given, who follows them, variables as sides of copies, objects that graphs keep; copies in
// batches and between devices of the runtime API.
#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>
#include <thread>

__device__ int table[4];
__global__ void twice(int *x) { x[threadIdx.x] = 2 * x[threadIdx.x] + table[threadIdx.x]; }

// The driver calls it on a thread of its own, some time after the last reference went.
static std::atomic<int> freed{0};
static void note(void *p) { freed += *(int *)p; }
static void wait_for(int sum) {
  while (freed != sum) std::this_thread::yield();
  std::printf("freed %d\n", sum);
}
static void call(void *p) { ++*(int *)p; }

#define MUST(e)                                                                                \
  do {                                                                                         \
    const cudaError_t error = (e);                                                             \
    if (error != cudaSuccess) std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(error)); \
  } while (0)

int main() {
  int *x, called = 0, host[4] = {1, 2, 3, 4}, values[4] = {10, 20, 30, 40}, back[4], symbol[4];
  MUST(cudaMalloc(&x, sizeof host));
  cudaStream_t s;
  MUST(cudaStreamCreate(&s));
  cudaGraph_t g;
  MUST(cudaGraphCreate(&g, 0));

  cudaGraphNode_t fill, to_symbol, copy, kernel, from, from_symbol, host_call;
  cudaMemsetParams m = {};
  m.dst = x;
  m.elementSize = 1;
  m.width = sizeof host;
  m.height = 1;
  MUST(cudaGraphAddMemsetNode(&fill, g, NULL, 0, &m));
  MUST(cudaGraphAddMemcpyNodeToSymbol(&to_symbol, g, NULL, 0, table, values, sizeof values, 0, cudaMemcpyHostToDevice));
  MUST(cudaGraphAddMemcpyNode1D(&copy, g, &fill, 1, x, host, sizeof host, cudaMemcpyHostToDevice));
  void *arguments[] = {&x};
  cudaKernelNodeParams k = {};
  k.func = (void *)twice;
  k.gridDim = dim3(1);
  k.blockDim = dim3(4);
  k.kernelParams = arguments;
  const cudaGraphNode_t before[] = {copy, to_symbol};
  MUST(cudaGraphAddKernelNode(&kernel, g, before, 2, &k));
  MUST(cudaGraphAddMemcpyNode1D(&from, g, &kernel, 1, back, x, sizeof back, cudaMemcpyDeviceToHost));
  MUST(cudaGraphAddMemcpyNodeFromSymbol(&from_symbol, g, &to_symbol, 1, symbol, table, sizeof symbol, 0, cudaMemcpyDeviceToHost));
  cudaHostNodeParams h = {};
  h.fn = call;
  h.userData = &called;
  MUST(cudaGraphAddHostNode(&host_call, g, &from, 1, &h));

  cudaMemsetParams m2;
  cudaHostNodeParams h2;
  MUST(cudaGraphMemsetNodeGetParams(fill, &m2));
  MUST(cudaGraphHostNodeGetParams(host_call, &h2));
  std::printf("given %d %d\n", m2.dst == x && m2.width == sizeof host && m2.elementSize == 1, h2.fn == call && h2.userData == &called);
  size_t followers = 0;
  cudaGraphNode_t next[4];
#if CUDART_VERSION >= 13000
  MUST(cudaGraphNodeGetDependentNodes(to_symbol, NULL, NULL, &followers));
  MUST(cudaGraphNodeGetDependentNodes(to_symbol, next, NULL, &followers));
#else
  MUST(cudaGraphNodeGetDependentNodes(to_symbol, NULL, &followers));
  MUST(cudaGraphNodeGetDependentNodes(to_symbol, next, &followers));
#endif
  std::printf("followers %d, ours %d\n", (int)followers,
              (next[0] == kernel && next[1] == from_symbol) || (next[1] == kernel && next[0] == from_symbol));
  cudaEvent_t e, f, got;
  MUST(cudaEventCreate(&e));
  MUST(cudaEventCreate(&f));
  cudaGraphNode_t record;
  MUST(cudaGraphAddEventRecordNode(&record, g, &kernel, 1, e));
  MUST(cudaGraphEventRecordNodeGetEvent(record, &got));
  std::printf("event %d", got == e);
  MUST(cudaGraphEventRecordNodeSetEvent(record, f));
  MUST(cudaGraphEventRecordNodeGetEvent(record, &got));
  std::printf(" %d\n", got == f);

  cudaUserObject_t object, other;
  int ten = 10, one = 1;
  MUST(cudaUserObjectCreate(&object, &ten, note, 1, cudaUserObjectNoDestructorSync));
  MUST(cudaGraphRetainUserObject(g, object, 1, cudaGraphUserObjectMove));
  MUST(cudaUserObjectCreate(&other, &one, note, 2, cudaUserObjectNoDestructorSync));
  MUST(cudaUserObjectRelease(other, 2));
  wait_for(1);
  cudaGraphExec_t exec;
  MUST(cudaGraphInstantiate(&exec, g, 0));
  MUST(cudaGraphDestroy(g));
  std::printf("graph destroyed\n");
  MUST(cudaGraphLaunch(exec, s));
  MUST(cudaStreamSynchronize(s));
  std::printf("%d %d %d %d, symbol %d %d, called %d\n", back[0], back[1], back[2], back[3], symbol[0], symbol[3], called);
  std::printf("kept %d\n", (int)freed);
  MUST(cudaGraphExecDestroy(exec));
  MUST(cudaDeviceSynchronize());
  wait_for(11);

#if CUDART_VERSION >= 13000
  int *y;
  MUST(cudaMalloc(&y, sizeof host));
  MUST(cudaMemset(y, 0, sizeof host));
  void *to[2] = {x, y};
  const void *sources[2] = {values, host};
  size_t bytes[2] = {sizeof values, 2 * sizeof(int)}, first = 0;
  cudaMemcpyAttributes how = {};
  how.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  MUST(cudaMemcpyBatchAsync(to, sources, bytes, 2, &how, &first, 1, s));
  MUST(cudaStreamSynchronize(s));
  int all[8];
  MUST(cudaMemcpy(all, x, sizeof host, cudaMemcpyDeviceToHost));
  MUST(cudaMemcpy(all + 4, y, sizeof host, cudaMemcpyDeviceToHost));
  std::printf("batch %d %d %d %d %d %d\n", all[0], all[3], all[4], all[5], all[6], all[7]);
  cudaMemPool_t pool, same;
  cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
  MUST(cudaMemGetDefaultMemPool(&pool, &here, cudaMemAllocationTypePinned));
  MUST(cudaDeviceGetDefaultMemPool(&same, 0));
  std::printf("pool %d\n", pool == same);
  cudaFree(y);
#endif
  void *function = NULL;
  cudaDriverEntryPointQueryResult found;
  MUST(cudaGetDriverEntryPointByVersion("cuDriverGetVersion", &function, 12000, cudaEnableDefault, &found));
  int version = 0;
  ((int (*)(int *))function)(&version);
  std::printf("entry %d %d\n", found == cudaDriverEntryPointSuccess, version >= 12000);
  MUST(cudaGetDriverEntryPointByVersion("cuNoSuchFunction", &function, 12000, cudaEnableDefault, &found));
  std::printf("no entry %d %d\n", found == cudaDriverEntryPointSymbolNotFound, function == NULL);
  cudaEventDestroy(e);
  cudaEventDestroy(f);
  cudaStreamDestroy(s);
  cudaFree(x);
  return 0;
}
