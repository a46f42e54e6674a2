// SPDX-License-Identifier: Apache-2.0
#error "the library of curand.h is not supported by the simulator; use curand_kernel.h in a kernel"
