// SPDX-License-Identifier: Apache-2.0
// No defect: a carry that functions hand to each other stays the thread's own where a schedule runs others in between.
// options: --check races --schedule random --seed 1
// code: 0
// says: wrong: 0
// says: no findings
#define BETWEEN_FUNCTIONS
#include "../ptx_carries.cu"
