// SPDX-License-Identifier: Apache-2.0
// Jacobi relaxation in one cooperative launch: grid.sync() between sweeps, norms by warp reductions.
#include <cooperative_groups.h>
#include <cstdio>
#include <cmath>
#include <vector>
namespace cg = cooperative_groups;
#define CHECK(x) do { cudaError_t e = x; if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); return 1; } } while (false)
__global__ void jacobi(float *a, float *b, const float *rhs, double *norm, int n, int sweeps) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block cta = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cta);
  __shared__ double partial[32];
  for (int s = 0; s < sweeps; ++s) {
    double local = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      float left = i > 0 ? a[i - 1] : 0.f, right = i + 1 < n ? a[i + 1] : 0.f;
      float x = 0.5f * (rhs[i] + left + right);
      local += fabs((double)x - a[i]);
      b[i] = x;
    }
    for (int o = warp.size() / 2; o > 0; o /= 2) local += warp.shfl_down(local, o);
    if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = local;
    cg::sync(cta);
    if (warp.meta_group_rank() == 0) {
      double v = warp.thread_rank() < warp.meta_group_size() ? partial[warp.thread_rank()] : 0.0;
      for (int o = 16; o > 0; o >>= 1) v += warp.shfl_down(v, o);
      if (warp.thread_rank() == 0) atomicAdd(&norm[s], v);
    }
    grid.sync();
    float *t = a;
    a = b;
    b = t;
  }
}
int main() {
  int dev = 0, supports = 0, perSm = 0;
  const int n = 1000, threads = 128;
  int sweeps = 9;
  CHECK(cudaDeviceGetAttribute(&supports, cudaDevAttrCooperativeLaunch, dev));
  if (!supports) return 2;
  cudaDeviceProp prop;
  CHECK(cudaGetDeviceProperties(&prop, dev));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, jacobi, threads, 0));
  int blocks = perSm * prop.multiProcessorCount;
  if (blocks > 4) blocks = 4;
  std::vector<float> x(n, 0.f), y(n), r(n);
  for (int i = 0; i < n; ++i) r[i] = (i % 8) * 0.25f;
  float *a, *b, *rhs;
  double *norm;
  CHECK(cudaMalloc(&a, n * sizeof(float)));
  CHECK(cudaMalloc(&b, n * sizeof(float)));
  CHECK(cudaMalloc(&rhs, n * sizeof(float)));
  CHECK(cudaMallocManaged(&norm, sweeps * sizeof(double)));
  CHECK(cudaMemset(norm, 0, sweeps * sizeof(double)));
  CHECK(cudaMemcpy(a, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(rhs, r.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  int count = n;
  void *args[] = {&a, &b, &rhs, &norm, &count, &sweeps};
  CHECK(cudaLaunchCooperativeKernel((void *)jacobi, dim3(blocks), dim3(threads), args, 0, nullptr));
  CHECK(cudaDeviceSynchronize());
  double want = 0;
  for (int s = 0; s < sweeps; ++s) {
    want = 0;
    for (int i = 0; i < n; ++i) {
      y[i] = 0.5f * (r[i] + (i ? x[i - 1] : 0.f) + (i + 1 < n ? x[i + 1] : 0.f));
      want += std::fabs((double)y[i] - x[i]);
    }
    x.swap(y);
  }
  std::printf("norms %s, %.3f\n", std::fabs(norm[sweeps - 1] - want) < 1e-6 ? "agree" : "differ", want);
  CHECK(cudaMemcpy(y.data(), sweeps % 2 ? b : a, n * sizeof(float), cudaMemcpyDeviceToHost));
  std::printf("values %s\n", x == y ? "agree" : "differ");
  CHECK(cudaFree(a)); CHECK(cudaFree(b)); CHECK(cudaFree(rhs)); CHECK(cudaFree(norm));
}
