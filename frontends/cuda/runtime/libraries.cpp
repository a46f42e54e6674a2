// SPDX-License-Identifier: Apache-2.0
// The stack that calls into libraries of the host run on (headers/simt_cuda/libraries/call.hpp).
#include <pthread.h>
#include <signal.h>

#include <thread>

#include <backends/sim/frontend.hpp>

namespace simt_cuda {

void on_large_stack(void (*work)(void*), void* data);

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

}  // namespace simt_cuda
