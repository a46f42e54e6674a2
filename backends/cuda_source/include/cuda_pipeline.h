// SPDX-License-Identifier: Apache-2.0
// The primitive pipeline interface, under the name of the header that also has C++ wrappers in the Toolkit.
#pragma once

#include "simt_cuda/hide_letters.hpp"

#include <cuda_pipeline_primitives.h>

#include "simt_cuda/restore_letters.hpp"
