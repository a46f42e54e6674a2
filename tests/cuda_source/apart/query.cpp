// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>

#include <cstdio>

int main() {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  std::printf("devices: %d\n", devices);
}
