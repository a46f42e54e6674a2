// SPDX-License-Identifier: Apache-2.0
// Kernels of kinds that checking has made slow: private arrays that functions get, bytes, neighbours in three
// dimensions, half precision. Milliseconds of processor time a launch (with one worker, what it takes on a calm
// machine), the median of five after one that is not counted, and a sum of the results. For ratios of one run to
// another:
//   simrun tests/bench/slow_under_check.cu;  simrun --check races tests/bench/slow_under_check.cu
//   simrun --schedule random tests/bench/slow_under_check.cu
#include <cuda_fp16.h>

#include <cstdio>
#include <vector>

#include "launch_times.hpp"

// A Kalman filter with eight states, a thread a track: predict with a constant velocity, then correct with what was
// seen of the first state. All matrices are the thread's own.
constexpr int kStates = 8;
__device__ void multiply(const float* a, const float* b, float* c) {
  for (int i = 0; i < kStates; ++i)
    for (int j = 0; j < kStates; ++j) {
      float sum = 0;
      for (int k = 0; k < kStates; ++k) sum += a[i * kStates + k] * b[k * kStates + j];
      c[i * kStates + j] = sum;
    }
}
__device__ void transpose(const float* a, float* b) {
  for (int i = 0; i < kStates; ++i)
    for (int j = 0; j < kStates; ++j) b[j * kStates + i] = a[i * kStates + j];
}
__device__ void correct(float* state, float* p, float seen, float noise) {
  const float scale = 1 / (p[0] + noise), error = seen - state[0];
  float gain[kStates], first[kStates];
  for (int i = 0; i < kStates; ++i) gain[i] = p[i * kStates] * scale, first[i] = p[i];
  for (int i = 0; i < kStates; ++i) {
    state[i] += gain[i] * error;
    for (int j = 0; j < kStates; ++j) p[i * kStates + j] -= gain[i] * first[j];
  }
}
__global__ void kalman(const float* seen, float* states, int tracks, int steps) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= tracks) return;
  float f[kStates * kStates], ft[kStates * kStates], p[kStates * kStates], fp[kStates * kStates], state[kStates];
  for (int i = 0; i < kStates; ++i) {
    state[i] = states[t * kStates + i];
    for (int j = 0; j < kStates; ++j) {
      f[i * kStates + j] = i == j ? 1.0f : j == i + kStates / 2 ? 0.1f : 0.0f;
      p[i * kStates + j] = i == j ? 1.0f : 0.0f;
    }
  }
  transpose(f, ft);
  for (int s = 0; s < steps; ++s) {
    float next[kStates];
    for (int i = 0; i < kStates; ++i) {
      next[i] = 0;
      for (int j = 0; j < kStates; ++j) next[i] += f[i * kStates + j] * state[j];
    }
    for (int i = 0; i < kStates; ++i) state[i] = next[i];
    multiply(f, p, fp);
    multiply(fp, ft, p);
    for (int i = 0; i < kStates; ++i) p[i * kStates + i] += 0.01f;
    correct(state, p, seen[s * tracks + t], 0.5f);
  }
  for (int i = 0; i < kStates; ++i) states[t * kStates + i] = state[i];
}

// Non-maximum suppression: a pixel stays if no neighbour is brighter.
__global__ void suppress(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  const unsigned char mine = in[y * width + x];
  bool stays = true;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) stays = stays && in[(y + dy) * width + x + dx] <= mine;
  out[y * width + x] = stays ? mine : 0;
}

// A 3D convolution with 3 x 3 x 3 weights.
__global__ void convolve(const float* in, const float* weights, float* out, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= side - 1 || y >= side - 1 || z >= side - 1) return;
  float sum = 0;
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        sum += weights[((dz + 1) * 3 + dy + 1) * 3 + dx + 1] * in[((z + dz) * side + y + dy) * side + x + dx];
  out[(z * side + y) * side + x] = sum;
}

// Matrix by vector in half precision, a thread a row of a matrix that is kept by columns.
__global__ void gemv(const __half* a, const __half* x, __half* y, int rows, int columns) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int c = 0; c < columns; ++c) sum += __half2float(a[c * rows + r]) * __half2float(x[c]);
  y[r] = __float2half(sum);
}

template <class T>
double sum(const T* p, std::size_t n) {
  return sum(p, n, [](const T& x) { return static_cast<float>(x); });
}

int main() {
  constexpr int tracks = 2048, steps = 8, width = 512, height = 256, side = 48, rows = 4096, columns = 64;
  std::vector<float> seen(tracks * steps), states(tracks * kStates, 0.5f), volume(side * side * side), weights(27);
  std::vector<unsigned char> image(width * height);
  std::vector<__half> matrix(rows * columns), vector(columns);
  for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = static_cast<float>(i % 17) / 16;
  for (std::size_t i = 0; i < volume.size(); ++i) volume[i] = static_cast<float>(i * 7 % 11);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i % 3) - 1;
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<unsigned char>(i * i % 251);
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = __float2half(static_cast<float>(i % 5));
  for (std::size_t i = 0; i < vector.size(); ++i) vector[i] = __float2half(static_cast<float>(i % 3));
  float *d_seen = device(seen), *d_states = device(states), *d_in = device(volume), *d_weights = device(weights),
        *d_out = device(volume);
  unsigned char *d_image = device(image), *d_kept = device(std::vector<unsigned char>(image.size()));
  __half *d_a = device(matrix), *d_x = device(vector), *d_y = device(std::vector<__half>(rows));

  measure("kalman", [&] { kalman<<<tracks / 128, 128>>>(d_seen, d_states, tracks, steps); });
  measure("suppress", [&] { suppress<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(d_image, d_kept, width, height); });
  measure("convolve",
          [&] { convolve<<<dim3(side / 8, side / 8, side / 4), dim3(8, 8, 4)>>>(d_in, d_weights, d_out, side); });
  measure("gemv", [&] { gemv<<<rows / 128, 128>>>(d_a, d_x, d_y, rows, columns); });
  std::printf("sums %g %g %g %g\n", sum(d_states, states.size()), sum(d_kept, image.size()), sum(d_out, volume.size()),
              sum(d_y, rows));
}
