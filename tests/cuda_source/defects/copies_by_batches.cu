// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies whose batch nobody ends, whose wait leaves the last one under way in the last turn, and whose source
// another thread or block writes; each with a twin that has what the report says.
// options: --check all --json -
// code: 3
// says: why": "line 25 waits for batches, and no call ends the one that the copy at line 23 is in: nothing waits for it"
// says: fix": "put __pipeline_commit.. behind the copy at line 23 and in front of line 25"
// says: fix": "end a batch in each turn: move line 36 out of the branch at line 34 .a batch may be empty.; or let line 39 leave none
// says: why": "the copy at line 49 reads what line 47 writes, and no barrier has run between them"
// says: fix": "put a barrier .__syncthreads... between line 47 and line 49, where the copy begins"
// says: why": "blocks of one launch are not ordered: the copy at line 60 may read before line 57 writes, and behind it"
// says: fix": "write it in an earlier launch than that of the copy at line 60, or let each block copy what it has written itself"
// says: why": "the copy at line 70 may read its source until its thread has waited for it"
// says: 6 errors of 5 causes
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <cstdio>


template <bool Right> __global__ void no_batch(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  if (Right) __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = s[63 - t];
}
template <bool Right> __global__ void last_turn(const int* in, int* out, int n) {
  __shared__ int s[2][64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[0][t], &in[t], 4), __pipeline_commit();
  for (int k = 0; k < n; ++k) {
    if (k + 1 < n) {
      __pipeline_memcpy_async(&s[(k + 1) & 1][t], &in[64 * (k + 1) + t], 4);
      __pipeline_commit();
    }
    if (Right && k + 1 == n) __pipeline_commit();
    __pipeline_wait_prior(1);
    out[t] += s[k & 1][t];
  }
}

template <bool Right> __global__ void of_a_neighbour(int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  in[t] = t;
  if (Right) __syncthreads();
  __pipeline_memcpy_async(&s[t], &in[(t + 33) % 64], 4), __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = s[t];
}

template <bool Right> __global__ void of_a_block(int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x, mine = blockIdx.x * 64;
  in[mine + t] = t;
  __syncthreads();
  const int from = Right ? mine : (blockIdx.x + 1) % 2 * 64;
  __pipeline_memcpy_async(&s[t], &in[from + t], 4), __pipeline_commit();
  __pipeline_wait_prior(0);
  out[mine + t] = s[t];
}



template <bool Right> __global__ void written_again(int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4), __pipeline_commit();
  if (Right) __pipeline_wait_prior(0), __syncthreads();
  in[63 - t] = t;
  __pipeline_wait_prior(0);
  out[t] = s[t];
}
template <bool Right> void all(int* in, int* out) {
  cudaMemset(in, 0, 1024), cudaMemset(out, 0, 1024);
  no_batch<Right><<<1, 64>>>(in, out), last_turn<Right><<<1, 64>>>(in, out, 4);
  of_a_neighbour<Right><<<1, 64>>>(in, out), of_a_block<Right><<<2, 64>>>(in, out), written_again<Right><<<1, 64>>>(in, out);
}
int main() {
  int *in, *out, h = 0;
  cudaMalloc(&in, 1024), cudaMalloc(&out, 1024);
  all<true>(in, out), all<false>(in, out);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost), std::printf("%d\n", h);
  cudaFree(in), cudaFree(out);
}
