// SPDX-License-Identifier: Apache-2.0
// The four texels around a place, by one channel: in the middle, at the borders, outside, and of normalised reads.
#include <cstdio>
#include <vector>

template <class T>
__global__ void gather_each(cudaTextureObject_t image, const float2 *places, T *out, int n, int channel) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    switch (channel) {
      case 0: out[i] = tex2Dgather<T>(image, places[i].x, places[i].y); break;
      case 1: out[i] = tex2Dgather<T>(image, places[i].x, places[i].y, 1); break;
      default: out[i] = tex2Dgather<T>(image, places[i].x, places[i].y, 3); break;
    }
  }
}

template <class Texel, class T>
void show(const char *title, const std::vector<Texel> &texels, int width, int height, cudaTextureAddressMode mode,
          cudaTextureReadMode read, int channel) {
  const std::vector<float2> places = {{1, 1}, {2, 3}, {2.75f, 1.25f}, {0, 0}, {4, 2}, {-3, 2}, {9, 9}};
  const int n = static_cast<int>(places.size());
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<Texel>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, width, height, cudaArrayTextureGather);
  const size_t row = width * sizeof(Texel);
  cudaMemcpy2DToArray(array, 0, 0, texels.data(), row, row, height, cudaMemcpyHostToDevice);
  cudaResourceDesc what = {};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = mode;
  how.filterMode = cudaFilterModePoint;
  how.readMode = read;
  cudaTextureObject_t image = 0;
  cudaCreateTextureObject(&image, &what, &how, nullptr);
  float2 *at;
  T *out;
  cudaMalloc(&at, n * sizeof *at);
  cudaMalloc(&out, n * sizeof *out);
  cudaMemcpy(at, places.data(), n * sizeof *at, cudaMemcpyHostToDevice);
  gather_each<<<1, 32>>>(image, at, out, n, channel);
  std::vector<T> h(n);
  cudaMemcpy(h.data(), out, n * sizeof *out, cudaMemcpyDeviceToHost);
  printf("%s:", title);
  for (const T &v : h) printf(" (%g %g %g %g)", double(v.x), double(v.y), double(v.z), double(v.w));
  printf("\n");
  cudaDestroyTextureObject(image);
  cudaFreeArray(array);
  cudaFree(at);
  cudaFree(out);
}

int main() {
  const int width = 4, height = 4;
  std::vector<float> numbers;
  std::vector<uchar4> colours;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      numbers.push_back(10.0f * y + x);
      colours.push_back(make_uchar4(x, 10 * y + x, 7, 51 * y));
    }
  show<float, float4>("clamped", numbers, width, height, cudaAddressModeClamp, cudaReadModeElementType, 0);
  show<float, float4>("bordered", numbers, width, height, cudaAddressModeBorder, cudaReadModeElementType, 0);
  show<uchar4, uint4>("second channel", colours, width, height, cudaAddressModeClamp, cudaReadModeElementType, 1);
  show<uchar4, float4>("fourth, as fractions", colours, width, height, cudaAddressModeClamp,
                       cudaReadModeNormalizedFloat, 3);
}
