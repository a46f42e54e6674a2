// SPDX-License-Identifier: Apache-2.0
// Mipmapped arrays: levels filled by copies and by surfaces, fetched by level and by gradients, points and mixtures.
#include <cstdio>
#include <vector>

#define OK(call) do { cudaError_t got_ = call; if (got_ != cudaSuccess) std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(got_)); } while (0)

__global__ void halve(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width, int height) {
  int x = threadIdx.x, y = threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i) sum += surf2Dread<float>(from, (2 * x + i) * 4, 2 * y + j);
  surf2Dwrite(sum / 4, to, x * 4, y);
}
__global__ void look(float* out, cudaTextureObject_t t) {
  out[0] = tex2DLod<float>(t, 0.1f, 0.1f, 0);
  out[1] = tex2DLod<float>(t, 0.9f, 0.9f, 0);
  out[2] = tex2DLod<float>(t, 0.1f, 0.1f, 1);
  out[3] = tex2DLod<float>(t, 0.9f, 0.1f, 2);
  out[4] = tex2DLod<float>(t, 0.5f, 0.5f, 3);
  out[5] = tex2DLod<float>(t, 0.1f, 0.1f, 0.5f);
  out[6] = tex2DLod<float>(t, 0.1f, 0.1f, 9.0f);
  out[7] = tex2DLod<float>(t, 0.1f, 0.1f, -2.0f);
  out[8] = tex2DGrad<float>(t, 0.1f, 0.1f, make_float2(2.0f / 8, 0), make_float2(0, 2.0f / 8));
  out[9] = tex2DGrad<float>(t, 0.9f, 0.1f, make_float2(0, 0), make_float2(0, 4.0f / 8));
  out[10] = tex2D<float>(t, 0.1f, 0.1f);
  tex2DLod<float>(&out[11], t, 0.9f, 0.9f, 1.25f);
}

static void show(const char* what, cudaMipmappedArray_t mips, cudaTextureDesc how, float* d,
                 const cudaResourceViewDesc* view = nullptr, int values = 12) {
  cudaResourceDesc from = {};
  from.resType = cudaResourceTypeMipmappedArray;
  from.res.mipmap.mipmap = mips;
  cudaTextureObject_t t;
  OK(cudaCreateTextureObject(&t, &from, &how, view));
  look<<<1, 1>>>(d, t);
  float h[12];
  OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%s:", what);
  for (int i = 0; i < values; ++i) std::printf(" %g", h[i]);
  std::printf("\n");
  OK(cudaDestroyTextureObject(t));
}

int main() {
  const int n = 8;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mips;
  OK(cudaMallocMipmappedArray(&mips, &desc, make_cudaExtent(n, n, 0), 4, cudaArraySurfaceLoadStore));
  std::vector<float> h(n * n);
  for (int i = 0; i < n * n; ++i) h[i] = i;
  cudaArray_t level, next;
  OK(cudaGetMipmappedArrayLevel(&level, mips, 0));
  OK(cudaMemcpy2DToArray(level, 0, 0, h.data(), n * 4, n * 4, n, cudaMemcpyHostToDevice));
  for (int l = 1; l < 4; ++l) {
    OK(cudaGetMipmappedArrayLevel(&level, mips, l - 1));
    OK(cudaGetMipmappedArrayLevel(&next, mips, l));
    cudaExtent e;
    OK(cudaArrayGetInfo(nullptr, &e, nullptr, next));
    std::printf("level %d: %zu x %zu x %zu\n", l, e.width, e.height, e.depth);
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    cudaSurfaceObject_t from, to;
    r.res.array.array = level;
    OK(cudaCreateSurfaceObject(&from, &r));
    r.res.array.array = next;
    OK(cudaCreateSurfaceObject(&to, &r));
    halve<<<1, dim3(8, 8)>>>(from, to, (int)e.width, (int)e.height);
    OK(cudaDeviceSynchronize());
    OK(cudaDestroySurfaceObject(from));
    OK(cudaDestroySurfaceObject(to));
  }
  float* d;
  OK(cudaMalloc(&d, 12 * sizeof(float)));
  cudaTextureDesc how = {};
  how.normalizedCoords = 1;
  how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
  show("clamped to 0", mips, how, d);
  how.maxMipmapLevelClamp = 3;
  show("nearest level", mips, how, d);
  how.mipmapFilterMode = cudaFilterModeLinear;
  show("between levels", mips, how, d);
  how.filterMode = cudaFilterModeLinear;
  how.minMipmapLevelClamp = 1;
  how.mipmapLevelBias = 0.5f;
  show("all linear, biased", mips, how, d);
  cudaResourceViewDesc view = {};
  view.format = cudaResViewFormatFloat1;
  view.width = view.height = n;
  view.firstMipmapLevel = 1;
  view.lastMipmapLevel = 2;
  how = {};
  how.normalizedCoords = 1;
  how.maxMipmapLevelClamp = 10;
  show("the middle levels", mips, how, d, &view, 8);
  std::printf("%s\n", cudaGetErrorName(cudaGetMipmappedArrayLevel(&level, mips, 4)));
  cudaGetLastError();
  cudaArray_t a, b;
  OK(cudaMallocArray(&a, &desc, 4, 2));
  OK(cudaMallocArray(&b, &desc, 4, 2));
  OK(cudaMemcpy2DToArray(a, 0, 0, h.data(), 16, 16, 2, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2DToArray(b, 0, 0, h.data() + 8, 16, 16, 2, cudaMemcpyHostToDevice));
  OK(cudaMemcpyArrayToArray(b, 4, 0, a, 8, 0, 16, cudaMemcpyDeviceToDevice));
  float got[8];
  OK(cudaMemcpy2DFromArray(got, 16, b, 0, 0, 16, 2, cudaMemcpyDeviceToHost));
  for (float v : got) std::printf("%g ", v);
  std::printf("\n");
  OK(cudaFreeArray(a));
  OK(cudaFreeArray(b));
  OK(cudaFreeMipmappedArray(mips));
  OK(cudaFree(d));
}
