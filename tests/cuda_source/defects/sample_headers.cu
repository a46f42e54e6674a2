// SPDX-License-Identifier: Apache-2.0
// No defect: the helper headers of NVIDIA's samples, which no Toolkit has, are there where the program brings none.
// options: --check all -- -n=500
// code: 0
// says: PASS 500
#include <helper_cuda.h>
#include <helper_functions.h>
__global__ void fill(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}
int main(int argc, char **argv) {
  findCudaDevice(argc, (const char **)argv);
  int n = checkCmdLineFlag(argc, (const char **)argv, "n") ? getCmdLineArgumentInt(argc, (const char **)argv, "n") : 10;
  StopWatchInterface *timer = nullptr;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  float *x, *h = new float[n], *want = new float[n];
  checkCudaErrors(cudaMalloc(&x, n * sizeof(float)));
  fill<<<(n + 127) / 128, 128>>>(x, n);
  getLastCudaError("fill");
  checkCudaErrors(cudaMemcpy(h, x, n * sizeof(float), cudaMemcpyDeviceToHost));
  sdkStopTimer(&timer);
  for (int i = 0; i < n; ++i) want[i] = i;
  printf("%s %d\n", sdkCompareL2fe(want, h, n, 1e-6f) && sdkGetTimerValue(&timer) >= 0 ? "PASS" : "FAIL", n);
  sdkDeleteTimer(&timer);
  checkCudaErrors(cudaFree(x));
  delete[] h;
  delete[] want;
}
