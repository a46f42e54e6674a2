// SPDX-License-Identifier: Apache-2.0
// Device code in classes: virtual functions, placement of objects by a kernel, function pointers, functors, templates.
// With nvcc: --extended-lambda.
#include <cstdio>
#include <new>
class Shape {
 public:
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
  __device__ virtual const char *name() const { return "shape"; }
};
class Circle : public Shape {
  float r_;

 public:
  __device__ explicit Circle(float r) : r_(r) {}
  __device__ float area() const override { return 3.0f * r_ * r_; }
  __device__ const char *name() const override { return "circle"; }
};
class Square : public Shape {
  float s_;

 public:
  __device__ Square(float s) : s_(s) {}
  __device__ float area() const override { return s_ * s_; }
};
__global__ void create(Shape **shapes, int n) {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    for (int i = 0; i < n; i++) shapes[i] = i % 2 ? (Shape *)new Circle(i) : (Shape *)new Square(i);
}
__global__ void areas(Shape **shapes, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = shapes[i]->area();
}
__global__ void destroy(Shape **shapes, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) delete shapes[i];
}
typedef float (*op_t)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float mul(float a, float b) { return a * b; }
__device__ op_t d_add = add;
__device__ op_t d_mul = mul;
__device__ op_t table[2] = {add, mul};
__global__ void apply(op_t f, float *x, float y, int n) {
  int i = threadIdx.x;
  if (i < n) x[i] = f(x[i], y);
}
__global__ void apply_table(int which, float *x, float y, int n) {
  int i = threadIdx.x;
  if (i < n) x[i] = table[which](x[i], y);
}
template <typename F>
__global__ void for_each_index(int n, F f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}
struct Saxpy {
  float a;
  const float *x;
  float *y;
  __device__ void operator()(int i) const { y[i] = a * x[i] + y[i]; }
};
template <class T, int N>
struct Vec {
  T v[N];
  __host__ __device__ T &operator[](int i) { return v[i]; }
  __host__ __device__ const T &operator[](int i) const { return v[i]; }
  __host__ __device__ Vec operator+(const Vec &o) const {
    Vec r;
    for (int i = 0; i < N; ++i) r[i] = v[i] + o[i];
    return r;
  }
};
template <class T, int N>
__global__ void add_vectors(const Vec<T, N> *a, Vec<T, N> b, Vec<T, N> *c) {
  c[threadIdx.x] = a[threadIdx.x] + b;
}
int main() {
  const int n = 10;
  Shape **d_shapes;
  float *d_out, out[n];
  cudaMalloc(&d_shapes, n * sizeof(Shape *));
  cudaMalloc(&d_out, n * sizeof(float));
  create<<<1, 1>>>(d_shapes, n);
  areas<<<1, 32>>>(d_shapes, d_out, n);
  destroy<<<1, 4>>>(d_shapes, n);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (float f : out) printf("%g ", f);
  printf("\n");
  op_t h_add, h_mul;
  cudaMemcpyFromSymbol(&h_add, d_add, sizeof(op_t));
  cudaMemcpyFromSymbol(&h_mul, d_mul, sizeof(op_t));
  apply<<<1, 32>>>(h_add, d_out, 1.0f, n);
  apply<<<1, 32>>>(h_mul, d_out, 2.0f, n);
  apply_table<<<1, 32>>>(0, d_out, 5.0f, n);
  float *d_y;
  cudaMalloc(&d_y, n * sizeof(float));
  cudaMemset(d_y, 0, n * sizeof(float));
  for_each_index<<<2, 4>>>(n, Saxpy{0.5f, d_out, d_y});
  float k = 3;
  for_each_index<<<2, 4>>>(n, [=] __device__(int i) { d_y[i] += k; });
  cudaMemcpy(out, d_y, sizeof out, cudaMemcpyDeviceToHost);
  for (float f : out) printf("%g ", f);
  printf("\n");
  Vec<double, 3> h_a[4], *d_a, *d_c, b{{1, 2, 3}};
  for (int i = 0; i < 4; ++i) h_a[i] = Vec<double, 3>{{1.0 * i, 2.0 * i, 3.0 * i}};
  cudaMalloc(&d_a, sizeof h_a);
  cudaMalloc(&d_c, sizeof h_a);
  cudaMemcpy(d_a, h_a, sizeof h_a, cudaMemcpyHostToDevice);
  add_vectors<<<1, 4>>>(d_a, b, d_c);
  cudaMemcpy(h_a, d_c, sizeof h_a, cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", h_a[3][0], h_a[3][1], h_a[3][2]);
  cudaFree(d_shapes); cudaFree(d_out); cudaFree(d_y); cudaFree(d_a); cudaFree(d_c);
  return cudaDeviceSynchronize() != cudaSuccess;
}
