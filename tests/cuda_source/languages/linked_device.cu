// SPDX-License-Identifier: Apache-2.0
__device__ int counter = 4;
__device__ int plus_one(int x) { return x + 1; }
