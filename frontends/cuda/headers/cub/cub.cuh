// SPDX-License-Identifier: Apache-2.0
#error \
    "CUB (cub/cub.cuh) is not supported by the simulator; use cooperative_groups reduce and scan, or code of your own"
