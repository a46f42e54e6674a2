// SPDX-License-Identifier: Apache-2.0
// Sparse arrays are refused with their line; mipmapped ones are there (tests/cuda_source/texture_levels.cu).
// code: 2
// says: texture.cu:7:31: error: 'cudaArrayGetSparseProperties' is not supported: there are no sparse arrays .docs
#include <cuda_runtime.h>
int main() {
  cudaArray_t a = nullptr;    cudaArrayGetSparseProperties(nullptr, a);
}
