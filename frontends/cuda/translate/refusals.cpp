// SPDX-License-Identifier: Apache-2.0
// Reasons by what a name begins with, or has in it; the first that fits is said.
#include "refusals.hpp"

namespace simt::cuda_source {
namespace {

enum class where : unsigned char { begins, inside, whole };
struct refusal {
  where at;
  std::string_view text;
  const char* why;
};

constexpr const char* kProcesses = "memory and events of one process are not seen by others (IPC)";
constexpr const char* kGraphics = "there is no graphics API to share buffers with";
constexpr const char* kExternal = "there is no other API to share memory with";
constexpr const char* kSparse = "there are no sparse arrays";
constexpr const char* kFormats = "there are no compressed, planar or packed formats of arrays";
constexpr const char* kOneDevice = "there is one device";
constexpr const char* kNoGraphLaunch = "kernels launch no graphs, and change none";
constexpr const char* kCompilers = "CUDA's compiler and headers use it themselves; no program needs it";
constexpr const char* kReferences =
    "what asks for references by name is gone from CUDA 12; cudaBindTexture and its family take the variable itself";
constexpr const char* kListing = "modules and libraries do not list what they hold; ask for a kernel by its name";
constexpr const char* kNoLog = "there is no log of errors; simrun says on standard error what is wrong";
constexpr const char* kDirect = "no other device writes to the memory (GPUDirect)";
constexpr const char* kOldLaunch = "gone since CUDA 4; cuLaunchKernel takes its place";
constexpr const char* kParts = "a multiprocessor is not given away by parts (green contexts)";
constexpr const char* kCode = "the simulator has no code of a GPU to link";
constexpr const char* kDiscard = "memory is never discarded here; leave the call out";
constexpr const char* kBoxes = "batches of boxes are not there; copy one by one with cudaMemcpy3DAsync";
constexpr const char* kAtomics = "all atomics of host and device work on all memory here; there is nothing to ask";
constexpr const char* kFirstNames =
    "a name of CUDA's first versions; the intrinsics are __dadd_rn, __double2int_rz ...";
constexpr const char* kWholeNodes = "edges of graphs order whole nodes here, and child graphs are copied";
constexpr const char* kLaunchEvents = "launches carry no events; record one behind the launch with cudaEventRecord";
constexpr const char* kCubes = "gradients on cube maps are not there; texCubemapLod takes the level";
constexpr const char* kDecompress = "memory is not decompressed by hardware";
constexpr const char* kValueNodes =
    "graphs have no nodes that write values or wait for them; a stream has them (cuStreamBatchMemOp)";
constexpr const char* kNoNode = "the memory of the device is no node of the host's";
constexpr const char* kWholeBlocks = "a grid has whole blocks, whose size the launch says";
constexpr const char* kInnerCub = "CUB's inner parts are not there; call the Device... class";
constexpr const char* kUnfinished =
    "memory of unfinished objects is Thrust's own; std::destroy, std::uninitialized_... and std::unique_ptr do that";
constexpr const char* kTags = "pointers and references carry no tags of systems here";
constexpr const char* kVotes = "gone since CUDA 9; __any_sync, __ballot_sync, __syncthreads_count ... take its place";

constexpr refusal kRefusals[] = {
    {where::inside, "IpcMem", kProcesses},
    {where::inside, "IpcEvent", kProcesses},
    {where::inside, "IpcGet", kProcesses},
    {where::inside, "IpcOpen", kProcesses},
    {where::inside, "IpcClose", kProcesses},
    {where::begins, "CUipc", kProcesses},
    {where::begins, "CU_IPC", kProcesses},
    {where::begins, "CUDA_IPC", kProcesses},
    {where::inside, "emPoolExport", kProcesses},
    {where::inside, "emPoolImport", kProcesses},
    {where::inside, "emPoolPtrExport", kProcesses},
    {where::inside, "emFabricHandle", kProcesses},
    {where::inside, "ShareableHandle", kProcesses},
    {where::begins, "cuMemGetHandleForAddressRange", kProcesses},
    {where::begins, "CUmemRange", kProcesses},
    {where::begins, "cuMemRetainAllocationHandle", kProcesses},
    {where::begins, "cudaLaunchCooperativeKernelMultiDevice", kOneDevice},
    {where::begins, "cuLaunchCooperativeKernelMultiDevice", kOneDevice},
    {where::begins, "CUDA_LAUNCH_PARAMS", kOneDevice},
    {where::begins, "CUDA_COOPERATIVE_LAUNCH_MULTI", kOneDevice},
    {where::begins, "cuMulticast", kOneDevice},
    {where::begins, "CUmulticast", kOneDevice},
    {where::begins, "CU_MULTICAST", kOneDevice},
    {where::begins, "nccl", "there is one device, so no communication between several (NCCL)"},
    {where::begins, "cudaGraphics", kGraphics},
    {where::begins, "cudaGL", kGraphics},
    {where::begins, "cudaVDPAU", kGraphics},
    {where::begins, "cudaEGL", kGraphics},
    {where::begins, "cudaD3D", kGraphics},
    {where::begins, "cuGraphics", kGraphics},
    {where::begins, "cuGL", kGraphics},
    {where::begins, "CUgraphics", kGraphics},
    {where::begins, "CU_GRAPHICS", kGraphics},
    {where::begins, "CU_CUBEMAP_FACE", kGraphics},
    {where::begins, "CUarray_cubemap_face", kGraphics},
    {where::inside, "ExternalMemor", kExternal},
    {where::inside, "ExternalSemaphore", kExternal},
    {where::inside, "externalMemory", kExternal},
    {where::inside, "externalSemaphore", kExternal},
    {where::begins, "CUDA_EXTERNAL", kExternal},
    {where::begins, "CUDA_EXT_SEM", kExternal},
    {where::begins, "CU_EXTERNAL", kExternal},
    {where::inside, "NvSci", kExternal},
    {where::begins, "CUDA_NVSCISYNC", kExternal},
    {where::inside, "CigParam", kExternal},
    {where::inside, "CIG_", kExternal},
    {where::begins, "CUcig", kExternal},
    {where::inside, "Sparse", kSparse},
    {where::inside, "SPARSE_PROPERTIES", kSparse},
    {where::begins, "CU_ARRAY_SPARSE", kSparse},
    {where::inside, "arrayMapInfo", kSparse},
    {where::begins, "cuMemMapArrayAsync", kSparse},
    {where::inside, "DeferredMapping", kSparse},
    {where::inside, "ArrayGetPlane", kFormats},
    {where::inside, "BlockCompressed", kFormats},
    {where::begins, "cudaChannelFormatKind", kFormats},
    {where::begins, "cudaCreateChannelDescNV12", kFormats},
    {where::begins, "cudaMipmappedArrayGetMemoryRequirements", "levels of an array are arrays of their own here"},
    {where::begins, "cudaGetCurrentGraphExec", kNoGraphLaunch},
    {where::begins, "cudaGraphKernelNodeSetParam", kNoGraphLaunch},
    {where::begins, "cudaGraphKernelNodeSetEnabled", kNoGraphLaunch},
    {where::begins, "cudaGraphKernelNodeSetGridDim", kNoGraphLaunch},
    {where::begins, "cudaGraphKernelNodeUpdate", kNoGraphLaunch},
    {where::begins, "cudaGraphKernelNodeField", kNoGraphLaunch},
    {where::inside, "GraphDeviceNode", kNoGraphLaunch},
    {where::inside, "raphDeviceNode", kNoGraphLaunch},
    {where::begins, "cudaStreamGraph", kNoGraphLaunch},
    {where::inside, "DeviceUpdatable", kNoGraphLaunch},
    {where::begins, "cudaCG", kCompilers},
    {where::begins, "cudaLaunchDevice", kCompilers},
    {where::begins, "cudaGetParameterBuffer", kCompilers},
    {where::inside, "_ptsz", kCompilers},
    {where::begins, "cudaOcc", kCompilers},
    {where::begins, "__occ", kCompilers},
    {where::begins, "__cuda", kCompilers},
    {where::begins, "__nvvm", kCompilers},
    {where::begins, "__nv_", kCompilers},
    {where::begins, "__internal_", kCompilers},
    {where::begins, "__hmma", kCompilers},
    {where::begins, "__imma", kCompilers},
    {where::begins, "__bmma", kCompilers},
    {where::begins, "__dmma", kCompilers},
    {where::begins, "__mma", kCompilers},
    {where::begins, "__wmma", kCompilers},
    {where::begins, "__fmaf_ieee", kCompilers},
    {where::begins, "__reduce_", kCompilers},
    {where::inside, "__iAtomic", kCompilers},
    {where::inside, "__uAtomic", kCompilers},
    {where::inside, "__fAtomic", kCompilers},
    {where::inside, "__dAtomic", kCompilers},
    {where::inside, "llAtomic", kCompilers},
    {where::begins, "__usAtomic", kCompilers},
    {where::begins, "__f2Atomic", kCompilers},
    {where::begins, "__f4Atomic", kCompilers},
    {where::begins, "__u128Atomic", kCompilers},
    {where::inside, "GetExportTable", kCompilers},
    {where::begins, "__uni_sync", kCompilers},
    {where::inside, "GridConstant", "a kernel's parameters are each thread's own here"},
    {where::inside, "_grid_constant", "a kernel's parameters are each thread's own here"},
    {where::begins, "__isClusterShared", "which of a cluster's blocks an address belongs to is not told by it here"},
    {where::begins, "__cluster_query_shared_rank",
     "which block of a cluster an address belongs to is not told by it here"},
    {where::begins, "__cluster_map_shared_multicast", "copies to several blocks (multicast) are not there"},
    {where::inside, "GPUDirect", kDirect},
    {where::inside, "AsyncNotification", "nobody else wants the memory of the simulated device"},
    {where::begins, "CUasync", "nobody else wants the memory of the simulated device"},
    {where::inside, "AsyncCallback", "nobody else wants the memory of the simulated device"},
    {where::inside, "AtomicCapabilit", kAtomics},
    {where::inside, "AtomicOperation", kAtomics},
    {where::begins, "cudaLogs", kNoLog},
    {where::begins, "cudaLogLevel", kNoLog},
    {where::begins, "cudaLogIterator", kNoLog},
    {where::begins, "CUDAlog", kNoLog},
    {where::begins, "cuLogs", kNoLog},
    {where::begins, "CUlog", kNoLog},
    {where::inside, "LoggerCallback", kNoLog},
    {where::inside, "LoggerSet", kNoLog},
    {where::inside, "LoggerOpen", kNoLog},
    {where::inside, "LoggerConfigure", kNoLog},
    {where::inside, "LoggerForce", kNoLog},
    {where::inside, "GetKernelCount", kListing},
    {where::inside, "EnumerateKernels", kListing},
    {where::inside, "EnumerateFunctions", kListing},
    {where::inside, "GetFunctionCount", kListing},
    {where::inside, "UnifiedFunction", kListing},
    {where::inside, "HostUniversalFunction", kListing},
    {where::begins, "cudaFuncGetName", "a kernel has no mangled name here"},
    {where::inside, "emDiscard", kDiscard},
    {where::begins, "cudaMemcpy3DBatch", kBoxes},
    {where::begins, "cudaMemcpy3DOperand", kBoxes},
    {where::begins, "cudaMemcpyOperandType", kBoxes},
    {where::begins, "cudaOffset3D", kBoxes},
    {where::begins, "cuMemcpy3DBatch", kBoxes},
    {where::begins, "cudaMemRangeGetAttributes", "ask for one at a time: cudaMemRangeGetAttribute"},
    {where::begins, "cuTexRef", kReferences},
    {where::begins, "cuSurfRef", kReferences},
    {where::begins, "CUtexref", kReferences},
    {where::begins, "CUsurfref", kReferences},
    {where::inside, "GetTexRef", kReferences},
    {where::inside, "GetSurfRef", kReferences},
    {where::begins, "cuParamSet", kOldLaunch},
    {where::whole, "cuLaunch", kOldLaunch},
    {where::begins, "cuLaunchGrid", kOldLaunch},
    {where::begins, "cuFuncSetBlockShape", kOldLaunch},
    {where::begins, "cuFuncSetSharedSize", kOldLaunch},
    {where::begins, "cuCtxAttach", "gone since CUDA 4; cuCtxSetCurrent takes its place"},
    {where::begins, "cuCtxDetach", "gone since CUDA 4; cuCtxDestroy takes its place"},
    {where::inside, "reenCtx", kParts},
    {where::inside, "evResource", kParts},
    {where::inside, "evSmResource", kParts},
    {where::inside, "xecAffinity", kParts},
    {where::begins, "CU_EXEC_AFFINITY", kParts},
    {where::inside, "oredump", "a kernel that dies leaves no dump of a GPU"},
    {where::begins, "cuCheckpoint", "processes are not kept and restored"},
    {where::begins, "CUcheckpoint", "processes are not kept and restored"},
    {where::inside, "COREDUMP", "a kernel that dies leaves no dump of a GPU"},
    {where::begins, "CUprocessState", "processes are not kept and restored"},
    {where::begins, "CU_PROCESS_STATE", "processes are not kept and restored"},
    {where::inside, "GREEN_CTX", kParts},
    {where::inside, "DEV_RESOURCE", kParts},
    {where::inside, "DEV_SM_RESOURCE", kParts},
    {where::inside, "GPU_DIRECT_RDMA_WRITES", kDirect},
    {where::begins, "CUmemRangeFlags", kProcesses},
    {where::begins, "CU_MEM_RANGE_FLAG", kProcesses},
    {where::begins, "CU_MEM_RANGE_HANDLE", kProcesses},
    {where::inside, "ASYNC_NOTIFICATION", "nobody else wants the memory of the simulated device"},
    {where::begins, "CU_ATOMIC_", kAtomics},
    {where::inside, "atomicOperation", kAtomics},
    {where::begins, "CU_LOG_LEVEL", kNoLog},
    {where::begins, "CUmemOperationType", kSparse},
    {where::begins, "CU_MEM_OPERATION_TYPE", kSparse},
    {where::inside, "TILE_POOL", kSparse},
    {where::inside, "ARRAY3D_SPARSE", kSparse},
    {where::inside, "DEFERRED_MAPPING", kSparse},
    {where::begins, "CU_AD_FORMAT", kFormats},
    {where::begins, "CU_RES_VIEW_FORMAT", kFormats},
    {where::begins, "CUDA_ARRAY3D", kFormats},
    {where::inside, "ensorMapEncodeIm2colWide", "tensor copies in im2col mode are not there"},
    {where::inside, "ensorMapIm2Col", "tensor copies in im2col mode are not there"},
    {where::inside, "TENSOR_MAP_IM2COL", "tensor copies in im2col mode are not there"},
    {where::inside, "HW_DECOMPRESS", kDecompress},
    {where::inside, "BatchMemOpNode", kValueNodes},
    {where::inside, "BATCH_MEM_OP_NODE", kValueNodes},
    {where::begins, "CU_GRAPH_CHILD_GRAPH", kWholeNodes},
    {where::begins, "CUgraphChildGraph", kWholeNodes},
    {where::begins, "CU_GRAPH_DEPENDENCY_TYPE", kWholeNodes},
    {where::begins, "CUgraphDependencyType", kWholeNodes},
    {where::begins, "CU_GRAPH_KERNEL_NODE_PORT", kWholeNodes},
    {where::inside, "LAUNCH_COMPLETION_EVENT", kLaunchEvents},
    {where::inside, "DEVICE_UPDATABLE", kNoGraphLaunch},
    {where::inside, "NVLINK_UTIL", kOneDevice},
    {where::begins, "CU_DEVICE_NUMA", kNoNode},
    {where::begins, "CUdeviceNumaConfig", kNoNode},
    {where::begins, "cuDeviceGetLuid", "Windows alone has such numbers of devices; cuDeviceGetUuid tells them apart"},
    {where::begins, "cuCtxRecordEvent", "events are of streams, not of whole contexts"},
    {where::begins, "cuCtxWaitEvent", "events are of streams, not of whole contexts"},
    {where::begins, "cuOccupancyMaxActiveClusters", "kernels of modules have no clusters"},
    {where::begins, "cuOccupancyMaxPotentialClusterSize", "kernels of modules have no clusters"},
    {where::begins, "cuMipmappedArrayGetMemoryRequirements", "levels of an array are arrays of their own here"},
    {where::begins, "cuProfilerInitialize", "gone since CUDA 11; it does nothing"},
    {where::begins, "CUoutput_mode", "gone since CUDA 11; it does nothing"},
    {where::begins, "CU_OUT_", "gone since CUDA 11; it does nothing"},
    {where::begins, "CUmemcpy3DOperand", kBoxes},
    {where::begins, "CU_MEMCPY_OPERAND", kBoxes},
    {where::begins, "CUDA_MEMCPY3D_BATCH", kBoxes},
    {where::begins, "CUextent3D", kBoxes},
    {where::begins, "CUoffset3D", kBoxes},
    {where::inside, "POINTER_ATTRIBUTE_P2P_TOKENS", kDirect},
    {where::begins, "CU_PARAM_TR_DEFAULT", kReferences},
    {where::begins, "CU_TRSA_OVERRIDE_FORMAT", kReferences},
    {where::begins, "CU_LAUNCH_KERNEL_REQUIRED_BLOCK_DIM", kWholeBlocks},
    {where::begins, "flushRemoteWrites", kDirect},
    {where::begins, "programmaticEvent", kLaunchEvents},
    {where::begins, "launchCompletionEvent", kLaunchEvents},
    {where::begins, "deviceUpdatable", kNoGraphLaunch},
    {where::begins, "nvlinkUtil", kOneDevice},
    {where::begins, "CIG_DATA", kExternal},
    {where::begins, "cuStreamGetCtx_v", kParts},
    {where::begins, "nvrtcGetOptiXIR", "there is no OptiX"},
    {where::inside, "PCH", "the host compiler's precompiled headers are simrun's own"},
    {where::begins, "nvrtcSetFlowCallback", "a compilation is not stopped on its way"},
    {where::begins, "NVRTC_ERROR_", "nothing here fails that way"},
    {where::inside, "JITCallback", kCode},
    {where::begins, "syncthreads_", kVotes},
    {where::whole, "dmul", kFirstNames},
    {where::whole, "dadd", kFirstNames},
    {where::whole, "dsub", kFirstNames},
    {where::begins, "double2int", kFirstNames},
    {where::begins, "double2uint", kFirstNames},
    {where::begins, "double2ll", kFirstNames},
    {where::begins, "double2ull", kFirstNames},
    {where::begins, "ll2double", kFirstNames},
    {where::begins, "ull2double", kFirstNames},
    {where::begins, "int2double", kFirstNames},
    {where::begins, "uint2double", kFirstNames},
    {where::begins, "float2double", kFirstNames},
    {where::begins, "cudaGraphChildGraph", kWholeNodes},
    {where::begins, "cudaGraphDependencyType", kWholeNodes},
    {where::begins, "cudaGraphKernelNodePort", kWholeNodes},
    {where::inside, "AttributeProgrammaticEvent", kLaunchEvents},
    {where::inside, "AttributeLaunchCompletionEvent", kLaunchEvents},
    {where::inside, "rogrammaticEvent", kLaunchEvents},
    {where::inside, "vlinkUtilCentric", kOneDevice},
    {where::begins, "cudaDeviceNumaConfig", kNoNode},
    {where::begins, "cudaGetSurfaceReference", kReferences},
    {where::begins, "cudaSurfaceFormatMode", kReferences},
    {where::begins, "cudaFormatMode", kReferences},
    {where::begins, "texCubemapGrad", kCubes},
    {where::begins, "texCubemapLayeredGrad", kCubes},
    {where::begins, "__pipeline_arrive_on", "wait for copies with __pipeline_wait_prior, or use cuda::pipeline"},
    {where::begins, "cudaInitDeviceFlagsAreValid", "flags of a device mean nothing here"},
    {where::begins, "thrust::async", "gone from CUDA 13; use thrust::cuda::par_nosync.on(stream)"},
    {where::begins, "thrust::destroy", kUnfinished},
    {where::begins, "thrust::uninitialized_construct", kUnfinished},
    {where::begins, "thrust::uninitialized_alloc", kUnfinished},
    {where::begins, "thrust::uninitialized_array", kUnfinished},
    {where::begins, "thrust::array_allocator_delete", kUnfinished},
    {where::begins, "thrust::allocate_unique_n", kUnfinished},
    {where::begins, "thrust::tagged_deleter", kUnfinished},
    {where::begins, "thrust::make_tagged_deleter", kUnfinished},
    {where::begins, "thrust::tagged_reference", kTags},
    {where::whole, "thrust::reference", kTags},
    {where::begins, "thrust::retag", kTags},
    {where::begins, "thrust::reinterpret_tag", kTags},
    {where::begins, "thrust::dereference", kTags},
    {where::begins, "thrust::cpp::", "the systems of the host have their policies alone (thrust::cpp::par)"},
    {where::begins, "thrust::cuda::universal_pointer", "memory for both sides has plain pointers here"},
    {where::begins, "thrust::get_per_device_resource",
     "there is one device; thrust::mr::get_global_resource has its memory"},
    {where::begins, "thrust::per_device_allocator", "there is one device; thrust::device_allocator has its memory"},
    {where::begins, "cub::CachingDeviceAllocator::", "the allocator keeps its books to itself, and has no limits"},
    {where::begins, "cub::CopyAlg", kInnerCub},
    {where::begins, "cub::BlockHistogramMemoryPreference", kInnerCub},
    {where::begins, "cub::DeviceRleDispatch", kInnerCub},
    {where::whole, "cub::GMEM", kInnerCub},
    {where::whole, "cub::SMEM", kInnerCub},
    {where::whole, "cub::BLEND", kInnerCub},
    {where::begins, "cub::BlockRadixRank", "sort keys with their numbers by cub::BlockRadixSort instead"},
    {where::begins, "cub::Dispatch", kInnerCub},
    {where::begins, "cub::Agent", kInnerCub},
};

// A part of a name says something in CUDA's names alone.
bool may_be_of_cuda(std::string_view name) {
  for (const std::string_view p : {"cuda", "CU", "__", "nvrtc", "NVRTC", "cufft", "cub", "cus", "curand"})
    if (name.starts_with(p)) return true;
  return name.size() > 2 && name.starts_with("cu") && name[2] >= 'A' && name[2] <= 'Z';
}

}  // namespace

const char* reason_for_refusing(std::string_view name) {
  if (name.starts_with("PFN_")) {  // the type of that function's entry, with a version
    name.remove_prefix(4);
    name = name.substr(0, name.find("_v"));
  }
  for (const refusal& r : kRefusals) {
    const bool fits = r.at == where::begins   ? name.starts_with(r.text)
                      : r.at == where::inside ? may_be_of_cuda(name) && name.find(r.text) != std::string_view::npos
                                              : name == r.text;
    if (fits) return r.why;
  }
  return nullptr;
}

}  // namespace simt::cuda_source
