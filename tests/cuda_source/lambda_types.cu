// Whether a type is that of a lambda for the device, asked in host code; prints the same on a GPU.
// Needs nvcc's --extended-lambda.
#include <cuda_runtime.h>

#include <cstdio>

struct twice {
  __host__ __device__ int operator()(int x) const { return 2 * x; }
};
template <class T>
struct box {
  T value;
};

template <class F>
__global__ void apply(F f, int* out) {
  *out = f(*out);
}
template <class F>
void run(const char* name, F f, int* out) {
  constexpr bool is_lambda =
      __nv_is_extended_device_lambda_closure_type(F) || __nv_is_extended_host_device_lambda_closure_type(F);
  apply<<<1, 1>>>(f, out);
  cudaDeviceSynchronize();
  std::printf("%s: %d, a lambda: %d\n", name, *out, is_lambda);
}

int main() {
  int* out;
  cudaMallocManaged(&out, sizeof(int));
  *out = 5;
  run("class", twice(), out);
  const int by = 3;
  run("lambda", [=] __device__(int x) { return x + by; }, out);
  run("lambda of both", [=] __host__ __device__(int x) { return x - by; }, out);
  static_assert(!__nv_is_extended_device_lambda_closure_type(int), "");
  static_assert(!__nv_is_extended_device_lambda_closure_type(box<twice>), "");
  cudaFree(out);
  return 0;
}
