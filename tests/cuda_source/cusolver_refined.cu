// SPDX-License-Identifier: Apache-2.0
// needs: lapacke.h of liblapacke-dev
// cuSOLVER: systems and least squares that may be factored in narrower numbers and refined.
#include <cusolverDn.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define CHECK(call)                                              \
  if (const int failed = static_cast<int>(call); failed != 0) { \
    std::printf("line %d: %d\n", __LINE__, failed);              \
    return 1;                                                    \
  }

template <class T>
T* on_device(const std::vector<T>& from) {
  T* to = nullptr;
  cudaMalloc(&to, from.size() * sizeof(T));
  cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
  return to;
}
template <class T>
bool is_near(const char* name, const T* from, const std::vector<double>& wanted, double error) {
  std::vector<T> to(wanted.size());
  cudaMemcpy(to.data(), from, to.size() * sizeof(T), cudaMemcpyDeviceToHost);
  bool good = true;
  for (std::size_t i = 0; i < to.size(); ++i) good = good && std::fabs(static_cast<double>(to[i]) - wanted[i]) < error;
  std::printf("%s: %s\n", name, good ? "right" : "wrong");
  return good;
}

// Its diagonal is large; the right sides are such that the solutions are 1, 2, .. and 2, 3, ..
template <class T>
void make_system(int n, std::vector<T>& a, std::vector<T>& b) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const T v = static_cast<T>(i == j ? 4 * n : 1 + (i * 3 + j) % 5);
      a[static_cast<std::size_t>(j * n + i)] = v;
      for (int s = 0; s < 2; ++s) b[static_cast<std::size_t>(s * n + i)] += v * static_cast<T>(j + 1 + s);
    }
}
std::vector<double> wanted_of(int n) {
  std::vector<double> x;
  for (int s = 0; s < 2; ++s)
    for (int i = 0; i < n; ++i) x.push_back(i + 1 + s);
  return x;
}

template <class T, class Size, class Solve>
int square(const char* name, double error, cusolverDnHandle_t h, Size size, Solve solve) {
  constexpr int n = 12, sides = 2;
  std::vector<T> all(n * n), right(n * sides);
  make_system(n, all, right);
  T *const a = on_device(all), *const b = on_device(right), *const x = on_device(std::vector<T>(n * sides));
  int *const pivots = on_device(std::vector<int>(n)), *const info = on_device(std::vector<int>(1, -1));
  std::size_t bytes = 0;
  CHECK(size(h, n, sides, a, n, pivots, b, n, x, n, nullptr, &bytes));
  void* room = nullptr;
  CHECK(cudaMalloc(&room, bytes));
  int iterations = -100, broken = -1;
  CHECK(solve(h, n, sides, a, n, pivots, b, n, x, n, room, bytes, &iterations, info));
  cudaMemcpy(&broken, info, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("info %d, %s\n", broken, iterations >= 0 ? "refined or right at once" : "by another way");
  const bool good = is_near(name, x, wanted_of(n), error);
  for (void* p : {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(x), static_cast<void*>(pivots),
                  static_cast<void*>(info), room})
    cudaFree(p);
  return good ? 0 : 1;
}

// A line through points that lie on one.
int least_squares(cusolverDnHandle_t h) {
  constexpr int m = 6, n = 2;
  std::vector<double> all, right;
  for (int i = 0; i < m; ++i) all.push_back(1);
  for (int i = 0; i < m; ++i) all.push_back(i);
  for (int i = 0; i < m; ++i) right.push_back(3 + 0.5 * i);
  double *const a = on_device(all), *const b = on_device(right), *const x = on_device(std::vector<double>(n));
  int* const info = on_device(std::vector<int>(1, -1));
  std::size_t bytes = 0;
  CHECK(cusolverDnDSgels_bufferSize(h, m, n, 1, a, m, b, m, x, n, nullptr, &bytes));
  void* room = nullptr;
  CHECK(cudaMalloc(&room, bytes));
  int iterations = -100;
  CHECK(cusolverDnDSgels(h, m, n, 1, a, m, b, m, x, n, room, bytes, &iterations, info));
  const bool good = is_near("DSgels", x, {3, 0.5}, 1e-9);
  for (void* p : {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(x), static_cast<void*>(info), room})
    cudaFree(p);
  return good ? 0 : 1;
}

int by_parameters(cusolverDnHandle_t h) {
  constexpr int n = 12, sides = 2;
  std::vector<double> all(n * n), right(n * sides);
  make_system(n, all, right);
  double *const a = on_device(all), *const b = on_device(right), *const x = on_device(std::vector<double>(n * sides));
  int* const info = on_device(std::vector<int>(1, -1));
  cusolverDnIRSParams_t parameters = nullptr;
  cusolverDnIRSInfos_t told = nullptr;
  CHECK(cusolverDnIRSParamsCreate(&parameters));
  CHECK(cusolverDnIRSInfosCreate(&told));
  CHECK(cusolverDnIRSParamsSetSolverPrecisions(parameters, CUSOLVER_R_64F, CUSOLVER_R_32F));
  CHECK(cusolverDnIRSParamsSetRefinementSolver(parameters, CUSOLVER_IRS_REFINE_CLASSICAL));
  CHECK(cusolverDnIRSParamsSetMaxIters(parameters, 20));
  cusolver_int_t most = 0;
  CHECK(cusolverDnIRSParamsGetMaxIters(parameters, &most));
  std::size_t bytes = 0;
  CHECK(cusolverDnIRSXgesv_bufferSize(h, parameters, n, sides, &bytes));
  void* room = nullptr;
  CHECK(cudaMalloc(&room, bytes));
  cusolver_int_t iterations = -100;
  CHECK(cusolverDnIRSXgesv(h, parameters, told, n, sides, a, n, b, n, x, n, room, bytes, &iterations, info));
  std::printf("at most %d\n", most);
  const bool good = is_near("IRSXgesv", x, wanted_of(n), 1e-9);
  cusolverDnIRSParamsDestroy(parameters);
  cusolverDnIRSInfosDestroy(told);
  for (void* p : {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(x), static_cast<void*>(info), room})
    cudaFree(p);
  return good ? 0 : 1;
}

int main() {
  cusolverDnHandle_t h = nullptr;
  CHECK(cusolverDnCreate(&h));
  int failed = square<float>("SSgesv", 1e-3, h, cusolverDnSSgesv_bufferSize, cusolverDnSSgesv);
  failed += square<float>("SHgesv", 1e-3, h, cusolverDnSHgesv_bufferSize, cusolverDnSHgesv);
  failed += square<double>("DDgesv", 1e-9, h, cusolverDnDDgesv_bufferSize, cusolverDnDDgesv);
  failed += square<double>("DHgesv", 1e-9, h, cusolverDnDHgesv_bufferSize, cusolverDnDHgesv);
  failed += least_squares(h) + by_parameters(h);
  std::printf("failed %d\n", failed);
  cusolverDnDestroy(h);
  return failed;
}
