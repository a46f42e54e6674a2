// SPDX-License-Identifier: Apache-2.0
// The stop watch of NVIDIA's samples.
#ifndef COMMON_HELPER_TIMER_H_
#define COMMON_HELPER_TIMER_H_

#include "../simt_cuda/hide_names.hpp"

#include <chrono>

class StopWatchInterface {
  using clock = std::chrono::steady_clock;
  clock::time_point start_{};
  double total_ms_ = 0;
  int runs_ = 0;
  bool running_ = false;
  double now_ms() const { return std::chrono::duration<double, std::milli>(clock::now() - start_).count(); }

 public:
  void start() { start_ = clock::now(), running_ = true; }
  void stop() {
    if (running_) total_ms_ += now_ms(), ++runs_;
    running_ = false;
  }
  void reset() {
    total_ms_ = 0, runs_ = 0;
    if (running_) start_ = clock::now();
  }
  float getTime() { return static_cast<float>(total_ms_ + (running_ ? now_ms() : 0)); }
  float getAverageTime() { return runs_ > 0 ? static_cast<float>(total_ms_ / runs_) : 0.0f; }
};
inline bool sdkCreateTimer(StopWatchInterface** t) { return (*t = new StopWatchInterface) != nullptr; }
inline bool sdkDeleteTimer(StopWatchInterface** t) {
  delete *t;
  *t = nullptr;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface** t) { return *t != nullptr && ((*t)->start(), true); }
inline bool sdkStopTimer(StopWatchInterface** t) { return *t != nullptr && ((*t)->stop(), true); }
inline bool sdkResetTimer(StopWatchInterface** t) { return *t != nullptr && ((*t)->reset(), true); }
inline float sdkGetTimerValue(StopWatchInterface** t) { return *t != nullptr ? (*t)->getTime() : 0.0f; }
inline float sdkGetAverageTimerValue(StopWatchInterface** t) { return *t != nullptr ? (*t)->getAverageTime() : 0.0f; }

#include "../simt_cuda/restore_names.hpp"

#endif
