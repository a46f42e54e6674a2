// SPDX-License-Identifier: Apache-2.0
// Tensor maps of the driver API: what cuTensorMapEncodeTiled demands of a tensor, and what it puts into the map.
#include <cstdio>
#include <cstring>

#include "driver.hpp"

using namespace simt_cuda;

namespace {

std::uint64_t bytes_of(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8:
      return 1;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
      return 2;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
      return 8;
    case CU_TENSOR_MAP_DATA_TYPE_UINT32:
    case CU_TENSOR_MAP_DATA_TYPE_INT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ:
      return 4;
    case CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B:
    case CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B:
    case CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B:
      break;
  }
  return 0;
}

CUresult not_supported(const char* what) {
  std::fprintf(stderr, "simt: tensor maps: %s are not supported by the simulator\n", what);
  return CUDA_ERROR_NOT_SUPPORTED;
}

}  // namespace

// The limits are those of the driver API's reference, cuTensorMapEncodeTiled.
CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
  if (type >= CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B && type <= CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B)
    return not_supported("packed numbers of 4 or 6 bits");
  if (swizzle > CU_TENSOR_MAP_SWIZZLE_128B && swizzle <= CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B)
    return not_supported("swizzles of more than 16 bytes");
  const std::uint64_t element = bytes_of(type);
  if (map == nullptr || address == nullptr || sizes == nullptr || box == nullptr || steps == nullptr || element == 0 ||
      rank == 0 || rank > tensor_map::kMostDimensions || (rank > 1 && strides == nullptr))
    return CUDA_ERROR_INVALID_VALUE;
  if (reinterpret_cast<std::uintptr_t>(map) % 64 != 0 || reinterpret_cast<std::uintptr_t>(address) % 16 != 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) return not_supported("interleaved layouts");
  if (fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) return not_supported("fills with NaN");
  if (swizzle > CU_TENSOR_MAP_SWIZZLE_128B) return CUDA_ERROR_INVALID_VALUE;

  tensor_map m{};
  m.address = reinterpret_cast<std::uintptr_t>(address);
  m.rank = static_cast<std::uint8_t>(rank);
  m.swizzle = static_cast<std::uint8_t>(swizzle);
  for (cuuint32_t d = 0; d < rank; ++d) {
    const std::uint64_t stride = d == 0 ? element : strides[d - 1];
    if (sizes[d] == 0 || sizes[d] > (1ull << 32) || box[d] == 0 || box[d] > 256 || steps[d] == 0 || steps[d] > 8)
      return CUDA_ERROR_INVALID_VALUE;
    if (d > 0 && (stride % 16 != 0 || stride >= (1ull << 40))) return CUDA_ERROR_INVALID_VALUE;
    m.strides[d] = stride;
    m.sizes[d] = static_cast<std::uint32_t>(sizes[d] - 1);
    m.box[d] = static_cast<std::uint16_t>(box[d]);
    m.steps[d] = static_cast<std::uint8_t>(steps[d]);
  }
  const std::uint64_t row = box[0] * element;  // a swizzled row is not longer than what is swizzled
  if (row % 16 != 0 || (swizzle != CU_TENSOR_MAP_SWIZZLE_NONE && row > (16ull << swizzle)))
    return CUDA_ERROR_INVALID_VALUE;
  std::memset(map, 0, sizeof *map);
  std::memcpy(map, &m, sizeof m);
  return CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                 const cuuint64_t*, const int*, const int*, cuuint32_t, cuuint32_t, const cuuint32_t*,
                                 CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                                 CUtensorMapFloatOOBfill) {
  return not_supported("copies in im2col mode");
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  if (map == nullptr || reinterpret_cast<std::uintptr_t>(address) % 16 != 0) return CUDA_ERROR_INVALID_VALUE;
  tensor_map m;
  std::memcpy(&m, map, sizeof m);
  m.address = reinterpret_cast<std::uintptr_t>(address);
  std::memcpy(map, &m, sizeof m);
  return CUDA_SUCCESS;
}
