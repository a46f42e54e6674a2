// SPDX-License-Identifier: Apache-2.0
// cuFFT's interface in FFTW's names: FFTW itself, on the host. Memory of the device is the host's here, so plans take
// either, as NVIDIA's do; what they read and write is not watched.
#pragma once

#if !__has_include(<fftw3.h>)
#error "cufftw.h: its functions are FFTW's here, which is not installed: apt-get install libfftw3-dev"
#else
#include "simt_cuda/libraries/fftw_names.hpp"
#endif
