// SPDX-License-Identifier: Apache-2.0
#error \
    "tensor cores (nvcuda::wmma, mma.h) are not supported by the simulator; multiply with ordinary code, for example tiles in shared memory"
