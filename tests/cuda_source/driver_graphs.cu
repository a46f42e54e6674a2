// SPDX-License-Identifier: Apache-2.0
// Graphs of the driver API with kernels of a module, made node by node, changed and updated; values that one stream
// writes and another waits for.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define MUST(call)                                                        \
  do {                                                                    \
    const int failed = (int)(call);                                       \
    if (failed != 0) {                                                    \
      std::printf("%s: %d (line %d)\n", #call, failed, __LINE__);         \
      std::exit(1);                                                       \
    }                                                                     \
  } while (0)

static const char* const kSource = R"(
extern "C" __global__ void add(int* x, int by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += by;
}
)";

static bool good = true;
static void expect(bool right, const char* what) {
  if (!right) std::printf("%s is wrong\n", what);
  good = good && right;
}
static void count_call(void* calls) { ++*static_cast<int*>(calls); }

int main() {
  MUST(cuInit(0));
  CUdevice device;
  CUcontext context;
  MUST(cuDeviceGet(&device, 0));
  MUST(cuDevicePrimaryCtxRetain(&context, device));
  MUST(cuCtxSetCurrent(context));
  nvrtcProgram program;
  MUST(nvrtcCreateProgram(&program, kSource, "add.cu", 0, nullptr, nullptr));
  MUST(nvrtcCompileProgram(program, 0, nullptr));
  size_t bytes;
  MUST(nvrtcGetPTXSize(program, &bytes));
  std::vector<char> code(bytes);
  MUST(nvrtcGetPTX(program, code.data()));
  MUST(nvrtcDestroyProgram(&program));
  CUmodule module;
  CUfunction add;
  MUST(cuModuleLoadData(&module, code.data()));
  MUST(cuModuleGetFunction(&add, module, "add"));

  const int n = 1000;
  int count = n, by = 4, calls = 0;
  CUdeviceptr x;
  MUST(cuMemAlloc(&x, n * sizeof(int)));
  std::vector<int> result(n);

  // Fill with 3, add 4, copy to the host, then a call there.
  CUgraph graph;
  CUgraphNode fill, kernel, copy, call;
  MUST(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS filled = {};
  filled.dst = x;
  filled.value = 3;
  filled.elementSize = 4;
  filled.width = n;
  filled.height = 1;
  MUST(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &filled, context));
  CUDA_KERNEL_NODE_PARAMS added = {};
  void* arguments[] = {&x, &by, &count};
  added.func = add;
  added.gridDimX = (n + 127) / 128;
  added.gridDimY = added.gridDimZ = added.blockDimY = added.blockDimZ = 1;
  added.blockDimX = 128;
  added.kernelParams = arguments;
  MUST(cuGraphAddKernelNode(&kernel, graph, &fill, 1, &added));
  by = 0;  // the node has a copy
  CUDA_MEMCPY3D copied = {};
  copied.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copied.srcDevice = x;
  copied.dstMemoryType = CU_MEMORYTYPE_HOST;
  copied.dstHost = result.data();
  copied.WidthInBytes = n * sizeof(int);
  copied.Height = copied.Depth = 1;
  MUST(cuGraphAddMemcpyNode(&copy, graph, nullptr, 0, &copied, context));
  MUST(cuGraphAddDependencies(graph, &kernel, &copy, 1));
  CUDA_HOST_NODE_PARAMS called = {count_call, &calls};
  MUST(cuGraphAddHostNode(&call, graph, &copy, 1, &called));

  CUgraphNodeType type;
  size_t nodes = 0, roots = 0, edges = 0, before = 1;
  CUgraphNode first;
  MUST(cuGraphNodeGetType(kernel, &type));
  MUST(cuGraphGetNodes(graph, nullptr, &nodes));
  MUST(cuGraphGetRootNodes(graph, nullptr, &roots));
  MUST(cuGraphGetEdges(graph, nullptr, nullptr, &edges));
  MUST(cuGraphNodeGetDependencies(kernel, &first, &before));
  expect(type == CU_GRAPH_NODE_TYPE_KERNEL && nodes == 4 && roots == 1 && edges == 3 && first == fill, "the graph");
  CUDA_KERNEL_NODE_PARAMS asked = {};
  MUST(cuGraphKernelNodeGetParams(kernel, &asked));
  expect(asked.func == add && asked.gridDimX == 8 && *(int*)asked.kernelParams[1] == 4, "what a node says");

  CUgraphExec exec;
  CUstream stream, other;
  MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  MUST(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  MUST(cuGraphInstantiate(&exec, graph, 0));
  MUST(cuGraphLaunch(exec, stream));
  MUST(cuStreamSynchronize(stream));
  expect(result[n - 1] == 7 && calls == 1, "the first launch");
  by = 10;
  MUST(cuGraphExecKernelNodeSetParams(exec, kernel, &added));
  MUST(cuGraphLaunch(exec, stream));
  MUST(cuStreamSynchronize(stream));
  expect(result[0] == 13 && calls == 2, "the launch with other parameters");
  CUgraphExecUpdateResultInfo info;
  MUST(cuGraphExecUpdate(exec, graph, &info));
  MUST(cuGraphNodeSetEnabled(exec, kernel, 0));
  MUST(cuGraphLaunch(exec, stream));
  MUST(cuStreamSynchronize(stream));
  expect(result[0] == 3 && calls == 3 && info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS, "the updated launch");

  // The same as the child of another graph.
  CUgraph parent;
  CUgraphNode child;
  CUgraphExec parent_exec;
  MUST(cuGraphCreate(&parent, 0));
  MUST(cuGraphAddChildGraphNode(&child, parent, nullptr, 0, graph));
  MUST(cuGraphInstantiate(&parent_exec, parent, 0));
  MUST(cuGraphLaunch(parent_exec, stream));
  MUST(cuStreamSynchronize(stream));
  expect(calls == 4, "the child graph");

  // The second stream waits for the number that the first one writes behind its kernel.
  CUdeviceptr turn;
  MUST(cuMemAlloc(&turn, 2 * sizeof(cuuint64_t)));
  MUST(cuMemsetD32(turn, 0, 4));
  MUST(cuCtxSynchronize());
  for (int round = 1; round <= 3; ++round) {
    by = round;
    MUST(cuLaunchKernel(add, 8, 1, 1, 128, 1, 1, 0, stream, arguments, nullptr));
    MUST(cuStreamWriteValue32(stream, turn, round, CU_STREAM_WRITE_VALUE_DEFAULT));
    MUST(cuStreamWaitValue32(other, turn, round, CU_STREAM_WAIT_VALUE_GEQ));
    MUST(cuLaunchKernel(add, 8, 1, 1, 128, 1, 1, 0, other, arguments, nullptr));
    MUST(cuStreamWriteValue64(other, turn + 8, 1ull << (40 + round), CU_STREAM_WRITE_VALUE_DEFAULT));
    MUST(cuStreamWaitValue64(stream, turn + 8, 1ull << (40 + round), CU_STREAM_WAIT_VALUE_AND));
  }
  MUST(cuStreamSynchronize(stream));
  MUST(cuMemcpyDtoH(result.data(), x, n * sizeof(int)));
  expect(result[3] == 7 + 2 * (1 + 2 + 3), "turns of two streams");

  MUST(cuGraphExecDestroy(parent_exec));
  MUST(cuGraphExecDestroy(exec));
  MUST(cuGraphDestroy(parent));
  MUST(cuGraphDestroy(graph));
  MUST(cuStreamDestroy(stream));
  MUST(cuStreamDestroy(other));
  MUST(cuMemFree(x));
  MUST(cuMemFree(turn));
  MUST(cuModuleUnload(module));
  MUST(cuDevicePrimaryCtxRelease(device));
  std::printf(good ? "graphs of the driver: PASSED\n" : "graphs of the driver: FAILED\n");
  return good ? 0 : 1;
}
