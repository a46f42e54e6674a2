// SPDX-License-Identifier: Apache-2.0
// The program of ptx_carries.cu with a carry that functions hand to each other.
#define BETWEEN_FUNCTIONS
#include "ptx_carries.cu"
