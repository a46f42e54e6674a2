// Members that ask for the thread where an object is made: default initialisers, lists of constructors. Members and
// variables of the host may have the names of CUDA's variables.
#include <cstdio>

struct where {
  int thread = threadIdx.x;
  int first{static_cast<int>(blockIdx.x * blockDim.x)};
  template <class T = int>
  __device__ T index() const {
    return thread + first;
  }
};

struct made {
  int thread;
  __device__ made() : thread(threadIdx.x) {}
};

struct config {
  dim3 gridDim, blockDim;
  int times = 2;
  int threads() const { return times * gridDim.x * blockDim.x; }
};

__global__ void fill(int* out) {
  where w;
  made m;
  out[w.index()] = 100 * w.thread + m.thread;
}

int main() {
  dim3 blockDim(32);
  config c{dim3(2), blockDim};
  int *out, host[64];
  cudaMalloc(&out, sizeof host);
  fill<<<c.gridDim, c.blockDim>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d threads: %d %d\n", c.threads(), host[3], host[63]);
  cudaFree(out);
}
