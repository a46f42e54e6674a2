// SPDX-License-Identifier: Apache-2.0
// simpleCallback in small: several workloads on streams, host work by callbacks, results checked there.
#include <cstdio>
#include <cstdlib>
const int N_workloads = 4;
const int N_elements_per_workload = 2000;
struct heterogeneous_workload {
  int id;
  int cudaDeviceID;
  int *h_data;
  int *d_data;
  cudaStream_t stream;
  bool success;
};
__global__ void incKernel(int *data, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) data[i]++;
}
void CUDART_CB myStreamCallback(cudaStream_t event, cudaError_t status, void *data) {
  heterogeneous_workload *workload = (heterogeneous_workload *)data;
  workload->success = status == cudaSuccess;
  for (int i = 0; i < N_elements_per_workload; ++i) workload->success &= workload->h_data[i] == i + workload->id + 1;
}
void postprocess(void *p) { ++*static_cast<int *>(p); }
int main() {
  heterogeneous_workload *workloads = (heterogeneous_workload *)malloc(N_workloads * sizeof(heterogeneous_workload));
  int finished = 0;
  for (int i = 0; i < N_workloads; ++i) {
    workloads[i].id = i;
    workloads[i].cudaDeviceID = 0;
    cudaSetDevice(workloads[i].cudaDeviceID);
    cudaStreamCreate(&workloads[i].stream);
    cudaMalloc((void **)&workloads[i].d_data, N_elements_per_workload * sizeof(int));
    cudaHostAlloc((void **)&workloads[i].h_data, N_elements_per_workload * sizeof(int), cudaHostAllocPortable);
    for (int j = 0; j < N_elements_per_workload; ++j) workloads[i].h_data[j] = workloads[i].id + j;
    dim3 block(512);
    dim3 grid((N_elements_per_workload + block.x - 1) / block.x);
    cudaMemcpyAsync(workloads[i].d_data, workloads[i].h_data, N_elements_per_workload * sizeof(int), cudaMemcpyHostToDevice, workloads[i].stream);
    incKernel<<<grid, block, 0, workloads[i].stream>>>(workloads[i].d_data, N_elements_per_workload);
    cudaMemcpyAsync(workloads[i].h_data, workloads[i].d_data, N_elements_per_workload * sizeof(int), cudaMemcpyDeviceToHost, workloads[i].stream);
    cudaStreamAddCallback(workloads[i].stream, myStreamCallback, &workloads[i], 0);
    cudaLaunchHostFunc(workloads[i].stream, postprocess, &finished);
  }
  for (int i = 0; i < N_workloads; ++i) cudaStreamSynchronize(workloads[i].stream);
  bool success = true;
  for (int i = 0; i < N_workloads; ++i) {
    success &= workloads[i].success;
    cudaFreeHost(workloads[i].h_data);
    cudaFree(workloads[i].d_data);
    cudaStreamDestroy(workloads[i].stream);
  }
  printf("Total of %d workloads finished: %s\n", finished, success ? "Success" : "Failure");
  free(workloads);
  exit(success ? EXIT_SUCCESS : EXIT_FAILURE);
}
