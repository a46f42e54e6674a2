// SPDX-License-Identifier: Apache-2.0
// Callbacks of cuFFT that are linked at run time are refused by name, with the reason.
// needs: fftw3.h of libfftw3-dev
// code: 2
// says: cufft_jit_callback.cu:11:10: error: 'cufftXtSetJITCallback' is not supported: the simulator has no code of a GPU to link
#include <cufftXt.h>

int main() {
  cufftHandle plan;
  cufftPlan1d(&plan, 8, CUFFT_C2C, 1);
  return cufftXtSetJITCallback(plan, "load", nullptr, 0, CUFFT_CB_LD_COMPLEX, nullptr);
}
