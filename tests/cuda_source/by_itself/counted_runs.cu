// How often a built program runs when nobody but itself looks at what was found: each run adds a line to a file.
//   counted_runs FILE clean|race|doubt|doubt_and_race
#include <cstdio>
#include <cstring>

__global__ void reverse(int *data, int barriers) {
  __shared__ int part[128];
  part[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  const int other = part[127 - threadIdx.x];
  if (barriers == 2) __syncthreads();
  part[threadIdx.x] = other;
  data[threadIdx.x] = part[threadIdx.x];
}

// Every second word, from `first` on.
__global__ void sum_words(const int *from, int first, int *to) {
  to[threadIdx.x] = from[2 * threadIdx.x + first];
}
__global__ void change_words(int *to, int first) {
  to[2 * threadIdx.x + first] = 1;
}

int main(int argc, char **argv) {
  if (argc < 3) return 1;
  FILE *runs = fopen(argv[1], "a");
  fputs("run\n", runs);
  fclose(runs);
  printf("printed\n");
  const bool doubt = strncmp(argv[2], "doubt", 5) == 0, race = strstr(argv[2], "race") != nullptr;
  int *data, *sums;
  cudaMalloc(&data, 256 * sizeof(int));
  cudaMalloc(&sums, 256 * sizeof(int));
  cudaMemset(data, 0, 256 * sizeof(int));
  if (doubt) {
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    sum_words<<<1, 128, 0, a>>>(data, 0, sums);
    change_words<<<1, 128, 0, b>>>(data, race ? 0 : 1);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
  } else {
    reverse<<<1, 128>>>(data, race ? 1 : 2);
  }
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(sums);
  return 0;
}
