// SPDX-License-Identifier: Apache-2.0
// A kernel waits for a flag in managed memory, and the host's other thread for main, which waits for the kernel: a hang.
// It is found without a time limit, though a thread of the host could change the flag if it ran.
// options: --check all
// code: 4
// says: .hang.: kernel kernel does not end
#include <condition_variable>
#include <cuda_runtime.h>
#include <mutex>
#include <thread>
__global__ void kernel(volatile int* flag) {
  while (*flag == 0) {
  }
}
int main() {
  int* flag;
  cudaMallocManaged(&flag, sizeof(int));
  *flag = 0;
  std::mutex mutex;
  std::condition_variable launched;
  bool is_launched = false;
  std::thread teller([&] {
    std::unique_lock lock(mutex);
    launched.wait(lock, [&] { return is_launched; });
    *static_cast<volatile int*>(flag) = 7;
  });
  kernel<<<1, 1>>>(flag);
  cudaDeviceSynchronize();  // before the other one is told
  {
    std::lock_guard lock(mutex);
    is_launched = true;
  }
  launched.notify_one();
  teller.join();
  cudaFree(flag);
}
