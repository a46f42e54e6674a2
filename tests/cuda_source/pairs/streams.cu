// SPDX-License-Identifier: Apache-2.0
// Streams, events, graphs, memory of pools, managed and pinned memory, kernels that launch kernels.
#include "pairs.hpp"
#include <cuda/atomic>
#include <atomic>
__global__ void fill(int* x, int v) { x[blockIdx.x * blockDim.x + threadIdx.x] = v; }
__global__ void take(const int* x, int* y) { y[blockIdx.x * blockDim.x + threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x]; }
__global__ void add(int* x, int v) { atomicAdd(x, v); }
struct two { cudaStream_t a, b; two(unsigned f = cudaStreamNonBlocking) { cudaStreamCreateWithFlags(&a, f); cudaStreamCreateWithFlags(&b, f); } ~two() { cudaStreamSynchronize(a); cudaStreamSynchronize(b); cudaStreamDestroy(a); cudaStreamDestroy(b); } };
struct mark { cudaEvent_t e; mark() { cudaEventCreateWithFlags(&e, cudaEventDisableTiming); } ~mark() { cudaEventDestroy(e); } };
#define XY int *x = dev<int>(256), *y = dev<int>(256); cudaDeviceSynchronize()
HOST(no_event) { XY; two s; mark m; fill<<<2, 64, 0, s.a>>>(x, 1); cudaEventRecord(m.e, s.a); if (!D) cudaStreamWaitEvent(s.b, m.e, 0); take<<<2, 64, 0, s.b>>>(x, y); }
HOST(event_too_early) { XY; two s; mark m; if (D) cudaEventRecord(m.e, s.a); fill<<<2, 64, 0, s.a>>>(x, 1); if (!D) cudaEventRecord(m.e, s.a); cudaStreamWaitEvent(s.b, m.e, 0); take<<<2, 64, 0, s.b>>>(x, y); }
HOST(event_recorded_again) { XY; two s; mark m; fill<<<2, 64, 0, s.a>>>(x, 1); cudaEventRecord(m.e, s.a); if (D) cudaEventRecord(m.e, s.b); cudaStreamWaitEvent(s.b, m.e, 0); take<<<2, 64, 0, s.b>>>(x, y); }
HOST(write_after_read) { XY; two s; mark m; take<<<2, 64, 0, s.a>>>(x, y); cudaEventRecord(m.e, s.a); if (!D) cudaStreamWaitEvent(s.b, m.e, 0); fill<<<2, 64, 0, s.b>>>(x, 1); }
HOST(disjoint_halves) { XY; two s; fill<<<1, 64, 0, s.a>>>(x, 1); fill<<<1, 64, 0, s.b>>>(x + (D ? 63 : 64), 2); }
HOST(default_and_nonblocking) { XY; two s(D ? cudaStreamNonBlocking : cudaStreamDefault); fill<<<2, 64>>>(x, 1); take<<<2, 64, 0, s.a>>>(x, y); }
HOST(blocking_then_default) { XY; two s(D ? cudaStreamNonBlocking : cudaStreamDefault); fill<<<2, 64, 0, s.a>>>(x, 1); take<<<2, 64>>>(x, y); }
HOST(sync_of_other) { XY; two s; fill<<<2, 64, 0, s.a>>>(x, 1); cudaStreamSynchronize(D ? s.b : s.a); take<<<2, 64, 0, s.b>>>(x, y); }
HOST(query_of_stream) { XY; two s; fill<<<2, 64, 0, s.a>>>(x, 1); while (cudaStreamQuery(D ? s.b : s.a) == cudaErrorNotReady) {} take<<<2, 64, 0, s.b>>>(x, y); }
HOST(query_of_event) { XY; two s; mark m; fill<<<2, 64, 0, s.a>>>(x, 1); cudaEventRecord(m.e, D ? s.b : s.a); while (cudaEventQuery(m.e) == cudaErrorNotReady) {} take<<<2, 64, 0, s.b>>>(x, y); }
HOST(query_not_looked_at) { int* m; cudaMallocManaged(&m, 1024); fill<<<2, 64>>>(m, 3); mark e; cudaEventRecord(e.e); if (D) cudaEventQuery(e.e); else while (cudaEventQuery(e.e) == cudaErrorNotReady) {} int v = m[7]; cudaDeviceSynchronize(); std::printf("%d\n", v); cudaFree(m); }
HOST(copy_in_and_kernel) { XY; two s; int* h; cudaMallocHost(&h, 1024); memset(h, 0, 1024); cudaMemcpyAsync(x, h, 1024, cudaMemcpyHostToDevice, s.a); take<<<2, 64, 0, D ? s.b : s.a>>>(x, y); cudaDeviceSynchronize(); cudaFreeHost(h); }
HOST(copy_out_and_host) { XY; two s; int* h; cudaMallocHost(&h, 1024); fill<<<4, 64, 0, s.a>>>(x, 1); cudaMemcpyAsync(h, x, 1024, cudaMemcpyDeviceToHost, s.a); if (!D) cudaStreamSynchronize(s.a); int v = h[5]; cudaDeviceSynchronize(); std::printf("%d\n", v); cudaFreeHost(h); }
HOST(host_overwrites_source) { XY; two s; int* h; cudaMallocHost(&h, 1024); memset(h, 0, 1024); cudaMemcpyAsync(x, h, 1024, cudaMemcpyHostToDevice, s.a); if (!D) cudaStreamSynchronize(s.a); h[3] = 1; cudaDeviceSynchronize(); cudaFreeHost(h); }
HOST(memset_and_kernel) { XY; two s; cudaMemsetAsync(x, 0, 1024, s.a); take<<<2, 64, 0, D ? s.b : s.a>>>(x, y); }
HOST(managed_read) { int* m; cudaMallocManaged(&m, 1024); memset(m, 0, 1024); fill<<<2, 64>>>(m, 3); if (!D) cudaDeviceSynchronize(); int v = m[7]; cudaDeviceSynchronize(); std::printf("%d\n", v); cudaFree(m); }
HOST(managed_write) { int* m; int* y = dev<int>(256); cudaMallocManaged(&m, 1024); memset(m, 0, 1024); take<<<2, 64>>>(m, y); if (!D) cudaDeviceSynchronize(); m[7] = 4; cudaDeviceSynchronize(); cudaFree(m); }
HOST(managed_second_kernel) { int* m; cudaMallocManaged(&m, 1024); fill<<<4, 64>>>(m, 3); cudaDeviceSynchronize(); m[1] = 5; fill<<<1, 64>>>(m + 64, 3); int v = D ? m[65] : (cudaDeviceSynchronize(), m[65]); cudaDeviceSynchronize(); std::printf("%d\n", v); cudaFree(m); }
HOST(pinned_mapped) { int* h; cudaHostAlloc(&h, 1024, cudaHostAllocMapped); memset(h, 0, 1024); int* d; cudaHostGetDevicePointer(&d, h, 0); two s; fill<<<2, 64, 0, s.a>>>(d, 3); cudaStreamSynchronize(D ? s.b : s.a); int v = h[5]; cudaDeviceSynchronize(); std::printf("%d\n", v); cudaFreeHost(h); }
HOST(event_sync_on_host) { int* h; cudaHostAlloc(&h, 1024, cudaHostAllocMapped); memset(h, 0, 1024); two s; mark m; if (D) cudaEventRecord(m.e, s.a); fill<<<2, 64, 0, s.a>>>(h, 3); if (!D) cudaEventRecord(m.e, s.a); cudaEventSynchronize(m.e); int v = h[5]; cudaDeviceSynchronize(); std::printf("%d\n", v); cudaFreeHost(h); }
static void read_it(void* p) { volatile int v = static_cast<int*>(p)[3]; (void)v; }
HOST(callback_reads) { int* h; cudaHostAlloc(&h, 1024, cudaHostAllocMapped); memset(h, 0, 1024); two s; fill<<<2, 64, 0, s.a>>>(h, 3); cudaLaunchHostFunc(D ? s.b : s.a, read_it, h); cudaDeviceSynchronize(); cudaFreeHost(h); }
HOST(graph_edges) {
  XY; cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t a, b; int v = 1;
  void* pa[] = {&x, &v}; void* pb[] = {&x, &y};
  cudaKernelNodeParams k{}; k.func = (void*)fill; k.gridDim = dim3(2); k.blockDim = dim3(64); k.kernelParams = pa;
  cudaGraphAddKernelNode(&a, g, nullptr, 0, &k);
  k.func = (void*)take; k.kernelParams = pb;
  cudaGraphAddKernelNode(&b, g, &a, D ? 0 : 1, &k);
  cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, 0); cudaDeviceSynchronize(); cudaGraphExecDestroy(e); cudaGraphDestroy(g);
}
HOST(graph_two_launches) {
  XY; two s; cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t a; int v = 1;
  void* pa[] = {&x, &v};
  cudaKernelNodeParams k{}; k.func = (void*)fill; k.gridDim = dim3(2); k.blockDim = dim3(64); k.kernelParams = pa;
  cudaGraphAddKernelNode(&a, g, nullptr, 0, &k);
  cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s.a); take<<<2, 64, 0, D ? s.b : s.a>>>(x, y); cudaDeviceSynchronize(); cudaGraphExecDestroy(e); cudaGraphDestroy(g);
}
HOST(graph_captured) {
  XY; two s; mark fork, join; cudaGraph_t g;
  cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
  if (D) cudaEventRecord(fork.e, s.a);
  fill<<<2, 64, 0, s.a>>>(x, 1);
  if (!D) cudaEventRecord(fork.e, s.a);
  cudaStreamWaitEvent(s.b, fork.e, 0);
  take<<<2, 64, 0, s.b>>>(x, y);
  cudaEventRecord(join.e, s.b); cudaStreamWaitEvent(s.a, join.e, 0);
  cudaStreamEndCapture(s.a, &g);
  cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s.a); cudaDeviceSynchronize(); cudaGraphExecDestroy(e); cudaGraphDestroy(g);
}
HOST(async_free) { int* y = dev<int>(256); cudaDeviceSynchronize(); two s; mark m; int* p; cudaMallocAsync(&p, 1024, s.a); fill<<<4, 64, 0, s.a>>>(p, 1); cudaEventRecord(m.e, s.a); cudaStreamWaitEvent(s.b, m.e, 0); take<<<2, 64, 0, s.b>>>(p, y); cudaEventRecord(m.e, s.b); if (!D) cudaStreamWaitEvent(s.a, m.e, 0); cudaFreeAsync(p, s.a); }
HOST(async_made_elsewhere) { cudaDeviceSynchronize(); two s; mark m; int* p; cudaMallocAsync(&p, 1024, s.a); cudaEventRecord(m.e, s.a); if (!D) cudaStreamWaitEvent(s.b, m.e, 0); fill<<<4, 64, 0, s.b>>>(p, 1); cudaDeviceSynchronize(); cudaFreeAsync(p, s.a); }
HOST(async_used_after) { int* y = dev<int>(256); cudaDeviceSynchronize(); two s; int* p; cudaMallocAsync(&p, 1024, s.a); fill<<<4, 64, 0, s.a>>>(p, 1); if (D) cudaFreeAsync(p, s.a); take<<<2, 64, 0, s.a>>>(p, y); if (!D) cudaFreeAsync(p, s.a); }
HOST(async_reused) { int* y = dev<int>(256); cudaDeviceSynchronize(); two s; int* p; cudaMallocAsync(&p, 1024, s.a); fill<<<4, 64, 0, s.a>>>(p, 1); cudaFreeAsync(p, s.a); int* q; cudaMallocAsync(&q, 1024, s.a); if (!D) fill<<<4, 64, 0, s.a>>>(q, 2); take<<<2, 64, 0, s.a>>>(q, y); cudaFreeAsync(q, s.a); }
template <bool D> __global__ void parent(int* x, int* y) { if (threadIdx.x == 0) { if (!D) x[0] = 1; take<<<1, 32>>>(x, y); if (D) x[0] = 1; } }
HOST(parent_writes) { XY; parent<D><<<1, 32>>>(x, y); }
template <bool D> __global__ void parent_reads(int* x, int* y) { if (threadIdx.x == 0) { fill<<<1, 32>>>(x, 5); if (D) y[0] = x[3]; else take<<<1, 32>>>(x, y); } }
HOST(parent_reads_child) { XY; parent_reads<D><<<1, 32>>>(x, y); }
template <bool D> __global__ void parent_block(int* x, int* y) { x[threadIdx.x] = 1; if (!D) __syncthreads(); if (threadIdx.x == 0) take<<<1, 64>>>(x, y); }
HOST(parent_of_block) { XY; parent_block<D><<<1, 64>>>(x, y); }
template <bool D> __global__ void parents_streams(int* x, int* y) {
  if (threadIdx.x == 0) { cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); fill<<<1, 32>>>(x, 1); take<<<1, 32, 0, D ? s : 0>>>(x, y); cudaStreamDestroy(s); }
}
HOST(children_on_streams) { XY; parents_streams<D><<<1, 32>>>(x, y); }
__device__ int variable[64];
__global__ void set_variable(int v) { variable[threadIdx.x] = v; }
__global__ void get_variable(int* y) { y[threadIdx.x] = variable[threadIdx.x]; }
HOST(device_variable) { XY; two s; set_variable<<<1, 64, 0, s.a>>>(1); get_variable<<<1, 64, 0, D ? s.b : s.a>>>(y); cudaDeviceSynchronize(); }
HOST(symbol_copy) { XY; two s; int h[64] = {}; set_variable<<<1, 64, 0, s.a>>>(1); if (!D) cudaStreamSynchronize(s.a); cudaMemcpyFromSymbolAsync(h, variable, sizeof h, 0, cudaMemcpyDeviceToHost, s.b); cudaDeviceSynchronize(); }
template <bool D> __global__ void answers(int* h) { if (threadIdx.x == 0) { h[1] = 5; if (!D) __threadfence_system(); cuda::atomic_ref<int, cuda::thread_scope_system>(h[0]).store(1, cuda::memory_order_relaxed); } }
HOST(host_polls) { int* h; cudaHostAlloc(&h, 1024, cudaHostAllocMapped); memset(h, 0, 1024); answers<D><<<1, 32>>>(h); while (cuda::atomic_ref<int, cuda::thread_scope_system>(h[0]).load(cuda::memory_order_acquire) == 0) {} int v = h[1]; cudaDeviceSynchronize(); std::printf("%d\n", v); cudaFreeHost(h); }
template <bool D> __global__ void answers_scope(int* h) { if (threadIdx.x == 0) { h[1] = 5; if (D) cuda::atomic_ref<int, cuda::thread_scope_device>(h[0]).store(1, cuda::memory_order_release); else cuda::atomic_ref<int, cuda::thread_scope_system>(h[0]).store(1, cuda::memory_order_release); } }
HOST(host_polls_scope) { int* h; cudaHostAlloc(&h, 1024, cudaHostAllocMapped); memset(h, 0, 1024); answers_scope<D><<<1, 32>>>(h); while (cuda::atomic_ref<int, cuda::thread_scope_system>(h[0]).load(cuda::memory_order_acquire) == 0) {} int v = h[1]; cudaDeviceSynchronize(); std::printf("%d\n", v); cudaFreeHost(h); }
HOST(counters_on_streams) { XY; two s; add<<<4, 32, 0, s.a>>>(x, 1); if (D) fill<<<1, 1, 0, s.b>>>(x, 1); else add<<<4, 32, 0, s.b>>>(x, 1); }
HOST(pitched_columns) { XY; two s; cudaMemset2DAsync(x, 64, 0, 32, 4, s.a); fill<<<1, D ? 16 : 8, 0, s.b>>>(x + (D ? 0 : 8), 3); }
HOST(thread_per_stream) { XY; two s; for (int k = 0; k < 4; ++k) fill<<<1, 64, 0, k % 2 ? s.a : s.b>>>(x + (D ? 32 : 64) * k, k); }
