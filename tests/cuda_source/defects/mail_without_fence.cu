// SPDX-License-Identifier: Apache-2.0
// Data and its flag in one structure: the flag is polled, the data needs a fence before it. `kept` has it and is silent.
// options: --check all
// code: 3
// says: missing-fence
// says: mail_without_fence.cu:16
// says: mail_without_fence.cu:21
// says: 1 error;
#include <cuda_runtime.h>
struct Mail {
  int data, ready;
};
template <bool Fence>
__device__ void pass(volatile Mail* box, int* out) {
  if (blockIdx.x == 0) {
    box->data = 42;
    if (Fence) __threadfence();
    box->ready = 1;
  } else {
    while (!box->ready) {}
    __threadfence(); *out = box->data;
  }
}
__global__ void kept(volatile Mail* box, int* out) { pass<true>(box, out); }
__global__ void handed_over(volatile Mail* box, int* out) { pass<false>(box, out); }
int main() {
  Mail* boxes;
  int* out;
  cudaMalloc(&boxes, 2 * sizeof(Mail));
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(boxes, 0, 2 * sizeof(Mail));
  kept<<<2, 1>>>(boxes, out);
  handed_over<<<2, 1>>>(boxes + 1, out + 1);
  cudaDeviceSynchronize();
  cudaFree(boxes);
  cudaFree(out);
}
