// SPDX-License-Identifier: Apache-2.0
// Names of the Toolkit that few programs use: clusters as functions, minima that say which, conversions of 64-bit integers,
// several random numbers at once, launches by a configuration, occupancy of clusters, the driver API beside the runtime's.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <cstdio>

__global__ void __cluster_dims__(2, 1, 1) exchange(int *out) {
  __shared__ int mine;
  const unsigned rank = __clusterRelativeBlockRank();
  if (threadIdx.x == 0) mine = 100 + blockIdx.x;
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  const int *other = static_cast<const int *>(__cluster_map_shared_rank(&mine, 1 - rank));
  if (threadIdx.x == 0) out[blockIdx.x] = *other * 10 + __clusterIdx().x + __clusterSizeInBlocks() + __clusterGridDimInClusters().x;
  __threadfence_cluster();
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
}

__global__ void which(int *out, const int *in) {
  bool high, low, first;
  const unsigned a = in[0] << 16 | in[1], b = in[2] << 16 | in[3];
  out[0] = __vibmax_s32(in[0], in[2], &first);
  out[1] = first;
  out[2] = __vibmin_u16x2(a, b, &high, &low);
  out[3] = high * 2 + low;
  out[4] = __vimax3_s16x2_relu(a, b, 0xffff0001u);
  out[5] = __viaddmin_s16x2_relu(a, b, 0x00020005u);
}

__global__ void conversions(float *out, const long long *in) {
  out[0] = __bfloat162float(__ll2bfloat16_ru(in[0]));
  out[1] = __bfloat162float(__ll2bfloat16_rd(in[0]));
  out[2] = __bfloat162float(__ll2bfloat16_rz(-in[0]));
  out[3] = __half2float(__ull2half_rd(in[1]));
  out[4] = __half2float(__ull2half_ru(in[1]));
  out[5] = __half2float(__ll2half_rz(-in[1]));
}

__global__ void numbers(double *out) {
  curandStatePhilox4_32_10_t p;
  curand_init(1234, 5, 0, &p);
  const double2 two = curand_uniform2_double(&p);
  const double4 four = curand_uniform4_double(&p);
  curandState s;
  curand_init(1234, 5, 0, &s);
  const float2 logs = curand_log_normal2(&s, 0.5f, 0.25f);
  out[0] = two.x + two.y;
  out[1] = four.x + four.y + four.z + four.w;
  out[2] = logs.x > 0 && logs.y > 0;
}

__global__ void scaled(int *x, int factor) { x[blockIdx.x * blockDim.x + threadIdx.x] *= factor; }

int main() {
  int h[64], *d, values[4] = {5, 7, 5, 3};
  cudaMalloc(&d, sizeof h);
  exchange<<<4, 32>>>(d);
  cudaMemcpy(h, d, 4 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("exchange: %d %d %d %d\n", h[0], h[1], h[2], h[3]);

  int *in;
  cudaMalloc(&in, sizeof values);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  which<<<1, 1>>>(d, in);
  cudaMemcpy(h, d, 6 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("which: %d %d %x %d %x %x\n", h[0], h[1], h[2], h[3], h[4], h[5]);

  long long wide[2] = {(1ll << 60) + 1, 2049}, *w;
  float f[6], *g;
  cudaMalloc(&w, sizeof wide);
  cudaMalloc(&g, sizeof f);
  cudaMemcpy(w, wide, sizeof wide, cudaMemcpyHostToDevice);
  conversions<<<1, 1>>>(g, w);
  cudaMemcpy(f, g, sizeof f, cudaMemcpyDeviceToHost);
  printf("conversions: %.9g %.9g %.9g %g %g %g\n", f[0], f[1], f[2], f[3], f[4], f[5]);

  double r[3], *rd;
  cudaMalloc(&rd, sizeof r);
  numbers<<<1, 1>>>(rd);
  cudaMemcpy(r, rd, sizeof r, cudaMemcpyDeviceToHost);
  printf("numbers: %.9f %.9f %g\n", r[0], r[1], r[2]);

  for (int i = 0; i < 64; ++i) h[i] = i;
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(2);
  config.blockDim = dim3(32);
  int factor = 3;
  void *arguments[] = {&d, &factor};
  cudaLaunchKernelExC(&config, (const void *)scaled, arguments);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  int grid = 0, block = 0, clusters = 0;
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, scaled, [](int threads) { return threads * 64; });
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  config.gridDim = dim3(4);
  cudaOccupancyMaxActiveClusters(&clusters, (const void *)scaled, &config);
  printf("launch: %d %d, block %d, %s\n", h[1], h[63], block > 0 && block % 32 == 0, clusters > 0 ? "clusters fit" : "no clusters");

  CUdeviceptr p;
  CUdevice device;
  const char *name = nullptr;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuMemAlloc(&p, sizeof h);
  cuMemcpyHtoD(p, h, sizeof h);
  scaled<<<2, 32>>>(reinterpret_cast<int *>(p), 2);
  cuCtxSynchronize();
  cuMemcpyDtoH(h, p, sizeof h);
  cuGetErrorName(cuMemFree(p), &name);
  printf("driver: %d %d %s\n", h[1], h[63], name);
  cudaFree(d);
  cudaFree(in);
  cudaFree(w);
  cudaFree(g);
  cudaFree(rd);
}
