// SPDX-License-Identifier: Apache-2.0
// A texture of linear memory: tex1Dfetch reads it, tex1D gives 0, whatever filter was asked for.
#include <cstdio>

__global__ void sample(cudaTextureObject_t t, float* out, float step) {
  out[threadIdx.x] = tex1D<float>(t, threadIdx.x * step) + tex1Dfetch<float>(t, threadIdx.x);
}

int main() {
  constexpr int kSize = 10, kSamples = 12;
  float values[kSize], samples[kSamples];
  for (int i = 0; i < kSize; ++i) values[i] = 10.0f * i + 7.0f;
  float *data = nullptr, *out = nullptr;
  cudaMalloc(&data, sizeof values);
  cudaMalloc(&out, sizeof samples);
  cudaMemcpy(data, values, sizeof values, cudaMemcpyHostToDevice);
  cudaResourceDesc memory = {};
  memory.resType = cudaResourceTypeLinear;
  memory.res.linear.devPtr = data;
  memory.res.linear.desc = cudaCreateChannelDesc<float>();
  memory.res.linear.sizeInBytes = sizeof values;
  cudaTextureDesc how = {};
  how.addressMode[0] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  how.readMode = cudaReadModeElementType;
  how.normalizedCoords = 1;
  cudaTextureObject_t t = 0;
  std::printf("%s\n", cudaGetErrorName(cudaCreateTextureObject(&t, &memory, &how, nullptr)));
  for (float step : {0.05f, 0.75f}) {
    sample<<<1, kSamples>>>(t, out, step);
    cudaMemcpy(samples, out, sizeof samples, cudaMemcpyDeviceToHost);
    for (float v : samples) std::printf(" %g", v);
    std::printf("\n");
  }
  cudaDestroyTextureObject(t);
  cudaFree(data);
  cudaFree(out);
  return 0;
}
