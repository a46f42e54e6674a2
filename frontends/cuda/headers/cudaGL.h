// SPDX-License-Identifier: Apache-2.0
#error \
    "what cudaGL.h declares is not supported by the simulator; call kernels of your own, or keep that part to a GPU build"
