// SPDX-License-Identifier: Apache-2.0
// Neighbours at the edges of an image, and neighbours that data choose: addresses that are one of several linear
// functions (sim/compile/region_choices.cpp). The mutants go past an edge. Large enough that most blocks lie inside, and
// run twice, because what the first blocks do is watched access by access in any case.
#include <cstdio>

constexpr int width = 100, height = 60, count = width * height;

// Kept within the image by min and max.
__global__ void blur(const float* in, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += in[min(max(y + dy, 0), h - 1) * w + min(max(x + dx, 0), w - 1)];
  out[y * w + x] = sum;
}
// By conditions.
__global__ void gradient(const unsigned char* in, int* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const int left = x > 0 ? x - 1 : 0, right = x < w - 1 ? x + 1 : x;
  const int up = y > 1 ? y - 2 : y, down = y < h - 3 ? y + 3 : y - 1;
  out[y * w + x] = in[y * w + right] - in[y * w + left] + 2 * (in[down * w + x] - in[up * w + x]);
}
// By what another array says.
__global__ void along_edge(const unsigned char* strength, const unsigned char* direction, unsigned char* out, int w,
                           int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  const int at = y * w + x;
  int step;
  switch (direction[at]) {
    case 0:
      step = 1;
      break;
    case 1:
      step = w;
      break;
    default:
      step = w + 1;
      break;
  }
  const unsigned char a = strength[at - step], b = strength[at + step];
  out[at] = strength[at] >= a && strength[at] >= b ? strength[at] : 0;
}
// The wind's side.
__global__ void upwind(const int* u, const int* wind, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1) return;
  out[i] = wind[i] > 0 ? u[i] - u[i - 1] : u[i + 1] - u[i];
}
// In place: another thread writes what is chosen.
__global__ void relax(const int* old, int* u, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) u[i] = old[i] + old[max(i - 1, 0)];
}

template <class T>
T* device(T (*of)(int), int n) {
  static T values[count];
  for (int i = 0; i < n; ++i) values[i] = of(i);
  T* p;
  cudaMalloc(&p, n * sizeof(T));
  cudaMemcpy(p, values, n * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
template <class T>
void show(const char* what, const T* p) {
  static T values[count];
  cudaMemcpy(values, p, sizeof values, cudaMemcpyDeviceToHost);
  long sum = 0;
  for (int i = 0; i < count; ++i) sum += static_cast<long>(values[i]) * (i % 7);
  printf("%s %ld\n", what, sum);
}

int main() {
  float* const image = device<float>([](int i) { return static_cast<float>(i % 11); }, count);
  float* const blurred = device<float>([](int) { return 0.0f; }, count);
  auto* const bytes = device<unsigned char>([](int i) { return static_cast<unsigned char>(i * i % 251); }, count);
  auto* const directions = device<unsigned char>([](int i) { return static_cast<unsigned char>(i * 5 % 3); }, count);
  auto* const thin = device<unsigned char>([](int) { return static_cast<unsigned char>(0); }, count);
  int* const out = device<int>([](int) { return 0; }, count);
  int* const u = device<int>([](int i) { return i % 13; }, count);
  int* const wind = device<int>([](int i) { return (i + 2) % 3 - 1; }, count);

  const dim3 block(16, 4), grid((width + 15) / 16, (height + 3) / 4);
  for (int i = 0; i < 2; ++i) blur<<<grid, block>>>(image, blurred, width, height);
  show("blurred", blurred);
  for (int i = 0; i < 2; ++i) gradient<<<grid, block>>>(bytes, out, width, height);
  show("gradient", out);
  for (int i = 0; i < 2; ++i) along_edge<<<grid, block>>>(bytes, directions, thin, width, height);
  show("thin", thin);
  for (int i = 0; i < 2; ++i) upwind<<<(count + 63) / 64, 64>>>(u, wind, out, count);
  show("upwind", out);
  for (int i = 0; i < 2; ++i) relax<<<(count + 63) / 64, 64>>>(u, out, count);
  show("relaxed", out);
  for (void* p : {(void*)image, (void*)blurred, (void*)bytes, (void*)directions, (void*)thin, (void*)out, (void*)u,
                  (void*)wind})
    cudaFree(p);
}
