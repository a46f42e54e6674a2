// SPDX-License-Identifier: Apache-2.0
// A library that the simulator has not is refused by its name, also where a Toolkit's headers lie about.
// code: 2
// says: library_header.cu:6
// says: Thrust .thrust/device_vector.h. is not supported by the simulator
#include <thrust/device_vector.h>
int main() { thrust::device_vector<int> v(10); }
