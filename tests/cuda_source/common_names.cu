// SPDX-License-Identifier: Apache-2.0
// Functions of a program's own with names that a library might use inside, greedy for its own types: none of ours may be
// mistaken for them (argument-dependent lookup).
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cstdio>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

struct mine {};
#define GREEDY(name) \
  template <class... A> __host__ __device__ mine name(A &&...) { return {}; }
GREEDY(launch) GREEDY(run) GREEDY(run_kernel) GREEDY(run_threads) GREEDY(call) GREEDY(call_row) GREEDY(call_with) GREEDY(invoke)
GREEDY(configure) GREEDY(narrow) GREEDY(self) GREEDY(load) GREEDY(store) GREEDY(update) GREEDY(assign) GREEDY(apply) GREEDY(each)
GREEDY(for_each) GREEDY(reduce) GREEDY(scan) GREEDY(shuffle) GREEDY(exchange) GREEDY(copy) GREEDY(combine) GREEDY(fold) GREEDY(cast)
GREEDY(convert) GREEDY(bits) GREEDY(value) GREEDY(get) GREEDY(set) GREEDY(read) GREEDY(write) GREEDY(fill) GREEDY(init_all)
GREEDY(named) GREEDY(vote) GREEDY(match) GREEDY(note) GREEDY(report) GREEDY(allocate) GREEDY(release) GREEDY(acquire)
GREEDY(device_variable) GREEDY(shared_variable) GREEDY(dynamic_shared) GREEDY(device_delete) GREEDY(device_free) GREEDY(heap)
GREEDY(begin) GREEDY(end) GREEDY(size) GREEDY(data) GREEDY(move) GREEDY(forward) GREEDY(address) GREEDY(order) GREEDY(scope)
GREEDY(compute) GREEDY(kernel) GREEDY(sync) GREEDY(wait) GREEDY(arrive) GREEDY(commit) GREEDY(lane) GREEDY(rank) GREEDY(thread)
GREEDY(inclusive_scan) GREEDY(exclusive_scan) GREEDY(memcpy_async) GREEDY(check) GREEDY(checked_body) GREEDY(block_body)
GREEDY(loop_over_threads) GREEDY(atomic_at) GREEDY(pick) GREEDY(select) GREEDY(broadcast) GREEDY(addressof) GREEDY(as) GREEDY(exec)

struct alignas(8) item {
  int a, b;
};
enum class state : unsigned { idle, busy };
struct sum {
  __host__ __device__ item operator()(const item &x, const item &y) const { return {x.a + y.a, x.b + y.b}; }
};
template <class T>
struct node {
  T value;
  __device__ node(T v) : value(v) {}
};

__constant__ item constant[2];
__device__ item global[2];
__device__ state mode;

template <class T, class F>
__global__ void everything(T *out, const T *in, F f, state *s) {
  __shared__ T staged[64];
  extern __shared__ item dynamic[];
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  cg::memcpy_async(block, staged, in, sizeof staged);
  cg::wait(block);
  dynamic[threadIdx.x] = staged[threadIdx.x];
  __pipeline_memcpy_async(&staged[threadIdx.x], &in[threadIdx.x], sizeof(T));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  T v = cg::reduce(warp, dynamic[threadIdx.x], f);
  T w = warp.shfl(v, 3);
  T scanned = cg::inclusive_scan(warp, in[threadIdx.x], f);
  node<T> *n = new node<T>(scanned);
  T last = n->value;
  delete n;
  cuda::atomic_ref<state, cuda::thread_scope_device> flag(*s);
  if (threadIdx.x == 0) flag.store(state::busy, cuda::memory_order_release);
  cuda::atomic_ref<T, cuda::thread_scope_device> whole(out[64]);
  if (threadIdx.x == 0) {
    whole.store(constant[1]);
    T old = whole.load();
    whole.compare_exchange_strong(old, f(old, constant[0]));
  }
  if (threadIdx.x == 1) global[1] = constant[0], mode = state::busy;
  out[threadIdx.x] = f(w, last);
}

int main() {
  item in[64], out[65], both[2] = {{1, 2}, {3, 4}}, back[2];
  for (int i = 0; i < 64; ++i) in[i] = {i, 1};
  item *d_in, *d_out;
  state *d_state, s, m;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMallocManaged(&d_state, sizeof(state));
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(constant, both, sizeof both);
  cudaMemcpyToSymbol(global, both, sizeof both);
  everything<<<1, 64, 64 * sizeof(item)>>>(d_out, d_in, sum{}, d_state);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(back, global, sizeof back);
  cudaMemcpyFromSymbol(&m, mode, sizeof m);
  s = *d_state;
  printf("%d %d, %d %d, %d %d\n", out[0].a, out[0].b, out[63].a, out[63].b, out[64].a, out[64].b);
  printf("%d %d, %u %u\n", back[1].a, back[1].b, (unsigned)s, (unsigned)m);
  sum f;
  void *arguments[] = {&d_out, &d_in, &f, &d_state};
  cudaLaunchKernel((void *)everything<item, sum>, 1, 64, arguments, 64 * sizeof(item), nullptr);
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, everything<item, sum>, 64, 512);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  printf("%d %d, %d\n", out[31].a, out[31].b, blocks > 0);
  cudaFree(d_in);
  cudaFree(d_out);
  cudaFree(d_state);
}
