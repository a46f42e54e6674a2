// SPDX-License-Identifier: Apache-2.0
// Both branches update an element of shared memory: LLVM's passes that move stores out of branches leave each its line.
// options: --check races
// code: 3
// says: updates_in_two_branches.cu:13 in kernel
// says: updates_in_two_branches.cu:16 in kernel
// says: updates_in_two_branches.cu: 1 error
__global__ void kernel(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  if (t % 2 == 0) { s[t] += 3;
    out[t] = 1;
  } else {
    s[t] -= s[t - 1];
    out[t] = 2;
  }
  __syncthreads();
  out[t] += s[t];
}
int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  kernel<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
