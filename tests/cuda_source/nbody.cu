// SPDX-License-Identifier: Apache-2.0
// All-pairs n-body of GPU Gems 3: float4 bodies, tiles in dynamic shared memory.
#include <cstdio>
#include <cmath>
#include <cstdlib>
#include <vector>
#define EPS2 1e-3f
__device__ float3 bodyBodyInteraction(float4 bi, float4 bj, float3 ai) {
  float3 r;
  r.x = bj.x - bi.x;
  r.y = bj.y - bi.y;
  r.z = bj.z - bi.z;
  float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + EPS2;
  float distSixth = distSqr * distSqr * distSqr;
  float invDistCube = 1.0f / sqrtf(distSixth);
  float s = bj.w * invDistCube;
  ai.x += r.x * s;
  ai.y += r.y * s;
  ai.z += r.z * s;
  return ai;
}
__device__ float3 tile_calculation(float4 myPosition, float3 accel) {
  extern __shared__ float4 shPosition[];
#pragma unroll 4
  for (int i = 0; i < blockDim.x; i++) {
    accel = bodyBodyInteraction(myPosition, shPosition[i], accel);
  }
  return accel;
}
__global__ void calculate_forces(void *devX, void *devA, int N, int p) {
  extern __shared__ float4 shPosition[];
  float4 *globalX = (float4 *)devX;
  float4 *globalA = (float4 *)devA;
  float4 myPosition;
  int i, tile;
  float3 acc = {0.0f, 0.0f, 0.0f};
  int gtid = blockIdx.x * blockDim.x + threadIdx.x;
  myPosition = globalX[gtid];
  for (i = 0, tile = 0; i < N; i += p, tile++) {
    int idx = tile * blockDim.x + threadIdx.x;
    shPosition[threadIdx.x] = globalX[idx];
    __syncthreads();
    acc = tile_calculation(myPosition, acc);
    __syncthreads();
  }
  float4 acc4 = {acc.x, acc.y, acc.z, 0.0f};
  globalA[gtid] = acc4;
}
__global__ void integrate(float4 *pos, float4 *vel, const float4 *acc, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = vel[i], a = acc[i], p = pos[i];
  v.x += a.x * dt; v.y += a.y * dt; v.z += a.z * dt;
  p.x += v.x * dt; p.y += v.y * dt; p.z += v.z * dt;
  vel[i] = v;
  pos[i] = p;
}
int main() {
  const int N = 256, p = 64;
  std::vector<float4> pos(N), vel(N, make_float4(0, 0, 0, 0));
  srand(7);
  unsigned s = 12345;
  auto rnd = [&] { s = s * 1103515245u + 12345u; return ((s >> 8) & 0xffff) / 65536.0f; };
  for (auto &b : pos) b = make_float4(rnd(), rnd(), rnd(), 1.0f / N);
  std::vector<float4> ref = pos, rv = vel;
  float4 *d_pos, *d_vel, *d_acc;
  cudaMalloc(&d_pos, N * sizeof(float4));
  cudaMalloc(&d_vel, N * sizeof(float4));
  cudaMalloc(&d_acc, N * sizeof(float4));
  cudaMemcpy(d_pos, pos.data(), N * sizeof(float4), cudaMemcpyHostToDevice);
  cudaMemcpy(d_vel, vel.data(), N * sizeof(float4), cudaMemcpyHostToDevice);
  for (int step = 0; step < 2; step++) {
    calculate_forces<<<N / p, p, p * sizeof(float4)>>>(d_pos, d_acc, N, p);
    integrate<<<(N + 127) / 128, 128>>>(d_pos, d_vel, d_acc, 0.01f, N);
    std::vector<float4> acc(N);
    for (int i = 0; i < N; i++) {
      double ax = 0, ay = 0, az = 0;
      for (int j = 0; j < N; j++) {
        double x = ref[j].x - ref[i].x, y = ref[j].y - ref[i].y, z = ref[j].z - ref[i].z;
        double d = x * x + y * y + z * z + EPS2, k = ref[j].w / std::sqrt(d * d * d);
        ax += x * k; ay += y * k; az += z * k;
      }
      acc[i] = make_float4(ax, ay, az, 0);
    }
    for (int i = 0; i < N; i++) {
      rv[i].x += acc[i].x * 0.01f; rv[i].y += acc[i].y * 0.01f; rv[i].z += acc[i].z * 0.01f;
      ref[i].x += rv[i].x * 0.01f; ref[i].y += rv[i].y * 0.01f; ref[i].z += rv[i].z * 0.01f;
    }
  }
  cudaMemcpy(pos.data(), d_pos, N * sizeof(float4), cudaMemcpyDeviceToHost);
  float worst = 0;
  for (int i = 0; i < N; i++)
    worst = fmaxf(worst, fabsf(pos[i].x - ref[i].x) + fabsf(pos[i].y - ref[i].y) + fabsf(pos[i].z - ref[i].z));
  printf("%s\n", worst < 1e-4f ? "positions agree" : "positions differ");
  cudaFree(d_pos); cudaFree(d_vel); cudaFree(d_acc);
}
