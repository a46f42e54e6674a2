// SPDX-License-Identifier: Apache-2.0
// Kernels that wait for the whole grid, as people write them, in grids that fill the device. A line shows a kernel's
// processor time a launch, the best of three. Run as loops and on fibers, a few times in turns:
//   for i in 1 2 3; do for e in auto fibers; do simrun --execution $e tests/bench/grid_sync.cu; done; done
// Argument: the number of elements, by default 2^20. Exit code 1: a result is wrong.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace cg = cooperative_groups;

namespace {

constexpr int kThreads = 512, kBlocks = 528, kRuns = 3, kSweeps = 10, kRounds = 4;

// The sum of what the block's threads have, in its first thread.
__device__ double sum_of_block(double mine) {
  __shared__ double parts[32];
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  mine = cg::reduce(warp, mine, cg::plus<double>());
  if (warp.thread_rank() == 0) parts[warp.meta_group_rank()] = mine;
  block.sync();
  if (warp.meta_group_rank() == 0)
    mine = cg::reduce(warp, warp.thread_rank() < warp.meta_group_size() ? parts[warp.thread_rank()] : 0.0,
                      cg::plus<double>());
  block.sync();
  return mine;
}

__global__ void reduction(const float* in, double* parts, int n) {
  const cg::grid_group grid = cg::this_grid();
  double mine = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) mine += in[i];
  mine = sum_of_block(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = mine;
  grid.sync();
  if (grid.thread_rank() == 0)
    for (unsigned k = 1; k < gridDim.x; ++k) parts[0] += parts[k];
}

__global__ void stencil(float* from, float* to, int n) {
  const cg::grid_group grid = cg::this_grid();
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (int i = grid.thread_rank() + 1; i < n - 1; i += grid.size())
      to[i] = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
    grid.sync();
    float* const last = from;
    from = to;
    to = last;
  }
}

__device__ void add_product(const float* x, const float* y, double* sum, int n, const cg::grid_group& grid) {
  double mine = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) mine += static_cast<double>(x[i]) * y[i];
  mine = sum_of_block(mine);
  if (threadIdx.x == 0) atomicAdd(sum, mine);
}
// Conjugate gradients, x = 0, r = p = the right side: A is 4 on its diagonal and -1 beside it. The rounds end by what
// all blocks have added up.
__global__ void gradients(float* x, float* r, float* p, float* product, double* sums, int n) {
  const cg::grid_group grid = cg::this_grid();
  add_product(r, r, &sums[0], n, grid);
  grid.sync();
  double left = sums[0];
  for (int round = 0; round < kRounds && left > 1e-12; ++round) {
    for (int i = grid.thread_rank(); i < n; i += grid.size())
      product[i] = 4 * p[i] - (i > 0 ? p[i - 1] : 0) - (i + 1 < n ? p[i + 1] : 0);
    grid.sync();
    add_product(p, product, &sums[2 * round + 1], n, grid);
    grid.sync();
    const float a = static_cast<float>(left / sums[2 * round + 1]);
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      x[i] += a * p[i];
      r[i] -= a * product[i];
    }
    grid.sync();
    add_product(r, r, &sums[2 * round + 2], n, grid);
    grid.sync();
    const float b = static_cast<float>(sums[2 * round + 2] / left);
    left = sums[2 * round + 2];
    for (int i = grid.thread_rank(); i < n; i += grid.size()) p[i] = r[i] + b * p[i];
    grid.sync();
  }
}

float *a, *b, *c, *d;
double* sums;
bool wrong = false;

double cpu_ms() { return static_cast<double>(std::clock()) * 1e3 / CLOCKS_PER_SEC; }

template <class Kernel, class Begin, class IsRight>
void show(const char* name, Kernel* kernel, void** arguments, Begin begin, IsRight is_right) {
  double best = 1e30;
  for (int run = 0; run < kRuns; ++run) {
    begin();
    const double since = cpu_ms();
    const cudaError_t said = cudaLaunchCooperativeKernel(kernel, kBlocks, kThreads, arguments, 0, nullptr);
    cudaDeviceSynchronize();
    best = std::min(best, cpu_ms() - since);
    if (said != cudaSuccess || !is_right()) {
      std::printf("%s: wrong (%s)\n", name, cudaGetErrorString(said));
      wrong = true;
    }
  }
  std::printf("%-28s %9.2f\n", name, best);
}

}  // namespace

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1 << 20;
  for (float** const each : {&a, &b, &c, &d}) cudaMallocManaged(each, n * sizeof(float));
  cudaMallocManaged(&sums, kBlocks * sizeof(double));
  const auto fill = [&](float* x) {
    for (int i = 0; i < n; ++i) x[i] = (i * 7 % 13) * 0.25f;
  };
  std::printf("%-28s %9s\n", "kernel", "cpu ms");
  {
    void* arguments[] = {&a, &sums, &n};
    show(
        "reduction", reduction, arguments, [&] { fill(a); },
        [&] {
          double sum = 0;
          for (int i = 0; i < n; ++i) sum += a[i];
          return std::fabs(sums[0] - sum) < 1e-6 * sum;
        });
  }
  {
    void* arguments[] = {&a, &b, &n};
    show(
        "stencil, 10 sweeps", stencil, arguments, [&] { fill(a), fill(b); },
        [&] {
          std::vector<float> x(n), y(n);
          fill(x.data()), fill(y.data());
          for (int sweep = 0; sweep < kSweeps; ++sweep) {
            for (int i = 1; i < n - 1; ++i) y[i] = 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];
            x.swap(y);
          }
          for (int i = 0; i < n; ++i)
            if (std::fabs(x[i] - a[i]) > 1e-4f) return false;
          return true;
        });
  }
  {
    void* arguments[] = {&a, &b, &c, &d, &sums, &n};
    const auto begin = [&] {
      std::fill(a, a + n, 0.f);
      fill(b), fill(c);
      std::fill(sums, sums + kBlocks, 0.0);
    };
    // What is left is the right side less A x.
    show("conjugate gradients, 4 rounds", gradients, arguments, begin, [&] {
      double apart = 0;
      for (int i = 0; i < n; ++i) {
        const float left = (i * 7 % 13) * 0.25f - (4 * a[i] - (i > 0 ? a[i - 1] : 0) - (i + 1 < n ? a[i + 1] : 0));
        apart = std::max(apart, std::fabs(static_cast<double>(left - b[i])));
      }
      return apart < 1e-4 && sums[2 * kRounds] < 1e-2 * sums[0];
    });
  }
  for (float* const each : {a, b, c, d}) cudaFree(each);
  cudaFree(sums);
  return wrong ? 1 : 0;
}
