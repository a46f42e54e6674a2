// SPDX-License-Identifier: Apache-2.0
// Updates whose address is the same for all lanes of a warp. Of integers the assembler adds up within the warp where it
// sees that, and one lane updates; where it does not see it, or of other types, every lane does.
#include <cuda/atomic>

#include "check.hpp"

using ull = unsigned long long;
__device__ int total;

// What is added up.
__global__ void sum(int* s, const int* x) { atomicAdd(s, x[blockIdx.x * blockDim.x + threadIdx.x]); }
__global__ void sum_read(int* s, const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = atomicAdd(s, x[i]);
}
__global__ void sum_of_some_read(int* s, const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x != 40) y[i] = atomicAdd(s, x[i]);
}
__global__ void count(int* s) { atomicAdd(s, 1); }
__global__ void count_read(int* s, int* y) { y[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(s, 1); }
__global__ void difference(unsigned* s, const int* x) { atomicSub(s, x[blockIdx.x * blockDim.x + threadIdx.x]); }
__global__ void largest(int* s, const int* x) { atomicMax(s, x[blockIdx.x * blockDim.x + threadIdx.x]); }
__global__ void least_read(unsigned* s, const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = atomicMin(s, static_cast<unsigned>(x[i]));
}
__global__ void common_bits(int* s, const int* x) { atomicAnd(s, x[blockIdx.x * blockDim.x + threadIdx.x]); }
__global__ void any_bits(int* s, const int* x) { atomicOr(s, x[blockIdx.x * blockDim.x + threadIdx.x]); }
__global__ void odd_bits(int* s, const int* x) { atomicXor(s, x[blockIdx.x * blockDim.x + threadIdx.x]); }
__global__ void argument(int* s, int n) { atomicAdd(s, n); }
__global__ void of_block_only(int* s) { atomicAdd_block(s, 2); }
__global__ void of_system(int* s) { atomicAdd_system(s, 2); }
__global__ void by_reference(int* s) {
  cuda::atomic_ref<int, cuda::thread_scope_device>(*s).fetch_add(1, cuda::memory_order_relaxed);
}
__global__ void long_count(ull* s) { atomicAdd(s, 1ull); }
__global__ void long_count_read(ull* s, ull* y) { y[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(s, 3ull); }
__global__ void long_argument(ull* s, ull n) { atomicAdd(s, n); }
__global__ void long_sum(ull* s, const int* x) { atomicAdd(s, x[blockIdx.x * blockDim.x + threadIdx.x]); }
__global__ void long_largest(ull* s, const int* x) { atomicMax(s, x[blockIdx.x * blockDim.x + threadIdx.x]); }
__global__ void long_largest_of_one(ull* s) { atomicMax(s, 77ull); }
__global__ void long_bits(ull* s) { atomicOr(s, 5ull); }
__global__ void float_sum(float* s, const int* x) { atomicAdd(s, x[blockIdx.x * blockDim.x + threadIdx.x] * 1.f); }
__global__ void float_count(float* s) { atomicAdd(s, 1.f); }
__global__ void double_sum(double* s, const int* x) { atomicAdd(s, x[blockIdx.x * blockDim.x + threadIdx.x] * 1.); }
__global__ void round_and_round(unsigned* s) { atomicInc(s, 1000u); }
__global__ void exchange(int* s, const int* x) { atomicExch(s, x[blockIdx.x * blockDim.x + threadIdx.x]); }

// Which address.
__global__ void of_block(int* s, const int* x) { atomicAdd(&s[blockIdx.x], x[blockIdx.x * blockDim.x + threadIdx.x]); }
__global__ void of_table(int* s, const int* x) { atomicAdd(&s[x[blockIdx.x] & 63], 3); }
__global__ void of_pointer(int* const* s) { atomicAdd(s[blockIdx.x], 3); }
__global__ void of_variable() { atomicAdd(&total, 3); }
__global__ void of_warp(int* s, const int* x) {
  atomicAdd(&s[threadIdx.x / 32], x[blockIdx.x * blockDim.x + threadIdx.x]);
}
__global__ void of_row(int* s) { atomicAdd(&s[threadIdx.y], 3); }
__global__ void of_lane_0(int* s, const int* x) {
  const int first = __shfl_sync(0xffffffffu, x[threadIdx.x], 0);
  atomicAdd(&s[first & 63], 3);
}
__global__ void of_vote(int* s, const int* x) {
  const unsigned odd = __ballot_sync(0xffffffffu, x[threadIdx.x] & 1);
  atomicAdd(&s[__popc(odd)], 3);
}
__global__ void of_count(int* s, const int* x) { atomicAdd(&s[__syncthreads_count(x[threadIdx.x] & 1)], 3); }
__global__ void of_choice(int* s, int n) { atomicAdd(n > 3 ? s : s + 40, 3); }
__global__ void of_choice_by_lane(int* s) { atomicAdd(threadIdx.x % 2 == 0 ? s : s + 40, 3); }
__global__ void of_size(int* s) { atomicAdd(&s[blockDim.x + gridDim.x], 3); }
__global__ void two(int* s, const int* x) {
  atomicAdd(&s[0], 1);
  atomicAdd(&s[1], x[blockIdx.x * blockDim.x + threadIdx.x]);
}

// Where.
__global__ void below_if(int* s, const int* x) {
  if (x[blockIdx.x * blockDim.x + threadIdx.x] & 1) atomicAdd(s, 1);
}
__global__ void below_if_read(int* s, const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] & 1) y[i] = atomicAdd(s, 1);
}
__global__ void behind_return(int* s, const int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(s, x[i]);
}
__global__ void in_loop(int* s, const int* x, int n) {
#pragma unroll 1
  for (int k = 0; k < n; ++k) atomicAdd(&s[k], x[k * 512 + blockIdx.x * blockDim.x + threadIdx.x]);
}
__global__ void in_loop_by_lane(int* s, const int* x) {
  const int n = x[blockIdx.x * blockDim.x + threadIdx.x] & 3;
#pragma unroll 1
  for (int k = 0; k < n; ++k) atomicAdd(s, 3);
}
__global__ void sum_in_loop_by_lane(int* s, const int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = x[i] & 3;
#pragma unroll 1
  for (int k = 0; k < n; ++k) atomicAdd(s, x[i + k]);
}
__global__ void in_loop_with_way_out(int* s, const int* x) {
#pragma unroll 1
  for (int k = 0; k < 4; ++k) {
    if ((x[k * 512 + blockIdx.x * blockDim.x + threadIdx.x] & 3) == 0) break;
    atomicAdd(s, 3);
  }
}
__global__ void behind_loop_by_lane(int* s, const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = x[i] & 3, v = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) v += x[i + k];
  atomicAdd(s, v);
  y[i] = v;
}
__global__ void index_of_loop_by_lane(int* s, const int* x) {
  const int n = x[blockIdx.x * blockDim.x + threadIdx.x] & 3;
  int k = 0;
#pragma unroll 1
  while (k < n && x[k] != 5000) ++k;
  atomicAdd(&s[k], 3);
}

// In shared memory.
__global__ void shared_sum(const int* x, int* y) {
  __shared__ int s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  atomicAdd(&s, x[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = s;
}
__global__ void shared_sum_read(const int* x, int* y) {
  __shared__ int s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = atomicAdd(&s, x[i]);
}
__global__ void shared_count(const int* x, int* y) {
  __shared__ int s[4];
  if (threadIdx.x < 4) s[threadIdx.x] = 0;
  __syncthreads();
  if (x[threadIdx.x] & 1) atomicAdd(&s[2], 1);
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = s[2];
}
__global__ void shared_place(const int* x, int* y) {
  __shared__ int s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] & 1) y[i] = atomicAdd(&s, 1);
}
__global__ void shared_largest(const int* x, int* y) {
  __shared__ int s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  atomicMax(&s, x[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = s;
}
__global__ void shared_of_warp(const int* x, int* y) {
  __shared__ int s[4];
  if (threadIdx.x < 4) s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x / 32], x[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x < 4) y[blockIdx.x * 4 + threadIdx.x] = s[threadIdx.x];
}
__global__ void shared_float(const int* x, float* y) {
  __shared__ float s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  atomicAdd(&s, static_cast<float>(x[blockIdx.x * blockDim.x + threadIdx.x]));
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = s;
}
__global__ void shared_dynamic(const int* x, int* y, int n) {
  extern __shared__ int room[];
  if (threadIdx.x == 0) room[n] = 0;
  __syncthreads();
  atomicAdd(&room[n], x[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = room[n];
}

int main() {
  int *x = filled<int>(8192), *s = zeroed<int>(4096), *y = zeroed<int>(8192);
  unsigned* u = zeroed<unsigned>(64);
  ull *l = zeroed<ull>(64), *m = zeroed<ull>(4096);
  float *f = zeroed<float>(64), *g = zeroed<float>(64);
  double* d = zeroed<double>(64);
  int** pointers = zeroed<int*>(4);
  int* const places[] = {s, s + 9, s + 100, s};
  LOOK(cudaMemcpy(pointers, places, sizeof places, cudaMemcpyHostToDevice));
  RUN(sum, 4, 128, s, x);
  RUN(sum_read, 4, 128, s, x, y);
  RUN(sum_of_some_read, 4, 128, s, x, y);
  RUN(count, 4, 100, s);
  RUN(count_read, 4, 128, s, y);
  RUN(difference, 4, 128, u, x);
  RUN(largest, 4, 128, s, x);
  RUN(least_read, 4, 128, u, x, y);
  RUN(common_bits, 4, 128, s, x);
  RUN(any_bits, 4, 128, s, x);
  RUN(odd_bits, 4, 128, s, x);
  RUN(argument, 4, 128, s, 7);
  RUN(of_block_only, 4, 128, s);
  RUN(of_system, 4, 128, s);
  RUN(by_reference, 4, 128, s);
  RUN(long_count, 4, 128, l);
  RUN(long_count_read, 4, 128, l, m);
  RUN(long_argument, 4, 128, l, 7ull);
  RUN(long_sum, 4, 128, l, x);
  RUN(long_largest, 4, 128, l, x);
  RUN(long_largest_of_one, 4, 128, l);
  RUN(long_bits, 4, 128, l);
  RUN(float_sum, 4, 128, f, x);
  RUN(float_count, 4, 128, f);
  RUN(double_sum, 4, 128, d, x);
  RUN(round_and_round, 4, 128, u);
  RUN(exchange, 4, 128, s, x);
  RUN(of_block, 4, 128, s, x);
  RUN(of_table, 4, 128, s, x);
  RUN(of_pointer, 4, 128, pointers);
  RUN(of_variable, 4, 128);
  RUN(of_warp, 4, 128, s, x);
  RUN(of_row, 4, dim3(32, 4), s);
  RUN(of_lane_0, 4, 128, s, x);
  RUN(of_vote, 4, 128, s, x);
  RUN(of_count, 4, 128, s, x);
  RUN(of_choice, 4, 128, s, 5);
  RUN(of_choice_by_lane, 4, 128, s);
  RUN(of_size, 4, 128, s);
  RUN(two, 4, 128, s, x);
  RUN(below_if, 4, 128, s, x);
  RUN(below_if_read, 4, 128, s, x, y);
  RUN(behind_return, 4, 128, s, x, 500);
  RUN(in_loop, 4, 128, s, x, 5);
  RUN(in_loop_by_lane, 4, 128, s, x);
  RUN(sum_in_loop_by_lane, 4, 128, s, x);
  RUN(in_loop_with_way_out, 4, 128, s, x);
  RUN(behind_loop_by_lane, 4, 128, s, x, y);
  RUN(index_of_loop_by_lane, 4, 128, s, x);
  RUN(shared_sum, 4, 128, x, y);
  RUN(shared_sum_read, 4, 128, x, y);
  RUN(shared_count, 4, 128, x, y);
  RUN(shared_place, 1, 128, x, y);
  RUN(shared_largest, 4, 128, x, y);
  RUN(shared_of_warp, 4, 128, x, y);
  RUN(shared_float, 4, 128, x, g);
  shared_dynamic<<<4, 128, 256>>>(x, y, 9);
  LOOK(cudaGetLastError());
  LOOK(cudaDeviceSynchronize());
  LOOK(cudaFree(x));
  LOOK(cudaFree(s));
  LOOK(cudaFree(y));
  LOOK(cudaFree(u));
  LOOK(cudaFree(l));
  LOOK(cudaFree(m));
  LOOK(cudaFree(f));
  LOOK(cudaFree(g));
  LOOK(cudaFree(d));
  LOOK(cudaFree(pointers));
  return 0;
}
