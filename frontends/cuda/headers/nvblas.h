// SPDX-License-Identifier: Apache-2.0
#error \
    "the library of nvblas.h is not supported by the simulator; call kernels of your own, or keep that part to a GPU build"
