// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces: linear filtering, normalised reads, linear memory, three dimensions; CUDA arrays and copies.
#include <cstdio>
#include <cmath>
__global__ void fetch(cudaTextureObject_t t, float* out, int n) { int i = threadIdx.x; if (i < n) out[i] = tex2D<float>(t, i * 0.37f + 0.5f, i * 0.21f + 0.5f); }
__global__ void norm8(cudaTextureObject_t t, float4* out) { out[threadIdx.x] = tex2D<float4>(t, (threadIdx.x + 0.5f) / 8, 0.5f); }
__global__ void lin(cudaTextureObject_t t, int* out) { out[threadIdx.x] = tex1Dfetch<int>(t, (int)threadIdx.x - 2); }
__global__ void surf(cudaSurfaceObject_t s, cudaTextureObject_t l, int* out) {
  int x = threadIdx.x, y = threadIdx.y;
  int v; surf2Dread(&v, s, x * 4, y);
  surf2Dwrite(v * 2, s, x * 4, y);
}
__global__ void vol(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex3D<float>(t, threadIdx.x * 0.3f, 1.25f, 1.5f); }
int main() {
  const int W = 8, H = 8; float h[W * H]; for (int i = 0; i < W * H; ++i) h[i] = i;
  cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
  cudaArray_t a; cudaMallocArray(&a, &d, W, H);
  cudaMemcpy2DToArray(a, 0, 0, h, W * 4, W * 4, H, cudaMemcpyHostToDevice);
  cudaResourceDesc r = {}; r.resType = cudaResourceTypeArray; r.res.array.array = a;
  cudaTextureDesc td = {}; td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp; td.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t t; cudaCreateTextureObject(&t, &r, &td, NULL);
  float* out; cudaMalloc(&out, 256); fetch<<<1, 32>>>(t, out, 16);
  float o[16]; cudaMemcpy(o, out, 64, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 16; ++i) printf("%g ", o[i]); printf("\n");
  cudaDestroyTextureObject(t); cudaFreeArray(a);
  uchar4 c[8]; for (int i = 0; i < 8; ++i) c[i] = make_uchar4(i, 255 - i, 51, 255);
  cudaChannelFormatDesc d4 = cudaCreateChannelDesc<uchar4>(); cudaMallocArray(&a, &d4, 8, 1);
  cudaMemcpy2DToArray(a, 0, 0, c, 32, 32, 1, cudaMemcpyHostToDevice);
  r.res.array.array = a; td.readMode = cudaReadModeNormalizedFloat; td.normalizedCoords = 1; td.filterMode = cudaFilterModePoint; td.addressMode[0] = cudaAddressModeWrap;
  cudaCreateTextureObject(&t, &r, &td, NULL);
  float4* o4; cudaMalloc(&o4, 16 * 8); norm8<<<1, 8>>>(t, o4); float4 h4[8]; cudaMemcpy(h4, o4, sizeof h4, cudaMemcpyDeviceToHost);
  printf("%g %g %g %g\n", h4[3].x * 255, h4[3].y * 255, h4[3].z, h4[3].w);
  cudaDestroyTextureObject(t); cudaFreeArray(a); cudaFree(o4);
  int *lin_d; cudaMalloc(&lin_d, 40); int hl[10]; for (int i = 0; i < 10; ++i) hl[i] = 100 + i; cudaMemcpy(lin_d, hl, 40, cudaMemcpyHostToDevice);
  cudaResourceDesc rl = {}; rl.resType = cudaResourceTypeLinear; rl.res.linear.devPtr = lin_d; rl.res.linear.desc = cudaCreateChannelDesc<int>(); rl.res.linear.sizeInBytes = 40;
  cudaTextureDesc tl = {}; cudaCreateTextureObject(&t, &rl, &tl, NULL); int* oi; cudaMalloc(&oi, 64); lin<<<1, 14>>>(t, oi); int ho[14]; cudaMemcpy(ho, oi, 56, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d\n", ho[1], ho[2], ho[11], ho[12]); cudaDestroyTextureObject(t); cudaFree(lin_d);
  cudaChannelFormatDesc di = cudaCreateChannelDesc<int>(); cudaArray* as; cudaMallocArray(&as, &di, 4, 4, cudaArraySurfaceLoadStore);
  int hs[16]; for (int i = 0; i < 16; ++i) hs[i] = i; cudaMemcpyToArray(as, 0, 0, hs, 64, cudaMemcpyHostToDevice);
  cudaResourceDesc rs = {}; rs.resType = cudaResourceTypeArray; rs.res.array.array = as; cudaSurfaceObject_t s; cudaCreateSurfaceObject(&s, &rs);
  surf<<<1, dim3(4, 4)>>>(s, 0, oi); cudaMemcpyFromArray(hs, as, 0, 0, 64, cudaMemcpyDeviceToHost); printf("%d %d\n", hs[5], hs[15]);
  cudaDestroySurfaceObject(s); cudaFreeArray(as);
  cudaExtent e = make_cudaExtent(4, 3, 2); float v[24]; for (int i = 0; i < 24; ++i) v[i] = i; cudaArray_t a3; cudaMalloc3DArray(&a3, &d, e);
  cudaMemcpy3DParms p = {}; p.srcPtr = make_cudaPitchedPtr(v, 16, 4, 3); p.dstArray = a3; p.extent = e; p.kind = cudaMemcpyHostToDevice; cudaMemcpy3D(&p);
  r.res.array.array = a3; cudaTextureDesc t3 = {}; t3.filterMode = cudaFilterModeLinear; t3.addressMode[0] = t3.addressMode[1] = t3.addressMode[2] = cudaAddressModeClamp;
  cudaCreateTextureObject(&t, &r, &t3, NULL); vol<<<1, 8>>>(t, out); cudaMemcpy(o, out, 32, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; ++i) printf("%g ", o[i]); printf("\n"); cudaDestroyTextureObject(t); cudaFreeArray(a3);
  cudaFree(out); cudaFree(oi); printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
