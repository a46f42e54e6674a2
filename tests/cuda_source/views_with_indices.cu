// SPDX-License-Identifier: Apache-2.0
// cuda::std::mdspan: extents, layouts, conversions, parts, on the host and in kernels.
#include <cuda/std/array>
#include <cuda/std/mdspan>

#include <cstdio>

template <class T>
using matrix = cuda::std::mdspan<T, cuda::std::dextents<int, 2>>;
using fixed = cuda::std::extents<int, 4, 8>;
using columns = cuda::std::mdspan<float, fixed, cuda::std::layout_left>;

__global__ void heat(matrix<const float> from, matrix<float> to) {
  const int y = blockIdx.x, x = threadIdx.x;
  if (y == 0 || x == 0 || y == from.extent(0) - 1 || x == from.extent(1) - 1)
    to(y, x) = from(y, x);
  else
    to(y, x) = (from(y - 1, x) + from(y + 1, x) + from(y, x - 1) + from(y, x + 1)) / 4;
}
__global__ void fill(columns c) { c(threadIdx.y, threadIdx.x) = threadIdx.y * 10 + threadIdx.x; }
template <class View>
__global__ void sum(View v, float* out) {
  float s = 0;
  for (int i = 0; i < (int)v.extent(0); ++i) s = s * 2 + v(i);
  *out = s;
}

int main() {
  const int rows = 4, width = 8;
  float *a, *b, h[rows * width];
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  for (int i = 0; i < rows * width; ++i) h[i] = i * i;
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  matrix<float> from(a, rows, width), to(b, rows, width);
  heat<<<rows, width>>>(from, to);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%g %g %g\n", h[0], h[9], h[31]);
  std::printf("%zu elements, %d x %d, steps %d %d, in rows %d\n", (size_t)to.size(), to.extent(0), to.extent(1),
              (int)to.stride(0), (int)to.stride(1), (int)to.is_exhaustive());

  cuda::std::mdspan view(h, rows, width);
  std::printf("rank %zu, %g %g\n", (size_t)view.rank(), view(1, 1), view.data_handle()[31]);
  const cuda::std::mdspan<float, cuda::std::extents<int, 2, cuda::std::dynamic_extent, 4>> cube(h, 4);
  std::printf("%d of %d, %g\n", (int)cube.rank_dynamic(), (int)cube.static_extent(2), cube(1, 0, 3));

  const columns c(a);
  fill<<<1, dim3(8, 4)>>>(c);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%g %g %g, %d\n", h[1], h[4], h[31], (int)c.mapping()(3, 7));

  const cuda::std::array<int, 2> steps{8, 2};
  const cuda::std::layout_stride::mapping<cuda::std::extents<int, 4, 4>> even({}, steps);
  const cuda::std::mdspan<float, cuda::std::extents<int, 4, 4>, cuda::std::layout_stride> every(a, even);
  std::printf("%d %d %d\n", (int)every.mapping()(1, 3), (int)every.mapping().required_span_size(), (int)every.is_exhaustive());
  sum<<<1, 1>>>(cuda::std::submdspan(from, 2, cuda::std::full_extent), b);
  cudaMemcpy(h, b, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g\n", h[0]);
  cudaFree(a);
  cudaFree(b);
}
