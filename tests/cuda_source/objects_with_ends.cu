// SPDX-License-Identifier: Apache-2.0
// Variables of kernels whose destructors do something: at the end of their scope, at an early return, around a barrier,
// in a loop, in an array. Where one is alive, what is called could throw.
#include <cstdio>

struct counted {
  int *at;
  int value;
  __device__ counted(int *at, int value) : at(at), value(value) {}
  counted(const counted &) = delete;
  __device__ ~counted() { atomicAdd(at, value); }
};

struct guard {
  int *lock;
  __device__ explicit guard(int *lock) : lock(lock) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __device__ ~guard() {
    __threadfence();
    atomicExch(lock, 0);
  }
};

__device__ int doubled(const counted &c) { return 2 * c.value; }

__global__ void one(int *out, int *sum) {
  counted c(sum, 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = doubled(c);
}

__global__ void early(int *out, int *sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  counted outer(sum, 100);
  if (i >= n) return;
  {
    counted inner(sum, 10000);
    out[i] = doubled(inner) + i;
    if (i % 2) return;
  }
  out[i] += 1;
}

__global__ void around_barrier(int *out, int *sum) {
  __shared__ int near[64];
  counted c(sum, 1);
  near[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int turn = 0; turn < 3; ++turn) {
    counted each(sum, 10);
    const int next = near[(threadIdx.x + 1) % 64];
    __syncthreads();
    near[threadIdx.x] = next + doubled(each);
    __syncthreads();
  }
  out[threadIdx.x] = near[threadIdx.x];
}

__global__ void listed(int *sum) {
  counted all[3] = {{sum, 1}, {sum, 2}, {sum, 3}};
  all[threadIdx.x % 3].value *= 10;
}

__global__ void locked(int *lock, int *total) {
  if (threadIdx.x == 0) {
    guard g(lock);
    *total += blockIdx.x;
  }
}

int main() {
  int *out, *sum, h[128], s = 0;
  cudaMalloc(&out, sizeof h);
  cudaMalloc(&sum, 2 * sizeof s);
  const auto begin = [&] { cudaMemset(sum, 0, 2 * sizeof s); };
  const auto end = [&](const char *name, int last) {
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(&s, sum, sizeof s, cudaMemcpyDeviceToHost);
    printf("%s: %d, %d and %d\n", name, s, h[0], h[last]);
  };
  cudaMemset(out, 0, sizeof h);
  begin();
  one<<<2, 64>>>(out, sum);
  end("one", 127);
  begin();
  early<<<2, 64>>>(out, sum, 100);
  end("early", 98);
  begin();
  around_barrier<<<1, 64>>>(out, sum);
  end("around a barrier", 63);
  begin();
  listed<<<1, 32>>>(sum);
  end("listed", 0);
  begin();
  locked<<<8, 32>>>(sum + 1, sum);
  end("locked", 0);
  cudaFree(out);
  cudaFree(sum);
}
