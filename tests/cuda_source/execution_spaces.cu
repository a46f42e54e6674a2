// SPDX-License-Identifier: Apache-2.0
// Calls between host and device that nvcc takes, and names of the host's that mean something else there.
#include <cmath>
#include <cstdio>
#include <utility>
using namespace std;

int host(int x) { return x + 1; }
constexpr __host__ __device__ int twice(int x) { return 2 * x; }
__host__ __device__ int both(int x) { return x + 2; }
__host__ __device__ int asks_host(int x) { return x < 0 ? host(x) : x; }  // nvcc warns

// Declared with the word and defined without it, and the other way round: nvcc warns.
__device__ int later(int x);
int earlier(int x);
struct member {
  int v;
  __device__ int get() const;
};

struct implicit {
  int w = 2;
};
struct defaulted : implicit {
  int v = 3;
  defaulted() = default;
  defaulted(const defaulted&) = default;
};
struct base {
  int v;
  __host__ __device__ base(int x) : v(x) {}
  __host__ __device__ ~base() {}
};
struct inheriting : base {
  using base::base;
};
struct shape {
  __device__ virtual int area() { return 1; }
};
struct square : shape {
  __device__ int area() override { return 4; }
};

int of_host = 3;
const int of_both = 4;
const float of_both_too = 0.5f;
__device__ const int table[2] = {1, 2};
__device__ constexpr int known[2] = {3, 4};
namespace named {
__device__ int time() { return 5; }
template <class T>
__device__ void sort(T* a) {
  a[0] = a[0] < a[1] ? a[0] : a[1];
}
}  // namespace named
__device__ int rand(int seed) { return seed + 6; }

int choose(float) { return 1; }
__device__ int choose(int) { return 2; }

template <class T>
__device__ int kind(T) {
  return 1;
}
template <>
__device__ int kind<int>(int) {
  return 2;
}

template <bool Host>
__device__ int chosen() {
  if constexpr (Host) return host(1);
  return 5;
}

__device__ int of_device(int x) { return x; }
template <class T>
int in_template(T x) {  // nvcc looks at no templates of the host
  return x > 100 ? of_device(x) : x;
}

struct functor {
  __device__ int operator()(int x) const { return x + 7; }
};

template <class F>
__global__ void apply(int* a, F f) {
  a[0] = f(1);
}

__global__ void all(int* a) {
  decltype(host(3)) n = sizeof(host(3)) + noexcept(host(3));
  const auto lambda = [=](int x) { return of_device(x) + n; };
  const auto generic = [](auto x) { return x + 1; };
  struct local {
    int v;
    __device__ int get() const { return v; }
  };
  defaulted d, e = d;
  e = d;
  inheriting i(4);
  square s;
  shape* p = &s;
  a[0] = lambda(1) + generic(2) + local{3}.get() + e.v + e.w + i.v + p->area();
  a[1] = later(1) + earlier(2) + member{3}.get() + choose(4) + kind(5) + kind(6.0f) + chosen<false>();
  a[2] = twice(static_cast<int>(threadIdx.x)) + both(1) + asks_host(2);
  int one = 1, two = 2;
  a[3] = std::move(one) + std::forward<int>(two);
  static const int local_table[2] = {7, 8};
  int pair[2] = {9, 10};
  named::sort(pair);
  a[4] = of_both + static_cast<int>(4 * of_both_too) + table[a[3] & 1] + known[a[3] & 1] + local_table[a[3] & 1];
  a[5] = min(a[3], 2) + max(a[3], 20) + abs(-1) + static_cast<int>(sqrt(16.0f) + std::pow(2.0f, 3.0f));
  a[6] = named::time() + rand(1) + pair[0] + static_cast<int>(sizeof(of_host));
}

int later(int x) { return x + 10; }
__device__ int earlier(int x) { return x + 20; }
int member::get() const { return v; }

int main() {
  int h[7], *a;
  cudaMalloc(&a, sizeof h);
  functor f;
  apply<<<1, 1>>>(a, f);
  for (int turn = 0; turn < 2; ++turn)
    if (turn == 1) all<<<turn > 0 ? 1 : 2, 1>>>(turn > 0 ? a : nullptr);
  void (*kernel)(int*) = all;
  kernel<<<1, 1>>>(a);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]);
  printf("%d %d %d\n", h[4], h[5], h[6]);
  printf("%d %d\n", both(1), in_template(1));
  cudaFree(a);
  return h[0] == 0 || of_host != 3;
}
