// SPDX-License-Identifier: Apache-2.0
#error "floats of 8 bits and fewer (cuda_fp4.h) are not supported by the simulator; use __half or __nv_bfloat16"
