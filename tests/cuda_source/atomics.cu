// SPDX-License-Identifier: Apache-2.0
// Atomics of every kind and scope, and libcu++'s: atomic_ref, barrier, pipeline.
#include <cuda_runtime.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cstdio>

__global__ void classic(int* i, unsigned int* u, unsigned long long* l, float* f, double* d) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&i[0], t);
  atomicSub(&i[1], 1);
  atomicMin(&i[2], 50 - t);
  atomicMax(&i[3], t * 2);
  atomicOr(&u[0], 1u << (t % 32));
  atomicAnd(&u[1], ~(1u << (t % 16)));
  atomicXor(&u[2], t);
  atomicInc(&u[3], 9);
  atomicDec(&u[4], 9);
  atomicAdd(l, 1ull << 33);
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
  atomicAdd_block(&u[5 + blockIdx.x], 1u);
  atomicAdd_system(&i[4], 2);
  int old = atomicAdd(&i[5], 0), seen;
  do {
    seen = old;
    old = atomicCAS(&i[5], seen, seen * 3 % 1009);
  } while (old != seen);
  atomicExch(&i[6], 77);
}

__global__ void modern(int* value, int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> counter(*value);
  counter.fetch_add(1, cuda::memory_order_relaxed);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    out[0] = 42;
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    ready.store(1, cuda::memory_order_release);
  }
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    while (ready.load(cuda::memory_order_acquire) == 0) {
    }
    out[1] = out[0] + 1;
  }
}

__global__ void phases(int* out) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ barrier bar;
  __shared__ int data[64];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  data[threadIdx.x] = threadIdx.x;
  for (int round = 0; round < 3; round++) {
    barrier::arrival_token token = bar.arrive();
    bar.wait(std::move(token));
    int next = data[(threadIdx.x + 1) % 64];
    bar.arrive_and_wait();
    data[threadIdx.x] = next;
  }
  out[threadIdx.x] = data[threadIdx.x];
}

int main() {
  int hi[8] = {0, 0, 1000, 0, 0, 2, 0, 0}, *i;
  unsigned int hu[8] = {0, 0xffffffff, 0, 0, 0, 0, 0, 0}, *u;
  unsigned long long hl = 0, *l;
  float hf = 0, *f;
  double hd = 0, *d;
  cudaMalloc(&i, sizeof hi);
  cudaMalloc(&u, sizeof hu);
  cudaMalloc(&l, sizeof hl);
  cudaMalloc(&f, sizeof hf);
  cudaMalloc(&d, sizeof hd);
  cudaMemcpy(i, hi, sizeof hi, cudaMemcpyHostToDevice);
  cudaMemcpy(u, hu, sizeof hu, cudaMemcpyHostToDevice);
  cudaMemcpy(l, &hl, sizeof hl, cudaMemcpyHostToDevice);
  cudaMemcpy(f, &hf, sizeof hf, cudaMemcpyHostToDevice);
  cudaMemcpy(d, &hd, sizeof hd, cudaMemcpyHostToDevice);
  classic<<<2, 64>>>(i, u, l, f, d);
  cudaMemcpy(hi, i, sizeof hi, cudaMemcpyDeviceToHost);
  cudaMemcpy(hu, u, sizeof hu, cudaMemcpyDeviceToHost);
  cudaMemcpy(&hl, l, sizeof hl, cudaMemcpyDeviceToHost);
  cudaMemcpy(&hf, f, sizeof hf, cudaMemcpyDeviceToHost);
  cudaMemcpy(&hd, d, sizeof hd, cudaMemcpyDeviceToHost);
  printf("int %d %d %d %d %d %d %d\n", hi[0], hi[1], hi[2], hi[3], hi[4], hi[5], hi[6]);
  printf("unsigned %x %x %u %u %u %u %u, %llx, %.1f %.2f\n", hu[0], hu[1], hu[2], hu[3], hu[4], hu[5], hu[6], hl, hf, hd);
  cudaMemset(i, 0, sizeof hi);
  modern<<<2, 32>>>(i, i + 1, i + 2);
  cudaMemcpy(hi, i, sizeof hi, cudaMemcpyDeviceToHost);
  printf("modern %d %d %d\n", hi[0], hi[2], hi[3]);
  int ho[64], *o;
  cudaMalloc(&o, sizeof ho);
  phases<<<1, 64>>>(o);
  cudaMemcpy(ho, o, sizeof ho, cudaMemcpyDeviceToHost);
  printf("phases %d %d %d\n", ho[0], ho[60], ho[63]);
  cudaFree(i), cudaFree(u), cudaFree(l), cudaFree(f), cudaFree(d), cudaFree(o);
  return 0;
}
