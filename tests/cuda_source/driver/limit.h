// SPDX-License-Identifier: Apache-2.0
constexpr int kLimit = 60;  // for ../defects/nvrtc_assert.cu
