// SPDX-License-Identifier: Apache-2.0
// What the driver API says of functions, and its linker.

#include "driver.hpp"
#include "linked_modules.hpp"
#include "modules.hpp"

struct CUlinkState_st {
  std::vector<simt::cuda_source::module_file> parts;
  std::string text;  // of the whole
};

using namespace simt_cuda;

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction f) {
  SIMT_DRIVER_CALL;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (f == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  cudaFuncAttributes a;
  function_attributes(&a, f->calls.kernel);
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = a.maxThreadsPerBlock;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = a.numRegs;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = a.binaryVersion;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = a.maxDynamicSharedSizeBytes;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:  // as the runtime API says it
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      *value = 0;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = -1;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:  // kernels of modules have no clusters
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      *value = 0;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX:
      break;
  }
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute attribute, int value) {
  SIMT_DRIVER_CALL;
  if (f == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT ||
      attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
    return CUDA_SUCCESS;
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return CUDA_ERROR_NOT_SUPPORTED;
  return as_driver(set_function_attribute(f->calls.kernel, f->calls.signature(f->calls.kernel),
                                          cudaFuncAttributeMaxDynamicSharedMemorySize, value));
}
CUresult cuFuncSetCacheConfig(CUfunction f, CUfunc_cache) {
  return f == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}
CUresult cuFuncGetName(const char** name, CUfunction f) {
  if (name == nullptr || f == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *name = f->name.c_str();
  return CUDA_SUCCESS;
}
CUresult cuFuncGetModule(CUmodule* m, CUfunction f) {
  if (m == nullptr || f == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *m = f->module;
  return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction f, int block_size, std::size_t shared) {
  SIMT_DRIVER_CALL;
  if (blocks == nullptr || f == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *blocks = resident_blocks(block_size, shared);
  return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction f, CUoccupancyB2DSize shared_of_block,
                                          std::size_t shared, int limit) {
  SIMT_DRIVER_CALL;
  if (grid == nullptr || block == nullptr || f == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto bytes = [&](int size) { return shared_of_block != nullptr ? shared_of_block(size) : shared; };
  return as_driver(cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, f->calls.kernel, bytes, limit));
}

CUresult cuLinkCreate(unsigned int, CUjit_option*, void**, CUlinkState* state) {
  SIMT_DRIVER_CALL;
  if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *state = new CUlinkState_st;
  return CUDA_SUCCESS;
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType, void* data, std::size_t, const char*, unsigned int,
                       CUjit_option*, void**) {
  SIMT_DRIVER_CALL;
  if (state == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (data == nullptr) return CUDA_ERROR_INVALID_VALUE;
  simt::cuda_source::module_file m;
  if (!simt::cuda_source::read_module(static_cast<const char*>(data), m)) {
    const found_object found = object_of_image(data);
    complain_of_module(found.why);
    return found.result;
  }
  state->parts.push_back(std::move(m));
  return CUDA_SUCCESS;
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* file, unsigned int count,
                       CUjit_option* options, void** values) {
  SIMT_DRIVER_CALL;
  if (state == nullptr || file == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::string text = text_of(file);
  if (text.empty()) return CUDA_ERROR_FILE_NOT_FOUND;
  text.append(16, '\0');
  return cuLinkAddData(state, type, text.data(), text.size(), file, count, options, values);
}
CUresult cuLinkComplete(CUlinkState state, void** image, std::size_t* bytes) {
  SIMT_DRIVER_CALL;
  if (state == nullptr || state->parts.empty() || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const compilation c = link_modules(state->parts);
  if (c.exit_code != 0) {
    complain_of_module("cuLinkComplete: " + c.messages);
    return c.exit_code < 0 ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_IMAGE;
  }
  state->text = write_module(c.made);
  *image = state->text.data();
  if (bytes != nullptr) *bytes = state->text.size() + 1;
  return CUDA_SUCCESS;
}
CUresult cuLinkDestroy(CUlinkState state) {
  delete state;
  return CUDA_SUCCESS;
}
