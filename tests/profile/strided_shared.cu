// SPDX-License-Identifier: Apache-2.0
// Conflicts of banks in arrays of one dimension, and none where the advice of the first two was followed.
struct particle {
  float x, y, z, mass;
};

__global__ void every_32nd(float* out) {
  __shared__ float s[1024];
  s[threadIdx.x * 32] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void every_16th(float* out) {
  __shared__ double s[1024];
  s[threadIdx.x * 16] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void members(float* out) {
  __shared__ particle s[32];
  s[threadIdx.x].x = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void room_behind_32(float* out) {
  __shared__ float s[1056];
  s[threadIdx.x * 32 + threadIdx.x * 32 / 32] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = 1;
}

int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  every_32nd<<<1, 32>>>(out);
  every_16th<<<1, 32>>>(out);
  members<<<1, 32>>>(out);
  room_behind_32<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
