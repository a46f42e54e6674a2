// SPDX-License-Identifier: Apache-2.0
// Callbacks of a stream that tell the host they have run through its own memory: an atomic flag, a lock, a promise. The host
// then reads what the stream's kernel and the callback wrote. (mutants/callback_flag_*.txt: relaxed, or without the wait.)
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <mutex>
struct job {
  int* data;
  std::atomic<int> done{0};
  std::mutex lock;
  std::condition_variable changed;
  bool locked_done = false;
  std::promise<void> promised;
};
__global__ void fill(int* data, int value) { data[threadIdx.x] = value; }
void by_flag(void* p) {
  job& j = *static_cast<job*>(p);
  j.data[0] = 1000;
  j.done.store(1, std::memory_order_release);
}
void by_lock(void* p) {
  job& j = *static_cast<job*>(p);
  std::lock_guard guard(j.lock);
  j.locked_done = true;
  j.changed.notify_one();
}
void by_promise(void* p) { static_cast<job*>(p)->promised.set_value(); }
int sum(const int* data) {
  int s = 0;
  for (int i = 0; i < 32; ++i) s += data[i];
  return s;
}
int main() {
  job j;
  cudaMallocHost(&j.data, 128);
  cudaStream_t s;
  cudaStreamCreate(&s);
  fill<<<1, 32, 0, s>>>(j.data, 1);
  cudaLaunchHostFunc(s, by_flag, &j);
  while (j.done.load(std::memory_order_acquire) == 0) {}
  std::printf("%d\n", sum(j.data));
  fill<<<1, 32, 0, s>>>(j.data, 2);
  cudaLaunchHostFunc(s, by_lock, &j);
  {
    std::unique_lock guard(j.lock);
    j.changed.wait(guard, [&] { return j.locked_done; });
  }
  std::printf("%d\n", sum(j.data));
  fill<<<1, 32, 0, s>>>(j.data, 3);
  cudaLaunchHostFunc(s, by_promise, &j);
  j.promised.get_future().get();
  std::printf("%d\n", sum(j.data));
  cudaStreamDestroy(s);
  cudaFreeHost(j.data);
}
