// SPDX-License-Identifier: Apache-2.0
// A program that has a `texture` and a `surface` of its own, as ray tracers do.
#include <cstdio>

template <class T>
class texture {
 public:
  __host__ __device__ texture(T a, T b) : even_(a), odd_(b) {}
  __host__ __device__ T value(int i) const { return i % 2 == 0 ? even_ : odd_; }

 private:
  T even_, odd_;
};
struct surface {
  texture<float> shown;
  int texture_count;
};

__global__ void look(surface s, float* out) { out[threadIdx.x] = s.shown.value(threadIdx.x) + s.texture_count; }

int main() {
  float h[4], *out;
  cudaMalloc(&out, sizeof h);
  look<<<1, 4>>>(surface{texture<float>(0.5f, 2), 3}, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %g %g %g\n", h[0], h[1], h[2], h[3]);
  cudaFree(out);
}
