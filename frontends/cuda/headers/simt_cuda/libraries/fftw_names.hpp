// SPDX-License-Identifier: Apache-2.0
// FFTW's own interface. A program that includes this file is linked with FFTW (driver/host_compiler.cpp).
#pragma once

#include <fftw3.h>
