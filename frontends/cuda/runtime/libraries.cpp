// SPDX-License-Identifier: Apache-2.0
// The stack and the memory that calls into libraries of the host run on and in (headers/simt_cuda/libraries/call.hpp).
#include <pthread.h>
#include <signal.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <backends/sim/frontend.hpp>

namespace simt_cuda {

void on_large_stack(void (*work)(void*), void* data);
void* host_room(std::size_t bytes);
void free_host_room(void* room);

// A thread of its own: device threads have stacks of 64 KiB, and FFTW, LAPACK and BLAS expect a host's. Signals meant
// for device threads do not go there; faults do, and end the program as those of host code.
void on_large_stack(void (*work)(void*), void* data) {
  const simt::frontend::uninterrupted whole;
  sigset_t blocked, before;
  sigfillset(&blocked);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigdelset(&blocked, fault);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  std::thread host(work, data);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  host.join();
}

void* host_room(std::size_t bytes) {
  const simt::frontend::uninterrupted whole;
  void* const room = std::calloc(bytes + 1, 1);
  if (room == nullptr) {
    std::fprintf(stderr, "simt: out of host memory: %zu bytes for a library call\n", bytes);
    std::_Exit(2);
  }
  return room;
}
void free_host_room(void* room) {
  const simt::frontend::uninterrupted whole;
  std::free(room);
}

}  // namespace simt_cuda
