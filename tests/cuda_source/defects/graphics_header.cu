// SPDX-License-Identifier: Apache-2.0
// Work together with graphics is refused by the name of its header.
// code: 2
// says: graphics_header.cu:6
// says: what cudaGL.h declares is not supported by the simulator
#include <cudaGL.h>
int main() {}
