// SPDX-License-Identifier: Apache-2.0
// Sparse matrix times vector, CSR: scalar kernel, vector kernel (a warp a row).
#include <cstdio>
#include <vector>
template <typename T>
struct csr_matrix {
  int rows, nnz;
  int *row_ptr, *col;
  T *val;
};
template <typename T>
__global__ void spmv_csr_scalar(csr_matrix<T> m, const T *x, T *y) {
  int row = blockDim.x * blockIdx.x + threadIdx.x;
  if (row < m.rows) {
    T dot = 0;
    for (int jj = m.row_ptr[row]; jj < m.row_ptr[row + 1]; jj++) dot += m.val[jj] * x[m.col[jj]];
    y[row] += dot;
  }
}
template <typename T>
__global__ void spmv_csr_vector(csr_matrix<T> m, const T *__restrict__ x, T *y) {
  __shared__ T vals[128];
  int thread_id = blockDim.x * blockIdx.x + threadIdx.x;
  int warp_id = thread_id / 32;
  int lane = thread_id & (32 - 1);
  int row = warp_id;
  if (row < m.rows) {
    int row_start = m.row_ptr[row];
    int row_end = m.row_ptr[row + 1];
    vals[threadIdx.x] = 0;
    for (int jj = row_start + lane; jj < row_end; jj += 32) vals[threadIdx.x] += m.val[jj] * __ldg(&x[m.col[jj]]);
    __syncwarp();
    for (int s = 16; s > 0; s >>= 1) {
      if (lane < s) vals[threadIdx.x] += vals[threadIdx.x + s];
      __syncwarp();
    }
    if (lane == 0) y[row] += vals[threadIdx.x];
  }
}
template <typename T>
T *upload(const std::vector<T> &v) {
  T *p;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
int main() {
  const int n = 300;
  std::vector<int> ptr{0}, col;
  std::vector<double> val, x(n), want(n, 0.0), y(n);
  for (int r = 0; r < n; ++r) {
    for (int c = r % 7; c < n; c += 3 + r % 11) col.push_back(c), val.push_back((r + c) % 5 + 1);
    ptr.push_back((int)col.size());
  }
  for (int i = 0; i < n; ++i) x[i] = i % 9;
  for (int r = 0; r < n; ++r)
    for (int j = ptr[r]; j < ptr[r + 1]; ++j) want[r] += val[j] * x[col[j]];
  csr_matrix<double> m{n, (int)col.size(), upload(ptr), upload(col), upload(val)};
  double *dx = upload(x), *dy;
  cudaMalloc(&dy, n * sizeof(double));
  cudaMemset(dy, 0, n * sizeof(double));
  spmv_csr_scalar<<<(n + 127) / 128, 128>>>(m, dx, dy);
  cudaMemcpy(y.data(), dy, n * sizeof(double), cudaMemcpyDeviceToHost);
  printf("scalar %s\n", y == want ? "ok" : "wrong");
  cudaMemset(dy, 0, n * sizeof(double));
  spmv_csr_vector<double><<<(n * 32 + 127) / 128, 128>>>(m, dx, dy);
  cudaMemcpy(y.data(), dy, n * sizeof(double), cudaMemcpyDeviceToHost);
  printf("vector %s\n", y == want ? "ok" : "wrong");
  cudaFree(m.row_ptr); cudaFree(m.col); cudaFree(m.val); cudaFree(dx); cudaFree(dy);
}
