// SPDX-License-Identifier: Apache-2.0
#error \
    "cusolverSp_LOWLEVEL_PREVIEW.h: the low-level functions of cuSOLVER for sparse matrices are not supported by the simulator; use cusolverSpDcsrlsvchol or cusolverSpDcsrlsvqr"
