// Variables of the program that are destroyed after those of the runtime, for a device variable has started it first, and that
// take memory then, with a main that is one try block. What the run was is still known when it ends. Prints the same on a GPU.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

__device__ int started = 5;

struct late {
  ~late() {
    for (int round = 0; round < 40; ++round)
      for (size_t bytes = 16; bytes < 4096; bytes += 16)
        if (void* const p = std::malloc(bytes)) std::memset(p, 0x7f, bytes);
    std::printf("late\n");
  }
};
late last;

__global__ void a_kernel_with_a_name_that_is_long(int* out) { *out = started; }

int main() try {
  int* out;
  cudaMallocManaged(&out, sizeof(int));
  for (int i = 0; i < 20; ++i) a_kernel_with_a_name_that_is_long<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  std::printf("%d\n", *out);
  cudaFree(out);
  return 0;
} catch (...) {
  return 1;
}
