// SPDX-License-Identifier: Apache-2.0
// The seven reduction kernels of "Optimizing Parallel Reduction in CUDA", with today's warp synchronisation.
#include <cstdio>
#include <cstdlib>

template <class T>
struct SharedMemory {
  __device__ inline operator T *() {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
  __device__ inline operator const T *() const {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
};
// specialize for double to avoid unaligned memory access compile errors
template <>
struct SharedMemory<double> {
  __device__ inline operator double *() {
    extern __shared__ double __smem_d[];
    return (double *)__smem_d;
  }
  __device__ inline operator const double *() const {
    extern __shared__ double __smem_d[];
    return (double *)__smem_d;
  }
};

template <class T>
__device__ __forceinline__ T warpReduceSum(unsigned int mask, T mySum) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    mySum += __shfl_down_sync(mask, mySum, offset);
  }
  return mySum;
}

template <class T>
__global__ void reduce0(T *g_idata, T *g_odata, unsigned int n) {
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < n) ? g_idata[i] : 0;
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    if ((tid % (2 * s)) == 0) {
      sdata[tid] += sdata[tid + s];
    }
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

template <class T>
__global__ void reduce1(T *g_idata, T *g_odata, unsigned int n) {
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < n) ? g_idata[i] : 0;
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    int index = 2 * s * tid;
    if (index < blockDim.x) {
      sdata[index] += sdata[index + s];
    }
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

template <class T>
__global__ void reduce2(T *g_idata, T *g_odata, unsigned int n) {
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < n) ? g_idata[i] : 0;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) {
      sdata[tid] += sdata[tid + s];
    }
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

template <class T>
__global__ void reduce3(T *g_idata, T *g_odata, unsigned int n) {
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  T mySum = (i < n) ? g_idata[i] : 0;
  if (i + blockDim.x < n) mySum += g_idata[i + blockDim.x];
  sdata[tid] = mySum;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) {
      sdata[tid] = mySum = mySum + sdata[tid + s];
    }
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = mySum;
}

template <class T, unsigned int blockSize>
__global__ void reduce5(T *g_idata, T *g_odata, unsigned int n) {
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockSize * 2) + threadIdx.x;
  T mySum = (i < n) ? g_idata[i] : 0;
  if (i + blockSize < n) mySum += g_idata[i + blockSize];
  sdata[tid] = mySum;
  __syncthreads();
  if ((blockSize >= 512) && (tid < 256)) sdata[tid] = mySum = mySum + sdata[tid + 256];
  __syncthreads();
  if ((blockSize >= 256) && (tid < 128)) sdata[tid] = mySum = mySum + sdata[tid + 128];
  __syncthreads();
  if ((blockSize >= 128) && (tid < 64)) sdata[tid] = mySum = mySum + sdata[tid + 64];
  __syncthreads();
  if (tid < 32) {
    if (blockSize >= 64) mySum += sdata[tid + 32];
    mySum = warpReduceSum<T>(0xffffffff, mySum);
  }
  if (tid == 0) g_odata[blockIdx.x] = mySum;
}

template <class T, unsigned int blockSize, bool nIsPow2>
__global__ void reduce6(T *g_idata, T *g_odata, unsigned int n) {
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x;
  unsigned int gridSize = blockSize * 2 * gridDim.x;
  T mySum = 0;
  unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
  while (i < n) {
    mySum += g_idata[i];
    if (nIsPow2 || i + blockSize < n) mySum += g_idata[i + blockSize];
    i += gridSize;
  }
  sdata[tid] = mySum;
  __syncthreads();
  if ((blockSize >= 256) && (tid < 128)) {
    sdata[tid] = mySum = mySum + sdata[tid + 128];
  }
  __syncthreads();
  if ((blockSize >= 128) && (tid < 64)) {
    sdata[tid] = mySum = mySum + sdata[tid + 64];
  }
  __syncthreads();
  // the last warp, unrolled, with the synchronisation that Volta and later ask for
  if (tid < 32) {
    volatile T *smem = sdata;
    if (blockSize >= 64) { mySum += smem[tid + 32]; __syncwarp(); smem[tid] = mySum; __syncwarp(); }
    mySum += smem[tid + 16]; __syncwarp(); smem[tid] = mySum; __syncwarp();
    mySum += smem[tid + 8]; __syncwarp(); smem[tid] = mySum; __syncwarp();
    mySum += smem[tid + 4]; __syncwarp(); smem[tid] = mySum; __syncwarp();
    mySum += smem[tid + 2]; __syncwarp(); smem[tid] = mySum; __syncwarp();
    mySum += smem[tid + 1]; __syncwarp(); smem[tid] = mySum; __syncwarp();
  }
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

bool isPow2(unsigned int x) { return ((x & (x - 1)) == 0); }

template <class T>
void reduce(int size, int threads, int blocks, int whichKernel, T *d_idata, T *d_odata) {
  dim3 dimBlock(threads, 1, 1);
  dim3 dimGrid(blocks, 1, 1);
  int smemSize = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
  switch (whichKernel) {
    case 0: reduce0<T><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
    case 1: reduce1<T><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
    case 2: reduce2<T><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
    case 3: reduce3<T><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
    case 5:
      switch (threads) {
        case 512: reduce5<T, 512><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
        case 256: reduce5<T, 256><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
        case 128: reduce5<T, 128><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
      }
      break;
    default:
      if (isPow2(size)) {
        reduce6<T, 256, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
      } else {
        reduce6<T, 256, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
      }
      break;
  }
}

template <class T>
void run(const char *type, int n) {
  T *h_idata = (T *)malloc(n * sizeof(T));
  T expect = 0;
  for (int i = 0; i < n; i++) {
    h_idata[i] = (T)((i * 37 + 11) & 0xFF);
    expect += h_idata[i];
  }
  int threads = 256;
  for (int which = 0; which <= 6; which++) {
    if (which == 4) continue;
    int per_block = which < 3 ? threads : threads * 2;
    int blocks = (n + per_block - 1) / per_block;
    if (which == 6 && blocks > 4) blocks = 4;
    T *d_idata = NULL, *d_odata = NULL;
    cudaMalloc((void **)&d_idata, n * sizeof(T));
    cudaMalloc((void **)&d_odata, blocks * sizeof(T));
    cudaMemcpy(d_idata, h_idata, n * sizeof(T), cudaMemcpyHostToDevice);
    reduce<T>(n, threads, blocks, which, d_idata, d_odata);
    T *h_odata = (T *)malloc(blocks * sizeof(T));
    cudaMemcpy(h_odata, d_odata, blocks * sizeof(T), cudaMemcpyDeviceToHost);
    T result = 0;
    for (int i = 0; i < blocks; i++) result += h_odata[i];
    printf("%s kernel %d: %s\n", type, which, result == expect ? "PASSED" : "FAILED");
    cudaFree(d_idata);
    cudaFree(d_odata);
    free(h_odata);
  }
  free(h_idata);
}

int main() {
  run<int>("int", 4096);
  run<float>("float", 5000);
  run<double>("double", 3001);
  return 0;
}
