// SPDX-License-Identifier: Apache-2.0
// Conway's game of life, one byte a cell, ghost cells through a shared tile; class wrapper with RAII.
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

static void check(cudaError_t e, const char *what) {
  if (e != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(e));
}
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t n) : n_(n) { check(cudaMalloc(&data_, n * sizeof(T)), "cudaMalloc"); }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  DeviceArray(DeviceArray &&o) noexcept : data_(std::exchange(o.data_, nullptr)), n_(o.n_) {}
  T *get() { return data_; }
  void upload(const std::vector<T> &v) { check(cudaMemcpy(data_, v.data(), n_ * sizeof(T), cudaMemcpyHostToDevice), "upload"); }
  std::vector<T> download() const {
    std::vector<T> v(n_);
    check(cudaMemcpy(v.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost), "download");
    return v;
  }
  friend void swap(DeviceArray &a, DeviceArray &b) { std::swap(a.data_, b.data_); std::swap(a.n_, b.n_); }

 private:
  T *data_ = nullptr;
  size_t n_;
};

constexpr int kTile = 16;
__global__ void step(const uint8_t *__restrict__ in, uint8_t *__restrict__ out, int w, int h) {
  __shared__ uint8_t tile[kTile + 2][kTile + 2];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  auto at = [=](int cx, int cy) { return in[((cy + h) % h) * w + (cx + w) % w]; };
  const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  tile[ly][lx] = at(x, y);
  if (threadIdx.x == 0) tile[ly][0] = at(x - 1, y);
  if (threadIdx.x == kTile - 1) tile[ly][kTile + 1] = at(x + 1, y);
  if (threadIdx.y == 0) tile[0][lx] = at(x, y - 1);
  if (threadIdx.y == kTile - 1) tile[kTile + 1][lx] = at(x, y + 1);
  if (threadIdx.x < 2 && threadIdx.y < 2) {
    int cx = threadIdx.x ? kTile : -1, cy = threadIdx.y ? kTile : -1;
    tile[cy + 1][cx + 1] = at(blockIdx.x * kTile + cx, blockIdx.y * kTile + cy);
  }
  __syncthreads();
  int n = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy) n += tile[ly + dy][lx + dx];
  out[y * w + x] = (n == 3 || (n == 2 && tile[ly][lx])) ? 1 : 0;
}

int main() try {
  const int w = 64, h = 48;
  std::vector<uint8_t> world(w * h);
  const int glider[5][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
  for (auto &c : glider) world[c[1] * w + c[0]] = 1;
  for (int i = 0; i < w * h; ++i)
    if ((i * 2654435761u >> 28) == 5) world[i] = 1;
  std::vector<uint8_t> want = world, next(w * h);
  const int steps = 10;
  for (int s = 0; s < steps; ++s) {
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) {
        int n = 0;
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx)
            if (dx || dy) n += want[((y + dy + h) % h) * w + (x + dx + w) % w];
        next[y * w + x] = n == 3 || (n == 2 && want[y * w + x]);
      }
    want.swap(next);
  }
  DeviceArray<uint8_t> a(w * h), b(w * h);
  a.upload(world);
  for (int s = 0; s < steps; ++s) {
    step<<<dim3(w / kTile, h / kTile), dim3(kTile, kTile)>>>(a.get(), b.get(), w, h);
    check(cudaGetLastError(), "step");
    swap(a, b);
  }
  const auto got = a.download();
  int alive = 0;
  for (auto c : got) alive += c;
  std::printf("%s, %d alive\n", got == want ? "same" : "different", alive);
  return got == want ? 0 : 1;
} catch (const std::exception &e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
