// SPDX-License-Identifier: Apache-2.0
#error \
    "what cuda_vdpau_interop.h declares is not supported by the simulator; call kernels of your own, or keep that part to a GPU build"
