// Graphs of the driver API made by one structure, asked and changed node by node; conditions, memory, objects of the host;
// ranges, pools, textures with views, and functions by the types of their entries. Prints the same on a GPU.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

#define MUST(call)                                                     \
  do {                                                                 \
    const CUresult r = (call);                                         \
    if (r != CUDA_SUCCESS) {                                           \
      const char* name = nullptr;                                      \
      cuGetErrorName(r, &name);                                        \
      std::printf("line %d: %s\n", __LINE__, name ? name : "unknown"); \
      return 1;                                                        \
    }                                                                  \
  } while (0)

__global__ void read_texture(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); }

static void add_one(void* p) { ++*static_cast<int*>(p); }
static void release(void* p) { std::printf("released %d\n", *static_cast<int*>(p)); }

static int graphs(CUcontext ctx) {
  CUdeviceptr a = 0, b = 0;
  MUST(cuMemAlloc(&a, 64 * 4));
  MUST(cuMemAlloc(&b, 64 * 4));
  CUgraph g = nullptr;
  MUST(cuGraphCreate(&g, 0));
  CUgraphNodeParams p;
  std::memset(&p, 0, sizeof p);
  CUgraphNode fill = nullptr, copy = nullptr, host = nullptr;
  p.type = CU_GRAPH_NODE_TYPE_MEMSET;
  p.memset.dst = a;
  p.memset.value = 7;
  p.memset.elementSize = 4;
  p.memset.width = 64;
  p.memset.height = 1;
  p.memset.ctx = ctx;
  MUST(cuGraphAddNode(&fill, g, nullptr, nullptr, 0, &p));
  std::memset(&p, 0, sizeof p);
  p.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  p.memcpy.copyCtx = ctx;
  p.memcpy.copyParams.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  p.memcpy.copyParams.srcDevice = a;
  p.memcpy.copyParams.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  p.memcpy.copyParams.dstDevice = b;
  p.memcpy.copyParams.WidthInBytes = 64 * 4;
  p.memcpy.copyParams.Height = 1;
  p.memcpy.copyParams.Depth = 1;
  MUST(cuGraphAddNode(&copy, g, &fill, nullptr, 1, &p));
  int calls = 0;
  std::memset(&p, 0, sizeof p);
  p.type = CU_GRAPH_NODE_TYPE_HOST;
  p.host.fn = add_one;
  p.host.userData = &calls;
  MUST(cuGraphAddNode(&host, g, &copy, nullptr, 1, &p));

  CUDA_MEMSET_NODE_PARAMS asked;
  MUST(cuGraphMemsetNodeGetParams(fill, &asked));
  std::printf("fill %u of %u bytes, %zu wide, same place %d\n", asked.value, asked.elementSize, asked.width, asked.dst == a);
  CUDA_MEMCPY3D box;
  MUST(cuGraphMemcpyNodeGetParams(copy, &box));
  std::printf("copy %zu bytes, to the device %d, same place %d\n", box.WidthInBytes, box.dstMemoryType == CU_MEMORYTYPE_DEVICE,
              box.dstDevice == b);
  CUDA_HOST_NODE_PARAMS call;
  MUST(cuGraphHostNodeGetParams(host, &call));
  std::printf("host %d %d\n", call.fn == add_one, call.userData == &calls);
  asked.value = 9;
  MUST(cuGraphMemsetNodeSetParams(fill, &asked));

  int kept = 5;
  CUuserObject object = nullptr;
  MUST(cuUserObjectCreate(&object, &kept, release, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  MUST(cuGraphRetainUserObject(g, object, 1, CU_GRAPH_USER_OBJECT_MOVE));

  CUgraphNode from[4], to[4];
  std::size_t edges = 4;
  CUgraphEdgeData data[4];
  MUST(cuGraphGetEdges(g, from, to, data, &edges));
  std::printf("edges %zu\n", edges);
  CUDA_GRAPH_INSTANTIATE_PARAMS how;
  std::memset(&how, 0, sizeof how);
  CUgraphExec exec = nullptr;
  MUST(cuGraphInstantiateWithParams(&exec, g, &how));
  cuuint64_t flags = 1;
  MUST(cuGraphExecGetFlags(exec, &flags));
  std::printf("instantiated %d, flags %d\n", (int)how.result_out, (int)flags);
  CUstream s = nullptr;
  MUST(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
  MUST(cuGraphLaunch(exec, s));
  MUST(cuStreamSynchronize(s));
  unsigned values[64];
  MUST(cuMemcpyDtoH(values, b, sizeof values));
  std::printf("%u %u, calls %d\n", values[0], values[63], calls);

  std::memset(&p, 0, sizeof p);
  p.type = CU_GRAPH_NODE_TYPE_MEMSET;
  p.memset.dst = a;
  p.memset.value = 11;
  p.memset.elementSize = 4;
  p.memset.width = 64;
  p.memset.height = 1;
  p.memset.ctx = ctx;
  MUST(cuGraphExecNodeSetParams(exec, fill, &p));
  MUST(cuGraphLaunch(exec, s));
  MUST(cuStreamSynchronize(s));
  MUST(cuMemcpyDtoH(values, b, sizeof values));
  std::printf("%u, calls %d\n", values[31], calls);
  MUST(cuGraphExecDestroy(exec));
  MUST(cuGraphDestroy(g));

  // ---- memory of nodes, a stream's capture to a graph that is there, a body that a condition leaves out ----
  MUST(cuGraphCreate(&g, 0));
  CUDA_MEM_ALLOC_NODE_PARAMS memory;
  std::memset(&memory, 0, sizeof memory);
  memory.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  memory.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  memory.bytesize = 1024;
  CUgraphNode alloc = nullptr, end = nullptr;
  MUST(cuGraphAddMemAllocNode(&alloc, g, nullptr, 0, &memory));
  MUST(cuStreamBeginCaptureToGraph(s, g, &alloc, nullptr, 1, CU_STREAM_CAPTURE_MODE_GLOBAL));
  MUST(cuMemsetD32Async(memory.dptr, 3, 64, s));
  MUST(cuMemcpyDtoDAsync(b, memory.dptr, 64 * 4, s));
  CUstreamCaptureStatus status;
  CUgraph same = nullptr;
  const CUgraphNode* last = nullptr;
  const CUgraphEdgeData* no_edges = nullptr;
  std::size_t count = 0;
  cuuint64_t id = 0;
  MUST(cuStreamGetCaptureInfo(s, &status, &id, &same, &last, &no_edges, &count));
  std::printf("capturing %d into the same graph %d, behind %zu\n", status == CU_STREAM_CAPTURE_STATUS_ACTIVE, same == g, count);
  MUST(cuStreamEndCapture(s, &same));
  std::size_t nodes = 0;
  MUST(cuGraphGetNodes(g, nullptr, &nodes));
  std::vector<CUgraphNode> all(nodes);
  MUST(cuGraphGetNodes(g, all.data(), &nodes));
  CUgraphNode leaf = nullptr;
  for (CUgraphNode n : all) {
    std::size_t followers = 0;
    MUST(cuGraphNodeGetDependentNodes(n, nullptr, nullptr, &followers));
    if (followers == 0) leaf = n;
  }
  MUST(cuGraphAddMemFreeNode(&end, g, &leaf, 1, memory.dptr));
  CUdeviceptr freed = 0;
  MUST(cuGraphMemFreeNodeGetParams(end, &freed));
  CUgraphConditionalHandle condition;
  MUST(cuGraphConditionalHandleCreate(&condition, g, ctx, 0, CU_GRAPH_COND_ASSIGN_DEFAULT));
  std::memset(&p, 0, sizeof p);
  p.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  p.conditional.handle = condition;
  p.conditional.type = CU_GRAPH_COND_TYPE_IF;
  p.conditional.size = 1;
  p.conditional.ctx = ctx;
  CUgraphNode maybe = nullptr, inner = nullptr;
  MUST(cuGraphAddNode(&maybe, g, &end, nullptr, 1, &p));
  CUDA_MEMSET_NODE_PARAMS never = {b, 0, 99, 4, 64, 1};
  MUST(cuGraphAddMemsetNode(&inner, p.conditional.phGraph_out[0], nullptr, 0, &never, ctx));
  MUST(cuGraphInstantiateWithFlags(&exec, g, 0));
  MUST(cuGraphLaunch(exec, s));
  MUST(cuStreamSynchronize(s));
  MUST(cuMemcpyDtoH(values, b, sizeof values));
  std::printf("freed what was made %d, %u %u\n", freed == memory.dptr, values[0], values[63]);
  MUST(cuGraphExecDestroy(exec));
  MUST(cuGraphDestroy(g));
  MUST(cuStreamDestroy(s));
  MUST(cuMemFree(a));
  MUST(cuMemFree(b));
  return 0;
}

static int questions(CUcontext ctx) {
  CUdeviceptr a = 0, b = 0, range = 0;
  MUST(cuMemAlloc(&a, 4096));
  MUST(cuMemAlloc(&b, 4096));
  std::size_t bytes = 0;
  MUST(cuPointerGetAttribute(&range, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, a + 100));
  MUST(cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, a + 100));
  std::printf("range %d %zu\n", range == a, bytes);
  unsigned long long id = 0, again = 1;
  MUST(cuCtxGetId(ctx, &id));
  MUST(cuCtxGetId(nullptr, &again));
  CUdevice device = -1;
  MUST(cuCtxGetDevice_v2(&device, ctx));
  MUST(cuCtxSynchronize_v2(ctx));
  std::printf("context %d, device %d\n", id == again, device);

  std::vector<float> numbers(16);
  for (int i = 0; i < 16; ++i) numbers[i] = 0.5f * i;
  MUST(cuMemcpyHtoD(a, numbers.data(), 64));
  CUdeviceptr targets[2] = {b, b + 32}, sources[2] = {a + 32, a};
  std::size_t sizes[2] = {32, 32}, first = 0;
  CUmemcpyAttributes how;
  std::memset(&how, 0, sizeof how);
  how.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  CUstream s = nullptr;
  MUST(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
  MUST(cuMemcpyBatchAsync(targets, sources, sizes, 2, &how, &first, 1, s));
  MUST(cuStreamSynchronize(s));
  MUST(cuMemcpyDtoH(numbers.data(), b, 64));
  std::printf("halves exchanged: %.1f %.1f\n", numbers[0], numbers[8]);

  CUDA_RESOURCE_DESC resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = b;
  resource.res.linear.format = CU_AD_FORMAT_FLOAT;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = 64;
  CUDA_TEXTURE_DESC texture;
  std::memset(&texture, 0, sizeof texture);
  CUtexObject t = 0;
  MUST(cuTexObjectCreate(&t, &resource, &texture, nullptr));
  float* out = nullptr;
  cudaMalloc(&out, 64);
  read_texture<<<1, 16>>>(t, out);
  cudaMemcpy(numbers.data(), out, 64, cudaMemcpyDeviceToHost);
  cudaFree(out);
  CUDA_RESOURCE_DESC of;
  MUST(cuTexObjectGetResourceDesc(&of, t));
  std::printf("texture %.1f %.1f, of the same memory %d\n", numbers[1], numbers[15], of.res.linear.devPtr == b);
  MUST(cuTexObjectDestroy(t));

  CUmemoryPool pool = nullptr;
  MUST(cuDeviceGetDefaultMemPool(&pool, 0));
  CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemAccess_flags access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  MUST(cuMemPoolGetAccess(&access, pool, &here));
  std::printf("access %d\n", (int)access);
  CUstreamAttrValue value;
  std::memset(&value, 0, sizeof value);
  value.syncPolicy = CU_SYNC_POLICY_SPIN;
  MUST(cuStreamSetAttribute(s, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  std::memset(&value, 0, sizeof value);
  MUST(cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  std::printf("policy %d\n", (int)value.syncPolicy);

  void* found = nullptr;
  CUdriverProcAddressQueryResult result;
  MUST(cuGetProcAddress("cuMemsetD32", &found, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &result));
  MUST(reinterpret_cast<PFN_cuMemsetD32_v3020>(found)(a, 42, 16));
  unsigned set = 0;
  MUST(cuMemcpyDtoH(&set, a + 60, 4));
  std::printf("by its entry %u\n", set);
  MUST(cuStreamDestroy(s));
  MUST(cuMemFree(a));
  MUST(cuMemFree(b));
  return 0;
}

int main() {
  MUST(cuInit(0));
  CUcontext ctx = nullptr;
  MUST(cuDevicePrimaryCtxRetain(&ctx, 0));
  MUST(cuCtxSetCurrent(ctx));
  if (graphs(ctx) || questions(ctx)) return 1;
  MUST(cuDevicePrimaryCtxRelease(0));
  std::printf("done\n");
  return 0;
}
