// SPDX-License-Identifier: Apache-2.0
// A library that the simulator has not is refused by its name, also where a Toolkit's headers lie about.
// code: 2
// says: library_header.cu:6
// says: the library of nccl.h is not supported by the simulator
#include <nccl.h>
int main() { ncclComm_t all; }
