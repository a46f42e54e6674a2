// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, TERM and HUP while something runs that can end in order: it is told, and what it has so far is kept.
#pragma once

#include <pthread.h>

#include <functional>

namespace simt::cli {

// From its construction on, the first INT, TERM or HUP calls `stop` with the signal, on a thread of its own. A second
// one, more than 0.3 seconds later, or ten seconds after which this still lives, ends the process with 128 + the
// signal. A signal that was ignored from the start (nohup) stays ignored. One object at a time.
class interruption {
 public:
  explicit interruption(std::function<void(int)> stop);
  ~interruption();  // the signals do again what they did before
  interruption(const interruption&) = delete;
  interruption& operator=(const interruption&) = delete;

  int signal() const;  // that came; 0: none

 private:
  void wait();
  std::function<void(int)> stop_;
  pthread_t waiter_{};
};

}  // namespace simt::cli
