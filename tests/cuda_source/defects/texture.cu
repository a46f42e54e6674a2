// SPDX-License-Identifier: Apache-2.0
// Textures are refused with their line.
// code: 2
// says: texture.cu:6: error: textures, surfaces and CUDA arrays are not supported
#include <cuda_runtime.h>
__global__ void sample(cudaTextureObject_t image, float* out) { out[threadIdx.x] = tex2D<float>(image, 0.5f, 0.5f); }
int main() { return 0; }
