// SPDX-License-Identifier: Apache-2.0
// The rules for people who write CUDA: the same meanings, with examples and fixes in CUDA's words. A rule that is not
// here says nothing that differs.
#include "explain.hpp"

namespace simt {

std::vector<cuda_words> cuda_knowledge() {
  return {
      {rule::race_global, R"(__global__ void count(const int* x, int n, int* bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bins[x[i]] += 1;    // race-global: reads, adds and writes while another thread does the same
})",
       R"(Make the update one atomic step:

    atomicAdd(&bins[x[i]], 1);

or let each thread own what it writes, or put the two steps into two launches on one stream. A barrier helps only
where both threads belong to one block.)"},
      {rule::race_shared, R"(__shared__ float tile[16][16];
for (int k = 0; k < tiles; ++k) {
  tile[y][x] = a[row * n + k * 16 + x];   // race-shared: a slower thread still reads tile
  __syncthreads();
  for (int j = 0; j < 16; ++j) sum += tile[y][j] * b[(k * 16 + j) * n + col];
})",
       R"(Put a barrier between the last read and the next write:

    for (int j = 0; j < 16; ++j) sum += tile[y][j] * b[(k * 16 + j) * n + col];
    __syncthreads();

Among the lanes of one warp __syncwarp() is enough and cheaper.)"},
      {rule::race_scope, R"(if (threadIdx.x == 0) {
  data[0] = 42;
  __threadfence_block();               // only this block's threads are sure to see data first
  atomicExch(&ready[0], 1);
}
// another block:
while (atomicAdd(&ready[0], 0) == 0) {}
__threadfence();
use(data[0]);                          // race-scope)",
       R"(Widen the scope of the fence or atomic until it holds both threads:

    __threadfence();                     // device scope

Block scope: one block; cluster scope: one cluster; device scope: every block of the launch; system scope: also the
host and other devices.)"},
      {rule::missing_fence, R"(partial[blockIdx.x] = sum;                    // volatile float* partial
last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
__syncthreads();
if (last) total += partial[threadIdx.x];      // missing-fence: of another block)",
       R"(Put a fence between the data and its flag:

    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;)"},
      {rule::noncoherent_read, R"(y[i] = x[i] + 1;
__syncthreads();
z[i] = __ldg(&y[n - 1 - i]);                  // noncoherent-read)",
       R"(Read it by an ordinary load:

    z[i] = y[n - 1 - i];

or write it in an earlier launch.)"},
      {rule::out_of_bounds, R"(__global__ void scale(float* x, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] *= f;              // out-of-bounds: the last block has more threads than elements are left
})",
       R"(Guard the access, with || between the axes where a thread must leave:

    if (i >= n) return;

or loop with a stride of gridDim.x * blockDim.x, which visits each element once whatever the grid. Do not return before
a __syncthreads() that the other threads of the block wait at.)"},
      {rule::uninitialized_read, R"(__shared__ float sums[32];
if (threadIdx.x == 0) sums[0] = mine;
__syncthreads();
total += sums[threadIdx.x % 32];   // uninitialized-read: only sums[0] was ever written)",
       R"(Write the bytes first on every path, or give the array a start value and a barrier (cudaMemset for device memory):

    if (threadIdx.x < 32) sums[threadIdx.x] = 0;
    __syncthreads();)"},
      {rule::use_after_free, R"(float* x = nullptr;
cudaMalloc(&x, 1024 * sizeof(float));
cudaFree(x);
scale<<<4, 256>>>(x, 1024, 2.f);   // use-after-free in scale)",
       R"(Free memory after the last kernel that uses it has finished: cudaFree after cudaDeviceSynchronize(), or
cudaFreeAsync on the stream of the kernel.)"},
      {rule::invalid_free, R"(float* p = nullptr;
cudaMalloc(&p, 100 * sizeof(float));
cudaFree(p);
cudaFree(p);           // invalid-free)",
       R"(Give every allocation one owner, and free with the function that belongs to the one that allocated: cudaFree for
cudaMalloc, cudaFreeHost for cudaMallocHost.)"},
      {rule::leak, R"(void step() {
  float* scratch = nullptr;
  cudaMalloc(&scratch, 1 << 22);     // leak
  relax<<<grid, block>>>(scratch);
})",
       R"(cudaFree what was allocated on every path, early returns and exceptions included.)"},
      {rule::constant_write, R"(__constant__ float weights[9];
__global__ void scale(float by) {
  const_cast<float*>(weights)[threadIdx.x] *= by;   // constant-write
})",
       R"(Make it a __device__ variable, or write it from the host with cudaMemcpyToSymbol between launches.)"},
      {rule::host_memory, R"(std::vector<float> x(1024);
scale<<<4, 256>>>(x.data(), 1024, 2.f);   // host-memory in scale)",
       R"(Copy: cudaMalloc and cudaMemcpy give memory that kernels may use, cudaMemcpy with cudaMemcpyDeviceToHost brings it
back. cudaMallocManaged gives memory that both may use.)"},
      {rule::unwritten_output,
       R"(inc<<<100, 64>>>(x, 10000);   // unwritten-output: 6,400 threads for 10,000 elements)",
       R"(Cover the data: grid = (n + block - 1) / block with a guard in the kernel, or a grid-stride loop that makes any
grid right:

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] += 1;)"},
      {rule::nondeterministic_output,
       R"(if (atomicAdd(&arrived[0], 1) == 0) winner[0] = threadIdx.x;   // nondeterministic-output: whoever comes first)",
       R"(Find the step that the result hangs on: the finding's replay shows the second schedule. Make it the same in every
order (the smallest index instead of the first to come), or order the threads.)"},
      {rule::barrier_divergence, R"(if (row < m) {
  tile[y][x] = a[row * n + x];
  __syncthreads();       // barrier-divergence: threads with row >= m never come here
})",
       R"(Take the barrier out of the branch, so that every thread passes it:

    tile[y][x] = row < m ? a[row * n + x] : 0;
    __syncthreads();

Loops that hold a barrier must run equally often in all threads of the block.)"},
      {rule::barrier_early_exit, R"(int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i >= n) return;
tile[threadIdx.x] = x[i];
__syncthreads();         // barrier-early-exit: the threads that returned are missing here)",
       R"(Let every thread stay until after the last barrier, and guard the work instead of leaving:

    tile[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();)"},
      {rule::warp_mask, R"(if (threadIdx.x % 32 < 16)
  sum += __shfl_down_sync(0xffffffff, sum, 8);   // warp-mask: lanes 16 to 31 never come)",
       R"(Name the lanes that do come, or compute the mask before the branch:

    unsigned mask = __ballot_sync(0xffffffff, threadIdx.x % 32 < 16);
    if (threadIdx.x % 32 < 16) sum += __shfl_down_sync(mask, sum, 8);)"},
      {rule::deadlock, R"(while (atomicCAS(&lock[0], 0, 1) != 0) {}
__syncthreads();       // deadlock: the thread with the lock waits here, the others spin for the lock
atomicExch(&lock[0], 0);)",
       R"(Release before waiting, take locks in one order, and launch kernels that synchronise the whole grid with
cudaLaunchCooperativeKernel, with no more blocks than are resident.)"},
      {rule::hang,
       R"(while (flag[0] == 0) {}   // hang: a plain read; nobody sets the flag, or the compiler reads it once)",
       R"(Make sure that somebody sets what is waited for, and read it with an atomic, so that each turn reads again:

    while (atomicAdd(&flag[0], 0) == 0) {})"},
      {rule::stack_overflow, R"(__device__ int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
...
out[i] = depth(1 << 20);     // stack-overflow)",
       R"(Turn the recursion into a loop, move large arrays to shared or global memory, or, if the depth is bounded and
meant, raise the limit: simrun --stack BYTES here, cudaDeviceSetLimit(cudaLimitStackSize, BYTES) on a GPU.)"},
      {rule::device_trap, R"(assert(bin < bins);   // device-trap)", ""},
      {rule::device_exception, R"(__global__ void k(int* x) {
  std::vector<int> v(4);
  x[0] = v.at(7);            // device-exception: std::out_of_range
})",
       R"(Check the condition and handle it, or call __trap(). Use plain arrays and shared memory in kernels.)"},
  };
}

std::string in_cuda(std::string_view text) {
  struct pair {
    std::string_view api, cuda;
  };
  static constexpr pair kWords[] = {
      {"t.sync_warp()", "__syncwarp()"},
      {"t.sync()", "__syncthreads()"},
      {"t.trap()", "__trap()"},
      {"(sync_warp, a shuffle, a vote, match, reduce)",
       "(__syncwarp, __shfl_*_sync, __ballot_sync, __match_*_sync, __reduce_*_sync)"},
      {"a new simt::buffer holds nothing either", "memory of cudaMalloc too"},
      {"the allocation, the shared array or the extents of the view", "the allocation or the shared array"},
      {" An index of a view outside its extent is\nreported even where the address happens to "
       "lie in the same buffer or in another one: x(i, j) with j too large reads\nthe next row "
       "and a GPU says nothing.",
       " A GPU often says nothing, because the\naddress lies in another allocation."},
      {"a buffer that\ngoes out of scope on the host before", "memory that is\nfreed on the host before"}};
  std::string out(text);
  for (const auto& [api, cuda] : kWords)
    for (auto at = out.find(api); at != std::string::npos; at = out.find(api, at + cuda.size()))
      out.replace(at, api.size(), cuda);
  return out;
}

}  // namespace simt
