// SPDX-License-Identifier: Apache-2.0
// Textures of sRGB colours (a GPU rounds them to a few bits, so one digit is told), and views that see an array's elements as numbers of another kind.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void colors(cudaTextureObject_t t, float4* out) {
  const int i = static_cast<int>(threadIdx.x);
  out[i] = tex2D<float4>(t, i + 0.5f, 0.5f);
}
__global__ void as_floats(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 0.5f); }
__global__ void as_signed(cudaTextureObject_t t, int* out) { out[threadIdx.x] = tex2D<int>(t, threadIdx.x + 0.5f, 0.5f); }

int main() {
  uchar4 pixels[8];
  for (int i = 0; i < 8; ++i)
    pixels[i] = make_uchar4(static_cast<unsigned char>(i * 36), static_cast<unsigned char>(255 - i * 30), 10,
                            static_cast<unsigned char>(i * 20));
  cudaArray_t a;
  const cudaChannelFormatDesc d = cudaCreateChannelDesc<uchar4>();
  cudaMallocArray(&a, &d, 8, 1);
  cudaMemcpy2DToArray(a, 0, 0, pixels, sizeof pixels, sizeof pixels, 1, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = a;
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeNormalizedFloat;
  how.sRGB = 1;
  cudaTextureObject_t t = 0;
  std::printf("%s\n", cudaGetErrorName(cudaCreateTextureObject(&t, &resource, &how, nullptr)));
  float4 *out, h[8];
  cudaMalloc(&out, sizeof h);
  colors<<<1, 8>>>(t, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  for (const float4& c : h) std::printf("%.1f %.1f %.1f %.1f\n", c.x, c.y, c.z, c.w);
  cudaDestroyTextureObject(t);
  cudaFreeArray(a);

  const float numbers[4] = {1, -2.5f, 0, 1000};
  cudaArray_t b;
  const cudaChannelFormatDesc words = cudaCreateChannelDesc<unsigned int>();
  cudaMallocArray(&b, &words, 4, 1);
  cudaMemcpy2DToArray(b, 0, 0, numbers, sizeof numbers, sizeof numbers, 1, cudaMemcpyHostToDevice);
  resource.res.array.array = b;
  how = {};
  cudaResourceViewDesc view = {};
  view.format = cudaResViewFormatFloat1;
  view.width = 4;
  view.height = 1;
  std::printf("%s\n", cudaGetErrorName(cudaCreateTextureObject(&t, &resource, &how, &view)));
  float* f;
  cudaMalloc(&f, sizeof numbers);
  as_floats<<<1, 4>>>(t, f);
  float back[4];
  cudaMemcpy(back, f, sizeof back, cudaMemcpyDeviceToHost);
  std::printf("%g %g %g %g\n", back[0], back[1], back[2], back[3]);
  cudaResourceViewDesc asked = {};
  cudaGetTextureObjectResourceViewDesc(&asked, t);
  std::printf("%d %zu\n", static_cast<int>(asked.format), asked.width);
  cudaDestroyTextureObject(t);
  view.format = cudaResViewFormatSignedInt1;
  cudaCreateTextureObject(&t, &resource, &how, &view);
  int *s, signs[4];
  cudaMalloc(&s, sizeof signs);
  as_signed<<<1, 4>>>(t, s);
  cudaMemcpy(signs, s, sizeof signs, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d %d\n", signs[0], signs[1], signs[2], signs[3]);
  cudaDestroyTextureObject(t);
  cudaFreeArray(b);
  cudaFree(out);
  cudaFree(f);
  cudaFree(s);
}
