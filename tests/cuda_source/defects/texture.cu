// SPDX-License-Identifier: Apache-2.0
// Textures of mipmapped arrays are refused with their line; a write outside a surface traps.
// code: 2
// says: texture.cu:7:32: error: 'cudaMallocMipmappedArray' is not supported .docs
#include <cuda_runtime.h>
int main() {
  cudaMipmappedArray_t levels; cudaMallocMipmappedArray(&levels, nullptr, make_cudaExtent(4, 4, 0), 2);
}
