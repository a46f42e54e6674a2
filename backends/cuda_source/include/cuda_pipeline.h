// SPDX-License-Identifier: Apache-2.0
// The primitive pipeline interface, under the name of the header that also has C++ wrappers in the Toolkit.
#pragma once

#include <cuda_pipeline_primitives.h>
