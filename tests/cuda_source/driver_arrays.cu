// SPDX-License-Identifier: Apache-2.0
// Arrays and textures of the driver API. With nvcc: -lcuda.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                            \
  do {                                                                         \
    if (const CUresult r = (call); r != CUDA_SUCCESS) {                        \
      std::printf("line %d: %s: %d\n", __LINE__, #call, static_cast<int>(r)); \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

const int width = 8, height = 4;

__global__ void between(CUtexObject image, float* out) {
  const int x = threadIdx.x, y = threadIdx.y;
  out[y * width + x] = tex2D<float>(image, (x + 1.0f) / width, (y + 0.5f) / height);
}
__global__ void levels(CUtexObject as_fractions, CUtexObject as_integers, float* out, int* codes) {
  out[threadIdx.x] = tex1Dfetch<float>(as_fractions, threadIdx.x);
  codes[threadIdx.x] = tex1Dfetch<unsigned char>(as_integers, threadIdx.x);
}
__global__ void add_row(CUsurfObject image) {
  float old;
  surf2Dread(&old, image, threadIdx.x * sizeof(float), threadIdx.y);
  surf2Dwrite(old + 100.0f * threadIdx.y, image, threadIdx.x * sizeof(float), threadIdx.y);
}

static void print(const char* name, const float* values, int count) {
  std::printf("%s:", name);
  for (int i = 0; i < count; ++i) std::printf(" %.3f", values[i]);
  std::printf("\n");
}

int main() {
  CUcontext context;
  CUdevice device;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));

  float picture[height][width];
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) picture[y][x] = static_cast<float>(10 * y + x);
  CUDA_ARRAY3D_DESCRIPTOR described = {};
  described.Width = width;
  described.Height = height;
  described.Format = CU_AD_FORMAT_FLOAT;
  described.NumChannels = 1;
  described.Flags = CUDA_ARRAY3D_SURFACE_LDST;
  CUarray array;
  CHECK(cuArray3DCreate(&array, &described));
  CUDA_ARRAY_DESCRIPTOR back = {};
  CHECK(cuArrayGetDescriptor(&back, array));
  std::printf("array of %d x %d, %u channel, format %d\n", static_cast<int>(back.Width), static_cast<int>(back.Height),
              back.NumChannels, static_cast<int>(back.Format));

  CUDA_MEMCPY2D copy;
  std::memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = picture;
  copy.srcPitch = sizeof picture[0];
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = sizeof picture[0];
  copy.Height = height;
  CHECK(cuMemcpy2D(&copy));

  CUDA_RESOURCE_DESC resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC how;
  std::memset(&how, 0, sizeof how);
  how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_WRAP;
  how.filterMode = CU_TR_FILTER_MODE_LINEAR;
  how.flags = CU_TRSF_NORMALIZED_COORDINATES;
  CUtexObject texture;
  CHECK(cuTexObjectCreate(&texture, &resource, &how, nullptr));

  CUdeviceptr out, bytes, codes;
  CHECK(cuMemAlloc(&out, sizeof picture));
  between<<<1, dim3(width, height)>>>(texture, reinterpret_cast<float*>(out));
  float seen[height][width];
  CHECK(cuMemcpyDtoH(seen, out, sizeof seen));
  print("between", seen[0], 2 * width);
  CHECK(cuTexObjectDestroy(texture));

  CUsurfObject surface;
  CHECK(cuSurfObjectCreate(&surface, &resource));
  add_row<<<1, dim3(width, height)>>>(surface);
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = picture;
  copy.dstPitch = sizeof picture[0];
  CHECK(cuMemcpy2D(&copy));
  print("rows", picture[2], 2 * width);
  CHECK(cuSurfObjectDestroy(surface));
  CHECK(cuArrayDestroy(array));

  const unsigned char grey[4] = {0, 51, 102, 255};
  CHECK(cuMemAlloc(&bytes, 512));
  CHECK(cuMemAlloc(&codes, sizeof(int) * 4));
  CHECK(cuMemcpyHtoD(bytes, grey, sizeof grey));
  std::memset(&resource, 0, sizeof resource);
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = bytes;
  resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT8;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = sizeof grey;
  std::memset(&how, 0, sizeof how);
  CUtexObject fractions, integers;
  CHECK(cuTexObjectCreate(&fractions, &resource, &how, nullptr));
  how.flags = CU_TRSF_READ_AS_INTEGER;
  CHECK(cuTexObjectCreate(&integers, &resource, &how, nullptr));
  levels<<<1, 4>>>(fractions, integers, reinterpret_cast<float*>(out), reinterpret_cast<int*>(codes));
  int whole[4];
  CHECK(cuMemcpyDtoH(seen, out, sizeof(float) * 4));
  CHECK(cuMemcpyDtoH(whole, codes, sizeof whole));
  print("levels", seen[0], 4);
  std::printf("codes: %d %d %d %d\n", whole[0], whole[1], whole[2], whole[3]);
  CHECK(cuTexObjectDestroy(fractions));
  CHECK(cuTexObjectDestroy(integers));

  back.NumChannels = 3;
  std::printf("three channels: %s\n", cuArrayCreate(&array, &back) == CUDA_ERROR_INVALID_VALUE ? "refused" : "taken");
  CHECK(cuMemFree(out));
  CHECK(cuMemFree(bytes));
  CHECK(cuMemFree(codes));
  CHECK(cuDevicePrimaryCtxRelease(device));
}
