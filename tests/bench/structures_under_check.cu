// SPDX-License-Identifier: Apache-2.0
// Kernels on arrays of structures: copied whole, read into a variable and written back, changed member by member. For
// ratios of one run to another:
//   simrun --workers 1 tests/bench/structures_under_check.cu
//   simrun --workers 1 --check races tests/bench/structures_under_check.cu
#include <cstdio>
#include <vector>

#include "launch_times.hpp"

struct particle {
  float x, y, z, vx, vy, vz;
};
struct body {
  float3 place, speed;
  float mass;
};

template <class T>
__global__ void copy(T* to, const T* from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}
__global__ void move(float4* place, const float4* speed, float dt, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = place[i];
  const float4 v = speed[i];
  p.x += v.x * dt, p.y += v.y * dt, p.z += v.z * dt;
  place[i] = p;
}
__global__ void products(float2* a, const float2* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float2 x = a[i], y = b[i];
  a[i] = make_float2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
__global__ void drift(particle* p, float dt, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  p[i].x += p[i].vx * dt;
  p[i].y += p[i].vy * dt;
  p[i].z += p[i].vz * dt;
}
// Members of two arrays, and of an element of 28 bytes.
__global__ void integrate(float3* place, const float3* speed, float dt, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  place[i].x += speed[i].x * dt;
  place[i].y += speed[i].y * dt;
  place[i].z += speed[i].z * dt;
}
__global__ void fall(body* b, float dt, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  b[i].speed.y -= 9.81f * dt / b[i].mass;
  b[i].place.y += b[i].speed.y * dt;
}

int main() {
  constexpr int n = 1 << 16;
  auto *fours = device(std::vector<float4>(n, float4{1, 2, 3, 4})), *speeds = device(std::vector<float4>(n));
  auto *threes = device(std::vector<float3>(n, float3{1, 2, 3})), *others = device(std::vector<float3>(n));
  auto *a = device(std::vector<float2>(n, float2{1, 0})), *b = device(std::vector<float2>(n, float2{0, 1}));
  auto* particles = device(std::vector<particle>(n, particle{0, 0, 0, 1, 2, 3}));
  auto* bodies = device(std::vector<body>(n, body{{0, 0, 0}, {1, 2, 3}, 2}));
  measure("copy of float4", [&] { copy<<<n / 256, 256>>>(speeds, fours, n); });
  measure("copy of float3", [&] { copy<<<n / 256, 256>>>(others, threes, n); });
  measure("move", [&] { move<<<n / 256, 256>>>(fours, speeds, 0.5f, n); });
  measure("complex products", [&] { products<<<n / 256, 256>>>(a, b, n); });
  measure("drift", [&] { drift<<<n / 256, 256>>>(particles, 0.5f, n); });
  measure("integrate", [&] { integrate<<<n / 256, 256>>>(others, threes, 0.5f, n); });
  measure("fall", [&] { fall<<<n / 256, 256>>>(bodies, 0.5f, n); });
  std::printf("sums %g %g %g\n", sum(&fours->x, 4 * n, [](float x) { return x; }),
              sum(&others->x, 3 * n, [](float x) { return x; }), sum(&particles->x, 6 * n, [](float x) { return x; }));
}
