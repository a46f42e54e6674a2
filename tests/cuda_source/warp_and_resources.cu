// cuda::device::warp_shuffle_* of values of any type, and resources of memory by cuda::mr. Prints the same on a GPU.
#define LIBCUDACXX_ENABLE_EXPERIMENTAL_MEMORY_RESOURCE
#include <cuda/memory_resource>
#include <cuda/std/cstdint>
#include <cuda/stream_ref>
#include <cuda/warp>
#include <cuda_runtime.h>

#include <cstdio>

struct pair_of {
  double weight;
  short number;
};

__global__ void shuffles(double* out, int* inside) {
  const int i = threadIdx.x;
  const pair_of mine = {0.5 * i, static_cast<short>(i)};
  const pair_of from = cuda::device::warp_shuffle_idx(mine, (i + 5) % 32);
  out[i] = from.weight + from.number;
  const auto up = cuda::device::warp_shuffle_up<8>(i, 3);
  const auto down = cuda::device::warp_shuffle_down<16>(i, 4);
  const auto other = cuda::device::warp_shuffle_xor<4>(i, 1);
  inside[i] = up.pred + 2 * down.pred + 4 * other.pred + 8 * up.data + 512 * down.data + 32768 * other.data;
}

struct limit {
  using value_type = std::size_t;
};
struct managed_memory {
  int count = 0;
  void* allocate(std::size_t bytes, std::size_t) {
    void* p = nullptr;
    cudaMallocManaged(&p, bytes);
    ++count;
    return p;
  }
  void deallocate(void* p, std::size_t, std::size_t) {
    cudaFree(p);
    --count;
  }
  void* allocate_async(std::size_t bytes, std::size_t, cuda::stream_ref s) {
    void* p = nullptr;
    cudaMallocAsync(&p, bytes, s.get());
    ++count;
    return p;
  }
  void deallocate_async(void* p, std::size_t, std::size_t, cuda::stream_ref s) {
    cudaFreeAsync(p, s.get());
    --count;
  }
  bool operator==(const managed_memory& o) const { return this == &o; }
  bool operator!=(const managed_memory& o) const { return !(*this == o); }
  friend void get_property(const managed_memory&, cuda::mr::device_accessible) {}
  friend void get_property(const managed_memory&, cuda::mr::host_accessible) {}
  friend std::size_t get_property(const managed_memory&, limit) { return 4096; }
};
static_assert(cuda::mr::resource<managed_memory>);
static_assert(cuda::mr::async_resource_with<managed_memory, cuda::mr::device_accessible>);

__global__ void fill(int* p) { p[threadIdx.x] = 3 * threadIdx.x; }

int sum_of(cuda::mr::resource_ref<cuda::mr::host_accessible, cuda::mr::device_accessible> memory) {
  int* p = static_cast<int*>(memory.allocate(32 * sizeof(int)));
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  int sum = 0;
  for (int i = 0; i < 32; ++i) sum += p[i];
  memory.deallocate(p, 32 * sizeof(int));
  return sum;
}

int main() {
  double* out;
  int* inside;
  cudaMallocManaged(&out, 32 * sizeof(double));
  cudaMallocManaged(&inside, 32 * sizeof(int));
  shuffles<<<1, 32>>>(out, inside);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; i += 5) std::printf("%.1f %d\n", out[i], inside[i]);
  cudaFree(out);
  cudaFree(inside);

  managed_memory memory;
  std::printf("%d, left %d\n", sum_of(memory), memory.count);
  cuda::mr::async_resource_ref<cuda::mr::device_accessible, limit> ref = memory;
  cudaStream_t s;
  cudaStreamCreate(&s);
  int* p = static_cast<int*>(ref.allocate_async(128, cuda::stream_ref(s)));
  fill<<<1, 32, 0, s>>>(p);
  int last = 0;
  cudaMemcpyAsync(&last, p + 31, sizeof last, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  ref.deallocate_async(p, 128, cuda::stream_ref(s));
  cudaStreamDestroy(s);
  std::printf("%d, limit %zu, same %d, left %d\n", last, get_property(ref, limit{}), ref == ref, memory.count);
  return 0;
}
