// SPDX-License-Identifier: Apache-2.0
// Callbacks of cuFFT are refused by name, with the reason.
// needs: fftw3.h of libfftw3-dev
// code: 2
// says: cufft_callback.cu:12:10: error: 'cufftXtSetCallback' is not supported: transforms run in a library of the host
#include <cufftXt.h>

int main() {
  cufftHandle plan;
  cufftPlan1d(&plan, 8, CUFFT_C2C, 1);
  void *f = nullptr;
  return cufftXtSetCallback(plan, &f, CUFFT_CB_LD_COMPLEX, nullptr);
}
