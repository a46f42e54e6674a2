// SPDX-License-Identifier: Apache-2.0
// Where (void**) does more than hide a type: it lets a const function write a member, and takes an address that is kept
// as an integer.
#include <cstdint>
#include <cstdio>

class lazy {
  int *data_ = nullptr;
  int n_;

 public:
  explicit lazy(int n) : n_(n) {}
  ~lazy() { cudaFree(data_); }
  int *data() const {
    if (data_ == nullptr) cudaMalloc((void **)&data_, n_ * sizeof(int));
    return data_;
  }
  int *other() const {
    int *const none = nullptr;
    cudaMalloc((void **)(&none), n_ * sizeof(int));
    return *const_cast<int *const volatile *>(&none);
  }
};

struct views {
  float *rows[2];
  std::uintptr_t number;
};

__global__ void count(int *a, int from) { a[threadIdx.x] = from + threadIdx.x; }
__global__ void halves(float *a, float by) { a[threadIdx.x] = threadIdx.x * by; }

int main() {
  const lazy l(32);
  count<<<1, 32>>>(l.data(), 5);
  int last = 0;
  cudaMemcpy(&last, l.data() + 31, sizeof last, cudaMemcpyDeviceToHost);
  printf("member %d\n", last);

  int *const p = l.other();
  count<<<1, 32>>>(p, 7);
  cudaMemcpy(&last, p + 31, sizeof last, cudaMemcpyDeviceToHost);
  printf("constant %d\n", last);
  cudaFree(p);

  views v;
  for (int i = 0; i < 2; ++i) cudaMalloc((void **)&v.rows[i], 32 * sizeof(float));
  cudaMalloc((void **)&v.number, 32 * sizeof(float));
  halves<<<1, 32>>>(v.rows[1], 0.5f);
  halves<<<1, 32>>>(reinterpret_cast<float *>(v.number), 0.25f);
  float x = 0, y = 0;
  cudaMemcpy(&x, v.rows[1] + 31, sizeof x, cudaMemcpyDeviceToHost);
  cudaMemcpy(&y, reinterpret_cast<void *>(v.number + 31 * sizeof(float)), sizeof y, cudaMemcpyDeviceToHost);
  printf("element %.2f, number %.2f\n", x, y);
  for (float *r : v.rows) cudaFree(r);
  cudaFree(reinterpret_cast<void *>(v.number));
}
