// SPDX-License-Identifier: Apache-2.0
// Device code of the program that loads and stores the elements of a transform (cufftXtSetCallback; the library is
// libcufft_static): of another type than the transform has, in batches, in place.
// needs: fftw3.h of libfftw3-dev
#include <cuda_runtime.h>
#include <cufftXt.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(e)                                                           \
  do {                                                                     \
    if (const int r = static_cast<int>(e)) {                               \
      std::printf("line %d: error %d\n", __LINE__, r);                     \
      std::exit(1);                                                        \
    }                                                                      \
  } while (0)

constexpr int kSize = 64, kBatch = 2, kHalf = kSize / 2 + 1;

struct window {
  const float* weights;
  float scale;
};

// Bytes become numbers, weighted.
__device__ float load_weighted(void* in, size_t offset, void* info, void*) {
  const auto* const w = static_cast<const window*>(info);
  return static_cast<const unsigned char*>(in)[offset] * w->weights[offset % kSize];
}
__device__ void store_scaled(void* out, size_t offset, cufftComplex v, void* info, void*) {
  const float scale = static_cast<const window*>(info)->scale;
  static_cast<cufftComplex*>(out)[offset] = {v.x * scale, v.y * scale};
}
__device__ cufftCallbackLoadR the_load = load_weighted;
__device__ cufftCallbackStoreC the_store = store_scaled;

__device__ cufftComplex load_conjugate(void* in, size_t offset, void*, void*) {
  const cufftComplex v = static_cast<cufftComplex*>(in)[offset];
  return {v.x, -v.y};
}
__device__ cufftCallbackLoadC the_conjugate = load_conjugate;

__global__ void make_weights(float* w) { w[threadIdx.x] = 1 + threadIdx.x % 4; }

int main() {
  std::vector<unsigned char> bytes(kSize * kBatch);
  for (int i = 0; i < kSize * kBatch; ++i) bytes[i] = static_cast<unsigned char>(i * 7 % 50);
  unsigned char* in;
  float* weights;
  window* info;
  cufftComplex* out;
  CHECK(cudaMalloc(&in, bytes.size()));
  CHECK(cudaMalloc(&weights, kSize * sizeof(float)));
  CHECK(cudaMalloc(&info, sizeof(window)));
  CHECK(cudaMalloc(&out, kBatch * kHalf * sizeof(cufftComplex)));
  CHECK(cudaMemcpy(in, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
  const window w{weights, 0.5f};
  CHECK(cudaMemcpy(info, &w, sizeof w, cudaMemcpyHostToDevice));

  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  make_weights<<<1, kSize, 0, stream>>>(weights);
  cufftHandle plan;
  CHECK(cufftPlan1d(&plan, kSize, CUFFT_R2C, kBatch));
  CHECK(cufftSetStream(plan, stream));
  cufftCallbackLoadR load;
  cufftCallbackStoreC store;
  CHECK(cudaMemcpyFromSymbol(&load, the_load, sizeof load));
  CHECK(cudaMemcpyFromSymbol(&store, the_store, sizeof store));
  void* const info_at = info;
  CHECK(cufftXtSetCallback(plan, reinterpret_cast<void**>(&load), CUFFT_CB_LD_REAL, (void**)&info_at));
  CHECK(cufftXtSetCallback(plan, reinterpret_cast<void**>(&store), CUFFT_CB_ST_COMPLEX, (void**)&info_at));
  std::printf("another type: %d\n",
              cufftXtSetCallback(plan, reinterpret_cast<void**>(&load), CUFFT_CB_LD_COMPLEX, nullptr) != CUFFT_SUCCESS);
  CHECK(cufftExecR2C(plan, reinterpret_cast<cufftReal*>(in), out));
  CHECK(cudaStreamSynchronize(stream));
  std::vector<cufftComplex> result(kBatch * kHalf);
  CHECK(cudaMemcpy(result.data(), out, result.size() * sizeof(cufftComplex), cudaMemcpyDeviceToHost));
  double most = 0;
  for (int b = 0; b < kBatch; ++b)
    for (int k = 0; k < kHalf; ++k) {
      double re = 0, im = 0;
      for (int i = 0; i < kSize; ++i) {
        const double v = bytes[b * kSize + i] * (1 + i % 4) * 0.5, angle = -2 * M_PI * i * k / kSize;
        re += v * std::cos(angle);
        im += v * std::sin(angle);
      }
      most = std::fmax(most, std::hypot(re - result[b * kHalf + k].x, im - result[b * kHalf + k].y));
    }
  std::printf("bytes, weighted and scaled: %s\n", most < 1e-2 ? "right" : "WRONG");
  CHECK(cufftDestroy(plan));

  // In place; then without the callback again.
  cufftHandle second;
  size_t work;
  CHECK(cufftCreate(&second));
  CHECK(cufftMakePlan1d(second, kSize, CUFFT_C2C, 1, &work));
  std::vector<cufftComplex> signal(kSize), twice(kSize);
  for (int i = 0; i < kSize; ++i) signal[i] = {static_cast<float>(i % 7), static_cast<float>(i % 3)};
  cufftComplex* data;
  CHECK(cudaMalloc(&data, kSize * sizeof(cufftComplex)));
  CHECK(cudaMemcpy(data, signal.data(), kSize * sizeof(cufftComplex), cudaMemcpyHostToDevice));
  cufftCallbackLoadC conjugate;
  CHECK(cudaMemcpyFromSymbol(&conjugate, the_conjugate, sizeof conjugate));
  CHECK(cufftExecC2C(second, data, data, CUFFT_FORWARD));
  CHECK(cufftXtSetCallback(second, reinterpret_cast<void**>(&conjugate), CUFFT_CB_LD_COMPLEX, nullptr));
  CHECK(cufftExecC2C(second, data, data, CUFFT_FORWARD));  // of the conjugate: back, conjugate and kSize times
  CHECK(cudaMemcpy(twice.data(), data, kSize * sizeof(cufftComplex), cudaMemcpyDeviceToHost));
  most = 0;
  for (int i = 0; i < kSize; ++i)
    most = std::fmax(most, std::hypot(twice[i].x / kSize - signal[i].x, -twice[i].y / kSize - signal[i].y));
  std::printf("conjugate in place: %s\n", most < 1e-4 ? "right" : "WRONG");
  CHECK(cufftXtClearCallback(second, CUFFT_CB_LD_COMPLEX));
  CHECK(cufftExecC2C(second, data, data, CUFFT_FORWARD));
  CHECK(cufftDestroy(second));
  CHECK(cudaFree(data));
  CHECK(cudaFree(in));
  CHECK(cudaFree(weights));
  CHECK(cudaFree(info));
  CHECK(cudaFree(out));
  CHECK(cudaStreamDestroy(stream));
  return 0;
}
