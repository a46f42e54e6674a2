// SPDX-License-Identifier: Apache-2.0
// Texture and surface references, as programs before CUDA 12 have them: bound to linear memory in both forms, to rows
// with a pitch, to an array; fetched from in a kernel with barriers, by a functor and by a macro's name. CUDA 13 does not
// build it, so no H200 has said what is expected: it is what texture objects give.
#include <cstdio>

#define FETCH(t, i) tex1Dfetch(t##_ref, i)

texture<float, 1, cudaReadModeElementType> weight_ref;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> picture;
static texture<float, 2> grid;
texture<int2> pairs;  // of the type's defaults
surface<void, cudaSurfaceType2D> field;

struct reads_pairs {
  __device__ double operator()(int i) const {
    const int2 v = tex1Dfetch(pairs, i);
    return __hiloint2double(v.y, v.x);
  }
};

__global__ void sums(float* out, int n) {
  __shared__ float part[64];
  const int i = threadIdx.x;
  part[i] = FETCH(weight, i) + (i < n ? (float)reads_pairs()(i) : 0);
  for (int d = 32; d > 0; d /= 2) {
    __syncthreads();
    if (i < d) part[i] += part[i + d];
  }
  if (i == 0) out[0] = part[0];
}

__global__ void pictures(float* out) {
  const int x = threadIdx.x, y = threadIdx.y;
  const float4 c = tex2D(picture, x, y);
  float before;
  surf2Dread(&before, field, x * 4, y);
  out[y * 8 + x] = c.x + 10 * c.y + tex2D(grid, x + 1.0f, y + 0.5f) + 1000 * before;
  surf2Dwrite(before + 1, field, x * 4, y);
}

int main() {
  float h[64], *weights, *out;
  double d[16];
  uchar4 colors[4][8];
  for (int i = 0; i < 64; ++i) h[i] = i;
  for (int i = 0; i < 16; ++i) d[i] = 0.5 * i;
  for (int i = 0; i < 32; ++i) colors[i / 8][i % 8] = make_uchar4(i % 8 < 4 ? 255 : 0, i / 8 == 2 ? 255 : 0, 0, 0);
  double* numbers;
  char* rows;
  size_t pitch, offset = 7;
  cudaMalloc(&weights, sizeof h);
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMalloc(&numbers, sizeof d);
  cudaMallocPitch((void**)&rows, &pitch, 8 * sizeof(uchar4), 4);
  cudaMemcpy(weights, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(numbers, d, sizeof d, cudaMemcpyHostToDevice);
  cudaMemcpy2D(rows, pitch, colors, sizeof colors[0], sizeof colors[0], 4, cudaMemcpyHostToDevice);

  cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  weight_ref.filterMode = cudaFilterModePoint;
  weight_ref.normalized = false;
  weight_ref.channelDesc = floats;
  const textureReference* by_pointer = nullptr;
  cudaGetTextureReference(&by_pointer, &weight_ref);
  if (cudaBindTexture(&offset, by_pointer, weights, &floats, sizeof h) != cudaSuccess) return 1;
  if (cudaBindTexture(nullptr, pairs, numbers, cudaCreateChannelDesc<int2>(), sizeof d) != cudaSuccess) return 1;
  sums<<<1, 64>>>(out, 16);
  cudaMemcpy(h, out, sizeof(float), cudaMemcpyDeviceToHost);
  printf("offset %d, sum %g\n", (int)offset, h[0]);

  // Bound again, to the second half.
  cudaBindTexture(nullptr, weight_ref, weights + 32, 32 * sizeof(float));
  sums<<<1, 64>>>(out, 0);
  cudaMemcpy(h, out, sizeof(float), cudaMemcpyDeviceToHost);
  printf("of the second half %g\n", h[0]);
  cudaUnbindTexture(weight_ref);
  cudaUnbindTexture(&pairs);

  cudaArray* array;
  cudaArray* cells;
  for (int i = 0; i < 32; ++i) h[i] = i;
  cudaMallocArray(&array, &floats, 8, 4);
  cudaMallocArray(&cells, &floats, 8, 4, cudaArraySurfaceLoadStore);
  cudaMemcpyToArray(array, 0, 0, h, 32 * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpyToArray(cells, 0, 0, h, 32 * sizeof(float), cudaMemcpyHostToDevice);
  grid.filterMode = cudaFilterModeLinear;
  grid.addressMode[0] = cudaAddressModeClamp;
  cudaBindTexture2D(nullptr, picture, rows, 8, 4, pitch);
  cudaBindTextureToArray(grid, array);
  cudaBindSurfaceToArray(field, cells);
  pictures<<<1, dim3(8, 4)>>>(out);
  cudaThreadSynchronize();
  cudaMemcpy(h, out, 32 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g %g %g\n", h[0], h[7], h[16], h[31]);
  cudaMemcpyFromArray(h, cells, 0, 0, 32 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("field %g %g\n", h[0], h[31]);
  cudaUnbindTexture(picture);
  cudaUnbindTexture(grid);
  cudaFree(weights);
  cudaFree(out);
  cudaFree(numbers);
  cudaFree(rows);
  cudaFreeArray(array);
  cudaFreeArray(cells);
}
