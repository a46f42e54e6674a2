// Which thread wins depends on the schedule, and no two accesses race: only the results of two schedules tell. What is
// found is copied to the host ("copied", "long" with many orders), or only printed, or stays in managed memory.
#include <cstdio>
#include <cstring>
#include <ctime>

#ifdef TWIN
#define WINNER 1
#else
#define WINNER threadIdx.x + 1
#endif

__global__ void race_for_it(int* winner, int* taken, int rounds) {
  for (int i = 1; i < rounds; ++i) atomicAdd(&taken[1], 1);
  if (atomicExch(taken, 1) == 0) winner[0] = WINNER;
}

__global__ void say_it(const int* winner) { printf("the first is %d\n", winner[0]); }

int main(int, char** arguments) {
  const bool is_long = std::strcmp(arguments[1], "long") == 0;
  const bool is_managed = std::strcmp(arguments[1], "managed") == 0;
  int *winner, *taken, won = 0;
  if (is_managed)
    cudaMallocManaged(&winner, sizeof(int));
  else
    cudaMalloc(&winner, sizeof(int));
  cudaMalloc(&taken, 2 * sizeof(int));
  cudaMemset(winner, 0, sizeof(int));
  cudaMemset(taken, 0, 2 * sizeof(int));
  race_for_it<<<1, is_long ? 6 : 2>>>(winner, taken, is_long ? 6 : 1);
  if (std::strcmp(arguments[1], "printed") == 0)
    say_it<<<1, 1>>>(winner);
  else if (!is_managed)
    cudaMemcpy(&won, winner, sizeof(int), cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::printf("time: %ld\n", now.tv_nsec);
  if (!is_managed) cudaFree(winner);
  cudaFree(taken);
}
